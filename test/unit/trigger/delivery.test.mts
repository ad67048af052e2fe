import { createHash } from 'node:crypto';

import { isJsonInUtf8, type SentBody } from '../../../nodes/SchoolPartnerTrigger/deliveries/body.ts';
import {
	readDelivery,
	type DeliverySettings,
} from '../../../nodes/SchoolPartnerTrigger/deliveries/readDelivery.ts';
import { guid, header, userAccess, userAccessRevocation } from './sample-events.mts';

const RECEIVED = Date.UTC(2026, 2, 9, 12, 30, 7, 900);

const SETTINGS: DeliverySettings = {
	events: ['userAccess', 'userAccessRevocation'],
	otherActions: 'acknowledge',
	deviations: 'accept',
	includeRawBody: false,
	maxBodyBytes: 64 * 1024,
};

function sent(body: unknown, extra: Partial<SentBody> = {}): SentBody {
	const bytes = Buffer.isBuffer(body)
		? body
		: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
	return { contentType: 'application/json', declaredBytes: bytes.length, bytes, ...extra };
}

function read(body: SentBody, settings: Partial<DeliverySettings> = {}) {
	const delivery = readDelivery(body, 'current', { ...SETTINGS, ...settings }, RECEIVED);
	return delivery.ok ? { ok: true, ...delivery.value } : { ok: false, ...delivery.failure };
}

describe('An accepted delivery', () => {
	test('is the canonical envelope with hash, age and key, and leaves by the output of its event', () => {
		const text = JSON.stringify(userAccess());
		expect(read(sent(text))).toEqual({
			ok: true,
			output: 0,
			item: {
				...userAccess(),
				delivery: {
					received_at: '2026-03-09T12:30:07.900Z',
					sha256: createHash('sha256').update(text).digest('hex'),
					age_seconds: 7,
					key: 'current',
					deviations: [],
				},
			},
		});
		expect(read(sent(userAccessRevocation()))).toMatchObject({ output: 1 });
	});

	test('leaves by the first output when only its event is chosen, and the order of choosing does not count', () => {
		expect(read(sent(userAccessRevocation()), { events: ['userAccessRevocation'] })).toMatchObject({
			output: 0,
		});
		const reversed = { events: ['userAccessRevocation', 'userAccess'] } as const;
		expect(read(sent(userAccess()), reversed)).toMatchObject({ output: 0 });
	});

	test('carries its body byte for byte when asked', () => {
		const text = `\uFEFF ${JSON.stringify(userAccess(), null, 3).replace('Lia', 'Li\\u0061 🎒 é')}\r\n`;
		const { item } = read(sent(text), { includeRawBody: true }) as { item: { delivery: { raw: string } } };
		expect(Buffer.from(item.delivery.raw, 'utf8').equals(Buffer.from(text, 'utf8'))).toBe(true);
	});

	test('keeps the place of our own facts when the body has a field of that name', () => {
		expect(read(sent({ ...userAccess(), delivery: 'forged' }))).toMatchObject({
			item: { delivery: { key: 'current' } },
		});
	});
});

test('An id of a delivery that is beyond 2^53 reaches the item as the text of its digits', () => {
	const text = JSON.stringify(userAccessRevocation()).replace(
		'"user_id":',
		'"subject_number":9007199254740993,"user_id":',
	);
	expect(read(sent(text))).toMatchObject({
		item: { payload: { bond: { subject_number: '9007199254740993' } } },
	});
});

test('Where text is meant, a number beyond 2^53 is taken as the text of its digits, and any other number deviates', () => {
	const withId = (id: string) =>
		JSON.stringify(userAccessRevocation()).replace(/"user_id":"[^"]*"/, `"user_id":${id}`);
	expect(read(sent(withId('9007199254740993')), { deviations: 'reject' })).toMatchObject({
		item: { payload: { bond: { user_id: '9007199254740993' } } },
	});
	expect(read(sent(withId('17')), { deviations: 'reject' })).toMatchObject({ ok: false, status: 400 });
});

describe('Actions without an output of their own', () => {
	const unknown = { header: header('USER_PROMOTED'), payload: {} };

	test('are acknowledged without a run unless the user wants something else', () => {
		expect(read(sent(unknown))).toEqual({
			ok: true,
			output: undefined,
			unknown: { action: 'USER_PROMOTED', requestId: guid(1) },
		});
		expect(read(sent(userAccess()), { events: ['userAccessRevocation'] })).toEqual({
			ok: true,
			output: undefined,
		});
	});

	test('are refused with the place of the action', () => {
		expect(read(sent(unknown), { otherActions: 'reject' })).toMatchObject({
			status: 400,
			issues: [{ path: 'header.action' }],
		});
	});

	test('are passed on by the last output', () => {
		const passOn = { otherActions: 'passOn' } as const;
		expect(read(sent(unknown), passOn)).toMatchObject({ output: 2, item: unknown });
		expect(read(sent(userAccess()), { ...passOn, events: ['userAccessRevocation'] })).toMatchObject({
			output: 1,
		});
		expect(read(sent(userAccess()), { ...passOn, events: [] })).toMatchObject({ output: 0 });
	});
});

describe('An event that the tables do not allow', () => {
	const bad = sent({ ...userAccess(), payload: { ...userAccess().payload, structure_users: ['Lia'] } });
	const path = 'payload.structure_users';

	test('leaves by the output of its event with what deviates, never with what was sent', () => {
		const message = 'must be an object, but is a list';
		expect(read(bad)).toMatchObject({
			output: 0,
			item: { payload: { structure_users: ['Lia'] }, delivery: { deviations: [{ path, message }] } },
		});
	});

	test('is refused where the user says so, healed deviations are not', () => {
		expect(read(bad, { deviations: 'reject' })).toMatchObject({ status: 400, issues: [{ path }] });
		const { id, ...shift } = userAccess().payload.structure_school.class.shift;
		const healed = userAccess() as { payload: { structure_school: { class: { shift: object } } } };
		healed.payload.structure_school.class.shift = { tagId: id, ...shift };
		expect(read(sent(healed), { deviations: 'reject' })).toMatchObject({ item: userAccess() });
	});
});

describe('The order of refusal after the key', () => {
	const tooMuch = ' '.repeat(64 * 1024 + 1);

	test('a body that is too large is 413, whatever it is', () => {
		expect(read(sent(tooMuch, { contentType: 'text/plain' }))).toMatchObject({ status: 413 });
		expect(read(sent(tooMuch))).toMatchObject({ status: 413 });
	});

	test('a body that n8n did not read is 413 by its declared length', () => {
		const unread = { contentType: 'video/mp4', bytes: undefined };
		expect(read({ ...unread, declaredBytes: 64 * 1024 + 1 })).toMatchObject({ status: 413 });
		expect(read({ ...unread, declaredBytes: 64 * 1024 })).toMatchObject({ status: 415 });
		expect(read({ ...unread, declaredBytes: undefined })).toMatchObject({ status: 415 });
	});

	test('exactly the largest size is taken', () => {
		const text = JSON.stringify(userAccess());
		expect(read(sent(text + ' '.repeat(64 * 1024 - text.length)))).toMatchObject({ ok: true });
	});

	test('a body that is not declared as JSON is 415, even when it is malformed', () => {
		expect(read(sent('{', { contentType: 'text/plain' }))).toMatchObject({ status: 415 });
		expect(read(sent('{}', { contentType: undefined }))).toMatchObject({ status: 415 });
	});

	test('a malformed body is 400', () => {
		expect(read(sent('{}'))).toMatchObject({ status: 400 });
	});
});

describe('Content types', () => {
	test.each([
		'application/json',
		'Application/JSON',
		'application/json; charset=utf-8',
		'application/json ;charset="UTF-8"',
		'application/json; charset=us-ascii',
		'application/json; profile="x"',
	])('%s is JSON', (type) => {
		expect(isJsonInUtf8(type)).toBe(true);
	});

	test.each([
		'',
		'text/json',
		'application/jsonp',
		'application/problem+json',
		'application/json; charset=latin1',
		'application/json; charset=utf-16le',
		'multipart/form-data; boundary=application/json',
	])('%p is not', (type) => {
		expect(isJsonInUtf8(type)).toBe(false);
	});

	test('a header with two hundred thousand spaces in it does not stop n8n', () => {
		const spaces = ' '.repeat(200_000);
		const began = performance.now();
		expect(isJsonInUtf8(`application/json; charset=${spaces}"x y"; charset=utf-8`)).toBe(true);
		expect(isJsonInUtf8(`application/json;${spaces}charset${spaces}=${spaces}latin1${spaces}`)).toBe(false);
		// Sharing the spaces out between two parts of a pattern takes minutes.
		expect(performance.now() - began).toBeLessThan(10_000);
	});
});

describe('Hostile bodies', () => {
	const bodyIssue = (body: SentBody) => read(body, { maxBodyBytes: 20 * 1024 * 1024 });

	test.each<[string, string | Buffer, string]>([
		['nothing', '', 'must be JSON'],
		['half a body', '{"header": {', 'must be JSON'],
		['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'must be text in UTF-8'],
		['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'must be text in UTF-8'],
		['UTF-16', Buffer.from(JSON.stringify(userAccess()), 'utf16le'), 'must be JSON'],
		['a list', '[]', 'must be a JSON object'],
		['lists in lists, a million levels deep', '['.repeat(1e6) + ']'.repeat(1e6), 'nested deeper'],
		[
			'objects in objects, a hundred thousand levels deep',
			'{"a":'.repeat(1e5) + '1' + '}'.repeat(1e5),
			'nested deeper',
		],
		['a byte order mark before 65 levels', `\uFEFF${'['.repeat(65)}${']'.repeat(65)}`, 'nested deeper'],
	])('%s is refused and breaks nothing', (_what, body, message) => {
		expect(bodyIssue(sent(body))).toMatchObject({
			ok: false,
			status: 400,
			issues: [{ path: '', message: expect.stringContaining(message) as string }],
		});
	});

	test('what the parser says about bad JSON is not repeated, for it quotes the body', () => {
		expect(JSON.stringify(bodyIssue(sent('{"name": "Lia Exemplar'))).includes('Lia')).toBe(false);
	});

	test('an unknown field may be nested as deep as the limit and no deeper', () => {
		const nested = (levels: number) => ({
			...userAccess(),
			extra: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown,
		});
		expect(bodyIssue(sent(nested(63)))).toMatchObject({ ok: true });
		expect(bodyIssue(sent(nested(64)))).toMatchObject({ status: 400 });
	});

	test('prototype keys anywhere change no prototype and reach no item', () => {
		const forged = '"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}';
		const text = JSON.stringify(userAccess()).replaceAll('{"', `{${forged}, "`);
		const read = bodyIssue(sent(text));
		expect(read).toMatchObject({ ok: true, item: userAccess() });
		expect(JSON.stringify(read)).not.toContain('polluted');
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});

	test('required fields that only a forged prototype has are missing', () => {
		const text = JSON.stringify({ payload: userAccess().payload }).replace(
			'{',
			`{"__proto__": ${JSON.stringify({ header: userAccess().header })}, `,
		);
		expect(bodyIssue(sent(text))).toMatchObject({ status: 400, issues: [{ path: 'header' }] });
	});

	test('huge numbers are no years, and harmless elsewhere', () => {
		const text = JSON.stringify(userAccess());
		for (const number of ['1e999', '-1e999', '9'.repeat(400)]) {
			expect(bodyIssue(sent(text.replace('2026,', `${number},`)))).toMatchObject({
				ok: true,
				item: { delivery: { deviations: [{ path: 'payload.structure_school.class.year' }] } },
			});
			expect(bodyIssue(sent(text.replace('{', `{"extra": ${number}, `)))).toMatchObject({ ok: true });
		}
	});
});

describe('The age of an event', () => {
	test.each([
		['2026-03-09T12:30:00Z', 7],
		['2026-03-09T12:30Z', 7],
		// The clock of the sender is ahead.
		['2026-03-09T12:31:00Z', -53],
		['2026-03-09T12:30:01,95+00', 5],
		['2026-03-09T12:30:01.950000001-0000', 5],
		['2026-03-08T12:30:07+00:00', 86_400],
		['2016-12-31T23:59:60Z', null],
		['2026-03-09T12:30:00-03:00', null],
		['yesterday', null],
	])('that was created at %s is %d seconds', (created_at, age_seconds) => {
		const envelope = { ...userAccess(), header: { ...userAccess().header, created_at } };
		expect(read(sent(envelope))).toMatchObject({ item: { delivery: { age_seconds } } });
	});
});
