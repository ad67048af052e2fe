/** Digests of what a record holds, as they stand in a ledger for years. */
import * as z from 'zod/v4-mini';

import { emptyState, rosterDigest } from '../../../../nodes/SchoolPartnerRoster/planning/desiredState.ts';
import { fieldDigests } from '../../../../nodes/SchoolPartnerRoster/planning/fieldDigests.ts';
import type { Fields, Kind, RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { Turns } from '../../../../nodes/SchoolPartnerRoster/roster/turns.ts';
import { host } from '../reading/support.mts';

const CONTRACT = '../../../../nodes/shared/contract/provisioning.ts';
const SALT = 'salt';

const records: Array<[Kind, Fields]> = [
	['class', { school_external_id: 's', external_id: 'c', name: '5A', year: 2026 }],
	['user', { school_external_id: 's', external_id: 'u', first_name: 'Nina', profiles: ['student'] }],
];

/** A later version of the package, whose contract has one more field behind the others. The contract is what is tried: only a stand-in has that field today. */
async function digestsOfLater(): Promise<typeof fieldDigests> {
	jest.resetModules();
	jest.doMock(CONTRACT, () => {
		const actual = jest.requireActual<Record<string, z.ZodMiniObject>>(CONTRACT);
		const { classCreation, userCreation } = actual;
		const later = { later: z.optional(z.string()) };
		return {
			...actual,
			classCreation: z.object({ ...classCreation.shape, ...later }),
			userCreation: z.object({ ...userCreation.shape, ...later }),
		};
	});
	const made = await import('../../../../nodes/SchoolPartnerRoster/planning/fieldDigests.ts');
	jest.dontMock(CONTRACT);
	return made.fieldDigests;
}

test.each(records)(
	'A field that the service gets later changes nothing of a %s that has none',
	async (kind, fields) => {
		const later = await digestsOfLater();
		expect(later(kind, fields, SALT)).toBe(fieldDigests(kind, fields, SALT));
		expect(later(kind, { ...fields, later: 'x' }, SALT)).not.toBe(fieldDigests(kind, fields, SALT));
	},
);

/** Of a class without shift, course and description, as it was written when all places of the contract had a dot. */
const WITH_DOTS = `${fieldDigests(...records[0], SALT)}..`;

test('What the ledger has of a class stays as it was written, by an older version too', () => {
	const [kind, fields] = records[0];
	expect(fieldDigests(kind, fields, SALT, WITH_DOTS)).toBe(WITH_DOTS);
});

test('An export is known again whatever the ledger has of its empty fields: an older one is held', async () => {
	const [kind, fields] = records[0];
	const digestOf = async (digests: string) => {
		const record: RosterRecord = { kind, fields, source: { file: 'classes.csv', line: 2 } };
		const desired = { kind, key: 'c:s|c', school: 's', fields: digests, record };
		return await rosterDigest(
			{ ...emptyState(), records: new Map([[desired.key, desired]]) },
			new Turns(host),
		);
	};
	expect(await digestOf(WITH_DOTS)).toEqual(await digestOf(fieldDigests(kind, fields, SALT)));
	expect(await digestOf(WITH_DOTS)).not.toEqual(
		await digestOf(fieldDigests(kind, { ...fields, year: 2027 }, SALT)),
	);
});
