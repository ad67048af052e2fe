/** What can be seen in the open node panel of n8n's editor (2.40.7). */
import type { Locator, Page } from 'playwright-core';

import { PICTURE_MARGIN } from './browser.mts';
import { byTestId, panel } from './n8n-editor.mts';

/** A field of the open panel, as far as it can be seen. */
export interface ShownField {
	label: string;
	/** n8n's red sign of a required field that is empty. */
	required: boolean;
	/** Empty where the field has none, or is no text field. */
	placeholder: string;
	/** The label or the placeholder is longer than its place. */
	clipped: boolean;
}

/** What of the browser's own interface is used on an element; the tests are compiled without it. */
interface Drawn {
	scrollWidth: number;
	clientWidth: number;
	ownerDocument: {
		createElement(name: 'canvas'): {
			getContext(kind: '2d'): { font: string; measureText(text: string): { width: number } };
		};
		defaultView: {
			getComputedStyle(element: unknown): Record<'font' | 'paddingLeft' | 'paddingRight', string>;
		};
	};
}

/** True when a text is longer than the field it is shown in. */
async function isTooLongFor(field: Locator, text: string): Promise<boolean> {
	return await field.evaluate((element: Drawn, shown: string) => {
		const { font, paddingLeft, paddingRight } = element.ownerDocument.defaultView.getComputedStyle(element);
		const pen = element.ownerDocument.createElement('canvas').getContext('2d');
		pen.font = font;
		const room = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
		return pen.measureText(shown).width > room + 1;
	}, text);
}

async function shownField(item: Locator): Promise<ShownField> {
	const title = item.locator('label[for]').first().locator('.n8n-text').first();
	const input = item
		.locator('input[type=text]:not([readonly]), input[type=password]')
		.filter({ visible: true })
		.first();
	const placeholder = (await input.count()) === 0 ? '' : ((await input.getAttribute('placeholder')) ?? '');
	const titleIsCut = await title.evaluate((element: Drawn) => element.scrollWidth > element.clientWidth + 1);
	return {
		label: (await title.innerText()).trim(),
		required: (await byTestId(item, 'parameter-issues').count()) > 0,
		placeholder,
		clipped: titleIsCut || (placeholder !== '' && (await isTooLongFor(input, placeholder))),
	};
}

/** The fields below Operation, from top to bottom. */
export async function shownFields(page: Page): Promise<ShownField[]> {
	const items = byTestId(panel(page), 'parameter-item')
		.filter({ has: page.locator('label[for]') })
		.filter({ visible: true });
	const fields = await Promise.all((await items.all()).map(shownField));
	return fields.slice(fields.findIndex(({ label }) => label === 'Operation') + 1);
}

/** What notices of the open panel say. */
export async function shownNotices(page: Page): Promise<string[]> {
	return await byTestId(panel(page), 'node-parameters').locator('.n8n-notice, .notice').allInnerTexts();
}

/** Writes a PNG of the middle of the open panel, from its head to its last field. */
export async function panelPicture(page: Page, file: string): Promise<void> {
	const head = await byTestId(panel(page), 'tab-params').boundingBox();
	const list = await byTestId(panel(page), 'node-parameters').boundingBox();
	const items = await byTestId(panel(page), 'parameter-item').filter({ visible: true }).all();
	const boxes = await Promise.all(items.map(async (item) => await item.boundingBox()));
	const bottom = Math.max(...boxes.map((box) => (box === null ? 0 : box.y + box.height)));
	if (head === null || list === null) throw new Error('There is no open panel');
	const top = head.y - PICTURE_MARGIN;
	const clip = { x: list.x, y: top, width: list.width, height: bottom + PICTURE_MARGIN - top };
	await page.mouse.move(0, 0);
	await page.screenshot({ path: file, clip, animations: 'disabled' });
}

/** Writes a PNG of the output of the open panel. */
export async function outputPicture(page: Page, file: string): Promise<void> {
	await page.mouse.move(0, 0);
	await byTestId(panel(page), 'output-panel').screenshot({ path: file, animations: 'disabled' });
}
