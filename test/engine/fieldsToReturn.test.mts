/** Fields to Return: what of a lookup leaves the node, for a workflow and for a model. */
import { readFileSync } from 'node:fs';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { Facts } from '../../sandbox/admin-types.mts';
import { useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

let facts: Facts;
beforeAll(async () => {
	facts = await workroom.admin.facts();
});

function lookup(operation: string, fieldsToReturn: unknown, change: INodeParameters = {}): INodeParameters {
	const { tenantId, students } = facts;
	return {
		...{ resource: 'account', operation, accountId: students[0].accountId, tenantId },
		options: { fieldsToReturn } as INodeParameters,
		...change,
	};
}

async function itemsOf(parameters: INodeParameters, isTool = false): Promise<IDataObject[]> {
	const { items, error } = await workroom.run(parameters, [{}], { isTool });
	expect(error).toBeUndefined();
	return items;
}

test.each([
	['in a workflow', false],
	['as the tool of an agent', true],
])('Only the chosen fields of a person leave the node, %s', async (_where, isTool) => {
	const whole = await itemsOf(lookup('get', []));
	const item = await itemsOf(lookup('get', ['name', 'id']), isTool);
	expect(item).toEqual([{ id: whole[0].id, name: whole[0].name }]);
});

test('Nothing chosen: all of them', async () => {
	const [person] = await itemsOf(lookup('get', []));
	expect(person).toMatchObject({ documents: expect.any(Array), login: expect.anything() });
});

test('Every entry of a list has the chosen fields only', async () => {
	const sponsors = await itemsOf(lookup('getSponsors', ['name']));
	expect(sponsors.length).toBeGreaterThan(0);
	for (const sponsor of sponsors) expect(Object.keys(sponsor)).toEqual(['name']);
});

test('Of a snapshot, whole parts and single fields of a part can be chosen', async () => {
	const [whole] = await itemsOf(lookup('getSnapshot', []));
	const [{ tenant, account, sponsors, ...others }] = await itemsOf(
		lookup('getSnapshot', ['tenant', 'account.name', 'sponsors.name']),
	);
	expect(others).toEqual({});
	expect(tenant).toEqual(whole.tenant);
	expect(account).toEqual({ name: (whole.account as IDataObject).name });
	expect(sponsors).toEqual((whole.sponsors as IDataObject[]).map(({ name }) => ({ name })));
});

test('A part that is not what the document says gives nothing away', async () => {
	await workroom.admin.addFault(
		{ path: `/sync/v1/accounts/${facts.students[0].accountId}/sponsors` },
		{ status: 200, body: '["Nina, 000.000.001-91"]', contentType: 'application/json' },
	);
	const [{ sponsors }] = await itemsOf(lookup('getSnapshot', ['sponsors.name']));
	expect(sponsors).toEqual([{}]);
});

test('The example for agents gives its model no document, no contact and no date of birth', async () => {
	const file = 'examples/answer-questions-about-an-account.json';
	const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as { nodes: INode[] };
	const tools = nodes.filter(({ type }) => type.endsWith('.schoolPartnerTool'));
	expect(tools).toHaveLength(3);
	const { accountId } = facts.students[0];
	for (const { parameters } of tools) {
		const { tenantId } = facts;
		const items = await itemsOf({ ...parameters, accountId, tenantId }, true);
		expect(items.length).toBeGreaterThan(0);
		expect(JSON.stringify(items)).not.toMatch(/documents|e-?mail|phone|birth|login/i);
	}
});

test('An expression gives the names as a list or as text with commas', async () => {
	for (const fields of ['={{ ["name", "id"] }}', '={{ "id, name" }}'])
		expect(Object.keys((await itemsOf(lookup('get', fields)))[0]).sort()).toEqual(['id', 'name']);
});

const NO_LIST = [{}, /^Fields to Return must be a list of names$/, /under Options/] as const;

test.each([
	[
		'a name that the document does not know',
		['name', 'document'],
		{},
		/^Fields to Return has no "document"$/,
		/documents/,
	],
	[
		'a field of another operation',
		['sponsors.name'],
		{},
		/^Fields to Return has no "sponsors\.name"$/,
		/academic_email/,
	],
	['raw answers', ['name'], { simplify: false }, /^Fields to Return needs Simplify$/, /Turn Simplify on/],
	['an expression that gives nothing', '={{ $json.fields }}', ...NO_LIST],
	['an expression that gives an empty text', '={{ "" }}', ...NO_LIST],
	[
		'an expression that gives an empty list',
		'={{ ($json.allowed ?? []).filter((name) => name !== "documents") }}',
		...NO_LIST,
	],
	['text with commas and no name', '={{ $json.one }}, {{ $json.two }}', ...NO_LIST],
	['what is no list', '={{ 7 }}', ...NO_LIST],
])('%s is refused with words, and nothing is asked', async (_what, fields, change, message, next) => {
	const run = await workroom.run(lookup('get', fields, change));
	expect(wordsOf(run).message).toMatch(message);
	expect(wordsOf(run).description).toMatch(next);
	expect(await workroom.admin.requests()).toEqual([]);
});
