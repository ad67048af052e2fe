/** What recorded events say together: who has an account, and who has access. */
import { knownAccounts, recordedAccess } from '../../../../nodes/SchoolPartnerRoster/ledger/access.ts';
import { copiesOf } from '../../../../nodes/SchoolPartnerRoster/night/compaction.ts';
import type { StoredRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { accessEventIn, accessRow } from '../../../../nodes/SchoolPartnerRoster/reading/accessEvent.ts';
import { guid, userAccess, userAccessRevocation } from '../../trigger/sample-events.mts';
import { ledgerOf, type Row } from '../ledgerRows.mts';

const AT = '2026-03-10T00:00:00.000Z';
const STUDENT = 'u:school-1|stud-1';
const MOTHER = 'u:school-1|resp-1';

const user = (key: string, more: Row = {}): Row => ({
	...{ kind: 'user', key, school_external_id: 'school-1', state: 'applied', run_id: 'r1-x', sequence: '1' },
	...more,
});

/** The row of an event of that day of March 2026. */
function eventRow(
	event: ReturnType<typeof userAccess | typeof userAccessRevocation>,
	day: number,
): StoredRow {
	const created_at = `2026-03-${String(day).padStart(2, '0')}T08:00:00Z`;
	const header = { ...event.header, created_at, request_id: guid(1000 + day) };
	const read = accessEventIn({ ...event, header }, AT);
	if (read === undefined) throw new Error('It is no event');
	return { ...accessRow(read, AT), id: 0 };
}

const granted = (day: number) => eventRow(userAccess(), day);
const revoked = (day: number) => eventRow(userAccessRevocation(), day);

/** The event of somebody who has no external id, or whose school has none. */
function nameless(): ReturnType<typeof userAccess> {
	const event = userAccess();
	(event.payload.structure_school.school as { external_id: string | null }).external_id = null;
	return event;
}

test('A row of an event has the ids of both sides, and nothing of the person beside them', () => {
	const { id: _id, detail, ...row } = granted(9);
	expect(row).toEqual({
		...{ run_id: '', sequence: '', fields: '', kind: 'access', key: STUDENT, state: 'granted' },
		...{ school_external_id: 'school-1', service_id: guid(20), account_id: guid(21), at: AT },
		since: '2026-03-09T08:00:00.000Z',
	});
	expect(JSON.parse(detail)).toEqual({
		...{ request_id: guid(1009), class_key: 'c:school-1|class-5a', class_id: guid(12) },
		...{ school_id: guid(11), tenant_id: guid(10) },
		people: [{ external_id: 'resp-1', account_id: guid(23), user_id: guid(22) }],
	});
});

test.each<[string, unknown]>([
	['of another action', { ...userAccess(), header: { ...userAccess().header, action: 'NEW' } }],
	['without a user', { ...userAccess(), payload: {} }],
	['that is none', { rows: 7 }],
])('An item %s is no access event', (_what, item) => {
	expect(accessEventIn(item as Record<string, unknown>, AT)).toBeUndefined();
});

test('An event as the service has kept it says the same', () => {
	expect(accessEventIn({ status: 200, event: userAccess() }, AT)).toEqual(accessEventIn(userAccess(), AT));
});

test("The time of an event is the service's, however it writes UTC", () => {
	const { header, ...event } = userAccess();
	for (const created_at of [
		'2026-03-09T12:30:00,5Z',
		'2026-03-09T12:30:00.5+0000',
		'2026-03-09T12:30:00.5+00',
	])
		expect(accessEventIn({ ...event, header: { ...header, created_at } }, AT)).toMatchObject({
			since: '2026-03-09T12:30:00.500Z',
		});
});

test('Without external ids an event is kept under the id that the service has for the user', () => {
	expect(eventRow(nameless(), 9).key).toBe(`a:${guid(20)}`);
	expect(revoked(9).key).toBe(`a:${guid(20)}`);
});

describe('Who has access', () => {
	test.each<[string, StoredRow[], object]>([
		['granted', [granted(1)], { state: 'granted', isGrantMissing: false }],
		['granted, then revoked', [granted(1), revoked(2)], { state: 'revoked', isGrantMissing: false }],
		['and granted again', [granted(1), revoked(2), granted(3)], { state: 'granted' }],
		['told out of order', [revoked(2), granted(1)], { state: 'revoked', isGrantMissing: false }],
		['read in another order than told', [granted(3), revoked(2), granted(1)], { state: 'granted' }],
		['at the same instant: what came last', [granted(1), revoked(1)], { state: 'revoked' }],
		['at the same instant, in the other order', [revoked(1), granted(1)], { state: 'granted' }],
		['revoked, and the grant was lost', [revoked(2)], { state: 'revoked', isGrantMissing: true }],
	])('%s', async (_what, rows, expected) => {
		const [person, ...others] = recordedAccess(
			await ledgerOf(user(STUDENT, { service_id: guid(20) }), ...rows),
		);
		expect(person).toMatchObject({ key: STUDENT, isKnown: true, userId: guid(20), ...expected });
		expect(others).toEqual([]);
	});

	test('is joined with the ledger of a network whose user ids have no school', async () => {
		const [person] = recordedAccess(await ledgerOf(user('u:stud-1'), granted(1)));
		expect(person).toMatchObject({ key: 'u:stud-1', isKnown: true });
	});

	test('says since when, by which event, of which account and tenant, and whether the class is known', async () => {
		const fiveA = { kind: 'class', key: 'c:school-1|class-5a', school_external_id: 'school-1' } as const;
		const ofClass: Row = { ...user(STUDENT), ...fiveA };
		const [person] = recordedAccess(await ledgerOf(user(STUDENT), ofClass, granted(1), revoked(2)));
		expect(person).toMatchObject({
			...{ since: '2026-03-02T08:00:00.000Z', lastEvent: guid(1002), isClassKnown: true },
			...{ accountId: guid(21), tenantId: guid(10) },
		});
	});

	test('a revocation, which names no external id, is that of the user to whom the service gave the id, and of nobody else', async () => {
		const others = [
			{ ...user('c:school-1|5A', { kind: 'class', service_id: guid(20) }) },
			user('u:school-1|stud-3'),
			user('u:school-1|stud-4', { service_id: guid(77) }),
		];
		const nobodys = recordedAccess(await ledgerOf(...others, revoked(2)));
		expect(nobodys).toMatchObject([{ key: `a:${guid(20)}`, isKnown: false }]);
		const withoutId = recordedAccess(await ledgerOf(...others, { ...revoked(2), service_id: '' }));
		expect(withoutId).toMatchObject([{ key: `a:${guid(20)}`, isKnown: false }]);
		const [person] = recordedAccess(
			await ledgerOf(...others, user(STUDENT, { service_id: guid(20) }), revoked(2)),
		);
		expect(person).toMatchObject({ key: STUDENT, isKnown: true });
	});

	test('is kept of somebody whom the ledger does not know, and of a class that it does not', async () => {
		const [person] = recordedAccess(await ledgerOf(granted(1)));
		expect(person).toMatchObject({ key: STUDENT, isKnown: false, isClassKnown: false });
	});

	test('of who was made anew in the service stands beside that of the old record', async () => {
		const anew = { ...granted(3), service_id: guid(99) };
		const ledger = await ledgerOf(user(STUDENT), granted(1), revoked(2), anew);
		expect(recordedAccess(ledger).map(({ userId, state }) => [userId, state])).toEqual([
			[guid(20), 'revoked'],
			[guid(99), 'granted'],
		]);
		expect(knownAccounts(ledger).get(STUDENT)).toMatchObject({ userId: guid(99) });
		const anewFirst = await ledgerOf(user(STUDENT), anew, granted(1), revoked(2));
		expect(knownAccounts(anewFirst).get(STUDENT)).toMatchObject({ userId: guid(99) });
	});
});

describe('Whose account is known', () => {
	test('who has an event, with the responsible persons in it; and whose creation was answered with one', async () => {
		const answered = user('u:school-1|stud-2', { account_id: 'account-2', service_id: 'user-2' });
		const ledger = await ledgerOf(
			user(STUDENT),
			user(MOTHER),
			user('u:school-1|stud-3'),
			answered,
			granted(9),
		);
		const noEvent = { since: '', tenantId: guid(10) };
		expect(Object.fromEntries(knownAccounts(ledger))).toEqual({
			[STUDENT]: {
				...{ accountId: guid(21), userId: guid(20), tenantId: guid(10) },
				since: '2026-03-09T08:00:00.000Z',
			},
			[MOTHER]: { accountId: guid(23), userId: guid(22), ...noEvent },
			'u:school-1|stud-2': { accountId: 'account-2', userId: 'user-2', ...noEvent },
		});
	});

	test('a revocation keeps the account of the grant before it, or of the creation', async () => {
		const afterGrant = knownAccounts(await ledgerOf(user(STUDENT), granted(1), revoked(2)));
		expect(afterGrant.get(STUDENT)).toMatchObject({ accountId: guid(21) });
		const created = user(STUDENT, { service_id: guid(20), account_id: 'account-1' });
		const afterCreation = knownAccounts(await ledgerOf(created, revoked(2)));
		expect(afterCreation.get(STUDENT)).toMatchObject({ accountId: 'account-1' });
	});

	test('a class is nobody, and a school of which no event came has no tenant', async () => {
		const ofClass: Row = { ...user('c:school-1|5A'), kind: 'class', account_id: 'account-9' };
		const elsewhere = { school_external_id: 'school-2', account_id: 'account-2' };
		const ledger = await ledgerOf(ofClass, user('u:school-2|stud-2', elsewhere), granted(1));
		expect([...knownAccounts(ledger)]).toEqual([
			['u:school-2|stud-2', expect.objectContaining({ accountId: 'account-2', tenantId: '', userId: '' })],
		]);
	});

	test('a responsible person without an account is not among them', async () => {
		const row = granted(9);
		const { people = [], ...rest } = JSON.parse(row.detail) as { people?: object[] };
		const withoutAccount = people.map((one) => ({ ...one, account_id: '' }));
		const detail = JSON.stringify({ ...rest, people: withoutAccount });
		const accounts = knownAccounts(await ledgerOf(user(STUDENT), user(MOTHER), { ...row, detail }));
		expect([...accounts.keys()]).toEqual([STUDENT]);
	});

	test('an event that names neither account nor tenant leaves those that are known, and makes nobody known', async () => {
		const bare = { ...granted(5), account_id: '', detail: JSON.stringify({ request_id: guid(1005) }) };
		const answered = user(STUDENT, { account_id: 'account-1', service_id: guid(20) });
		const ofAnother = { ...granted(1), key: 'u:school-1|stud-2', service_id: guid(50) };
		expect(knownAccounts(await ledgerOf(answered, ofAnother, bare)).get(STUDENT)).toMatchObject({
			...{ accountId: 'account-1', tenantId: guid(10), since: bare.since },
		});
		expect(knownAccounts(await ledgerOf(user(STUDENT), bare)).size).toBe(0);
		const withAccount = { ...bare, account_id: 'account-1' };
		expect(knownAccounts(await ledgerOf(user(STUDENT), withAccount)).get(STUDENT)).toMatchObject({
			...{ accountId: 'account-1', tenantId: '' },
		});
	});

	test('who is not in the ledger is not among them', async () => {
		expect(knownAccounts(await ledgerOf(granted(1))).size).toBe(0);
	});
});

test('A ledger that was made small says the same of access: of each user the last grant and the last revocation stay', async () => {
	const events = [1, 2, 3, 4].flatMap((day) => [granted(day), revoked(day)]);
	const ledger = await ledgerOf(user(STUDENT), user(MOTHER), ...events, granted(9));
	const copies = copiesOf(ledger, Date.parse(AT)).map(({ row }) => row);
	expect(copies.filter(({ kind }) => kind === 'access')).toHaveLength(2);
	const small = await ledgerOf(...copies);
	expect(recordedAccess(small)).toEqual(recordedAccess(ledger));
	expect(knownAccounts(small)).toEqual(knownAccounts(ledger));
});
