/** The node as the tool of an AI agent, in n8n-core's own engine: what a model is not given, and what it may not choose. */
import type { INodeParameters } from 'n8n-workflow';

import type { OnError } from '../support/engine.mts';
import { callTool } from './olderAgent.mts';
import { studentParameters, students, USER_PATH, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

beforeEach(async () => await workroom.storeToken());

const asTool = async (parameters: INodeParameters) =>
	wordsOf(await workroom.run(parameters, students(1), { isTool: true }));

/** What the operations below demand. */
const FILLED = {
	...{ code: 'code', redirectUri: 'https://app.example/callback', state: 'state', browserBinding: 'binding' },
	...{ refreshToken: 'token', idTokenHint: 'token', postLogoutRedirectUri: 'https://app.example/bye' },
};

test.each(['exchangeCode', 'refreshToken', 'getMachineToken', 'getAuthorizationUrl', 'getLogoutUrl'])(
	'A model is handed no token and no secret: Sign-On %s is refused, and nothing is sent',
	async (operation) => {
		const { message, description } = await asTool({ resource: 'signOn', operation, ...FILLED });
		expect(message).toMatch(/is not for AI agents/);
		expect(description).toMatch(/workflow without a model/);
		expect(await workroom.admin.countRequests({})).toBe(0);
	},
);

test.each<[string, INodeParameters]>([
	['operation', { operation: '={{ "createStudent" }}' }],
	['resource', { resource: '={{ "user" }}' }],
])('A model chooses no %s: nothing is sent', async (_what, chosen) => {
	await asTool(studentParameters(chosen));
	expect(await workroom.admin.countRequests({ path: USER_PATH })).toBe(0);
});

test('An operation that the node names writes, as a tool too', async () => {
	const { error } = await workroom.run(studentParameters(), students(1), { isTool: true });
	expect(error).toBeUndefined();
	expect(await workroom.admin.countRequests({ path: USER_PATH })).toBe(1);
});

test('A model is told that the record may exist, and to look for it: n8n hands it the message alone', async () => {
	await workroom.admin.addFault({ path: USER_PATH }, { status: 200, htmlPage: true });
	const { message, description } = await asTool(studentParameters());
	expect(message).toMatch(/The record may exist all the same \[Item 0\]\nLook for the record before/);
	expect(message).toBe(`${message.split('\n')[0]}\n${description}`);
});

test('Words of the service that n8n takes for a trouble of the network keep nothing from the model', async () => {
	const words = { Code: 'FLU001', Message: 'Wrong.', ErrorProperties: [{ ErrorMessage: 'Group ENOTFOUND' }] };
	await workroom.admin.addFault({ path: USER_PATH }, { status: 400, body: { Error: words } });
	const { message } = await asTool(studentParameters());
	expect(message).toMatch(/^The service refuses the data .*\n.*Group ENOTFOUND\nCorrect the values/);
});

test.each<OnError>(['continueRegularOutput', 'continueErrorOutput'])(
	'Of what n8n puts into the item of a tool, nothing goes to the model with a failure (%s)',
	async (onError) => {
		await workroom.admin.addFault({ path: USER_PATH }, { status: 403 });
		const binary = { photo: { data: 'aGk=', mimeType: 'text/plain', fileName: 'hi.txt' } };
		const inputs = [{ json: { id: 'student-1', chatInput: 'of the agent' }, binary }];
		const run = await workroom.run(studentParameters(), undefined, { isTool: true, inputs, onError });
		const [failed] = run.outputs.flat();
		expect(Object.keys(failed.json)).toEqual(['error', 'failure']);
		expect(failed.binary).toBeUndefined();
		expect(failed.json).toMatchObject({ error: expect.stringContaining('(403)'), failure: { status: 403 } });
	},
);

test('The tool of an older agent reads a field of the item that the agent works on, as n8n does, and not of what the model answers', async () => {
	const { credentials } = workroom;
	const parameters = studentParameters({ lastName: '={{ $json.name }} {{ "" }}' });
	const agentItem = { id: 'of-the-agent', name: 'Fontela' };
	await callTool({ parameters, credentials, agentItem, args: { id: 'of-the-model', name: 'Prado' } });
	const [{ body }] = await workroom.received(USER_PATH);
	expect(body).toMatchObject({ external_id: 'of-the-agent', last_name: 'Fontela ' });
});
