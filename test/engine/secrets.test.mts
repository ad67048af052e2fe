import { inspect } from 'node:util';

import { studentParameters, TOKEN_PATH, USER_PATH, useWorkroom } from './workroom.mts';

const workroom = useWorkroom();

/** Personal values that stand in the input item; none of them may be in any message. */
const planted = {
	first_name: 'Plantedforename',
	last_name: 'Plantedsurname',
	birth_date: '2011-07-19',
	document_value: '98765432100',
	cell_phone: '11987654321',
	email: 'planted.person@families.example',
};

const parameters = studentParameters({
	firstName: '={{ $json.first_name }}',
	lastName: '={{ $json.last_name }}',
	birthDate: '={{ $json.birth_date }}',
	documentType: 'TAX_ID',
	documentValue: '={{ $json.document_value }}',
	additionalFields: { cellPhone: '={{ $json.cell_phone }}', email: '={{ $json.email }}' },
	// Long enough for every answer but the one that is held back.
	options: { maxRetries: 0, timeout: 3_000 },
});

const item = { id: 'student-1', ...planted };

/** Everything n8n keeps of the failure of a run: shown, stored, logged. */
async function failureOf(values: object = item, change: object = {}): Promise<string> {
	const { error } = await workroom.run({ ...parameters, ...change }, [values as never]);
	expect(error).toBeDefined();
	return `${inspect(error, { depth: 8, showHidden: true })}\n${error?.message}\n${error?.stack}`;
}

function expectClean(text: string): void {
	const { access_token } = (workroom.credentials.data.oauthTokenData ?? {}) as { access_token?: string };
	const secrets = [workroom.sandbox.clientSecret, access_token].filter((secret) => secret !== undefined);
	for (const value of [...Object.values(planted), ...secrets]) expect(text).not.toContain(value);
}

describe('No token, secret or personal value is in what a run says when', () => {
	test.each([
		['the service refuses the data', { status: 400 }],
		['the service refuses the token', { status: 401 }],
		['the service answers with a page', { htmlPage: true }],
		['a page comes in the place of an answer', { htmlPage: true, status: 200 }],
		['the service breaks', { status: 500, body: 'a page' }],
		['the service asks to wait', { status: 429, retryAfter: 4_000 }],
		['the connection breaks', { drop: 'before' as const }],
		['the answer is cut short', { cutBody: true }],
		['there is no answer in time', { delayMs: 30_000 }],
		['the service redirects', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
	])('%s', async (_what, fault) => {
		await workroom.admin.addFault({ path: USER_PATH }, fault);
		expectClean(await failureOf());
	});

	test.each([
		['refuses the secret', { status: 401, body: { error: 'invalid_client' } }],
		['breaks', { status: 500 }],
		['answers with a page', { htmlPage: true, status: 200 }],
		['breaks the connection', { drop: 'before' as const }],
	])('the sign-on area %s', async (_what, fault) => {
		await workroom.admin.addFault({ path: TOKEN_PATH }, fault);
		expectClean(await failureOf());
	});

	test.each([
		['the birth date', { ...item, birth_date: '19/07/2011' }, '19/07/2011'],
		['a name that is an object', { ...item, first_name: { secret: 'Plantedobject' } }, 'Plantedobject'],
		['a document that is a list', { ...item, document_value: ['98765432100'] }, '98765432100'],
	])('the input is refused: %s', async (_what, values, value) => {
		const text = await failureOf(values);
		expectClean(text);
		expect(text).not.toContain(value);
	});

	test('an expression fails', async () => {
		expectClean(await failureOf(item, { birthDate: '={{ $("Nowhere").item.json.birth_date }}' }));
	});
});

test('The failure output carries the values of its own item and of no other', async () => {
	await workroom.admin.addFault({ path: USER_PATH }, { status: 400 });
	const { outputs } = await workroom.run(parameters, [item, { id: 'student-2' }], {
		onError: 'continueErrorOutput',
	});
	const texts = outputs[1].map(({ json }) => JSON.stringify(json));
	expect(texts[0]).toContain(planted.email);
	expect(texts[1]).not.toContain(planted.email);
	expect(texts.join('')).not.toContain(workroom.sandbox.clientSecret);
});

test('No token or secret travels in an address', async () => {
	await workroom.run(parameters, [item]);
	const { access_token } = workroom.credentials.data.oauthTokenData as { access_token: string };
	const addresses = JSON.stringify((await workroom.admin.requests()).map(({ path, query }) => [path, query]));
	expect(addresses).not.toContain(access_token);
	expect(addresses).not.toContain(workroom.sandbox.clientSecret);
});
