/** What a failed item says as data, where n8n lets it out: for an IF or a Switch behind the node. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { OnError } from '../support/engine.mts';
import { studentParameters, students, TOKEN_PATH, USER_PATH, useWorkroom } from './workroom.mts';

const workroom = useWorkroom();

const CONTINUES: OnError[] = ['continueErrorOutput', 'continueRegularOutput'];

/** The items that failed: on the second output, or between the others on the first. */
const failedOf = (outputs: INodeExecutionData[][], onError: OnError) =>
	onError === 'continueErrorOutput' ? outputs[1] : outputs[0].filter(({ json }) => 'failure' in json);

const refusedStudent = {
	status: 400,
	body: {
		Error: {
			Code: 'FLU001',
			Message: 'Wrong.',
			ErrorProperties: [{ PropertyName: 'ddi', ErrorMessage: 'Too long.' }],
		},
	},
};

describe.each(CONTINUES)('With On Error "%s" a failed item', (onError) => {
	test('keeps its data and has the text and the data of its failure; no other item has any of it', async () => {
		await workroom.admin.addFault({ path: USER_PATH, nth: 2 }, refusedStudent);
		const rows = students(3).map((row) => ({ ...row, mark: { of: [row.id] } }));
		const { outputs } = await workroom.run(studentParameters({ options: { concurrency: 1 } }), rows, {
			onError,
		});
		const failed = failedOf(outputs, onError);
		expect(failed).toEqual([
			{
				json: {
					...rows[1],
					error:
						'The service refuses the data (400): FLU001: Wrong. [Item 1]\nddi: Too long.\nCorrect the values that the service names and run the item again.',
					failure: {
						origin: 'service',
						effect: 'none',
						status: 400,
						code: 'FLU001',
						properties: [{ property: 'ddi', message: 'Too long.' }],
						next: 'ddi: Too long.\nCorrect the values that the service names and run the item again.',
					},
				},
				pairedItem: { item: 1 },
			},
		]);
		expect(outputs.flat().filter(({ json }) => 'failure' in json || 'error' in json)).toHaveLength(1);
		expect(outputs.flat()).toHaveLength(3);
	});

	test('keeps its files', async () => {
		await workroom.admin.addFault({ path: USER_PATH }, { status: 403 });
		const binary = { photo: { data: 'aGk=', mimeType: 'text/plain', fileName: 'hi.txt' } };
		const inputs = [{ json: { id: 'student-1' }, binary }];
		const { outputs } = await workroom.run(studentParameters(), undefined, { inputs, onError });
		const [item] = failedOf(outputs, onError);
		expect([item.json.id, item.binary]).toEqual(['student-1', binary]);
	});

	test('that came with an error and a failure of its own has those of this node', async () => {
		await workroom.admin.addFault({ path: USER_PATH }, { status: 403 });
		const rows = [
			{ id: 'student-1', error: 'of yesterday', failure: { origin: 'elsewhere', mine: 1 }, message: 'kept' },
		];
		const { outputs } = await workroom.run(studentParameters(), rows, { onError });
		const [{ json }] = failedOf(outputs, onError);
		expect(json).toMatchObject({
			id: 'student-1',
			message: 'kept',
			error: expect.stringContaining('(403)') as string,
		});
		expect(json.failure).toEqual({
			origin: 'service',
			effect: 'none',
			status: 403,
			next: expect.any(String) as string,
		});
	});

	test('that is done all the same does not leave as a failed one for what its data says', async () => {
		const rows = [{ id: 'student-1', error: 'of yesterday', failure: { origin: 'elsewhere' } }];
		const { outputs, error } = await workroom.run(studentParameters(), rows, { onError });
		expect([error, outputs[0].length, outputs[1] ?? []]).toEqual([undefined, 1, []]);
	});

	test('can be written as JSON and is read back the same', async () => {
		await workroom.admin.addFault({ path: USER_PATH }, { status: 429, retryAfter: 3_600 });
		const { outputs } = await workroom.run(studentParameters(), students(2), { onError });
		const failed = failedOf(outputs, onError);
		expect(failed).toHaveLength(2);
		expect(JSON.parse(JSON.stringify(failed))).toEqual(failed);
		expect(failed[0].json.failure).toMatchObject({ status: 429, retry_after_seconds: 3_600, effect: 'none' });
	});

	test.each<[string, INodeParameters, string]>([
		['a value is refused', studentParameters({ birthDate: 'yesterday' }), 'input'],
		['an option is out of range', studentParameters({ options: { concurrency: 5_000 } }), 'input'],
		['an expression fails', studentParameters({ birthDate: '={{ $json.a.b() }}' }), 'input'],
	])('says who has to look, and that nothing was done: %s', async (_what, parameters, origin) => {
		const { outputs } = await workroom.run(parameters, students(1), { onError });
		expect(failedOf(outputs, onError)[0].json.failure).toMatchObject({ origin, effect: 'none' });
		expect(await workroom.received()).toEqual([]);
	});

	test.each<[string, INodeParameters]>([
		['the service', studentParameters()],
		['the sign-on', { resource: 'signOn', operation: 'getMachineToken' }],
	])('says that n8n has no credential for %s, and that nothing was done', async (_what, parameters) => {
		const { outputs } = await workroom.run(parameters, students(2), { onError, credentials: undefined });
		const failures = failedOf(outputs, onError).map(({ json }) => json.failure);
		expect(failures).toEqual(Array(2).fill(expect.objectContaining({ origin: 'n8n', effect: 'none' })));
		expect(JSON.stringify(outputs)).not.toContain('It may be done all the same');
	});
});

describe('With On Error "Stop" n8n shows', () => {
	test.each([
		[409, 'Turma preexistente'],
		[500, 'connect ETIMEDOUT 192.0.2.7:5432'],
	])('what the service says, whatever words of n8n are in it (%i %s)', async (status, said) => {
		const body = { Error: { Code: 'INT001', Message: said } };
		await workroom.admin.addFault({ path: USER_PATH }, { status, body });
		const { error } = await workroom.run(studentParameters({ options: { maxRetries: 0 } }), students(1));
		expect(error?.message).toContain(`(${status}): INT001: ${said} [Item 0]`);
	});

	test('what the service says in small letters, of which its document shows nothing', async () => {
		const body = { errors: [{ code: 'PROV-0001', message: 'Unknown school.' }] };
		await workroom.admin.addFault({ path: USER_PATH }, { status: 400, body });
		const { error } = await workroom.run(studentParameters(), students(1));
		expect(error?.message).toBe('The service refuses the data (400): PROV-0001: Unknown school. [Item 0]');
		expect(error?.description).not.toContain('does not say which value');
	});
});

describe('On the failure output', () => {
	const failureOf = async (parameters: INodeParameters, options = {}) => {
		const { outputs } = await workroom.run(parameters, students(1), {
			onError: 'continueErrorOutput',
			...options,
		});
		return outputs[1][0].json.failure as IDataObject;
	};
	const once = { options: { maxRetries: 0 } };

	test('nobody answers: the network, and nothing was done', async () => {
		const credentials = await workroom.credentialWith({
			baseUrl: 'http://127.0.0.1:9',
			oauthTokenData: { access_token: 'any' },
		});
		expect(await failureOf(studentParameters(once), { credentials })).toMatchObject({
			origin: 'network',
			effect: 'none',
			code: 'refused',
		});
	});

	test('an answer that is lost after the work leaves the effect unknown', async () => {
		await workroom.admin.addFault({ path: USER_PATH }, { drop: 'after' });
		expect(await failureOf(studentParameters(once))).toMatchObject({
			origin: 'network',
			effect: 'unknown',
			code: 'broken',
		});
	});

	test('a page in the place of an answer may be a proxy: nobody can say', async () => {
		await workroom.admin.addFault({ path: USER_PATH }, { status: 200, htmlPage: true });
		expect(await failureOf(studentParameters(once))).toMatchObject({
			origin: 'service',
			effect: 'unknown',
			status: 200,
		});
	});

	test('an address in the credential that cannot be used is for n8n', async () => {
		const credentials = await workroom.credentialWith({ baseUrl: 'ftp://nowhere' });
		expect(await failureOf(studentParameters(), { credentials })).toMatchObject({
			origin: 'n8n',
			effect: 'none',
			code: 'invalidAddress',
		});
	});

	test('a client that is not known is for the sign-on, by its code', async () => {
		const credentials = await workroom.credentialWith({ clientSecret: 'another' });
		expect(await failureOf(studentParameters(once), { credentials })).toMatchObject({
			origin: 'signOn',
			effect: 'none',
			code: 'invalid_client',
		});
	});

	test('a refresh token that was on its way may be spent; one that was answered with no tokens is', async () => {
		const credentials = await workroom.signOnCredential();
		const refresh = { resource: 'signOn', operation: 'refreshToken', refreshToken: 'given', ...once };
		await workroom.admin.addFault({ path: TOKEN_PATH, nth: 1 }, { status: 500 });
		await workroom.admin.addFault({ path: TOKEN_PATH, nth: 2 }, { status: 503, retryAfter: 0 });
		await workroom.admin.addFault({ path: TOKEN_PATH, nth: 3 }, { status: 200, body: {} });
		const effects: unknown[] = [];
		for (let count = 0; count < 4; count++) {
			const { origin, effect, code } = await failureOf(refresh, { credentials });
			effects.push([origin, effect, code]);
		}
		expect(effects).toEqual([
			['signOn', 'unknown', undefined],
			['signOn', 'none', undefined],
			['signOn', 'done', undefined],
			['signOn', 'none', 'invalid_grant'],
		]);
	});

	test('of a node that is executed alone n8n leaves the text', async () => {
		await workroom.admin.addFault({ path: USER_PATH }, { status: 403 });
		const run = await workroom.run(studentParameters({ externalId: 'one' }), [{ id: 'student-1' }], {
			onError: 'continueErrorOutput',
			alone: true,
		});
		expect(run.outputs.map((items) => items.map(({ json }) => json))).toEqual([
			[],
			[{ error: expect.stringContaining('(403)') as string }],
		]);
	});
});
