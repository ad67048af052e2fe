/** What the service says it has: asked through the same engine as everything else. */
import type { IDataObject } from 'n8n-workflow';

import type { Found } from '../../shared/calls/answer';
import { getEducationalStages, getProfiles } from '../../shared/calls/provisioning';
import { outcomesOf, type Job } from '../../shared/engine/engine';
import { success, type Failure, type Outcome } from '../../shared/failure';

import type { RosterRecord } from '../roster/record';

import { schoolOf, type Offered, type Stages } from './offered';

/** What the engine needs for every job of a run. */
export type Means = Omit<Job, 'count' | 'inputOf' | 'work' | 'resultOf'>;

/** Profiles once, and stages with their grades once for each school that has a class among the records. */
export async function offeredBy(means: Means, records: readonly RosterRecord[]): Promise<Outcome<Offered>> {
	const [profiles] = await found(means, getProfiles.work, [{}]);
	if (!profiles.ok) return profiles;
	const classes = records.filter(({ kind }) => kind === 'class');
	const schools = await stagesOfSchools(means, new Set(classes.map(({ fields }) => schoolOf(fields))));
	if (!schools.ok) return schools;
	const types = profiles.value.map(({ type }) => String(type));
	return success({ profiles: new Set(types), schools: schools.value });
}

/** Stages with their grades, once for each school. */
export async function stagesOfSchools(
	means: Means,
	schoolIds: Iterable<string>,
): Promise<Outcome<Offered['schools']>> {
	const schools = [...schoolIds];
	const stages = await found(
		means,
		getEducationalStages.work,
		schools.map((school) => ({ school_external_id: school })),
	);
	const bySchool = new Map<string, Stages | 'unknown'>();
	for (const [index, outcome] of stages.entries()) {
		if (!outcome.ok && !isUnknown(outcome.failure)) return outcome;
		bySchool.set(schools[index], outcome.ok ? stagesOf(outcome.value) : 'unknown');
	}
	return success(bySchool);
}

/** What the profiles lookup gives; nothing where it fails: then nobody knows more of profiles than their types. */
export async function profilesOffered(means: Means): Promise<Found> {
	const [profiles] = await found(means, getProfiles.work, [{}]);
	return profiles.ok ? profiles.value : [];
}

/** Statuses with which the service says that it does not know the school it was asked for. Trap: a proxy in front of it has a page with such a status too. */
function isUnknown({ origin, status, isPage }: Failure): boolean {
	return origin === 'service' && isPage !== true && (status === 400 || status === 404);
}

async function found(
	means: Means,
	work: typeof getProfiles.work | typeof getEducationalStages.work,
	inputs: readonly object[],
): Promise<Array<Outcome<Found>>> {
	return await outcomesOf({
		...means,
		count: inputs.length,
		inputOf: (item) => success(inputs[item]),
		work: work as Job['work'],
		resultOf: success,
	});
}

function stagesOf(stages: readonly IDataObject[]): Stages {
	return new Map(
		stages.map(({ name, grades }) => [
			String(name),
			new Set((Array.isArray(grades) ? (grades as IDataObject[]) : []).map((grade) => String(grade.name))),
		]),
	);
}
