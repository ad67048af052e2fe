/** An execution in n8n's editor, as a person looks at it who wants to know what became of a run. */
import type { Locator, Page } from 'playwright-core';

import type { ExecutionSummary } from '../../playground/n8n-client.mts';
import { eventually } from '../../playground/eventually.mts';
import { byTestId } from './n8n-editor.mts';

/** Opens it in the list of its workflow; gives the word for its status. */
export async function openExecution(
	page: Page,
	baseUrl: string,
	{ workflowId, id }: ExecutionSummary,
): Promise<string> {
	await page.goto(`${baseUrl}/workflow/${workflowId}/executions/${id}`);
	return await byTestId(page, 'execution-preview-label').innerText();
}

/** Something that is drawn of the open execution. Older versions of n8n draw it in a frame of the page. */
async function drawn(page: Page, selector: string): Promise<Locator> {
	return await eventually(async () => {
		for (const frame of page.frames()) {
			const found = frame.locator(selector).first();
			if (await found.isVisible()) return found;
		}
		return undefined;
	});
}

/** Opens a node of the open execution, waits until its panel shows a text, and closes it. */
export async function nodeShows(page: Page, node: string, text: string): Promise<void> {
	await (await drawn(page, `[data-test-id="canvas-node"][data-node-name="${node}"]`)).dblclick();
	await drawn(page, `[data-test-id="ndv"] >> text=${text}`);
	await (await drawn(page, '[data-test-id="ndv-close-button"]')).click();
}

/** **Retry execution** of the open one; gives the id of the new run, once that has ended. */
export async function retryWithOriginalWorkflow(page: Page): Promise<string> {
	const retried = page.waitForResponse((response) => response.url().includes('/retry'));
	await page.getByTitle('Retry execution').filter({ visible: true }).first().click();
	await page.getByText('Retry with original workflow').filter({ visible: true }).first().click();
	const { data } = (await (await retried).json()) as { data: { id: string } };
	return data.id;
}
