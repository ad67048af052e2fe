/** What Verify says of people, from what the service shows of them and what the ledger knows; nothing is sent here. */
import type { Ledger } from '../../../../nodes/SchoolPartnerRoster/ledger/ledger.ts';
import { ledgerRow, type LedgerRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import {
	fieldDigests,
	isSeenAs,
	seenDigests,
} from '../../../../nodes/SchoolPartnerRoster/planning/fieldDigests.ts';
import type { Fields, Kind } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { accountsToAsk } from '../../../../nodes/SchoolPartnerRoster/verifying/asked.ts';
import { believedResult } from '../../../../nodes/SchoolPartnerRoster/verifying/believed.ts';
import { ShownIds } from '../../../../nodes/SchoolPartnerRoster/verifying/classes.ts';
import {
	compareAccount,
	type AccountAnswers,
	type PersonComparison,
} from '../../../../nodes/SchoolPartnerRoster/verifying/compared.ts';
import {
	fieldsShownOtherwise,
	shownClass,
	shownPerson,
} from '../../../../nodes/SchoolPartnerRoster/verifying/fields.ts';
import { learnedRows } from '../../../../nodes/SchoolPartnerRoster/verifying/learned.ts';
import { ledgerFrom } from '../ledgerRows.mts';

const SALT = 'salt';
const SCHOOL = { school_external_id: 's' };
const TENANT = 'tenant-1';

const sentFields = (n: number): Fields => ({
	...SCHOOL,
	external_id: `p${n}`,
	first_name: 'Ana Maria',
	last_name: 'de Souza',
	birth_date: '2012-03-04',
	document_type: 'TAX_ID',
	document_value: '12345678909',
	ddi: '55',
	cell_phone: '11900000000',
	email: 'ana@family.example',
	profiles: ['student'],
	responsible_external_id: ['r2', 'r1'],
});

type Shown = Record<string, unknown>;

const account = (n: number, change: Shown = {}): Shown => ({
	account_id: `a${n}`,
	id: `u${n}`,
	external_id: `p${n}`,
	name: 'Ana Maria de Souza',
	date_of_birth: '2012-03-04',
	cell_phone: { ddi: '55', value: '11900000000' },
	email: 'ana@family.example',
	documents: [
		{ type: 'PASSPORT', value: 'X1' },
		{ type: 'TAX_ID', value: '123.456.789-09' },
	],
	...change,
});
const sponsors = (...ids: string[]): Shown[] => ids.map((id) => ({ external_id: id }));
const classOf = (c: number, profile = 'Estudante', change: Shown = {}): Shown => ({
	...{ id: `k${c}`, school_id: 'school-id', external_id: `c${c}`, name: '5A', year: 2026 },
	profiles: [{ id: 'x', name: profile }],
	...change,
});

const row = (kind: Kind, key: string, more: Partial<LedgerRow> = {}) =>
	ledgerRow({ ...{ kind, key, school_external_id: 's', state: 'applied' }, ...more });

/** A ledger of so many people, each in two classes of four. */
async function ledgerOf(people: number, change: (rows: LedgerRow[]) => void = () => {}): Promise<Ledger> {
	const rows = [1, 2, 3, 4].map((c) => row('class', `c:s|c${c}`, { service_id: `k${c}` }));
	for (let n = 1; n <= people; n++) {
		const fields = fieldDigests('user', sentFields(n), SALT);
		rows.push(row('user', `u:s|p${n}`, { fields, service_id: `u${n}`, account_id: `a${n}` }));
		for (const c of classesOf(n)) rows.push(row('bond', `b:s|c${c}|p${n}|student`));
	}
	change(rows);
	return await ledgerFrom(rows.map((one, index) => ({ ...one, id: index + 1 })));
}
const classesOf = (n: number) => [(n % 2) + 1, (n % 2) + 3];

const offered = [
	{ code: 1, name: 'Estudante', type: 'student' },
	{ code: 2, name: 'Professor', type: 'educator' },
];

const all = (n: number): Required<AccountAnswers> => ({
	account: [account(n)],
	sponsors: sponsors('r1', 'r2'),
	classes: classesOf(n).map((c) => classOf(c)),
});

/** The same answers for each of so many people. */
const forEach = (people: number, answers: (n: number) => AccountAnswers): Record<number, AccountAnswers> =>
	Object.fromEntries(Array.from({ length: people }, (_, n) => [n + 1, answers(n + 1)]));

/** What Verify says when the service shows all of it, but for what is given of some people. */
async function verify(
	people: number,
	change: Record<number, AccountAnswers> = {},
	edit?: (rows: LedgerRow[]) => void,
	named?: Array<{ name: string; profile: string }>,
) {
	const ledger = await ledgerOf(people, edit);
	const known = new Map(
		[...ledger.entries.values()].flatMap(
			({ kind, key, row: { account_id: accountId, service_id: userId } }) =>
				kind === 'user' ? [[key, { accountId, userId, tenantId: TENANT }] as const] : [],
		),
	);
	const { accounts } = accountsToAsk(ledger, known, '', ALL);
	const ids = shownIds(ledger, named);
	const compared = accounts.flatMap((one) => {
		const n = Number(one.accountId.slice(1));
		return compareAccount(one, { ...all(n), ...change[n] }, ids, SALT);
	});
	return { ...believedResult(compared, []), ledger, compared };
}

const ALL = { share: 1, turn: 0 };

function shownIds(ledger: Ledger, named?: Array<{ name: string; profile: string }>): ShownIds {
	const ids = new ShownIds(ledger, offered, named);
	ids.learnSchool('school-id', 's');
	return ids;
}

const differences = ({ differences: list }: Awaited<ReturnType<typeof verify>>) =>
	list.map(({ key, difference, fields }) => [key, difference, ...(fields ?? [])].join(' '));
const codes = ({ findings }: Awaited<ReturnType<typeof verify>>) => findings.map(({ code }) => code);
/** Why somebody was not seen, where nothing else is told. */
const notSeen = (verdict: Awaited<ReturnType<typeof verify>>) => {
	expect(codes(verdict)).toEqual(['notSeen']);
	return /\((.*)\)$/.exec(verdict.findings[0].message)?.[1].split('; ');
};

test('Who exists, and may be somebody else, is not compared: nothing is to be corrected or taken out there', async () => {
	const stranger = { account: [account(1, { name: 'Otto Meyer' })], classes: [classOf(1), classOf(2)] };
	const edit = (rows: LedgerRow[]) => {
		const ofFirst = rows.filter(({ key }) => key.includes('p1'));
		for (const one of ofFirst) one.state = one.kind === 'user' ? 'exists' : 'removed';
	};
	expect(await verify(2, { 1: stranger }, edit)).toMatchObject({ differences: [], asked: 1, same: 1 });
});

test('What the service shows as it was sent is the same: the name in one piece, a document with dots, responsible persons in another order', async () => {
	const verdict = await verify(10);
	expect(verdict).toMatchObject({
		...{ differences: [], findings: [], asked: 10, same: 10, different: 0, notSeen: 0 },
	});
});

const OTHER_FIELDS: Array<[Shown, string]> = [
	[{ name: 'Eva de Souza' }, 'first_name'],
	[{ name: 'Ana Maria Lima' }, 'last_name'],
	[{ name: 'Eva Lima' }, 'first_name last_name'],
	[{ date_of_birth: '2012-03-05' }, 'birth_date'],
	[{ email: 'eva@family.example' }, 'email'],
	[{ email: null }, 'email'],
	[{ cell_phone: { ddi: '55', value: '11911111111' } }, 'cell_phone'],
	[{ cell_phone: { ddi: '351', value: '11900000000' } }, 'ddi'],
	[{ documents: [{ type: 'TAX_ID', value: '99' }] }, 'document_value'],
	[{ documents: [{ type: 'ID', value: '12345678909' }] }, 'document_type'],
	[{ external_id: 'other' }, 'external_id'],
];

test('A bond that is not shown is missing, with what Resolve needs; one that is shown besides is extra, and heals nothing', async () => {
	const verdict = await verify(10, {
		3: { classes: [classOf(2)] },
		4: { classes: [classOf(1), classOf(3), classOf(4, 'Professor')] },
	});
	expect(verdict.differences).toEqual([
		expect.objectContaining({
			...{ key: 'b:s|c4|p3|student', difference: 'missing', is: 'notInService', by: 'Verify' },
			...{
				school_external_id: 's',
				class_external_id: 'c4',
				user_external_id: 'p3',
				profile_name: 'student',
			},
		}),
		expect.not.objectContaining({ is: expect.anything() }),
	]);
	expect(differences(verdict)[1]).toBe('b:s|c4|p4|educator extra');
});

// That every drift of twelve kinds is found, and none is invented: test/engine/rosterVerify.test.mts.
test.each(OTHER_FIELDS)('%j is told by the names of its fields: %s', async (change, fields) => {
	const verdict = await verify(20, { 3: { account: [account(3, change)] } });
	expect(differences(verdict)).toEqual([`u:s|p3 field ${fields}`]);
	expect(verdict).toMatchObject({ findings: [], different: 1, same: 19, notSeen: 0 });
	expect(JSON.stringify(verdict.differences)).not.toMatch(/Eva|Lima|2012-|9111|eva@|"351"/);
});

test('Another responsible person is told; none at all was not seen', async () => {
	const verdict = await verify(10, { 3: { sponsors: sponsors('r1', 'r9') }, 4: { sponsors: [] } });
	expect(differences(verdict)).toEqual(['u:s|p3 responsible responsible_external_id']);
	expect(verdict).toMatchObject({ different: 1, notSeen: 1, same: 8 });
	expect(notSeen(verdict)).toEqual(['no responsible persons, or none with an external ID: 1']);
});

describe('Nothing is ever taken for gone', () => {
	test.each<[string, AccountAnswers, string]>([
		['an account that is not found', { account: [] }, 'account not found'],
		['an account that was refused', { account: undefined }, 'an error, or no answer'],
		['the account of somebody else', { account: [account(9)] }, 'the account of somebody else'],
		['a list of classes that was refused', { classes: undefined }, 'an error, or no answer'],
		['an empty list of classes', { classes: [] }, 'no classes, or less than half of what was sent'],
	])('%s was not seen', async (_what, answers, why) => {
		const verdict = await verify(10, { 3: answers });
		expect([verdict.differences, notSeen(verdict)]).toEqual([[], [`${why}: 1`]]);
		expect(verdict).toMatchObject({ same: 9, notSeen: 1 });
	});

	test('a list of less than half was not seen', async () => {
		const verdict = await verify(10, { 3: { classes: [classOf(2)] } }, (rows) =>
			rows.push(row('bond', 'b:s|c1|p3|student')),
		);
		expect([verdict.differences, notSeen(verdict)]).toEqual([
			[],
			['no classes, or less than half of what was sent: 1'],
		]);
	});

	test.each([3, 20, 200])('half lists for everybody (%i people) were not seen', async (people) => {
		const verdict = await verify(
			people,
			forEach(people, (n) => ({ classes: [all(n).classes[(n - 1) % 2]] })),
		);
		expect(verdict).toMatchObject({ differences: [], same: 0, notSeen: people });
	});

	test('a class that most of its people do not see is hidden, and others are still compared', async () => {
		const hidden = forEach(20, (n) => ({ classes: all(n).classes.filter(({ id }) => id !== 'k1') }));
		const verdict = await verify(20, { ...hidden, 3: { classes: [classOf(4)] } });
		expect(differences(verdict)).toEqual(['b:s|c2|p3|student missing']);
		expect(codes(verdict)).toEqual(['classesHidden']);
	});

	test('other responsible persons for many at once were not seen', async () => {
		const verdict = await verify(
			20,
			forEach(20, () => ({ sponsors: sponsors('r1') })),
		);
		expect([verdict.differences, codes(verdict), verdict.notSeen]).toEqual([[], ['sponsorsDiffer'], 20]);
	});
});

test('A profile that nobody can tell is neither missing nor extra, and it is said how to name it', async () => {
	const verdict = await verify(10, { 3: { classes: [classOf(2, 'Aluno'), classOf(4)] } });
	expect([verdict.differences, codes(verdict)]).toEqual([[], ['profilesUnknown']]);
	expect(verdict.findings[0].what_to_do).toContain('Profile Names');
	const known = await verify(10, { 3: { classes: [classOf(2, 'ALUNO '), classOf(4, 'aluno')] } }, undefined, [
		{ name: 'Aluno', profile: 'student' },
	]);
	expect(known).toMatchObject({ differences: [], findings: [], same: 10 });
});

test('A field that the service shows of nobody is not compared, and one that differs for most is one cause', async () => {
	const everybody = (change: Shown) => forEach(10, (n) => ({ account: [account(n, change)] }));
	expect((await verify(10, everybody({ documents: [], email: null }))).differences).toEqual([]);
	const onlyFourHaveOne = (rows: LedgerRow[]) => {
		for (const one of rows)
			if (/^u:s\|p([5-9]|10)$/.test(one.key)) {
				const { email: _email, ...fields } = sentFields(Number(one.key.slice(5)));
				one.fields = fieldDigests('user', fields, SALT);
			}
	};
	expect(await verify(10, everybody({ email: null }), onlyFourHaveOne)).toMatchObject({
		...{ differences: [], findings: [], same: 10, different: 0 },
	});
	const verdict = await verify(10, everybody({ email: 'all@school.example' }));
	expect([verdict.differences, codes(verdict)]).toEqual([[], ['fieldDiffersForMost']]);
});

test('A bond that is uncertain is settled when it is shown, and is neither missing nor extra', async () => {
	const edit = (rows: LedgerRow[]) => {
		const bond = rows.find(({ key }) => key === 'b:s|c2|p3|student');
		Object.assign(bond ?? {}, { state: 'uncertain', detail: '{"action":"create"}' });
	};
	const verdict = await verify(10, {}, edit);
	expect([verdict.differences, verdict.settled]).toEqual([[], ['b:s|c2|p3|student']]);
	expect((await verify(10, { 3: { classes: [classOf(4)] } }, edit)).differences).toEqual([]);
});

test('An account that is shown as a user of another school says nothing of the fields of this one', async () => {
	const shown = account(3, { id: 'elsewhere', external_id: 'x', name: 'Eva' });
	expect((await verify(10, { 3: { account: [shown] } })).differences).toEqual([]);
});

test('Somebody whose id has a bar in it is compared as others are', async () => {
	const edit = (rows: LedgerRow[]) => {
		for (const one of rows) if (one.key === 'u:s|p3') one.key = 'u:s|p%7C3';
	};
	const shown = account(3, { id: '', external_id: 'p|3', email: 'eva@family.example' });
	const verdict = await verify(10, { 3: { account: [shown], classes: [] } }, edit);
	expect(differences(verdict)).toEqual(['u:s|p%7C3 field external_id email']);
});

test('Each account has its turn once in a share, and one account of two users is asked for once', async () => {
	const ledger = await ledgerOf(100);
	const known = new Map(
		[...ledger.entries.keys()].map((key) => [
			key,
			{ accountId: key === 'u:s|p2' ? 'a1' : `a${key.slice(5)}`, userId: '', tenantId: '' },
		]),
	);
	const turns = [0, 1, 2, 3, 4, 5, 6].map((turn) => accountsToAsk(ledger, known, TENANT, { share: 7, turn }));
	const asked = turns.flatMap(({ accounts }) => accounts.map(({ accountId }) => accountId));
	expect([asked.length, new Set(asked).size]).toEqual([99, 99]);
	expect(Math.max(...turns.map(({ accounts }) => accounts.length))).toBeLessThan(40);
	expect(accountsToAsk(ledger, known, '', ALL)).toMatchObject({
		...{ accounts: [], people: 100, withAccount: 100, withoutTenant: 100 },
	});
});

test('What was corrected by hand is known again by digests: the roster says the same now', () => {
	const sent = fieldDigests('user', sentFields(1), SALT);
	const corrected = { name: 'Eva Maria de Souza', email: 'new@family.example' };
	const shown = shownPerson(account(1, corrected), sent, SALT);
	const differing = fieldsShownOtherwise('user', sent, shown, SALT);
	const seen = seenDigests(differing, shown, SALT);
	expect(differing).toEqual(['first_name', 'email']);
	const roster = { ...sentFields(1), first_name: 'Eva Maria', email: 'new@family.example' };
	expect(isSeenAs(roster, ['first_name', 'email'], seen, SALT)).toBe(true);
	expect(isSeenAs({ ...roster, first_name: 'Eva' }, ['first_name', 'email'], seen, SALT)).toBe(false);
	expect(isSeenAs(roster, ['first_name', 'birth_date'], seen, SALT)).toBe(false);
	expect(JSON.stringify(seen)).not.toMatch(/Eva|Souza|new@/);
});

test('Of a class, name, year, stage, grade and shift are compared', () => {
	const ofClass = { educational_stage: 'EF1', grade: '5', shift: 'M', code: '5A' };
	const fields = { ...SCHOOL, external_id: 'c1', name: '5A', year: 2026, ...ofClass };
	const shown = {
		...{ external_id: 'c1', name: '5B', year: 2027, educational_stage: { id: '1', name: 'EF2' } },
		...{ grade: { id: '1', name: '6' }, shift: { id: '1', name: 'T' } },
	};
	const digests = fieldDigests('class', fields, SALT);
	expect(fieldsShownOtherwise('class', digests, shownClass(shown), SALT)).toEqual([
		...['name', 'year', 'educational_stage', 'grade', 'shift'],
	]);
});

describe('Of whom the service is asked', () => {
	const accountOf = (n: number, tenantId = '') => ({ accountId: `a${n}`, userId: `u${n}`, tenantId });

	test('the tenant that an event has said counts more than that of the option', async () => {
		const known = new Map([
			['u:s|p1', accountOf(1, 'said')],
			['u:s|p2', accountOf(2)],
		]);
		const { accounts } = accountsToAsk(await ledgerOf(2), known, 'usual', ALL);
		expect(accounts.map(({ tenantId }) => tenantId)).toEqual(['said', 'usual']);
	});

	test('somebody who was never created is nobody to ask for', async () => {
		const never = await ledgerOf(2, (rows) => {
			for (const one of rows) if (one.key === 'u:s|p2') one.state = 'failed';
		});
		const known = new Map([1, 2].map((n) => [`u:s|p${n}`, accountOf(n)] as const));
		expect(accountsToAsk(never, known, 'usual', ALL)).toMatchObject({ people: 1, withAccount: 1 });
	});

	test('a class whose id of the service was given for two is known by neither', async () => {
		const twice = await ledgerOf(1, (rows) => void (rows[1].service_id = 'k1'));
		const keys = [1, 2, 3, 4].map((c) => shownIds(twice).classKey({ id: `k${c}` }));
		expect(keys).toEqual([undefined, undefined, 'c:s|c3', 'c:s|c4']);
	});
});

describe('What the ledger learns', () => {
	const changed = { account: [account(1, { email: 'new@family.example' })] };
	const other = { ...changed, sponsors: sponsors('r9') };
	const seenRows = async (ledger: Ledger, compared: PersonComparison[]) =>
		learnedRows(ledger, compared, [], 0).filter(({ kind, key }) => kind === 'seen' && key === 'u:s|p1');

	/** What is noted of somebody who differed and is asked for once more. */
	async function notedAfter(answers: AccountAnswers) {
		const { ledger, compared } = await verify(1, { 1: other });
		const [noted] = await seenRows(ledger, compared);
		const again = await verify(1, { 1: answers }, (rows) => rows.push(ledgerRow(noted)));
		const rows = await seenRows(again.ledger, again.compared);
		return rows.map(({ detail = '' }) => Object.keys((JSON.parse(detail) as { seen: object }).seen));
	}

	test('is no turn of a part that is to be asked for again', async () => {
		const rows = learnedRows(await ledgerOf(1), [], ['b:s|5a|ana|student'], undefined);
		expect(rows.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['resolve inService']);
	});

	test('is what was seen of fields that differ, once', async () => {
		const { ledger, compared } = await verify(1, { 1: other });
		expect(await seenRows(ledger, compared)).toHaveLength(1);
		expect(await notedAfter(other)).toEqual([]);
		expect(await notedAfter({})).toEqual([[]]);
	});

	test.each<[string, AccountAnswers]>([
		['who is not found', { account: [] }],
		['who is refused', { account: undefined }],
		['whose account is shown as that of somebody else', { account: [account(9)] }],
		['whose responsible persons are not shown', { ...changed, sponsors: undefined }],
	])('of somebody %s stays as it was', async (_what, answers) => {
		expect(await notedAfter(answers)).toEqual([]);
	});
});
