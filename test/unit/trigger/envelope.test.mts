import fc from 'fast-check';

import { readEnvelope } from '../../../nodes/SchoolPartnerTrigger/deliveries/readEnvelope.ts';
import {
	put,
	USER_ACCESS_REVOCATION_TABLE,
	USER_ACCESS_TABLE,
	without,
	written,
	type Row,
} from './envelope-tables.mts';
import { guid, header, userAccess, userAccessRevocation } from './sample-events.mts';

/** What is said about a body, in one object. */
function judged(body: unknown) {
	const read = readEnvelope(body);
	return read.ok ? { ok: true as const, ...read.value } : { ok: false as const, deviations: read.failure };
}

function pathsFound(envelope: unknown): string[] {
	return judged(envelope).deviations.map(({ path }) => path);
}

function payloadOf(envelope: unknown): Record<string, unknown> {
	const read = judged(envelope);
	if (!read.ok) throw new Error(`refused: ${JSON.stringify(read.deviations)}`);
	return read.envelope.payload;
}

const TABLES: Array<[string, () => object, Row[]]> = [
	['USER_ACCESS', userAccess, USER_ACCESS_TABLE],
	['USER_ACCESS_REVOCATION', userAccessRevocation, USER_ACCESS_REVOCATION_TABLE],
];

test.each([
	[0, true],
	[9_999, true],
	[-1, false],
	[10_000, false],
	[2_026.5, false],
])('The year of a class has at most four digits: %d', (year, isOne) => {
	const name = 'payload.structure_school.class.year';
	const { path = [] } = USER_ACCESS_TABLE.find((row) => written(row.path) === name) ?? {};
	expect(pathsFound(put(userAccess(), path, year))).toEqual(isOne ? [] : [name]);
});

describe.each(TABLES)('The tables of %s', (_action, sample, table) => {
	const named = table.map((row) => [written(row.path), row] as const);
	const filled = named.filter(([, { kind }]) => kind === 'text');

	test('an event with every field filled is taken as it is', () => {
		expect(judged(sample())).toMatchObject({ ok: true, envelope: sample() });
	});

	test.each(named)('%s may be absent or null only where it is optional', (name, row) => {
		const found = row.required ? [name] : [];
		expect(pathsFound(without(sample(), row.path))).toEqual(found);
		expect(pathsFound(put(sample(), row.path, null))).toEqual(found);
	});

	test.each(filled)('%s may have its documented size and not one character more', (name, row) => {
		const size = row.size ?? 0;
		expect(pathsFound(put(sample(), row.path, 'é'.repeat(size)))).toEqual([]);
		expect(pathsFound(put(sample(), row.path, '🎒'.repeat(size)))).toEqual([]);
		// A longer action is another action, whose payload nobody knows: its length is found all the same.
		expect(pathsFound(put(sample(), row.path, 'x'.repeat(size + 1)))).toEqual([name]);
	});

	test.each(filled.filter(([, { required }]) => required))('%s must not be blank', (name, row) => {
		expect(pathsFound(put(sample(), row.path, ''))).toEqual([name]);
		expect(pathsFound(put(sample(), row.path, '  '))).toEqual([name]);
	});

	test.each(named)('%s must have its documented type', (name, row) => {
		const wrong: Record<Row['kind'], unknown[]> = {
			text: [7, true, {}, ['x']],
			time: [7, '2026-03-09', '2026-03-09T12:30:00', 'yesterday', '2026-02-30T00:00:00Z', {}],
			date: [7, '2015-02-30', '30/04/2015', '2015-4-3', {}],
			number: ['2026', 10000, -1, 20.5, 1e308, {}],
			object: ['text', 7, ['x'], true],
			list: ['text', 7, {}, true],
		};
		for (const value of wrong[row.kind]) {
			const envelope = put(sample(), row.path, value);
			expect(pathsFound(envelope)).toEqual([name]);
			// What deviates is passed on as it is, but for the three without which nothing can be done.
			const isDemanded = ['header.request_id', 'header.action'].includes(name);
			expect(judged(envelope)).toMatchObject(isDemanded ? { ok: false } : { envelope });
		}
	});
});

describe('An envelope', () => {
	test.each([null, 7, 'text', true, [], [userAccess()], undefined])('%p is refused as a whole', (body) => {
		expect(judged(body)).toEqual({
			ok: false,
			deviations: [{ path: '', message: 'must be a JSON object' }],
		});
	});

	test('all findings come at once', () => {
		const envelope = userAccess();
		put(envelope, ['header', 'client_id'], '');
		put(envelope, ['payload', 'structure_users', 'users', 1, 'name'], null);
		expect(pathsFound(envelope)).toEqual(['header.client_id', 'payload.structure_users.users[1].name']);
	});

	test('a finding never quotes what was sent', () => {
		const envelope = put(userAccess(), ['payload', 'structure_users', 'users', 0, 'name'], 'Lia'.repeat(99));
		const { deviations } = judged(envelope);
		expect(deviations).toHaveLength(1);
		expect(JSON.stringify(deviations)).not.toContain('Lia');
	});

	test('more findings than fifty are cut, are not even looked for, and it is said that there are more', () => {
		let looks = 0;
		const judgedUser = {
			get name() {
				looks++;
				return '';
			},
		};
		const users = Array.from({ length: 100_000 }, () => judgedUser);
		const read = judged(put(userAccess(), ['payload', 'structure_users', 'users'], users));
		expect(read).toMatchObject({ ok: true, deviations: { length: 50 } });
		expect(read.deviations.at(-1)).toEqual({ path: '', message: 'and at least 6 more' });
		expect(looks).toBeLessThan(50);
	});

	test.each([
		['no header', { payload: {} }],
		['a header that is a list', { header: [header('USER_ACCESS')], payload: {} }],
		['no payload', { header: header('USER_ACCESS') }],
		['a payload that is a list', { header: header('USER_ACCESS'), payload: [] }],
		['an action of spaces', { header: header('  '), payload: {} }],
		['an id of spaces', { header: header('USER_ACCESS', '\t'), payload: {} }],
	])('%s is refused', (_what, envelope) => {
		expect(judged(envelope).ok).toBe(false);
	});

	test.each([
		'2026-03-09T12:30:00Z',
		'2026-03-09T12:30:00.123456789Z',
		'2026-03-09T12:30:00,5Z',
		'2026-03-09T12:30Z',
		'2026-03-09T12:30:00+00:00',
	])('was created at %s, which is ISO 8601 in UTC', (time) => {
		expect(pathsFound(put(userAccess(), ['header', 'created_at'], time))).toEqual([]);
	});

	test('an action that the document does not know is read with whatever payload it has', () => {
		const envelope = { header: header('USER_PROMOTED'), payload: { anything: [1] } };
		expect(judged(envelope)).toEqual({
			ok: true,
			envelope,
			event: undefined,
			deviations: [],
		});
		expect(pathsFound({ header: header('USER_PROMOTED') })).toEqual(['payload']);
	});

	test('unknown fields are kept everywhere', () => {
		const envelope = userAccess() as Record<string, unknown>;
		put(envelope, ['signature'], 's');
		put(envelope, ['header', 'trace'], [1]);
		put(envelope, ['payload', 'structure_users', 'users', 0, 'nickname'], { short: 'L' });
		expect(judged(envelope)).toMatchObject({ ok: true, envelope });
	});
});

describe('Deviations that the document tells to tolerate', () => {
	const student = ['payload', 'structure_users', 'users', 0];
	const healedStudent = (envelope: unknown) =>
		(payloadOf(envelope).structure_users as { users: unknown[] }).users[0] as Record<string, unknown>;

	test('a phone text stands for a missing cell phone, up to the size of its value', () => {
		const phone = (text: string) =>
			put(without(userAccess(), [...student, 'cell_phone']), [...student, 'phone'], text);
		expect(healedStudent(phone('11 90000-0001'))).toMatchObject({
			cell_phone: { ddi: null, value: '11 90000-0001' },
		});
		expect(healedStudent(phone('11 90000-0001'))).not.toHaveProperty('phone');
		expect(pathsFound(phone('1'.repeat(21)))).toEqual(['payload.structure_users.users[0].phone']);
	});
});

describe('What was healed', () => {
	test('is no deviation, and changes nothing in what was sent', () => {
		const sent = userAccess() as Record<string, unknown>;
		const school = ['payload', 'structure_school', 'school'];
		put(without(sent, [...school, 'cnpj']), [...school, 'cpnj'], '11.222.333/0001-81');
		put(sent, [...school, 'addresses'], [{ Zip: '01000-000', City: 'Aurora', state: 'SP' }]);
		put(sent, ['payload', 'structure_school', 'class', 'shift'], { tagId: 't', name: 'Morning' });
		const lia = ['payload', 'structure_users', 'users', 0];
		const rui = ['payload', 'structure_users', 'users', 1];
		put(without(sent, [...lia, 'id']), [...lia, 'user_id'], guid(20));
		put(sent, [...lia, 'date_of_birth'], '2015-04-30T00:00:00');
		put(sent, [...lia, 'cell_phone', 'ddi'], '+55');
		put(sent, [...rui, 'cell_phone'], null);
		put(sent, [...rui, 'phone'], '11 90000-0001');
		const before = JSON.stringify(sent);
		expect(judged(sent)).toMatchObject({ ok: true, deviations: [] });
		expect(JSON.stringify(sent)).toBe(before);
	});
});

describe('Whatever is sent', () => {
	test('the reader gives a verdict and changes no prototype', () => {
		fc.assert(
			fc.property(fc.json({ maxDepth: 6 }), (json) => {
				const body: unknown = JSON.parse(json);
				expect(typeof judged(body).ok).toBe('boolean');
				expect(Object.keys(Object.prototype)).toEqual([]);
			}),
			{ numRuns: 500 },
		);
	});

	test('a value put anywhere into an event is taken or refused at its place, and never breaks the reader', () => {
		fc.assert(
			fc.property(fc.constantFrom(...USER_ACCESS_TABLE), fc.jsonValue({ maxDepth: 3 }), ({ path }, value) => {
				const refused = pathsFound(put(userAccess(), path, value));
				for (const finding of refused)
					expect(finding.startsWith(written(path)) || finding === 'payload').toBe(true);
			}),
			{ numRuns: 1000 },
		);
	});
});
