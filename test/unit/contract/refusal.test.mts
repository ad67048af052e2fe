/** The bodies of refusals, from the section "Errors" of the service's document. */
import fc from 'fast-check';

import { isInOwnForm, isServerError, readRefusal } from '../../../nodes/shared/contract/refusal.ts';

const read = (body: unknown) => readRefusal(typeof body === 'string' ? body : JSON.stringify(body));
const nothing = { details: [] };

describe('Synchronization', () => {
	test('400 carries a code and a message', () => {
		expect(read({ Error: { Code: 'USR001', Message: 'Bad request.' } })).toEqual({
			code: 'USR001',
			message: 'Bad request.',
			details: [],
		});
	});

	test('409 carries findings for its parameters', () => {
		const ErrorProperties = [
			{ PropertyName: 'tenant_id', ErrorMessage: 'tenant_id is required.' },
			{ PropertyName: 'tenant_id', ErrorMessage: 'tenant_id cannot be an empty GUID.' },
		];
		expect(read({ Error: { Code: 'FLU001', Message: 'Wrong parameters.', ErrorProperties } })).toEqual({
			code: 'FLU001',
			message: 'Wrong parameters.',
			details: [
				{ field: 'tenant_id', message: 'tenant_id is required.' },
				{ field: 'tenant_id', message: 'tenant_id cannot be an empty GUID.' },
			],
		});
	});

	test('500 carries a code and a message', () => {
		const body = { Error: { Code: 'INT500', Message: 'An internal server error occurred.' } };
		expect(read(body)).toMatchObject({ code: 'INT500', message: 'An internal server error occurred.' });
	});

	test.each([
		['no properties', {}],
		['properties that are null', { ErrorProperties: null }],
		['properties of another kind', { ErrorProperties: ['tenant_id', 7, null] }],
	])('is read without findings when it has %s', (_what, more) => {
		expect(read({ Error: { Code: 'FLU001', Message: 'Wrong.', ...more } })).toEqual({
			code: 'FLU001',
			message: 'Wrong.',
			details: [],
		});
	});
});

describe('Enrollment', () => {
	test('400 carries a list, whose first entry is the message', () => {
		const Errors = [
			{ Code: 'ENRL-0001', Message: 'Unknown course.' },
			{ Code: 'ENRL-0002', Message: 'Unknown school.' },
		];
		expect(read({ Errors })).toEqual({
			code: 'ENRL-0001',
			message: 'Unknown course.',
			details: [{ field: 'ENRL-0002', message: 'Unknown school.' }],
		});
	});

	test('500 carries the number 500 as its code', () => {
		const Errors = [{ Code: 500, Message: 'The request could not be completed at the moment.' }];
		expect(read({ Errors })).toMatchObject({
			code: '500',
			message: 'The request could not be completed at the moment.',
		});
	});

	test.each([[[]], [['text']], [[null, 7]]])('%p says nothing', (Errors) => {
		expect(read({ Errors })).toEqual(nothing);
	});
});

test('The sign-on area carries an error and its description (RFC 6749 section 5.2)', () => {
	expect(read({ error: 'invalid_client', error_description: 'Client authentication failed.' })).toEqual({
		code: 'invalid_client',
		message: 'Client authentication failed.',
		details: [],
	});
});

test.each([
	{ code: 'X', message: 'Words.' },
	{ Code: 'X', Message: 'Words.' },
])('Bodies that the document does not show are read where they say the same: %p', (body) => {
	expect(read(body)).toMatchObject({ code: 'X', message: 'Words.' });
});

describe('What stands around an error may be missing', () => {
	const ErrorProperties = [{ PropertyName: 'tenant_id', ErrorMessage: 'tenant_id is required.' }];
	const wrong = { Code: 'FLU001', Message: 'Wrong parameters.', ErrorProperties };
	const details = [{ field: 'tenant_id', message: 'tenant_id is required.' }];

	test.each([
		['the error alone', wrong],
		['the error alone, in small letters', { code: 'FLU001', message: 'Wrong parameters.', ErrorProperties }],
		['the error in a list of one', [wrong]],
		['the error in a list under Errors', { Errors: [wrong] }],
		['a list under Error', { Error: [wrong] }],
		['an object under Errors', { Errors: wrong }],
		[
			'all of it in small letters',
			{ error: { code: 'FLU001', message: 'Wrong parameters.', ErrorProperties } },
		],
		['a list in small letters', { errors: [wrong] }],
	])('and its findings are kept: %s', (_what, body) => {
		expect(read(body)).toEqual({ code: 'FLU001', message: 'Wrong parameters.', details });
	});

	test('and of several, the first is the message and the others are findings', () => {
		expect(read([wrong, { Code: 'FLU002', Message: 'Unknown account.' }])).toEqual({
			code: 'FLU001',
			message: 'Wrong parameters.',
			details: [...details, { field: 'FLU002', message: 'Unknown account.' }],
		});
	});
});

test('An error in small letters that says nothing leaves the word to what stands beside it', () => {
	expect(read({ error: {}, errors: ['text'], message: 'Words.' })).toEqual({
		message: 'Words.',
		details: [],
	});
});

describe('Nothing is said by', () => {
	test.each([
		['no body', ''],
		['blanks', '  \n'],
		['a page', '<!doctype html><h1>Bad gateway</h1>'],
		['half of an object', '{"Error": {"Code"'],
		['null', 'null'],
		['a number', '7'],
		['text', '"no"'],
		['a list', '[]'],
		['an empty object', '{}'],
	])('%s', (_what, body) => {
		const { code, message, details } = read(body);
		expect([code, message, details]).toEqual([undefined, undefined, []]);
	});
});

test('Long words are cut to what SECURITY.md says, so that a stack trace does not fill a message', () => {
	const words = 'y'.repeat(10_000);
	const ErrorProperties = [{ PropertyName: words, ErrorMessage: words }];
	const { code, message, details } = read({ Error: { Code: words, Message: words, ErrorProperties } });
	const [{ field, message: finding }] = details;
	expect([code, message, field, finding].map((said) => said?.length)).toEqual([100, 500, 100, 200]);
	expect(message).toMatch(/y…$/);
});

test.each([
	['an error', true, { Error: { Code: 'INT500', Message: 'An internal server error occurred.' } }],
	['a list of errors', true, { Errors: [{ Code: 500, Message: 'Internal error.' }] }],
	['an error without its outer name', true, { Code: 'INT500', Message: 'Internal error.' }],
	['a number as code', true, { Code: 500, Message: 'Internal error.' }],
	['a sign-on that is away', true, { error: 'temporarily_unavailable' }],
	['a sign-on that failed', true, { error: 'server_error' }],
	['a sign-on that refuses', false, { error: 'invalid_request', message: 'No.' }],
	['a gateway', false, { message: 'Service Unavailable' }],
	['a gateway with an error in small letters', false, { error: { code: 503, message: 'Unavailable' } }],
	['a gateway with an empty list', false, { Errors: [], message: 'Service Unavailable' }],
	['an error that is null', false, { Error: null, message: 'Service Unavailable' }],
	['a code that is none', false, { Code: {}, message: 'Service Unavailable' }],
	['an error that says nothing', false, { Error: {} }],
])('Whether the service itself speaks: %s', (_what, isOwn, body) => {
	expect(isInOwnForm(JSON.stringify(body))).toBe(isOwn);
});

test.each([
	['the server error of enrollment', true, '{"Errors":[{"Code":500,"Message":"Internal error."}]}'],
	['one that is no list', true, '{"Errors":{"Code":500}}'],
	['another code', false, '{"Errors":[{"Code":400}]}'],
	['a code as text', false, '{"Errors":[{"Code":"500"}]}'],
	['a second error', false, '{"Errors":[{"Code":400},{"Code":500}]}'],
	['no errors', false, '{"Errors":[]}'],
	['errors that are null', false, '{"Errors":[null]}'],
	['another form', false, '{"Code":500}'],
	['a list', false, '[{"Errors":[{"Code":500}]}]'],
	['a page', false, '<h1>500</h1>'],
])('Whether a bad request is a server error: %s', (_what, isOne, body) => {
	expect(isServerError(body)).toBe(isOne);
});

test('No body makes reading fail', () => {
	const anyBody = fc.oneof(
		fc.string(),
		fc.json(),
		fc.record({ Error: fc.jsonValue() }).map((body) => JSON.stringify(body)),
		fc.record({ Errors: fc.array(fc.jsonValue()) }).map((body) => JSON.stringify(body)),
		fc.record({ error: fc.jsonValue(), Code: fc.jsonValue() }).map((body) => JSON.stringify(body)),
	);
	fc.assert(
		fc.property(anyBody, (body) => {
			const { code, message, details } = readRefusal(body);
			for (const words of [code, message]) expect(['string', 'undefined']).toContain(typeof words);
			for (const detail of details)
				expect(Object.values(detail).every((each) => typeof each === 'string')).toBe(true);
		}),
	);
});
