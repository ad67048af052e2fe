/** What can be seen on the canvas of n8n's editor (2.40.7). */
import type { Page } from 'playwright-core';

import { PICTURE_MARGIN, WITHOUT_TOASTS } from './browser.mts';
import { byTestId } from './n8n-editor.mts';

/** Names of the nodes on the canvas. */
export async function nodesOnCanvas(page: Page): Promise<string[]> {
	return await byTestId(page, 'canvas-node').evaluateAll(
		(nodes: Array<{ getAttribute(name: string): string | null }>) =>
			nodes.map((node) => node.getAttribute('data-node-name') ?? ''),
	);
}

/**
 * Clicks the large **Execute workflow** at the bottom of the canvas, or the one that appears beside a trigger when it is
 * pointed at. Gives what n8n does: it runs the workflow, or waits for a call from outside.
 */
export async function clickExecute(page: Page, trigger?: string): Promise<'runs' | 'waits'> {
	const started = page.waitForResponse((response) => /\/rest\/workflows\/[^/]+\/run$/.test(response.url()));
	if (trigger === undefined) {
		await byTestId(page, 'execute-workflow-button').click();
	} else {
		await page.locator(`[data-test-id="canvas-node"][data-node-name="${trigger}"]`).hover();
		await byTestId(page, `execute-workflow-button-${trigger}`).click();
	}
	const { data } = (await (await started).json()) as { data: { waitingForWebhook?: boolean } };
	return data.waitingForWebhook === true ? 'waits' : 'runs';
}

/** n8n's own buttons and the grid, which say nothing of the workflow. */
const AROUND_THE_WORKFLOW =
	'button:not(.vue-flow__node *), [data-test-id="canvas-background"], [data-test-id^="radio-button"]';

/** Writes a PNG of the canvas, cut to its nodes. */
export async function canvasPicture(page: Page, file: string): Promise<void> {
	const hiding = await page.addStyleTag({
		content: `${AROUND_THE_WORKFLOW} { visibility: hidden !important; }`,
	});
	await page.mouse.move(0, 0);
	const nodes = await page.locator('.vue-flow__node').all();
	const boxes = (await Promise.all(nodes.map(async (node) => await node.boundingBox()))).filter(
		(box) => box !== null,
	);
	const x = Math.min(...boxes.map((box) => box.x)) - 2 * PICTURE_MARGIN;
	const y = Math.min(...boxes.map((box) => box.y)) - PICTURE_MARGIN;
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + 2 * PICTURE_MARGIN;
	// The name of a node stands below its box.
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + 3 * PICTURE_MARGIN;
	await page.screenshot({
		path: file,
		clip: { x, y, width: right - x, height: bottom - y },
		animations: 'disabled',
		style: WITHOUT_TOASTS,
	});
	// The buttons are there for whoever goes on with the page.
	await hiding.evaluate((style) => (style as unknown as { remove(): void }).remove());
}
