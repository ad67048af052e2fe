/** A headless Chromium for the end-to-end tests: Debian's, or whichever stands on the PATH. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

// Without these, Chromium calls its maker's servers in the background, which a closed network refuses many times a second.
const QUIET = [
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--disable-quic',
	'--disable-gpu',
];

function findChromium(): string {
	const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
	const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) =>
		existsSync(path),
	);
	if (found === undefined)
		throw new Error(`No ${NAMES.join(' or ')} was found. Debian's package is called chromium.`);
	return found;
}

/** Starts Chromium. Close it with `browser.close()`. Root may not use its sandbox, so it runs without. */
export async function startBrowser(): Promise<Browser> {
	return await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', ...QUIET] });
}

/** How long a page is waited for: much longer than it takes, so that only what never comes ends a test. */
export const PAGE_MS = 120_000;

/** A window of its own (own cookies), sized for screenshots. */
export async function newPage(browser: Browser, size = { width: 1440, height: 900 }): Promise<Page> {
	const context = await browser.newContext({ viewport: size });
	context.setDefaultTimeout(PAGE_MS);
	return await context.newPage();
}

/** Goes on in a new tab of the same window. Trap: the browser ends a tab in which the editor has opened some ten workflows. */
export async function inNewTab(page: Page): Promise<Page> {
	const next = await page.context().newPage();
	await page.close();
	return next;
}

/** What stays around the subject of a picture that is cut out, in pixels. */
export const PICTURE_MARGIN = 14;

/** n8n's messages in the corner: they tell of an earlier step, and cover what the picture shows. */
export const WITHOUT_TOASTS = '.el-notification { visibility: hidden !important }';

/** Waits in the page until what fades or moves has come to rest, as a button's label after a run. Wheels turn for ever. */
const UNTIL_AT_REST = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
	Promise.allSettled(
		document.getAnimations()
			.filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
			.map(({ finished }) => finished),
	)).then(() => undefined)`;

/** Writes a PNG of what is visible, with the pointer away: it changes what it rests on. */
export async function screenshot(page: Page, file: string): Promise<void> {
	await page.mouse.move(0, 0);
	await page.evaluate(UNTIL_AT_REST);
	// n8n animates panels and buttons; a picture taken in the middle of it differs from run to run.
	await page.screenshot({ path: file, animations: 'disabled', style: WITHOUT_TOASTS });
}
