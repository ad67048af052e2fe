/** What the tests of the editor stand on: a real n8n, and its editor in a browser, with its owner signed in. */
import type { Browser, Page } from 'playwright-core';

import { PLAYGROUND_ACCOUNT } from '../../../playground/n8n-client.mts';
import { newPage, startBrowser } from '../../support/browser.mts';
import { signInToEditor } from '../../support/n8n-editor.mts';
import { setStage, type Stage } from '../../support/stage.mts';

export interface Editor {
	stage: Stage;
	page: Page;
}

/**
 * Opens it before the tests of a file, and closes it after them.
 * @param size of the page, in pixels
 */
export function useEditor(size?: Parameters<typeof newPage>[1]): Editor {
	const editor = {} as Editor;
	let browser: Browser;
	beforeAll(async () => {
		editor.stage = await setStage({ editor: true });
		browser = await startBrowser();
		editor.page = await newPage(browser, size);
		await signInToEditor(editor.page, editor.stage.n8n.baseUrl, PLAYGROUND_ACCOUNT);
	}, 240_000);
	afterAll(async () => {
		await browser?.close();
		await editor.stage?.end();
	});
	return editor;
}
