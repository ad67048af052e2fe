/** Digests of what a record holds, as they stand in a ledger for years. */
import * as z from 'zod/v4-mini';

import { fieldDigests } from '../../../../nodes/SchoolPartnerRoster/planning/fieldDigests.ts';
import type { Fields, Kind } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';

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

test.each(records)(
	'What the ledger has of a %s stays as it was written, by an older version too',
	(kind, fields) => {
		const written = `${fieldDigests(kind, fields, SALT)}..`;
		expect(fieldDigests(kind, fields, SALT, written)).toBe(written);
	},
);
