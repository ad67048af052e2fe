/** An answer of 200 whose body says no is no success, however it says it. */
import { saysNo } from '../../../../nodes/SchoolPartnerRoster/service/saysNo.ts';

test.each<[string, unknown, string]>([
	['an error as text', { Error: 'No room.' }, ': No room.'],
	['the documented error', { Error: { Code: 'USR001', Message: 'Bad request.' } }, ': USR001: Bad request.'],
	['a list of texts', { Errors: ['No room.', 'Really.'] }, ': No room.; Really.'],
	['a list of errors', { Errors: [{ Code: 500, Message: 'Later.' }] }, ': 500: Later.'],
	['no success', { success: false }, ''],
	['no success, with words', { success: false, message: 'No room.' }, ': No room.'],
	['no success as text', { Success: 'False ' }, ''],
	['names in another case', { ERRORS: ['No room.'] }, ': No room.'],
	['within data', { data: { success: false } }, ''],
	['beside data', { data: { id: 'u-1' }, error: 'No room.' }, ': No room.'],
	['errors by their fields', { errors: { email: ['taken'] } }, ''],
])('%s says no', (_what, body, words) => {
	expect(saysNo(body, 200)).toMatchObject({
		...{ origin: 'service', effect: 'none', status: 200, code: 'saysNo' },
		message: `The service answered 200, and says that it was not done${words}`,
	});
});

test.each<[string, unknown]>([
	['nothing', {}],
	['plain text', 'Created'],
	['plain text as an item', { data: 'Created' }],
	['what was created', { data: { id: 'u-1', external_id: 'Error', status: 'failed' } }],
	['success', { success: true, Error: null, Errors: [] }],
	['an error without anything in it', { error: ' ', errors: { email: [], name: null } }],
	['an error that is false', { error: false, Errors: [{ Code: null, Message: '' }] }],
	['a list', [{ Error: 'No room.' }]],
])('%s does not say no', (_what, body) => {
	expect(saysNo(body, 200)).toBeUndefined();
});

test('The words of the service stand on one line, and are cut', () => {
	const { message = '' } = saysNo({ Error: `No\nroom ${'x'.repeat(1_000)}` }, 201) ?? {};
	expect(message).toMatch(/^The service answered 201, .*: No room x+…$/);
	expect(message.length).toBeLessThan(300);
});
