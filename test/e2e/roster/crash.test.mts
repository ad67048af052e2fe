/** A first load of a roster, killed at the points that matter: `npm run crash` kills it at twenty, most of them at random. */
import type { IDataObject } from 'n8n-workflow';

import type { Place } from '../../support/gate.mts';

import { BEFORE_ROWS_OF_BATCH, BEFORE_ROWS_OF_PLAN, FAR, FirstLoad, useGround } from './first-load.mts';

const ground = useGround(FAR);

const GO_ON = { unfinishedAfter: 0, afterInterruption: 'goOn' };

async function killedAt(place: Place, nth: number, onward: IDataObject = GO_ON): Promise<FirstLoad> {
	const load = await FirstLoad.open(ground, onward as never, place);
	const reached = load.gate?.reached(nth);
	await load.begin();
	await reached;
	await ground.n8n.kill();
	await ground.n8n.startAgain();
	return load;
}

test.each([
	['between the plan and its rows', BEFORE_ROWS_OF_PLAN, 1],
	['between the requests of the first batch and their rows', BEFORE_ROWS_OF_BATCH, 1],
	['between the requests of a later batch and their rows', BEFORE_ROWS_OF_BATCH, 3],
] as const)(
	'Killed %s, and started again until nothing is left: nothing is there twice, and nothing is lost',
	async (_when, place, nth) => {
		const load = await killedAt(place, nth);
		const { status } = await load.lookAt();
		expect(status).toBe('crashed');
		await load.recover();
		await load.expectComplete();
		await load.close();
	},
);

test('With the options as they stand, the messages lead a person from the crash to a school that is complete', async () => {
	const load = await killedAt(BEFORE_ROWS_OF_BATCH, 2, {});
	const { example } = load;
	const sent = await load.writes();
	// The run may be under way for all that the plan knows.
	const atOnce = await example.night();
	expect(atOnce.said).toContain('it may still be under way');
	expect(atOnce.said).toContain('set Unfinished After to less');
	const held = await example.night({ unfinishedAfter: 0 });
	const [because, ...others] = held.summary.held_because as IDataObject[];
	expect([others, held.changes]).toEqual([[], []]);
	expect(because.reason).toContain('n8n was interrupted, or the ledger was not read to its end');
	expect(because.what_to_do).toContain('Approve it only if n8n was interrupted');
	expect(await load.writes()).toBe(sent);
	const approved = await example.night({ unfinishedAfter: 0, approvedPlan: String(because.plan_id) });
	expect(approved.held).toEqual([]);
	const [uncertain] = approved.findings.filter(({ code }) => code === 'uncertain');
	expect(uncertain.what_to_do).toContain('Take as Done');
	await load.settleByHand();
	await load.expectComplete();
	await load.close();
});
