/** Where the measurements take place: a sandbox with many pupils, a real n8n, a credential for either side. */
import type { IDataObject } from 'n8n-workflow';

import { createCredential, type StoredCredential } from '../../playground/n8n-client.mts';
import type { CourseState, Facts } from '../../sandbox/admin-types.mts';
import { setStage, type Stage, type StageOptions } from '../support/stage.mts';

import { plainCredential } from './workflows.mts';

export interface Hall extends Stage {
	/** For the HTTP Request node. `credential` is ours. */
	plain: StoredCredential;
	facts: Facts;
	/** One account for each pupil. */
	accountIds: string[];
	/** A course of each account that has one. */
	courses: CourseState[];
}

const ALL = { limit: 1_000_000 };

/** Opens a hall with so many pupils. Nothing is refused for being there already, so that rounds can repeat. */
export async function openHall(students: number, options: StageOptions = {}): Promise<Hall> {
	const stage = await setStage({
		...options,
		sandbox: { students, duplicates: 'accept', ...options.sandbox },
	});
	const { sandbox, session } = stage;
	const { admin } = sandbox;
	const [facts, users, courses] = await Promise.all([admin.facts(), admin.users(ALL), admin.courses(ALL)]);
	return {
		...stage,
		facts,
		plain: await createCredential(
			session,
			plainCredential(sandbox.issuerUrl, sandbox.clientId, sandbox.clientSecret),
		),
		accountIds: [
			...new Set(
				users.items.filter(({ profiles }) => profiles.includes('student')).map((user) => user.account_id),
			),
		],
		courses: [...new Map(courses.items.map((course) => [course.account_id, course])).values()],
	};
}

/** Code that gives `count` invented pupils under the service's own field names. */
export function pupilsAsCode({ responsibles }: Facts, count: number): string {
	const [guardian] = responsibles;
	const pupil: IDataObject = {
		school_external_id: guardian?.schoolExternalId ?? '',
		first_name: 'Abelia',
		last_name: 'Fontela',
		birth_date: '2014-05-17',
		document_type: 'TAX_ID',
		document_value: '00000000191',
		responsible_external_id: guardian?.externalId ?? '',
		cell_phone: '11955550123',
		ddi: '55',
		email: 'abelia@pupils.example',
	};
	return `return Array.from({ length: ${count} }, (_, row) => ({ external_id: 'pupil-' + row, ...${JSON.stringify(pupil)} }))`;
}
