/** Access against the roster: what does not agree is told, of whom, and what to do. */
import { accessReport } from '../../../../nodes/SchoolPartnerRoster/verifying/accessReport.ts';
import { ledgerOf, type Row } from '../ledgerRows.mts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const LONG_AGO = '2026-03-01T00:00:00.000Z';
const RECENTLY = '2026-05-20T00:00:00.000Z';
const ANA = 'u:s|ana';

const row = (kind: string, key: string, more: Row = {}): Row => ({
	...{ kind, key, school_external_id: 's', state: 'applied', run_id: 'r1-x', sequence: '1', at: LONG_AGO },
	...more,
});
const user = (id: string, more: Row = {}) => row('user', `u:s|${id}`, more);
const bond = (id: string, more: Row = {}) => row('bond', `b:s|5a|${id}|student`, more);
const ofClass = row('class', 'c:s|5a');

/** A user of the service, `id of ana` for Ana. */
const event = (state: string, id: string, more: Row = {}): Row => ({
	...{ kind: 'access', key: `u:s|${id}`, school_external_id: 's', state, since: RECENTLY },
	...{ service_id: `id of ${id}`, detail: '{"request_id":"r-1","class_key":"c:s|5a"}' },
	...more,
});
const revocation = (id: string) =>
	event('revoked', id, { key: `a:id of ${id}`, since: '2026-05-21T00:00:00Z', detail: '' });

const codesOf = async (...rows: Row[]) =>
	accessReport(await ledgerOf(ofClass, ...rows), 30, NOW).items.map(({ code, key }) => `${code} ${key}`);

test('Of schools that the ledger has nothing of, as in a pilot, nobody is missed: events come of all schools', async () => {
	const elsewhere = Array.from({ length: 3 }, (_, place) =>
		event('granted', `p${place}`, { key: `u:another|p${place}`, school_external_id: 'another' }),
	);
	const inSchool = [user('ana'), bond('ana'), event('granted', 'ana'), event('granted', 'bia')];
	expect(await codesOf(...inSchool, ...elsewhere)).toEqual(['accessUnknown u:s|bia']);
	const { counts } = accessReport(await ledgerOf(ofClass, ...inSchool, ...elsewhere), 30, NOW);
	expect(counts.unknown_people).toBe(1);
	expect(accessReport(await ledgerOf(...elsewhere), 30, NOW).counts.unknown_people).toBe(3);
});

test.each<[string, Row[], string[]]>([
	['is in a class for long, and never had access', [user('ana'), bond('ana')], [`neverAccessed ${ANA}`]],
	['is in a class since a few days', [user('ana'), bond('ana', { at: RECENTLY })], []],
	[
		'is in one class for long, and in another since a few days',
		[user('ana'), row('bond', 'b:s|5b|ana|student', { at: RECENTLY }), bond('ana')],
		[`neverAccessed ${ANA}`],
	],
	[
		'is in a class for long, and was missing for a night of the Grace Period',
		[user('ana'), bond('ana', { at: RECENTLY, detail: '{"came":"2026-03-01"}' })],
		[`neverAccessed ${ANA}`],
	],
	[
		'is in a class for long, and whose removal fails each night',
		[
			user('ana'),
			bond('ana', { state: 'failed', at: RECENTLY, detail: '{"came":"2026-03-01","there":"yes"}' }),
		],
		[`neverAccessed ${ANA}`],
	],
	['is in no class, as a responsible person', [user('ana')], []],
	['is not in the service', [user('ana', { state: 'failed' }), bond('ana', { state: 'blocked' })], []],
	['is in a class and has access', [user('ana'), bond('ana'), event('granted', 'ana')], []],
	['has access, and is not in the ledger', [event('granted', 'ana')], [`accessUnknown ${ANA}`]],
	['had access, is not in the ledger, and has lost it', [event('granted', 'ana'), revocation('ana')], []],
	[
		'was taken out of all classes, and has access still',
		[user('ana'), bond('ana', { state: 'removed' }), event('granted', 'ana')],
		[`notRevoked ${ANA}`],
	],
	[
		'was taken out of one class of two',
		[
			...[user('ana'), bond('ana', { state: 'removed' }), event('granted', 'ana')],
			row('bond', 'b:s|5b|ana|student'),
		],
		[],
	],
	[
		'was taken out of all classes, and lost the access',
		[user('ana'), bond('ana', { state: 'removed' }), event('granted', 'ana'), revocation('ana')],
		[],
	],
	[
		'lost an access that nobody told of',
		[user('ana', { service_id: 'id of ana' }), bond('ana'), revocation('ana')],
		[`grantLost ${ANA}`],
	],
	['lost an access that nobody told of, and is not known', [revocation('ana')], ['grantLost a:id of ana']],
])('Somebody who %s', async (_what, rows, codes) => {
	expect(await codesOf(...rows)).toEqual(codes);
});

test('An item names the person by the ids of both sides, since when, by which event, and what to do', async () => {
	const { items } = accessReport(await ledgerOf(event('granted', 'ana')), 30, NOW);
	expect(items).toMatchObject([
		{
			...{ key: ANA, external_id: 'ana', school_external_id: 's', user_id: 'id of ana' },
			...{ since: RECENTLY, request_id: 'r-1', severity: 'warning' },
			what_to_do: expect.stringContaining('school system') as string,
		},
	]);
});

test('People are counted by what events say of them, and who or whose class is not in the ledger', async () => {
	const elsewhere = { detail: '{"class_key":"c:s|9z"}' };
	const people = ['ana', 'bia', 'caio', 'davi'].flatMap((id) => [user(id), bond(id)]);
	people.push(user('gil', { service_id: 'id of gil' }), user('hugo', { state: 'failed' }));
	const events = [
		...[event('granted', 'ana'), event('granted', 'bia', elsewhere), event('granted', 'caio')],
		...[revocation('caio'), event('granted', 'eva'), revocation('fabio'), revocation('gil')],
	];
	expect(accessReport(await ledgerOf(ofClass, ...people, ...events), 30, NOW).counts).toEqual({
		...{ granted: 2, revoked: 2, never: 1, unknown_people: 2, unknown_classes: 1 },
	});
});
