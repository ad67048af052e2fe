/** What Explain says where the same id is that of another person in another school: of each only what is known of that one. */
import { explanationOf } from '../../../../nodes/SchoolPartnerRoster/explaining/explanation.ts';
import { factsOf } from '../../../../nodes/SchoolPartnerRoster/explaining/facts.ts';
import { pairDigest } from '../../../../nodes/SchoolPartnerRoster/ledger/digest.ts';
import { ledgerOf, type Row } from '../ledgerRows.mts';
import { Nights } from '../night.mts';
import { aBond, aClass, aUser } from '../world.mts';

const AT = '2026-03-09T03:00:00.000Z';
const NOW = Date.parse('2026-03-10T00:00:00Z');
const HOLD = 'hold-0123456789ab';

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

const held = (school: string) => [
	row('hold', `${HOLD}:1`, school, {
		detail: JSON.stringify({
			...{ school, reason: 'A first run', conditions: [] },
			changes: [pairDigest('create', `u:${school}|ana`)],
		}),
	}),
	run([HOLD]),
];
const told = (code: string, ...schools: string[]) =>
	row('told', 'told', '', {
		state: 'told',
		detail: JSON.stringify({ told: schools.map((school) => pairDigest(code, `u:${school}|ana`)) }),
	});

const IN_A = [
	row('user', 'u:a|ana', 'a'),
	row('class', 'c:a|5a', 'a'),
	row('bond', 'b:a|5a|ana|student', 'a'),
];

async function explained(rows: Row[], school = '') {
	const [facts] = factsOf([{ externalId: 'ana', school }], await ledgerOf(...rows), NOW);
	return explanationOf(facts, new Map(), undefined);
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

describe('Who is only held, or told of, is one of several schools too:', () => {
	const classOfB = row('class', 'c:b|1b', 'b');
	const several = (schools: string) => ({
		...{ code: 'severalSchools', school_external_id: '', key: '', user: null, access: null },
		verdict: `The ledger has somebody with this id in several schools: ${schools}`,
	});

	test('beside one who is in class, the other is held', async () => {
		const rows = [...IN_A, ...held('b')];
		expect(await explained(rows)).toMatchObject(several('a, b'));
		expect(await explained(rows, 'b')).toMatchObject({ code: 'held', key: 'u:b|ana', hold_id: HOLD });
		expect(await explained(rows, 'a')).toMatchObject({ code: 'inPlace', school_external_id: 'a' });
	});

	test.each([
		...['personTwice', 'looksLikeKnown', 'newTwice'].map((finding) => [finding, 'notCreated']),
		['needsUnknown', 'needsUnknown'],
	])('beside one who is in class, the other is told of (%s)', async (finding, code) => {
		const rows = [run(), ...IN_A, classOfB, told(finding, 'b')];
		expect(await explained(rows)).toMatchObject(several('a, b'));
		expect(await explained(rows, 'b')).toMatchObject({ code, key: 'u:b|ana' });
	});

	test('both are told of', async () => {
		const rows = [run(), ...IN_A.slice(1, 2), classOfB, told('personTwice', 'a', 'b')];
		expect(await explained(rows)).toMatchObject(several('a, b'));
		for (const school of ['a', 'b'])
			expect(await explained(rows, school)).toMatchObject({ code: 'notCreated', key: `u:${school}|ana` });
	});

	test('one is held, the other told of', async () => {
		const rows = [...IN_A.slice(1, 2), classOfB, ...held('b'), told('personTwice', 'a')];
		expect(await explained(rows)).toMatchObject(several('a, b'));
	});

	test('who left and is told of stays the only one', async () => {
		const rows = [run(), ...IN_A, classOfB, told('userLeft', 'a')];
		expect(await explained(rows)).toMatchObject({ code: 'inPlace', school_external_id: 'a' });
	});

	test('of whom the ledger does not have, no other school is named that has nobody of this id', async () => {
		const rows = [run(), ...IN_A.slice(1, 2), classOfB, told('personTwice', 'a')];
		expect(await explained(rows)).toMatchObject({ code: 'notCreated', key: 'u:a|ana' });
		expect(await explained(rows, 'b')).toMatchObject({ code: 'unknown' });
	});
});

test('Where user ids are one in the network, who is in classes of two schools is one person', async () => {
	const rows = [run(), row('user', 'u:ana', 'a'), row('class', 'c:a|5a', 'a'), row('class', 'c:b|1b', 'b')];
	const bonds = [row('bond', 'b:a|5a|ana|student', 'a'), row('bond', 'b:b|1b|ana|student', 'b')];
	const item = await explained([...rows, ...bonds, granted('b')]);
	expect(item).toMatchObject({ code: 'hasAccess', key: 'u:ana' });
	expect(item.bonds).toHaveLength(2);
});

describe('A pupil of a network, who is in a class of one school, and whose class of another school is held', () => {
	const students = Array.from({ length: 60 }, (_, place) => `m${place}`);
	const inOne = [
		...[
			aClass('c1'),
			...students.map((id) => aUser(id, 'student')),
			...students.map((id) => aBond(id, 'c1')),
		],
		...[aClass('b1', 'school-2'), aUser('x', 'student', 'school-2'), aBond('x', 'b1', 'student', 'school-2')],
	];

	test.each([
		['', 'held'],
		['school-2', 'held'],
		['school-1', 'inPlace'],
	])('is told so, whether or not a school is asked for ("%s": %s)', async (school, code) => {
		const nights = await Nights.after(inOne, { userIdsUniqueWithin: 'network' });
		await nights.sync([...inOne, ...students.map((id) => aBond(id, 'b1', 'student', 'school-2'))]);
		const now = 1_800_000_000_000 + nights.time.now;
		const [facts] = factsOf([{ externalId: 'm1', school }], await nights.ledger(), now);
		expect(explanationOf(facts, new Map(), undefined).code).toBe(code);
	});
});

test('Of many people the ledger is gone through as often as of one: it may be large, and n8n waits meanwhile', async () => {
	const passes = async (count: number) => {
		const ids = Array.from({ length: 20 }, (_, place) => `p${place}`);
		const rows = ids.flatMap((id) => [
			...[row('user', `u:a|${id}`, 'a'), row('bond', `b:a|5a|${id}|student`, 'a')],
			row('access', `u:a|${id}`, 'a', { state: 'granted', since: AT, service_id: `user-${id}` }),
		]);
		const ledger = await ledgerOf(row('class', 'c:a|5a', 'a'), ...rows, ...held('a'));
		const read = [ledger.entries, ledger.decisions.access].map((each) =>
			jest.spyOn(each as Map<string, unknown>, 'values'),
		);
		factsOf(
			ids.slice(0, count).map((externalId) => ({ externalId, school: '' })),
			ledger,
			NOW,
		);
		return read.map(({ mock }) => mock.calls.length);
	};
	expect(await passes(20)).toEqual(await passes(1));
});
