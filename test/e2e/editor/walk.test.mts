/**
 * The action node in n8n's editor: every resource and operation, opened by its drop-downs, what a person sees and in which order; pick lists that cannot be
 * filled; and a failed item, with every finding on a line of its own, and the item named once.
 */
import type { IConnections, INodeParameters } from 'n8n-workflow';

import {
	createCredential,
	createWorkflow,
	credentialReference,
	type StoredCredential,
} from '../../../playground/n8n-client.mts';
import {
	chooseOption,
	closeNode,
	executeStep,
	fillParameter,
	openNode,
	openResourceList,
	openWorkflow,
	outputShows,
	searchResourceList,
	shownFailure,
	type DropDownEntry,
} from '../../support/n8n-editor.mts';
import { panelPicture, shownFields, shownNotices } from '../../support/n8n-panel.mts';
import { ACTION_NODE, machineAccess } from '../../support/stage.mts';
import { allOperations } from '../../support/operations/index.mts';
import { panelOf } from '../../support/operations/row.mts';

import { useEditor } from './support.mts';

/** One picture of each resource; set SCREENSHOTS=1 to take them anew. */
const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images/resources' : undefined;

/** What the row of each operation says of its panel, by the labels of resource and operation, in the order of the lists. */
const PANELS: Record<string, Record<string, string[]>> = Object.fromEntries(
	[...new Set(allOperations.map(({ title }) => title.split(': ')[0]))].sort().map((resource) => [
		resource,
		Object.fromEntries(
			allOperations
				.filter(({ title }) => title.startsWith(`${resource}: `))
				.sort((one, other) => one.title.localeCompare(other.title))
				.map((row) => [row.title.split(': ')[1], panelOf(row)]),
		),
	]),
);

/** n8n's own entry in every node with a credential. */
const OF_N8N = 'Custom API Call';

// Tall enough for the longest panel, so that nothing has to be scrolled into the picture.
const editor = useEditor({ width: 1440, height: 1400 });
const complaints: string[] = [];

beforeAll(() => {
	editor.page.on('console', (message) => {
		if (message.type() === 'error') complaints.push(message.text());
	});
	editor.page.on('pageerror', (error) => complaints.push(error.message));
});

function nodeNamed(
	name: string,
	y: number,
	parameters = {},
	credential: StoredCredential = editor.stage.credential,
) {
	return {
		id: name,
		name,
		type: ACTION_NODE,
		typeVersion: 1,
		position: [0, y] as [number, number],
		parameters,
		credentials: credentialReference(credential),
	};
}

async function openNew(nodes: Array<ReturnType<typeof nodeNamed>>): Promise<void> {
	const workflow = await createWorkflow(editor.stage.session, { name: 'Walk', nodes, connections: {} });
	await openWorkflow(editor.page, editor.stage.n8n.baseUrl, workflow.id);
}

const fileNameOf = (label: string): string => label.toLowerCase().replaceAll(' ', '-');
const ownOf = (entries: DropDownEntry[]): DropDownEntry[] => entries.filter(({ label }) => label !== OF_N8N);

describe('The panel', () => {
	const named = Object.entries(PANELS).map(([resource, operations]) => ({ resource, operations }));

	beforeAll(async () => {
		await openNew([nodeNamed('Walk', 0)]);
		await openNode(editor.page, 'Walk');
	});
	afterAll(async () => await closeNode(editor.page));

	test('offers the resources, each with what it is', async () => {
		const entries = ownOf(await chooseOption(editor.page, 'resource', 'Account'));
		expect(entries.map(({ label }) => label)).toEqual(Object.keys(PANELS));
		for (const { description } of entries) expect(description).toMatch(/^[A-Z]\w.{10,}/);
	});

	describe.each(named)('$resource', ({ resource, operations }) => {
		const labels = Object.keys(operations);
		// The one with the most to see is in the documents.
		const pictured = labels.reduce((one, other) =>
			(operations[other]?.length ?? 0) > (operations[one]?.length ?? 0) ? other : one,
		);

		test('offers its operations, each with what it does', async () => {
			await chooseOption(editor.page, 'resource', resource);
			const entries = ownOf(await chooseOption(editor.page, 'operation', labels[0] ?? ''));
			expect(entries.map(({ label }) => label)).toEqual(labels);
			for (const { description } of entries) expect(description).toMatch(/^[A-Z]\w.{10,}/);
		});

		test.each(labels)(
			'%s: fields in order, the required ones marked, each with an example',
			async (operation) => {
				await chooseOption(editor.page, 'operation', operation);
				const fields = await shownFields(editor.page);
				expect(fields.map(({ label, required }) => (required ? `${label} *` : label))).toEqual(
					operations[operation],
				);
				expect(fields.filter(({ clipped }) => clipped)).toEqual([]);
				// Names from within, as "schoolExternalId" or "school_external_id".
				expect(fields.filter(({ label }) => /[a-z][A-Z](?!s\b)|_/.test(label))).toEqual([]);
				const examples = fields
					.map(({ placeholder }) => placeholder)
					.filter((placeholder) => placeholder !== '');
				expect(examples.filter((example) => !/^(e\.g\. |Select a )/.test(example))).toEqual([]);
				if (PICTURES !== undefined && operation === pictured)
					await panelPicture(editor.page, `${PICTURES}/${fileNameOf(resource)}.png`);
			},
		);
	});

	test('names the fields of the item, and hides its own, when the item gives the values', async () => {
		await chooseOption(editor.page, 'resource', 'User');
		await chooseOption(editor.page, 'operation', 'Create Student');
		await chooseOption(editor.page, 'dataMode', "Map Automatically From the Item's Own Fields");
		expect((await shownFields(editor.page)).map(({ label }) => label)).toEqual([
			'Data to Send',
			'Simplify',
			'Options',
		]);
		const [notice] = await shownNotices(editor.page);
		expect(notice).toContain('responsible_external_id');
	});
});

/** What the open list says in the place of its entries, as it reads: a hyphen is a hyphen, whichever character it is. */
async function whyEmpty(parameter: string): Promise<string> {
	const shown = await openResourceList(editor.page, parameter).then(
		(entries) => `a list of ${entries.length}`,
		(error: Error) => error.message,
	);
	return shown.replaceAll('\u2011', '-');
}

describe('A pick list that cannot be filled says what to do', () => {
	beforeAll(async () => {
		const parameters = { resource: 'class', operation: 'create', schoolExternalId: 'school-001' };
		const wrong = await createCredential(editor.stage.session, {
			name: 'Wrong secret',
			type: 'schoolPartnerOAuth2Api',
			data: { ...machineAccess(editor.stage.sandbox), clientSecret: 'wrong' },
		});
		await openNew([
			nodeNamed('Right', 0, { ...parameters, schoolExternalId: '' }),
			nodeNamed('Wrong', 200, parameters, wrong),
		]);
	});

	// Why else it cannot be loaded: test/engine/pickLists.test.mts.
	test('with a wrong secret', async () => {
		await openNode(editor.page, 'Wrong');
		const shown = await whyEmpty('educationalStage');
		expect(shown).toContain('gives no token');
		expect(shown).toContain('Check Client ID and Client Secret in the credential.');
		await closeNode(editor.page);
	});

	test('before the school is filled in', async () => {
		await openNode(editor.page, 'Right');
		const shown = await whyEmpty('educationalStage');
		expect(shown).toContain('Fill in School External ID first');
		expect(shown).toMatch(/run the node before; .* or choose By Name/);
	});

	test('for a school that the service does not know, in its words and with the status once', async () => {
		await fillParameter(editor.page, 'schoolExternalId', 'school-of-nobody');
		const shown = await whyEmpty('educationalStage');
		expect(shown).toContain('PROV-0404: school_external_id: there is no school "school-of-nobody"');
		expect(shown).toContain('Check School External ID, and Base URL in the credential.');
		expect(shown.match(/404 - |\(404\)/g)).toEqual(['404 - ']);
	});

	test('a text that no entry has finds nothing, and n8n says so', async () => {
		await fillParameter(editor.page, 'schoolExternalId', 'school-001');
		expect(await openResourceList(editor.page, 'educationalStage')).toHaveLength(3);
		expect(await searchResourceList(editor.page, 'no such stage')).toEqual([]);
	});
});

test('the browser has nothing to complain about', () => {
	// Lists that cannot be filled are answered with an error status, which a browser notes.
	expect(
		complaints.filter(
			(text) => !/Failed to load resource: the server responded with a status of (4|5)\d\d/.test(text),
		),
	).toEqual([]);
});

describe('A failed item shows', () => {
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
});
