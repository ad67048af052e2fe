/** Every resource and operation, opened in n8n's editor by its drop-downs: what a person sees, and in which order. */
import type { Browser, Page } from 'playwright-core';

import {
	createCredential,
	createWorkflow,
	credentialReference,
	PLAYGROUND_ACCOUNT,
	type StoredCredential,
} from '../../../playground/n8n-client.mts';
import { newPage, startBrowser } from '../../support/browser.mts';
import {
	chooseOption,
	closeNode,
	fillParameter,
	openNode,
	openResourceList,
	openWorkflow,
	searchResourceList,
	signInToEditor,
	type DropDownEntry,
} from '../../support/n8n-editor.mts';
import { panelPicture, shownFields, shownNotices } from '../../support/n8n-panel.mts';
import { ACTION_NODE, machineAccess, setStage, type Stage } from '../../support/stage.mts';
import { allOperations } from '../../support/operations/index.mts';
import { panelOf } from '../../support/operations/row.mts';

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

let stage: Stage;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
	stage = await setStage();
	browser = await startBrowser();
	// Tall enough for the longest panel, so that nothing has to be scrolled into the picture.
	page = await newPage(browser, { width: 1440, height: 1400 });
	await signInToEditor(page, stage.n8n.baseUrl, PLAYGROUND_ACCOUNT);
	page.on('console', (message) => {
		if (message.type() === 'error') complaints.push(message.text());
	});
	page.on('pageerror', (error) => complaints.push(error.message));
}, 240_000);
afterAll(async () => {
	await browser?.close();
	await stage?.end();
});

function nodeNamed(
	name: string,
	y: number,
	parameters = {},
	credential: StoredCredential = stage.credential,
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
	const workflow = await createWorkflow(stage.session, { name: 'Walk', nodes, connections: {} });
	await openWorkflow(page, stage.n8n.baseUrl, workflow.id);
}

const fileNameOf = (label: string): string => label.toLowerCase().replaceAll(' ', '-');
const ownOf = (entries: DropDownEntry[]): DropDownEntry[] => entries.filter(({ label }) => label !== OF_N8N);

describe('The panel', () => {
	const named = Object.entries(PANELS).map(([resource, operations]) => ({ resource, operations }));

	beforeAll(async () => {
		await openNew([nodeNamed('Walk', 0)]);
		await openNode(page, 'Walk');
	}, 60_000);
	afterAll(async () => await closeNode(page));

	test('offers the resources, each with what it is', async () => {
		const entries = ownOf(await chooseOption(page, 'resource', 'Account'));
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
			await chooseOption(page, 'resource', resource);
			const entries = ownOf(await chooseOption(page, 'operation', labels[0] ?? ''));
			expect(entries.map(({ label }) => label)).toEqual(labels);
			for (const { description } of entries) expect(description).toMatch(/^[A-Z]\w.{10,}/);
		});

		test.each(labels)(
			'%s: fields in order, the required ones marked, each with an example',
			async (operation) => {
				await chooseOption(page, 'operation', operation);
				const fields = await shownFields(page);
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
					await panelPicture(page, `${PICTURES}/${fileNameOf(resource)}.png`);
			},
		);
	});

	test('names the fields of the item, and hides its own, when the item gives the values', async () => {
		await chooseOption(page, 'resource', 'User');
		await chooseOption(page, 'operation', 'Create Student');
		await chooseOption(page, 'dataMode', "Map Automatically From the Item's Own Fields");
		expect((await shownFields(page)).map(({ label }) => label)).toEqual([
			'Data to Send',
			'Simplify',
			'Options',
		]);
		const [notice] = await shownNotices(page);
		expect(notice).toContain('responsible_external_id');
	});
});

/** What the open list says in the place of its entries, as it reads: a hyphen is a hyphen, whichever character it is. */
async function whyEmpty(parameter: string): Promise<string> {
	const shown = await openResourceList(page, parameter).then(
		(entries) => `a list of ${entries.length}`,
		(error: Error) => error.message,
	);
	return shown.replaceAll('\u2011', '-');
}

describe('A pick list that cannot be filled says what to do', () => {
	beforeAll(async () => {
		const access = machineAccess(stage.sandbox);
		const credentialWith = async (name: string, change: Partial<typeof access>) =>
			await createCredential(stage.session, {
				name,
				type: 'schoolPartnerOAuth2Api',
				data: { ...access, ...change },
			});
		const parameters = { resource: 'class', operation: 'create', schoolExternalId: 'school-001' };
		const wrong = await credentialWith('Wrong secret', { clientSecret: 'wrong' });
		const nobody = await credentialWith('Nobody there', { baseUrl: 'http://127.0.0.1:9' });
		const noSignOn = await credentialWith('No sign-on there', { issuerUrl: 'http://127.0.0.1:9' });
		await openNew([
			nodeNamed('Right', 0, { ...parameters, schoolExternalId: '' }),
			nodeNamed('Wrong', 200, parameters, wrong),
			nodeNamed('Nobody', 400, parameters, nobody),
			nodeNamed('No sign-on', 600, parameters, noSignOn),
		]);
	}, 60_000);

	test.each([
		[
			'with a wrong secret',
			'Wrong',
			['gives no token', 'Check Client ID and Client Secret in the credential.'],
		],
		[
			'where nobody answers',
			'Nobody',
			['Nothing answers at http://127.0.0.1:9', 'Check Base URL in the credential'],
		],
		[
			'where no sign-on answers',
			'No sign-on',
			[
				'The sign-on area at http://127.0.0.1:9 cannot be reached',
				'Check Issuer URL in the credential, and that n8n can reach it (the connection was refused).',
			],
		],
	])('%s', async (_what, node, words) => {
		await openNode(page, node);
		const shown = await whyEmpty('educationalStage');
		for (const text of words) expect(shown).toContain(text);
		await closeNode(page);
	});

	test('before the school is filled in', async () => {
		await openNode(page, 'Right');
		const shown = await whyEmpty('educationalStage');
		expect(shown).toContain('Fill in School External ID first');
		expect(shown).toMatch(/run the node before; .* or choose By Name/);
	});

	test('for a school that the service does not know, in its words and with the status once', async () => {
		await fillParameter(page, 'schoolExternalId', 'school-of-nobody');
		const shown = await whyEmpty('educationalStage');
		expect(shown).toContain('PROV-0404: school_external_id: there is no school "school-of-nobody"');
		expect(shown).toContain('Check School External ID, and Base URL in the credential.');
		expect(shown.match(/404 - |\(404\)/g)).toEqual(['404 - ']);
	});

	test('a text that no entry has finds nothing, and n8n says so', async () => {
		await fillParameter(page, 'schoolExternalId', 'school-001');
		expect(await openResourceList(page, 'educationalStage')).toHaveLength(3);
		expect(await searchResourceList(page, 'no such stage')).toEqual([]);
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
