import { createHash } from 'node:crypto';

import { momentOf } from '../../../nodes/SchoolPartnerTrigger/deliveries/age.ts';
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

function verdict(body: SentBody, settings: Partial<DeliverySettings> = {}) {
	const read = readDelivery(body, 'current', { ...SETTINGS, ...settings }, RECEIVED);
	return read.ok ? { ok: true, ...read.value } : { ok: false, ...read.failure };
}

describe('An accepted delivery', () => {
	test('is the canonical envelope with hash, age and key, and leaves by the output of its event', () => {
		const text = JSON.stringify(userAccess());
		expect(verdict(sent(text))).toEqual({
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
		expect(verdict(sent(userAccessRevocation()))).toMatchObject({ output: 1 });
	});

	test('leaves by the first output when only its event is chosen, and the order of choosing does not count', () => {
		expect(verdict(sent(userAccessRevocation()), { events: ['userAccessRevocation'] })).toMatchObject({
			output: 0,
		});
		const reversed = { events: ['userAccessRevocation', 'userAccess'] } as const;
		expect(verdict(sent(userAccess()), reversed)).toMatchObject({ output: 0 });
	});

	test('carries its body byte for byte when asked', () => {
		const text = `\uFEFF ${JSON.stringify(userAccess(), null, 3).replace('Lia', 'Li\\u0061 🎒 é')}\r\n`;
		const { item } = verdict(sent(text), { includeRawBody: true }) as { item: { delivery: { raw: string } } };
		expect(Buffer.from(item.delivery.raw, 'utf8').equals(Buffer.from(text, 'utf8'))).toBe(true);
	});

	test('has a negative age when the clock of the sender is ahead', () => {
		const envelope = {
			...userAccess(),
			header: { ...userAccess().header, created_at: '2026-03-09T12:31:00Z' },
		};
		expect(verdict(sent(envelope))).toMatchObject({ item: { delivery: { age_seconds: -53 } } });
	});

	test('keeps the place of our own facts when the body has a field of that name', () => {
		expect(verdict(sent({ ...userAccess(), delivery: 'forged' }))).toMatchObject({
			item: { delivery: { key: 'current' } },
		});
	});
});

test('An id of a delivery that is beyond 2^53 reaches the item as the text of its digits', () => {
	const text = JSON.stringify(userAccessRevocation()).replace(
		'"user_id":',
		'"subject_number":9007199254740993,"user_id":',
	);
	expect(verdict(sent(text))).toMatchObject({
		item: { payload: { bond: { subject_number: '9007199254740993' } } },
	});
});

test('Where text is meant, a number beyond 2^53 is taken as the text of its digits, and any other number deviates', () => {
	const withId = (id: string) =>
		JSON.stringify(userAccessRevocation()).replace(/"user_id":"[^"]*"/, `"user_id":${id}`);
	expect(verdict(sent(withId('9007199254740993')), { deviations: 'reject' })).toMatchObject({
		item: { payload: { bond: { user_id: '9007199254740993' } } },
	});
	expect(verdict(sent(withId('17')), { deviations: 'reject' })).toMatchObject({ ok: false, status: 400 });
});

describe('Actions without an output of their own', () => {
	const unknown = { header: header('USER_PROMOTED'), payload: {} };

	test('are acknowledged without a run unless the user wants something else', () => {
		expect(verdict(sent(unknown))).toEqual({
			ok: true,
			output: undefined,
			unknown: { action: 'USER_PROMOTED', requestId: guid(1) },
		});
		expect(verdict(sent(userAccess()), { events: ['userAccessRevocation'] })).toEqual({
			ok: true,
			output: undefined,
		});
	});

	test('are refused with the place of the action', () => {
		expect(verdict(sent(unknown), { otherActions: 'reject' })).toMatchObject({
			status: 400,
			issues: [{ path: 'header.action' }],
		});
	});

	test('are passed on by the last output', () => {
		const passOn = { otherActions: 'passOn' } as const;
		expect(verdict(sent(unknown), passOn)).toMatchObject({ output: 2, item: unknown });
		expect(verdict(sent(userAccess()), { ...passOn, events: ['userAccessRevocation'] })).toMatchObject({
			output: 1,
		});
		expect(verdict(sent(userAccess()), { ...passOn, events: [] })).toMatchObject({ output: 0 });
	});
});

describe('An event that the tables do not allow', () => {
	const bad = sent({ ...userAccess(), payload: { ...userAccess().payload, structure_users: ['Lia'] } });
	const path = 'payload.structure_users';

	test('leaves by the output of its event with what deviates, never with what was sent', () => {
		const message = 'must be an object, but is a list';
		expect(verdict(bad)).toMatchObject({
			output: 0,
			item: { payload: { structure_users: ['Lia'] }, delivery: { deviations: [{ path, message }] } },
		});
	});

	test('leaves by the very last output where it has one of its own', () => {
		const ownOutput = { deviations: 'ownOutput', otherActions: 'passOn' } as const;
		expect(verdict(bad, ownOutput)).toMatchObject({
			output: 3,
			item: { delivery: { deviations: [{ path }] } },
		});
		expect(verdict(bad, { ...ownOutput, otherActions: 'acknowledge' })).toMatchObject({ output: 2 });
		expect(verdict(sent(userAccess()), ownOutput)).toMatchObject({ output: 0 });
		const unknown = { header: { ...header('USER_PROMOTED'), client_id: 7 }, payload: {} };
		expect(verdict(sent(unknown), ownOutput)).toMatchObject({ output: 3 });
		const unwanted = { ...ownOutput, otherActions: 'acknowledge' } as const;
		expect(verdict(sent(unknown), unwanted)).toMatchObject({ output: undefined });
	});

	test('is refused where the user says so, healed deviations are not', () => {
		expect(verdict(bad, { deviations: 'reject' })).toMatchObject({ status: 400, issues: [{ path }] });
		const { id, ...shift } = userAccess().payload.structure_school.class.shift;
		const healed = userAccess() as { payload: { structure_school: { class: { shift: object } } } };
		healed.payload.structure_school.class.shift = { tagId: id, ...shift };
		expect(verdict(sent(healed), { deviations: 'reject' })).toMatchObject({ item: userAccess() });
	});
});

describe('The order of refusal after the key', () => {
	const tooMuch = ' '.repeat(64 * 1024 + 1);

	test('a body that is too large is 413, whatever it is', () => {
		expect(verdict(sent(tooMuch, { contentType: 'text/plain' }))).toMatchObject({ status: 413 });
		expect(verdict(sent(tooMuch))).toMatchObject({ status: 413 });
	});

	test('a body that n8n did not read is 413 by its declared length', () => {
		const unread = { contentType: 'video/mp4', bytes: undefined };
		expect(verdict({ ...unread, declaredBytes: 64 * 1024 + 1 })).toMatchObject({ status: 413 });
		expect(verdict({ ...unread, declaredBytes: 64 * 1024 })).toMatchObject({ status: 415 });
		expect(verdict({ ...unread, declaredBytes: undefined })).toMatchObject({ status: 415 });
	});

	test('exactly the largest size is taken', () => {
		const text = JSON.stringify(userAccess());
		expect(verdict(sent(text + ' '.repeat(64 * 1024 - text.length)))).toMatchObject({ ok: true });
	});

	test('a body that is not declared as JSON is 415, even when it is malformed', () => {
		expect(verdict(sent('{', { contentType: 'text/plain' }))).toMatchObject({ status: 415 });
		expect(verdict(sent('{}', { contentType: undefined }))).toMatchObject({ status: 415 });
	});

	test('a malformed body is 400', () => {
		expect(verdict(sent('{}'))).toMatchObject({ status: 400 });
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
});

describe('Hostile bodies', () => {
	const bodyIssue = (body: SentBody) => verdict(body, { maxBodyBytes: 20 * 1024 * 1024 });

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

describe('The moment of a UTC time', () => {
	test.each([
		['2026-03-09T12:30:00Z', Date.UTC(2026, 2, 9, 12, 30)],
		['2026-03-09T12:30Z', Date.UTC(2026, 2, 9, 12, 30)],
		['2026-03-09T12:30:01,25+00', Date.UTC(2026, 2, 9, 12, 30, 1, 250)],
		['2024-02-29T00:00:00-0000', Date.UTC(2024, 1, 29)],
		['0001-01-01T00:00:00Z', -62135596800000],
	])('%s is %d', (text, moment) => {
		expect(momentOf(text)).toBe(moment);
	});
});
