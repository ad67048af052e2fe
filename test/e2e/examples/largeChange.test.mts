/** The examples around a large change, imported into a real n8n as they stand: a person is asked, and a network that is there is taken over. */
import type { Browser, Page } from 'playwright-core';

import { capabilities } from '../../../playground/capabilities.mts';
import {
	getExecution,
	listExecutions,
	waitForExecution,
	waitForExecutions,
	type Execution,
} from '../../../playground/n8n-client.mts';
import { newPage, startBrowser } from '../../support/browser.mts';
import { eventually } from '../../support/eventually.mts';
import { bondKey, heldBy, networkOf } from '../../support/held.mts';
import { BY_HAND, EVERY_NIGHT, keysOf, Nights, withLedger, withOptions } from './nights.mts';
import { jsonOf, useExamples } from './support.mts';

const workroom = useExamples({ sandbox: { empty: true } });

describe('Ask before a large change', () => {
	const MANY = { students: 240 };
	const FEWER = { students: 150 };
	const FEWEST = { students: 120 };

	let browser: Browser;
	let page: Page;

	beforeAll(async () => {
		browser = await startBrowser();
		page = await newPage(browser);
	});
	afterAll(async () => await browser?.close());

	/** The execution that waits for a person, and the message with the address of its page. */
	async function asked(nights: Nights): Promise<Execution> {
		const { session } = workroom.stage;
		return await eventually(async () => {
			const waiting = (await listExecutions(session, nights.stored.id)).find(
				({ status }) => status === 'waiting',
			);
			return waiting && (await getExecution(session, waiting.id));
		});
	}

	const addressIn = (execution: Execution) =>
		/http\S+/.exec(String(jsonOf(execution, 'Mail or Chat')[0].text))?.[0] ?? '';

	async function decide(execution: Execution, decision: 'Do it' | 'Leave it', planId = ''): Promise<void> {
		await page.goto(addressIn(execution));
		await page.getByLabel('Decision').selectOption(decision);
		await page.getByLabel('Only These Plan IDs').fill(planId);
		await page.getByRole('button', { name: 'Submit' }).click();
		expect((await waitForExecution(workroom.stage.session, execution.id)).status).toBe('success');
	}

	/** The rows of a table on the page, as a person reads them. */
	async function tableOnPage(title: string): Promise<string[][]> {
		const rows = page.locator(`h3:has-text("${title}") + table tbody tr`);
		return (await rows.allInnerTexts()).map((row) => row.split(/\s*\t\s*/));
	}

	/** The page says what is held and why, school by school, and every bond that would be removed. */
	async function expectPageShows(removals: string[]): Promise<void> {
		expect(await tableOnPage('Why it is held')).toEqual(
			['school-001', 'school-002', 'school-003'].map((school) => [
				school,
				expect.stringMatching(new RegExp(`^30 bonds of school ${school} would be removed`)) as string,
				expect.stringMatching(/^p[0-9a-f]{16}$/) as string,
			]),
		);
		expect((await tableOnPage('What would be done')).map(([, , , , count]) => count)).toEqual([
			'30',
			'30',
			'30',
		]);
		const shown = (await tableOnPage('Every removal')).map((row) => `b:${row.slice(0, 4).join('|')}`);
		expect(shown.sort()).toEqual(removals);
	}

	const bondsIn = (keys: readonly string[], others: readonly string[]) =>
		keys.filter((key) => key.startsWith('b:') && !others.includes(key));

	test('what is held is shown to a person with every removal, and is done only as it was shown', async () => {
		const [fewer, fewest] = [await networkOf(workroom.admin, FEWER), await networkOf(workroom.admin, FEWEST)];
		const many = await networkOf(workroom.admin, MANY);
		const nights = await Nights.of(
			workroom,
			withLedger(workroom.example('ask-before-a-large-change'), 'Ledger with questions'),
		);
		const removed = async () => keysOf(await nights.writes(), 'DELETE');
		await nights.run(BY_HAND, MANY);
		expect(await heldBy(workroom.admin)).toEqual(many);

		// The next night the export lacks many.
		await nights.start(EVERY_NIGHT, FEWER);
		const first = await asked(nights);
		await page.goto(addressIn(first));
		if (capabilities.fillsHtmlOfForms) await expectPageShows(bondsIn(many, fewer));
		else expect(await page.locator('body').innerText()).toContain('{{ $(');
		await decide(first, 'Leave it');
		expect(await removed()).toEqual([]);

		// Before somebody answers, the export has changed again: nothing happens, and it is asked anew.
		await nights.start(EVERY_NIGHT, FEWER);
		const second = await asked(nights);
		await nights.exports(FEWEST);
		await decide(second, 'Do it');
		const third = await asked(nights);
		expect(await removed()).toEqual([]);

		// One school is approved, the others are asked about again.
		const { held_because: reasons } = jsonOf(third, 'Outcome of the Night')[0] as {
			held_because: Array<{ plan_id: string }>;
		};
		await decide(third, 'Do it', reasons[0].plan_id);
		const fourth = await asked(nights);
		const gone = bondsIn(many, fewest);
		expect(await removed()).toEqual(gone.filter((key) => key.startsWith('b:school-001|')));
		await decide(fourth, 'Do it');
		await waitForExecutions(workroom.stage.session, nights.stored.id, 6);
		expect(await removed()).toEqual(gone);
	});
});

describe('Take over a network that the service has already', () => {
	const SIZE = { students: 60 };

	test('the ledger learns that everything is there and nothing is sent; from then on the nightly workflow sends what is different', async () => {
		const network = await networkOf(workroom.admin, SIZE);
		await workroom.admin.reset({ ...SIZE, empty: false });
		const inLedger = (name: string) => withLedger(workroom.example(name), 'Ledger of what was there');
		const most = Math.ceil(network.length / 3);
		const takeOver = await Nights.of(
			workroom,
			withOptions(inLedger('take-over-a-network'), 'Plan Changes', { mostChanges: most }),
		);
		await takeOver.run(BY_HAND, SIZE);
		const runs = await waitForExecutions(workroom.stage.session, takeOver.stored.id, 3);
		expect(runs.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		expect(await takeOver.writes()).toEqual([]);
		const outcomes = await Promise.all(
			runs.map(async ({ id }) => jsonOf(await getExecution(workroom.stage.session, id), 'Outcome')[0]),
		);
		expect(outcomes.map(({ left }) => left)).toEqual([0, network.length - 2 * most, network.length - most]);

		const nights = await Nights.of(workroom, inLedger('sync-the-roster-every-night'));
		const same = await nights.run(EVERY_NIGHT, SIZE);
		expect([same.execution.status, same.writes]).toEqual(['success', []]);
		const { writes } = await nights.run(EVERY_NIGHT, { ...SIZE, tonight: 5 });
		const { users, bonds } = await workroom.admin.rosterChanges({ ...SIZE, tonight: 5 });
		expect(keysOf(writes, 'POST')).toEqual(
			[...users.new.map((user) => `u:${user.external_id}`), ...bonds.new.map(bondKey)].sort(),
		);
		expect(keysOf(writes, 'DELETE')).toEqual(bonds.gone.map(bondKey).sort());
	});
});
