/** The sandbox's page in a browser: the roster of a night is a download, and what changes is a page. */
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import type { RosterChanges } from '../../sandbox/roster-types.mts';
import { startSandbox } from '../../sandbox/start.mts';
import { newPage, startBrowser } from '../support/browser.mts';

test('A person downloads tonight’s roster from the sandbox’s page, and looks up what changes in it', async () => {
	const sandbox = await startSandbox();
	const browser = await startBrowser();
	try {
		const page = await newPage(browser);
		await page.goto(sandbox.adminUrl);
		await page.getByLabel('Format').selectOption('oneroster-1.2');
		await page.getByLabel('Students').fill('30');
		await page.getByLabel('Changes tonight').fill('5');
		const [download] = await Promise.all([
			page.waitForEvent('download'),
			page.getByRole('button', { name: 'Download' }).click(),
		]);
		expect(download.suggestedFilename()).toBe('roster-oneroster-1.2-tonight-5.zip');
		const files = unzipSync(readFileSync(await download.path()));
		expect(Object.keys(files)).toContain('enrollments.csv');
		await page.getByRole('button', { name: 'What changes' }).click();
		await page.waitForURL('**/roster/changes?*');
		const shown = JSON.parse(await page.locator('body').innerText()) as RosterChanges;
		expect(shown).toMatchObject({ students: 30, tonight: 5 });
		expect(shown.changes.length).toBe(5);
	} finally {
		await browser.close();
		await sandbox.stop();
	}
});
