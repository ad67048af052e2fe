/** Why somebody is, or is not, where they should be: each situation that a ledger can be in, and the sentence for it. */
import { explanationOf, type Seen } from '../../../../nodes/SchoolPartnerRoster/explaining/explanation.ts';
import { factsOf } from '../../../../nodes/SchoolPartnerRoster/explaining/facts.ts';
import { pairDigest } from '../../../../nodes/SchoolPartnerRoster/ledger/digest.ts';
import { ledgerRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { ledgerOf, type Row } from '../ledgerRows.mts';

const NOW = Date.parse('2026-03-10T00:00:00Z');
const AT = '2026-03-09T03:00:00.000Z';
const ANA = 'u:s|ana';
const IN_5A = 'b:s|5a|ana|student';
const HOLD = 'hold-0123456789ab';

const row = (kind: string, key: string, more: Row = {}): Row => ({
	...{ kind, key, school_external_id: 's', state: 'applied', run_id: 'r1-x', sequence: '1', at: AT },
	...more,
});
const json = JSON.stringify;
const ana = (state = 'applied', detail = {}, more: Row = {}) =>
	row('user', ANA, { state, detail: json(detail), ...more });
const class5a = (state = 'applied') => row('class', 'c:s|5a', { state });
const in5a = (state = 'applied', detail = {}, more: Row = {}) =>
	row('bond', IN_5A, { state, detail: json(detail), ...more });
/** Somebody else in the class. */
const bia = row('bond', 'b:s|5a|bia|student');

const run = (holds: string[] = []) => row('run', 'run', { detail: json({ holds }), sequence: '9' });
const hold = (action: string, key: string): Row[] => [
	row('hold', `${HOLD}:1`, {
		detail: json({ reason: 'A first run', conditions: [], changes: [pairDigest(action, key)] }),
		at: '2026-03-09T04:00:00.000Z',
	}),
	run([HOLD]),
];
const approval: Row = { kind: 'approve', key: HOLD, state: 'approved', at: AT };
const resolved = (key: string, state: string): Row => ({ kind: 'resolve', key, state, at: AT });
const told = (code: string, key = ANA) =>
	row('told', 'told', { state: 'told', detail: json({ told: [pairDigest(code, key)] }) });
const event = (state: string, day: number): Row => ({
	...{ kind: 'access', key: ANA, school_external_id: 's', state },
	...{ service_id: 'user-of-ana', account_id: 'account' },
	...{ since: `2026-03-0${day}T00:00:00.000Z`, detail: json({ request_id: 'r', tenant_id: 't' }) },
});
const REFUSED = { what: 'create x', since: '2026-03-07', last: '2026-03-08' };

async function explained(rows: Row[], question = { externalId: 'ana', school: '' }, service?: Seen) {
	const [facts] = factsOf([question], await ledgerOf(...rows), NOW);
	return explanationOf(facts, new Map(), service);
}

const PLACED = [run(), ana(), class5a(), in5a()];
const LOOKS_THE_SAME =
	'The person was not created, because somebody looks like the same one and has another id: by the writing of the id, or by name with birth date or document';

test.each<[string, Row[], string]>([
	['no night yet', [], 'The ledger knows nobody yet: no Sync and no Take Over has run with it'],
	['nobody', [run()], 'The ledger has nobody with this id: no run has tried to create this person'],
	[
		'nobody but an event',
		[run(), event('granted', 1)],
		'This person has access to the product, and no run has ever created this person',
	],
	[
		'two schools',
		[run(), ana(), row('user', 'u:s2|ana', { school_external_id: 's2' })],
		'The ledger has somebody with this id in several schools: s, s2',
	],
	[
		'an id in another writing',
		[run(), row('user', 'u:s|ANA')],
		'The ledger has nobody with this id, and knows ANA, which differs from it only in its writing',
	],
	[
		'held',
		hold('create', ANA).concat(row('user', 'u:s|x'), row('bond', 'b:s|5a|ana|student', { state: 'blocked' })),
		'The person is not in the service yet: that waits, with others, until somebody approves it (A first run)',
	],
	[
		'nobody, while a first night is held',
		hold('create', 'u:s|eva'),
		'The ledger has nobody with this id: no run has tried to create this person',
	],
	[
		'approved',
		[...hold('create', ANA), approval, in5a('blocked')],
		'The person is not yet in the service: the change waited, and is approved; no Sync has done it since',
	],
	[
		'refused',
		[run(), ana('failed', { status: 422, code: 'InvalidDocument', refused: REFUSED })],
		'The service refuses to create this person since 2026-03-07 (status 422, InvalidDocument)',
	],
	[
		'trouble',
		[run(), ana('failed', { status: 503 })],
		'The person could not be put into the service in the last try, because of trouble with the service (status 503)',
	],
	[
		'trouble, after a refusal whose answer it does not have',
		[run(), ana('failed', { status: 422, refused: { ...REFUSED, again: true } })],
		'The person could not be put into the service in the last try, because of trouble with the service',
	],
	[
		'a student without the responsible person',
		[run(), ana('blocked')],
		'The person was not created, because a responsible person of this student, or most of the classes of the school, are not there',
	],
	[
		'not tried',
		[run(), ana('not tried')],
		'The last Sync that was to put the person into the service did not come to that: it ended before, or waited for what is there now',
	],
	[
		'uncertain',
		[run(), ana('uncertain')],
		'Nobody knows whether the person is in the service: that was sent, and the answer was lost, or it had an error at Take Over',
	],
	[
		'an intent without an outcome',
		[run(), row('batch', 'batch', { detail: json({ create: [ANA] }), sequence: '8' })],
		'Nobody knows whether the person is in the service: that was sent, and the answer was lost, or it had an error at Take Over',
	],
	[
		'unconfirmed',
		[run(), ana('unconfirmed')],
		'The person was created, and the service does not show the account yet; the classes wait for it',
	],
	[
		'exists',
		[run(), ana('exists')],
		'The service says that this person exists already, and it may be somebody else',
	],
	[
		'noted as not there',
		[run(), ana(), resolved(ANA, 'notInService')],
		'Somebody has noted that the person is not in the service',
	],
	[
		'noted as there',
		[run(), ana('uncertain'), resolved(ANA, 'inService')],
		'The person is in the service, and in no class',
	],
	['no class', [run(), ana()], 'The person is in the service, and in no class'],
	[
		'removed, with access',
		[run(), ana(), class5a(), in5a('removed'), event('granted', 1)],
		'The person was taken out of all classes, and still has access to the product',
	],
	[
		'a class that waits for a hold',
		[...hold('create', IN_5A), ana(), class5a(), bia],
		'The person is not in class 5a yet: that waits, with others, until somebody approves it (A first run)',
	],
	[
		'a class that was approved',
		[...hold('create', IN_5A), approval, ana(), class5a(), bia],
		'The person is not yet in class 5a: the change waited, and is approved; no Sync has done it since',
	],
	[
		'a removal that was approved, of a bond of which nobody knows whether it came',
		[...hold('remove', IN_5A), approval, ana(), class5a(), in5a('uncertain')],
		'The person may still be in class 5a: the change waited, and is approved; no Sync has done it since',
	],
	[
		'a class that is refused',
		[run(), ana(), class5a(), in5a('failed', { status: 404, refused: REFUSED })],
		'The service refuses to put the person into class 5a since 2026-03-07 (status 404)',
	],
	[
		'a class, with trouble',
		[run(), ana(), class5a(), in5a('failed', { status: 500 })],
		'The person could not be put into class 5a in the last try, because of trouble with the service (status 500)',
	],
	[
		'a class that is not there',
		[run(), ana(), class5a('failed'), in5a('blocked')],
		'The person is in the service, and not in class 5a, because that class is not there (failed)',
	],
	[
		'a class that has come since',
		[run(), ana(), class5a(), in5a('blocked')],
		'The last Sync that was to put the person into class 5a did not come to that: it ended before, or waited for what is there now',
	],
	[
		'a class that was not tried',
		[run(), ana(), class5a(), in5a('not tried')],
		'The last Sync that was to put the person into class 5a did not come to that: it ended before, or waited for what is there now',
	],
	[
		'a class that is uncertain',
		[run(), ana(), class5a(), in5a('uncertain')],
		'Nobody knows whether the person is in class 5a: that was sent, and the answer was lost, or it had an error at Take Over',
	],
	[
		'a class, noted as not there',
		[...PLACED, resolved(IN_5A, 'notInService')],
		'Somebody has noted that the person is not in class 5a',
	],
	[
		'a removal that is held',
		[...hold('remove', IN_5A), ana(), class5a(), in5a()],
		'The person is still in class 5a: the removal waits until somebody approves it (A first run)',
	],
	[
		'missing from the export',
		[run(), ana(), class5a(), in5a('missing', {}, { since: '2026-03-08' })],
		'The person is still in class 5a, and the export does not say so any more since 2026-03-08',
	],
	['in place, and no event of anybody', PLACED, 'The person is in class 5a, as far as the ledger knows'],
	[
		'in place, and no event of this person',
		[...PLACED, { ...event('granted', 1), key: 'u:s|bia', service_id: 'user-of-bia' }],
		'The person is in class 5a, and the service has not reported access to the product yet',
	],
	[
		'in two classes, with access',
		[...PLACED, row('class', 'c:s|5b'), row('bond', 'b:s|5b|ana|student'), event('granted', 1)],
		'The person is in the classes 5a, 5b, and has access to the product since 2026-03-01',
	],
	[
		'access revoked',
		[...PLACED, event('granted', 1), { ...event('revoked', 2), key: 'a:user-of-ana' }],
		'The person is in class 5a, and the service took the access to the product away on 2026-03-02',
	],
	['like a known one', [run(), class5a(), told('looksLikeKnown')], LOOKS_THE_SAME],
	['new under two ids', [run(), class5a(), told('newTwice')], LOOKS_THE_SAME],
	['a second one', [run(), class5a(), told('personTwice')], LOOKS_THE_SAME],
	[
		'a responsible person who is nowhere',
		[run(), class5a(), told('needsUnknown')],
		'The person was not created, because the export names a responsible person whom it does not have',
	],
])('%s', async (_what, rows, verdict) => {
	const item = await explained(rows);
	expect(item.verdict).toBe(verdict);
	expect(item.what_to_do).toMatch(/^[A-Z].{5,}[.]$/);
});

test('Somebody in another school is not somebody who is not there', async () => {
	const item = await explained(PLACED, { externalId: 'ana', school: 's2' });
	expect(item).toMatchObject({
		code: 'otherSchool',
		verdict: 'The ledger has nobody with this id in that school; it has somebody with it in s',
	});
});

test('In a network whose user ids have no school, the person is found with any school', async () => {
	const network = [run(), row('user', 'u:ana'), class5a(), in5a()];
	expect((await explained(network)).code).toBe('inPlace');
	expect(await explained(network, { externalId: 'ana', school: 's' })).toMatchObject({ code: 'inPlace' });
});

describe.each([
	['each school', ANA],
	['the network', 'u:ana'],
])('Where user ids are unique in %s, whom the ledger has no row of is found all the same', (_where, key) => {
	const others = [class5a(), bia, row('user', key.replace('ana', 'bia'))];

	// In a hold there are digests only: without any school in the ledger, that of a person is not found.
	const unnamed = key === ANA ? { code: 'unknown' } : undefined;

	test.each<[string, Row[], string, object?]>([
		['held on a first run', hold('create', key), 'held', unnamed],
		['held with others who are new', [...others, ...hold('create', key)], 'held'],
		['refused as a second one', [run(), ...others, told('personTwice', key)], 'notCreated'],
	])('%s', async (_what, rows, code, withoutSchool = { code, key }) => {
		expect(await explained(rows, { externalId: 'ana', school: 's' })).toMatchObject({ code, key });
		expect(await explained(rows)).toMatchObject(withoutSchool);
	});
});

test('A refusal says on which days it came, and when it is tried next', async () => {
	const { user, key } = await explained([run(), ana('failed', { status: 422, refused: REFUSED })]);
	expect(key).toBe(ANA);
	expect(user).toMatchObject({
		...{ state: 'failed', status: 422 },
		refused: { since: '2026-03-07', last: '2026-03-08', next_try: '2026-03-10' },
	});
});

test('What was not done has file and line of the night that tried it; what is in place has none', async () => {
	const place = { file: 'users.csv', line: 7 };
	const item = await explained([run(), ana('failed', { status: 422, place, refused: REFUSED })]);
	expect(item).toMatchObject({ ...place, user: place });
	const bond = { file: 'enrollments.csv', line: 3 };
	const inClass = await explained([run(), ana(), class5a(), in5a('blocked', { place: bond })]);
	expect(inClass).toMatchObject({ ...bond, key: IN_5A, bonds: [bond] });
	expect(inClass.user).not.toHaveProperty('file');
	expect(await explained(PLACED)).not.toHaveProperty('file');
});

test('A refused bond names the keys of class and person as Resolve takes them', async () => {
	const network = [run(), row('user', 'u:ana'), class5a(), in5a('failed', { status: 400, refused: REFUSED })];
	expect((await explained(network)).what_to_do).toContain('its own key, c:s|5a or u:ana; then');
});

test('A hold is named, so that its item can go into Approve', async () => {
	const item = await explained([...hold('remove', IN_5A), ana(), class5a(), in5a()]);
	expect(item).toMatchObject({ hold_id: HOLD, key: IN_5A, bonds: [{ hold_id: HOLD, approved: false }] });
});

test('What the service shows counts: a class that it does not show is told; nobody is told gone who was not seen', async () => {
	const codeWith = async (seen: boolean, classes: string[], rows = PLACED) =>
		(await explained(rows, undefined, { seen, classes })).code;
	expect(await codeWith(true, ['5a'])).toBe('inPlace');
	expect(await codeWith(true, ['5b'])).toBe('serviceLacksClass');
	expect(await codeWith(false, [])).toBe('inPlace');
	// What stands in the way already is told, whatever the service shows.
	const missing = [run(), ana(), class5a(), in5a('missing', {}, { since: '2026-03-08' })];
	expect(await codeWith(true, [], missing)).toBe('bondMissing');
});

describe('What is over does not explain anything', () => {
	const later = { at: '2026-03-09T05:00:00.000Z' };

	test('a hold whose change was made since holds nobody', async () => {
		const rows = [...hold('create', ANA), ana('failed', { status: 503 }, later)];
		expect((await explained(rows)).code).toBe('failed');
	});

	test('a hold that the last run has not reported again holds nobody, unless it was approved', async () => {
		const [held] = hold('create', ANA);
		expect((await explained([held, run(), ana('blocked')])).code).toBe('blocked');
		expect((await explained([held, run(), approval, ana('blocked')])).code).toBe('approved');
	});

	test('an approval that a Sync has used up holds nobody', async () => {
		const [held] = hold('create', ANA);
		const sync = (sent: number) => {
			const detail = json({ holds: [], changes: 9, sent });
			return row('run', 'run', { run_id: 'r2-x', state: 'ended', ...later, detail });
		};
		expect((await explained([class5a(), held, approval, sync(9)])).code).toBe('unknown');
		// It ended before, or left out what was refused of others alike: that it has run is no news for who was not in it.
		expect(await explained([class5a(), held, approval, sync(8)])).toMatchObject({
			...{ code: 'approved', verdict: expect.stringMatching(/no Sync has done it since$/) },
			what_to_do: expect.stringContaining('If one has run since'),
		});
	});

	const refused = { status: 422, refused: REFUSED };
	const ended = (more: object = {}, state = 'ended', day = '2026-03-20') => {
		const detail = json({ holds: [], changes: 1, sent: 1, ...more });
		return row('run', 'run', { run_id: 'r2-x', state, at: `${day}T03:00:00.000Z`, detail });
	};

	const bond = [ana(), class5a(), in5a('failed', refused)];
	const inOther = [row('class', 'c:s|5b'), row('bond', 'b:s|5b|ana|student')];

	test('a bond that the last Sync could have tried, and did not, is told of who has no other', async () => {
		expect(await explained([ended(), ...bond])).toMatchObject({
			code: 'bondRefused',
			what_to_do: expect.stringMatching(/the first Sync from 2026-03-10 on .*, if its roster still has it/),
		});
		expect((await explained([ended(), ...bond, ...inOther])).code).toBe('inPlace');
		expect(await explained([ended(), ana('failed', refused)])).toMatchObject({
			code: 'refused',
			what_to_do: expect.stringMatching(/the first Sync from 2026-03-10 on .*, if its roster still has it/),
		});
		// What waits has no row of each night.
		expect((await explained([ended(), ana('blocked')])).code).toBe('blocked');
		expect((await explained([ended(), ana(), in5a('blocked')])).code).toBe('bondWithoutClass');
	});

	test.each<[string, Row]>([
		['is under way', ended({}, 'under way')],
		['has ended before it had sent all', ended({ changes: 2 })],
		['came before the day of the next try', ended({}, 'ended', '2026-03-09')],
	])('a bond that was refused is still to be tried when the last Sync %s', async (_what, sync) => {
		expect((await explained([sync, ...bond, ...inOther])).code).toBe('bondRefused');
	});

	test('somebody who was never created looks like nobody', async () => {
		expect((await explained([run(), row('user', 'u:s|ANA', { state: 'failed' })])).code).toBe('unknown');
	});

	test('somebody who has access and never had a class has not left one', async () => {
		expect((await explained([run(), ana(), event('granted', 1)])).code).toBe('noBond');
	});
});

test('Of somebody in two schools, only the classes of the one that is asked for are told', async () => {
	const other = row('bond', 'b:s2|6a|ana|student', { school_external_id: 's2' });
	const rows = [...PLACED, row('user', 'u:s2|ana', { school_external_id: 's2' }), other];
	const { bonds } = await explained(rows, { externalId: 'ana', school: 's' });
	expect(bonds.map(({ class_external_id: id }) => id)).toEqual(['5a']);
});

test('The history has the newest rows, and no more than a person reads', async () => {
	const [facts] = factsOf([{ externalId: 'ana', school: '' }], await ledgerOf(...PLACED), NOW);
	const rows = Array.from({ length: 60 }, (_, index) => ({
		...ledgerRow({ key: ANA, at: String(index) }),
		id: index,
	}));
	const { user } = explanationOf(facts, new Map([[ANA, rows]]), undefined);
	expect(user?.history.map(({ at }) => at)).toEqual(rows.slice(-50).map(({ at }) => at));
});

describe('A bond that should have gone', () => {
	const other = (state: string, detail = {}) =>
		row('bond', 'b:s|5b|ana|student', { state, detail: json(detail) });
	const stays = { there: 'yes' };
	const MISSING = { since: '2026-03-08' };

	test.each<[string, Row[], string]>([
		[
			'waits for one that is refused',
			[in5a('blocked', stays), other('failed', { status: 422, refused: REFUSED })],
			'bondRefused',
		],
		['waits for one of which nobody knows', [in5a('blocked', stays), other('uncertain')], 'uncertain'],
		[
			'waits for one that is refused, and says since when it is missing',
			[in5a('blocked', stays, MISSING), other('failed', { status: 422, refused: REFUSED })],
			'bondRefused',
		],
		[
			'is missing for days, beside one of which nobody knows',
			[in5a('missing', {}, MISSING), other('uncertain')],
			'uncertain',
		],
		['waits for one that is there now', [in5a('waiting', stays, MISSING), other('applied')], 'bondMissing'],
		['was missing, and was not tried', [in5a('not tried', stays, MISSING)], 'bondMissing'],
		['was not tried', [in5a('not tried', stays)], 'inPlace'],
		[
			'was refused, and somebody has said that it is gone',
			[in5a('failed', { ...stays, status: 500 }), resolved(IN_5A, 'notInService')],
			'notInService',
		],
	])('and %s', async (_what, rows, code) => {
		const { code: said } = await explained([run(), ana(), class5a(), row('class', 'c:s|5b'), ...rows]);
		expect(said).toBe(code);
	});
});
