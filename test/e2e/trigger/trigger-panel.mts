/** The panel of a trigger in n8n's editor (2.40.7), as far as the helpers for other nodes do not know it. */
import type { Page } from 'playwright-core';

const panel = (page: Page) => page.locator('[data-test-id="ndv"]');

/** Everything that the open panel says. */
async function panelText(page: Page): Promise<string> {
	return await panel(page).innerText();
}

/** Unfolds the addresses and shows the production URL instead of the test URL; gives what the panel then says. */
export async function showProductionUrl(page: Page): Promise<string> {
	await panel(page).getByText('Webhook URLs', { exact: true }).first().click();
	await panel(page).getByText('Production URL', { exact: true }).click();
	return await panelText(page);
}

/** "Execute step", which for a trigger is to listen for a test event; ends when n8n waits for one. */
export async function listenForTestEvent(page: Page): Promise<void> {
	const listening = page.waitForResponse((response) => /\/rest\/workflows\/[^/]+\/run$/.test(response.url()));
	await panel(page).locator('[data-test-id="node-execute-button"]').click();
	await listening;
}

/** Waits until the output of the panel shows a text. */
export async function outputSays(page: Page, text: string): Promise<void> {
	await panel(page).locator('[data-test-id="output-panel"]').getByText(text).first().waitFor();
}
