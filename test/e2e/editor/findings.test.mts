/** A failed item in n8n's editor: every finding on a line of its own, and the item named once. */
import type { IConnections, INodeParameters } from 'n8n-workflow';

import { createWorkflow, credentialReference } from '../../../playground/n8n-client.mts';
import {
	closeNode,
	executeStep,
	openNode,
	openWorkflow,
	outputShows,
	shownFailure,
} from '../../support/n8n-editor.mts';
import { ACTION_NODE } from '../../support/stage.mts';

import { useEditor } from './support.mts';

const editor = useEditor();

const student = {
	resource: 'user',
	operation: 'createStudent',
	schoolExternalId: 'school-001',
	externalId: '={{ $json.id }}',
	firstName: '={{ $json.first }}',
	lastName: 'Fontela',
	birthDate: '={{ $json.born }}',
};

/** What the panel shows of a run that stops at one of these rows, line by line. */
async function shownFor(rows: object[], parameters: INodeParameters = student): Promise<string[]> {
	const node = (
		id: string,
		name: string,
		type: string,
		at: number,
		given: INodeParameters,
		typeVersion = 1,
	) => ({
		...{ id, name, type, typeVersion, parameters: given },
		position: [at, 0] as [number, number],
		...(type === ACTION_NODE && { credentials: credentialReference(editor.stage.credential) }),
	});
	const jsonOutput = `={{ ${JSON.stringify({ rows })} }}`;
	const nodes = [
		node('1', 'Start', 'n8n-nodes-base.manualTrigger', 0, {}),
		node('2', 'Sheet', 'n8n-nodes-base.set', 200, { mode: 'raw', jsonOutput, options: {} }, 3.4),
		node('3', 'Each', 'n8n-nodes-base.splitOut', 400, { fieldToSplitOut: 'rows', options: {} }),
		node('4', 'Create', ACTION_NODE, 600, parameters),
	];
	const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	const connections: IConnections = { Start: to('Sheet'), Sheet: to('Each'), Each: to('Create') };
	const { id } = await createWorkflow(editor.stage.session, {
		name: 'Findings',
		nodes,
		connections,
		settings: { executionOrder: 'v1' },
	});
	await openWorkflow(editor.page, editor.stage.n8n.baseUrl, id);
	await openNode(editor.page, 'Create');
	await executeStep(editor.page);
	await outputShows(editor.page, 'Item 0');
	const shown = await shownFailure(editor.page);
	await closeNode(editor.page);
	return shown;
}

const THREE_WRONG = { id: '', first: ' ', born: '31/12/2010' };

const THREE_FINDINGS = [
	'External ID must not be empty [Item 0]',
	'First Name must not be empty',
	'Birth Date must be a date that exists, written as YYYY-MM-DD, for example 2010-12-31',
	'Nothing was sent for this item. Correct its values and run it again.',
];

test('several findings of one of several items', async () => {
	expect(await shownFor([THREE_WRONG, { ...THREE_WRONG, id: 'student-2' }])).toEqual(THREE_FINDINGS);
});

test('several findings of the only item', async () => {
	expect(await shownFor([THREE_WRONG])).toEqual(THREE_FINDINGS);
});

test('several objections of the service, whose words are shown as it writes them', async () => {
	const objection = (PropertyName: string, ErrorMessage: string) => ({ PropertyName, ErrorMessage });
	const ErrorProperties = [
		objection('email', 'is <b>not</b> an address & <a href="https://elsewhere.example">more</a>'),
		objection('ddi', 'x < 1'),
	];
	const body = { Error: { Code: 'FLU001', Message: 'Wrong parameters.', ErrorProperties } };
	await editor.stage.sandbox.admin.addFault(
		{ path: '/integration/partner/v1/user', times: 1 },
		{ status: 400, body },
	);
	expect(
		await shownFor([
			{ id: 'student-1', first: 'Abelia' },
			{ id: 'student-2', first: 'Nina' },
		]),
	).toEqual([
		'The service refuses the data (400): FLU001: Wrong parameters. [Item 0]',
		'email: is <b>not</b> an address & <a href="https://elsewhere.example">more</a>',
		'ddi: x < 1',
		'Correct the values that the service names and run the item again.',
	]);
});
