/** What Explain says where the same id is that of another person in another school: of each only what is known of that one. */
import { explanationOf } from '../../../../nodes/SchoolPartnerRoster/explaining/explanation.ts';
import { factsOf } from '../../../../nodes/SchoolPartnerRoster/explaining/facts.ts';
import { ledgerOf, type Row } from '../ledgerRows.mts';

const AT = '2026-03-09T03:00:00.000Z';
const NOW = Date.parse('2026-03-10T00:00:00Z');

const row = (kind: string, key: string, school: string, more: Row = {}): Row => ({
	...{ kind, key, school_external_id: school, state: 'applied', run_id: 'r1-x', sequence: '1', at: AT },
	...more,
});
const run = (holds: string[] = []) =>
	row('run', 'run', '', { detail: JSON.stringify({ holds }), sequence: '9' });
const granted = (school: string) =>
	row('access', `u:${school}|ana`, school, {
		...{ state: 'granted', since: AT, service_id: `user-of-${school}`, account_id: `account-of-${school}` },
		detail: JSON.stringify({ request_id: school, tenant_id: 't' }),
	});

const IN_A = [
	row('user', 'u:a|ana', 'a'),
	row('class', 'c:a|5a', 'a'),
	row('bond', 'b:a|5a|ana|student', 'a'),
];

async function explained(rows: Row[], school = '') {
	const [facts] = factsOf([{ externalId: 'ana', school }], await ledgerOf(...rows), NOW);
	return explanationOf(facts, [], undefined);
}

describe('An event of the one with this id in another school', () => {
	test.each(['', 'a'])('says nothing of who is in class (asked with the school "%s")', async (school) => {
		const item = await explained([run(), ...IN_A, granted('b')], school);
		expect(item).toMatchObject({ school_external_id: 'a', code: 'noAccess', access: null });
	});

	test('says nothing of who was taken out of all classes', async () => {
		const out = { ...IN_A[2], state: 'removed' };
		expect(await explained([run(), ...IN_A.slice(0, 2), out, granted('b')])).toMatchObject({
			...{ code: 'left', access: null },
		});
	});

	test('is of none of the two whom the ledger has', async () => {
		const rows = [run(), ...IN_A, row('user', 'u:b|ana', 'b'), granted('b')];
		expect(await explained(rows)).toMatchObject({ code: 'severalSchools', access: null });
		expect(await explained(rows, 'b')).toMatchObject({ access: { state: 'granted' } });
	});

	test('is told of whom the ledger does not have', async () => {
		const access = { state: 'granted', request_id: 'b' };
		expect(await explained([run(), granted('b')])).toMatchObject({ code: 'accessUnknown', access });
	});
});
