/** A night when the service, or n8n itself, does not do its part: what it holds up, and what is still sent. */
import type { INodeParameters } from 'n8n-workflow';

import { until } from '../../playground/eventually.mts';

import { statesOf, studentsOf, useOffice, usersOf, type NightOptions } from './rosterStage.mts';
import { USER_PATH } from './workroom.mts';

const office = useOffice();
const { workroom } = office;

const posted = async () => await workroom.admin.countRequests({ path: USER_PATH });
const refused = async () => await workroom.admin.countRequests({ status: 503 });
/** The clock goes on by itself: nobody wants to wait for minutes here. */
const clockGoesOn = (ms: number) => {
	const now = performance.now.bind(performance);
	return jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
};

/** A night that was held, and approved. */
async function approved(night: NightOptions): Promise<NightOptions> {
	await office.approve(await office.sync(night));
	return night;
}

const countOf = (states: Record<string, unknown>, state: string) =>
	Object.values(states).filter((each) => each === state).length;

describe('After 100 troubles in a row', () => {
	test.each<[string, object, INodeParameters, string]>([
		['the answer 500', { status: 500 }, { concurrency: 1 }, 'uncertain'],
		['the page of a proxy', { htmlPage: true, status: 403 }, { concurrency: 1 }, 'failed'],
	])(
		'nothing more is sent (%s); the rest is not tried, and goes the night after',
		async (_what, fault, options, state) => {
			const night = await approved({ ...studentsOf(130), options });
			const fails = await workroom.admin.addFault({ path: USER_PATH }, fault);
			const { summary, attention, changes } = await office.sync(night);
			const states = statesOf(changes);
			expect([countOf(states, state), countOf(states, 'not tried')]).toEqual([100, 30]);
			expect(await posted()).toBe(100);
			expect(summary).toMatchObject({ outcome: 'unfinished' });
			expect(attention.find(({ code }) => code === 'notTried')).toMatchObject({ count: 30 });
			await workroom.admin.clearFaults(fails);
			const after = statesOf((await office.sync(night)).changes);
			expect(countOf(after, 'applied')).toBe(state === 'uncertain' ? 30 : 130);
		},
		60_000,
	);

	test('nothing is let out that only waited for its turn', async () => {
		const night = await approved(studentsOf(300));
		await workroom.admin.addFault({ path: USER_PATH }, { status: 500 });
		const states = statesOf((await office.sync(night)).changes);
		const sent = await posted();
		// What came back before the hundredth was told has let others out.
		expect(sent).toBeLessThanOrEqual(200);
		expect([countOf(states, 'uncertain'), countOf(states, 'not tried')]).toEqual([sent, 300 - sent]);
	}, 60_000);

	test('of a record refused for what it is, the night goes on: those are no troubles', async () => {
		const night = await approved({ ...studentsOf(230), options: { concurrency: 1 } });
		await workroom.admin.addFault({ path: USER_PATH, after: 100 }, { status: 422 });
		expect(countOf(statesOf((await office.sync(night)).changes), 'failed')).toBe(130);
	}, 60_000);

	test('of a kind of which the first hundred are refused alike, no others are sent, and it is said once', async () => {
		const night = await approved(studentsOf(300));
		await workroom.admin.addFault({ path: USER_PATH }, { status: 422 });
		const { changes, attention, summary } = await office.sync(night);
		expect(await posted()).toBe(100);
		expect(countOf(statesOf(changes), 'not tried')).toBe(200);
		expect(attention.filter(({ code }) => code === 'refusedAlike')).toMatchObject([
			{ severity: 'error', kind: 'user', count: 100 },
		]);
		expect(summary.outcome).toBe('unfinished');
	}, 60_000);
});

test('When no token can be had, nothing is sent, and every change says why', async () => {
	const night = await approved({ ...studentsOf(3), options: { checkWithService: false } });
	workroom.credentials.data = {
		...workroom.credentials.data,
		oauthTokenData: undefined as never,
		clientSecret: 'wrong',
	};
	const { changes, attention } = await office.sync(night);
	expect(changes.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
	expect(changes[0].failure).toMatchObject({ origin: 'signOn', effect: 'none' });
	expect(attention).toHaveLength(3);
	expect(await office.sent()).toEqual([]);
});

test('When n8n does not give the credential in the middle, every change has its row, and the next night goes on', async () => {
	const night = await approved({ ...studentsOf(6), options: { concurrency: 1 } });
	const ofService = workroom.credentials.getDecrypted.bind(workroom.credentials);
	const given = jest.spyOn(workroom.credentials, 'getDecrypted').mockImplementation(async (...asked) => {
		if ((await posted()) >= 2) throw new Error('The database is locked');
		return await ofService(...asked);
	});
	// A token that is refused makes the node ask n8n for its credential again.
	await workroom.admin.addFault({ path: USER_PATH, nth: 2 }, { expireToken: true });
	const { changes } = await office.sync(night);
	given.mockRestore();
	const failed = changes.filter(({ state }) => state === 'failed');
	expect(failed.length).toBeGreaterThan(0);
	expect(failed.map(({ failure }) => failure)).toMatchObject(failed.map(() => ({ effect: 'none' })));
	expect(countOf(statesOf((await office.sync(night)).changes), 'applied')).toBe(failed.length);
});

test('What the service refuses for ever does not end the night: after two minutes the next wave is sent', async () => {
	const night = await approved(
		usersOf(
			['r-good', 'responsible'],
			['r-bad-1', 'responsible'],
			['r-bad-2', 'responsible'],
			['s-1', 'student'],
			['s-2', 'student'],
		),
	);
	await workroom.admin.addFault({ path: USER_PATH, bodyContains: '"r-bad-' }, { documented: 503 });
	const running = office.sync(night);
	await until(async () => (await refused()) > 4);
	const clock = clockGoesOn(117_000);
	const { changes } = await running;
	clock.mockRestore();
	expect(statesOf(changes)).toEqual({
		'u:school-001|r-good': 'applied',
		'u:school-001|r-bad-1': 'failed',
		'u:school-001|r-bad-2': 'failed',
		'u:school-001|s-1': 'applied',
		'u:school-001|s-2': 'applied',
	});
}, 60_000);

test('One change alone is waited for as long as many: the service may be away for less than two minutes', async () => {
	const night = await approved(usersOf(['r-2', 'responsible']));
	const away = await workroom.admin.addFault({ path: USER_PATH, bodyContains: '"r-2"' }, { documented: 503 });
	const running = office.sync(night);
	await until(async () => (await refused()) > 1);
	const clock = clockGoesOn(60_000);
	await Promise.race([running, until(async () => (await refused()) > 8)]);
	await workroom.admin.clearFaults(away);
	const { changes } = await running;
	clock.mockRestore();
	expect(statesOf(changes)).toEqual({ 'u:school-001|r-2': 'applied' });
}, 60_000);

test('Far away, the service gets more than ten at a time and never more than Max Concurrency', async () => {
	const night = await approved(studentsOf(300));
	await workroom.admin.resetPace();
	await workroom.admin.changeSettings({ latencyMs: 300 });
	expect(countOf(statesOf((await office.sync(night)).changes), 'applied')).toBe(300);
	const { highestInFlight } = await workroom.admin.pace();
	expect(highestInFlight).toBeGreaterThan(10);
	expect(highestInFlight).toBeLessThanOrEqual(128);
}, 60_000);
