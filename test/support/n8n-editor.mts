/**
 * n8n's editor (2.4.8 to 2.41.1) as a user's hands: every function is one thing a person does and ends when the editor
 * shows its effect. The names in `data-test-id` are n8n's own and change with its versions; they stand in this file and
 * in its neighbours n8n-panel.mts and n8n-canvas.mts only.
 */
import { setTimeout as wait } from 'node:timers/promises';

import type { Locator, Page } from 'playwright-core';
import { capabilities } from '../../playground/capabilities.mts';
import type { Account, StoredWorkflow } from '../../playground/n8n-client.mts';

import { until } from '../../playground/eventually.mts';

export function byTestId(scope: Page | Locator, id: string): Locator {
	return scope.locator(`[data-test-id="${id}"]`);
}

/** The open node panel. */
export function panel(page: Page): Locator {
	return byTestId(page, 'ndv');
}

export async function signInToEditor(page: Page, baseUrl: string, account: Account): Promise<void> {
	await page.goto(`${baseUrl}/signin`);
	await page.locator('input[type=email]').fill(account.email);
	await page.locator('input[type=password]').fill(account.password);
	await byTestId(page, 'form-submit-button').click();
	await page.waitForURL('**/home/**');
}

/** Opens a stored workflow and waits until its nodes are drawn. */
export async function openWorkflow(page: Page, baseUrl: string, workflowId: string): Promise<void> {
	await page.goto(`${baseUrl}/workflow/${workflowId}`);
	await byTestId(page, 'canvas-node').first().waitFor();
}

/** Opens another one where one is open, as the editor's own links do: an eighth of the time, because the scripts are there. */
export async function openNext(
	page: Page,
	{ id, nodes: [first] }: Pick<StoredWorkflow, 'id' | 'nodes'>,
): Promise<void> {
	const path = `/workflow/${id}`;
	await page.evaluate(`history.pushState({ current: '${path}' }, '', '${path}')`);
	await page.evaluate(`dispatchEvent(new PopStateEvent('popstate', { state: history.state }))`);
	const node = page.locator(`.vue-flow__node[data-id="${first.id}"]`);
	const isDrawn = await node.waitFor({ timeout: 10_000 }).then(
		() => true,
		() => false,
	);
	// Older versions go on drawing the workflow before, when that one has hardly come.
	if (!isDrawn) await page.reload();
	await node.waitFor();
	// Older versions keep the zoom of the workflow before, and a node may be drawn below a button.
	await byTestId(page, 'zoom-to-fit').click();
	await (await node.elementHandle())?.waitForElementState('stable');
}

/**
 * Imports a file into the open workflow, and saves that. Trap: **Import > From file** of the menu opens a dialog of the system; this
 * is the field behind it.
 * @param node one that is in the file
 */
export async function importFile(page: Page, file: string, node: string): Promise<void> {
	await byTestId(page, 'workflow-import-input').setInputFiles(file);
	await canvasNode(page, node).waitFor({ state: 'attached' });
	await page.keyboard.press('Control+s');
}

/**
 * Types into the node search; gives the titles it finds, best first. The search stays open for `addNode`.
 * @param after name of the node on the canvas whose output the new one shall be connected to; default: none
 */
export async function searchNodes(page: Page, text: string, after?: string): Promise<string[]> {
	const plus = after
		? byTestId(canvasNode(page, after), 'canvas-handle-plus')
		: byTestId(page, 'node-creator-plus-button');
	await plus.click();
	const names = byTestId(page, 'node-creator-item-name');
	const category = names.getByText('Data transformation', { exact: true });
	await category.waitFor();
	await byTestId(page, 'node-creator-search-bar').fill(text);
	// The categories stay for an instant after typing; results come when they have gone.
	await category.waitFor({ state: 'hidden' });
	return await names.allInnerTexts();
}

/** Types something else into the open node search; gives the titles it finds. Rejects when `expected` is not among them. */
export async function searchAgain(page: Page, text: string, expected: string): Promise<string[]> {
	const names = byTestId(page, 'node-creator-item-name');
	const search = byTestId(page, 'node-creator-search-bar');
	// Results of the word before stay for an instant, so it is emptied first.
	await search.fill('');
	await names.getByText('Data transformation', { exact: true }).waitFor();
	await search.fill(text);
	await names.getByText(expected, { exact: true }).first().waitFor();
	return await names.allInnerTexts();
}

function canvasNode(page: Page, name: string): Locator {
	return page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
}

/** Picks a node of the search and one of its actions; ends when the new node's panel is open. */
export async function addNode(page: Page, node: string, action: string): Promise<void> {
	await itemNamed(page, node).click();
	await itemNamed(page, action).click();
	await panel(page).waitFor();
}

function itemNamed(page: Page, name: string): Locator {
	const exact = byTestId(page, 'node-creator-item-name').getByText(name, { exact: true });
	return byTestId(page, 'item-iterator-item').filter({ has: exact }).first();
}

/** Opens the panel of a node that is on the canvas. */
export async function openNode(page: Page, name: string): Promise<void> {
	await canvasNode(page, name).dblclick();
	await panel(page).waitFor();
}

export async function closeNode(page: Page): Promise<void> {
	await byTestId(page, 'ndv-close-button').click();
	await panel(page).waitFor({ state: 'hidden' });
}

/** Types a fixed value into a text or number field of the open panel. */
export async function fillParameter(page: Page, parameter: string, value: string): Promise<void> {
	const field = byTestId(panel(page), `parameter-input-${parameter}`).locator('input, textarea').first();
	await field.fill(value);
	await field.blur();
}

/** An entry of an open drop-down: its label, and the text below it. */
export interface DropDownEntry {
	label: string;
	description: string;
}

/** Picks an entry of a drop-down; gives all that it offered, in order. */
export async function chooseOption(page: Page, parameter: string, label: string): Promise<DropDownEntry[]> {
	return await chooseFrom(page, byTestId(panel(page), `parameter-input-${parameter}`), label);
}

/** The same of any drop-down. */
export async function chooseFrom(page: Page, closed: Locator, label: string): Promise<DropDownEntry[]> {
	await closed.click();
	const dropDown = page.locator('.el-select-dropdown:visible');
	const entries = dropDown.locator('.el-select-dropdown__item');
	const wanted = entries.filter({ has: page.getByText(label, { exact: true }) }).first();
	await wanted.waitFor();
	const texts = await entries.allInnerTexts();
	await wanted.click();
	await dropDown.waitFor({ state: 'hidden' });
	return texts.map((text) => {
		const [first = '', ...rest] = text.split('\n');
		return { label: first, description: rest.join(' ').trim() };
	});
}

/**
 * Opens the list of a resource locator ("From list") and waits for its entries.
 * @returns their labels; rejects with the message the panel shows when the list does not load
 */
export async function openResourceList(page: Page, parameter: string): Promise<string[]> {
	await byTestId(byTestId(panel(page), `resource-locator-${parameter}`), 'rlc-input').click();
	const items = byTestId(page, 'rlc-item').filter({ visible: true });
	const failure = byTestId(page, 'rlc-error-container').filter({ visible: true });
	await items.or(failure).first().waitFor();
	if (await failure.isVisible()) throw new Error(`The list did not load: ${await failure.innerText()}`);
	return await items.allInnerTexts();
}

/** Narrows the open list to what matches the text (the node is asked again); gives the labels that are left, or none. */
export async function searchResourceList(page: Page, text: string): Promise<string[]> {
	const asked = page.waitForResponse((response) => response.url().endsWith('/resource-locator-results'));
	await byTestId(page, 'rlc-search').filter({ visible: true }).fill(text);
	await asked;
	const items = byTestId(page, 'rlc-item').filter({ visible: true });
	const nothing = page.getByText('No results', { exact: true }).filter({ visible: true });
	await items.or(nothing).first().waitFor();
	return await items.allInnerTexts();
}

/** Picks an entry of the open list. */
export async function pickFromResourceList(page: Page, label: string): Promise<void> {
	const items = byTestId(page, 'rlc-item').filter({ visible: true });
	await items.filter({ hasText: label }).first().click();
	await items.first().waitFor({ state: 'hidden' });
}

const COULD_NOT_CONNECT = 'Couldn’t connect with these settings';

/** What the credential dialog says: green or red, with the text behind "More details" when there is one. */
export interface TestVerdict {
	ok: boolean;
	message: string;
}

function credentialDialog(page: Page): Locator {
	return byTestId(page, 'editCredential-modal');
}

/** "Connect to School Partner" in the panel of a node that has no credential yet. */
export async function openNewCredential(page: Page): Promise<void> {
	if (capabilities.connectsFromTheNode) {
		await byTestId(panel(page), 'node-credentials-empty-state').getByRole('button').first().click();
	} else {
		await byTestId(panel(page), 'node-credentials-select').click();
		await byTestId(page, 'node-credentials-select-item-new').filter({ visible: true }).click();
	}
	await credentialDialog(page).waitFor();
}

/** The pencil beside the chosen credential. */
export async function openChosenCredential(page: Page): Promise<void> {
	await byTestId(panel(page), 'credential-edit-button').click();
	await credentialDialog(page).waitFor();
}

/** The button of the credential dialog that opens the login. */
export function connectButton(page: Page): Locator {
	const id = capabilities.connectsFromTheNode ? 'quick-connect-button' : 'oauth-connect-button';
	return byTestId(credentialDialog(page), id);
}

/** What the dialog of a connected credential shows. */
export function signOfConnection(page: Page): Locator {
	const id = capabilities.closesGreenCredentials ? 'oauth-disconnect-button' : 'oauth-connect-success-banner';
	return byTestId(credentialDialog(page), id);
}

/** Fills fields of the credential dialog, by their internal names. Trap: what is filled in while the dialog still loads may be lost. */
export async function fillCredential(page: Page, values: Record<string, string>): Promise<void> {
	const fields = Object.entries(values).map(([field, value]) => {
		const input = byTestId(credentialDialog(page), `parameter-input-${field}`).locator('input').first();
		return { input, value };
	});
	await until(async () => {
		for (const { input, value } of fields) if ((await input.inputValue()) !== value) await input.fill(value);
		const held = await Promise.all(fields.map(async ({ input }) => await input.inputValue()));
		return held.every((value, place) => value === fields[place]?.value);
	});
}

/**
 * Saves; n8n tests on saving and shows the verdict. A new credential that is green closes its dialog by itself, or is
 * closed here by an n8n that leaves it open.
 * `message` is what n8n's server said of the test.
 */
export async function saveAndTestCredential(page: Page): Promise<TestVerdict> {
	const tested = page.waitForResponse((response) => response.url().endsWith('/rest/credentials/test'));
	await clickUntil(byTestId(credentialDialog(page), 'credential-save-button'), tested);
	const { data } = (await (await tested).json()) as { data: { status: 'OK' | 'Error'; message: string } };
	if (data.status === 'Error') return await shownVerdict(page);
	const success = byTestId(credentialDialog(page), 'credentials-config-container-test-success');
	await Promise.any([credentialDialog(page).waitFor({ state: 'hidden' }), success.waitFor()]);
	if (!capabilities.closesGreenCredentials) await closeCredential(page);
	return { ok: true, message: data.message };
}

/** As a person does where a click had no effect, because the page was still busy. */
async function clickUntil(button: Locator, happened: Promise<unknown>): Promise<void> {
	await button.click();
	while ((await Promise.race([happened, wait(20_000, 'nothing')])) === 'nothing')
		if (await button.isEnabled({ timeout: 1_000 }).catch(() => false)) await button.click();
}

/** The banner of the open dialog: green, or red with its details. */
export async function shownVerdict(page: Page): Promise<TestVerdict> {
	const success = byTestId(credentialDialog(page), 'credentials-config-container-test-success');
	const failure = credentialDialog(page).getByText(COULD_NOT_CONNECT);
	await success.or(failure).filter({ visible: true }).first().waitFor();
	if (await success.isVisible())
		return { ok: true, message: (await success.innerText()).split('\n')[0] ?? '' };
	const banner = credentialDialog(page).locator('.el-tag__content').filter({ hasText: COULD_NOT_CONNECT });
	const more = banner.getByText('More details');
	if (await more.isVisible()) await more.click();
	return { ok: false, message: await banner.locator('> div').last().innerText() };
}

export async function closeCredential(page: Page): Promise<void> {
	const close = credentialDialog(page).getByRole('button', { name: 'Close this dialog' });
	if (await close.isVisible()) await close.click();
	await credentialDialog(page).waitFor({ state: 'hidden' });
}

/** "Execute step" in the open panel; ends when the output panel shows items or a failure, and gives its text. */
export async function executeStep(page: Page): Promise<string> {
	const run = page.waitForResponse((response) => /\/rest\/workflows\/[^/]+\/run$/.test(response.url()));
	await byTestId(panel(page), 'node-execute-button').click();
	await run;
	await byTestId(panel(page), 'ndv-executing').waitFor({ state: 'hidden' });
	const output = byTestId(panel(page), 'output-panel');
	// Of several outputs, their tabs say how many items each has.
	const count = byTestId(output, 'ndv-items-count').or(byTestId(output, 'branches'));
	await count.or(byTestId(output, 'node-error-message')).filter({ visible: true }).first().waitFor();
	// The output is there before the run has ended: until then the button shows a wheel, and there is one to stop it.
	await byTestId(panel(page), 'ndv-stop-execution-button').waitFor({ state: 'hidden' });
	await byTestId(panel(page), 'node-execute-button').getByText('Execute step').waitFor();
	return await output.innerText();
}

/** What the open panel says of a failed run, line by line as a person sees them: the title, and what stands below it. */
export async function shownFailure(page: Page): Promise<string[]> {
	const header = byTestId(panel(page), 'output-panel').locator('.node-error-view__header');
	const parts = header.locator('.node-error-view__header-message, .node-error-view__header-description');
	const texts = await parts.allInnerTexts();
	return texts
		.flatMap((text) => text.split('\n'))
		.map((line) => line.trim())
		.filter((line) => line !== '');
}

/** Waits until the output of the open panel shows a text: its rows are drawn a moment after their number. */
export async function outputShows(page: Page, text: string): Promise<void> {
	await byTestId(panel(page), 'output-panel').getByText(text).first().waitFor();
}

/** Shows another output of the node in the open panel, by its name. */
export async function showOutput(page: Page, name: string): Promise<void> {
	const output = byTestId(panel(page), 'output-panel');
	await byTestId(output, 'branches').getByText(name).first().click();
}
