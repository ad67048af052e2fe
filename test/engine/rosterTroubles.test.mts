/** Apply Changes when the service, or n8n itself, does not do its part: what it holds up, and what is still sent. */
import { until } from '../support/eventually.mts';

import { apply, outputsOf, parted, plan, studentsOf, usersOf, type Night } from './rosterStage.mts';
import { USER_PATH, useWorkroom } from './workroom.mts';

const workroom = useWorkroom();

const FIRST = { firstRun: true };
const planned = async (night: Night) => outputsOf(await plan(workroom, { options: FIRST, ...night }));
const posted = async () => await workroom.admin.countRequests({ path: USER_PATH });
const refused = async () => await workroom.admin.countRequests({ status: 503 });
/** The clock goes on by itself: nobody wants to wait for minutes here. */
const clockGoesOn = (ms: number) => {
	const now = performance.now.bind(performance);
	return jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
};

test('When n8n does not give the credential for a batch, every change has its row, and nothing is sent', async () => {
	const { changes } = await planned({ ...studentsOf(6), options: { ...FIRST, batchSize: 2 } });
	const ofService = workroom.credentials.getDecrypted.bind(workroom.credentials);
	jest.spyOn(workroom.credentials, 'getDecrypted').mockImplementation(async (...given) => {
		if ((await posted()) === 2) throw new Error('The database is locked');
		return await ofService(...given);
	});
	const { rows, failed } = await apply(workroom, parted(changes));
	expect(rows.map(({ state }) => state)).toEqual([
		'applied',
		'applied',
		'failed',
		'failed',
		'failed',
		'failed',
	]);
	expect(failed.map(({ failure }) => failure)).toMatchObject(
		Array.from({ length: 4 }, () => ({ origin: 'n8n', effect: 'none' })),
	);
	expect(await posted()).toBe(2);
});

test('After the last of Stop After Troubles, nothing is let out that only waited for its turn', async () => {
	const { changes } = await planned(studentsOf(60));
	await workroom.admin.addFault({ path: USER_PATH }, { status: 500 });
	const { rows } = await apply(workroom, [changes], { options: { stopAfterTroubles: 3 } });
	const sent = await posted();
	// The automatic pace begins with ten in flight, and what came back before the third trouble was told let others out.
	expect(sent).toBeLessThanOrEqual(20);
	expect(rows.map(({ state }) => state)).toEqual(
		rows.map((_, index) => (index < sent ? 'uncertain' : 'not tried')),
	);
});

test('What the service refuses for ever does not end the run: after two minutes the next wave is sent', async () => {
	const { changes } = await planned(
		usersOf(
			['r-good', 'responsible'],
			['r-bad-1', 'responsible'],
			['r-bad-2', 'responsible'],
			['s-1', 'student'],
			['s-2', 'student'],
		),
	);
	await workroom.admin.addFault({ path: USER_PATH, bodyContains: '"r-bad-' }, { status: 503 });
	const running = apply(workroom, [changes]);
	await until(async () => (await refused()) > 4);
	const clock = clockGoesOn(117_000);
	const { rows } = await running;
	clock.mockRestore();
	expect(rows.map(({ key, state }) => `${String(key)} ${String(state)}`)).toEqual([
		'u:r-good applied',
		'u:r-bad-1 failed',
		'u:r-bad-2 failed',
		'u:s-1 applied',
		'u:s-2 applied',
	]);
});

test('One change alone is waited for as long as many: the service may be away for less than two minutes', async () => {
	const { changes } = await planned({
		...usersOf(['r-1', 'responsible'], ['r-2', 'responsible'], ['s-1', 'student']),
		options: { ...FIRST, batchSize: 1 },
	});
	const away = await workroom.admin.addFault({ path: USER_PATH, bodyContains: '"r-2"' }, { status: 503 });
	const running = apply(workroom, parted(changes));
	await until(async () => (await refused()) > 1);
	const clock = clockGoesOn(60_000);
	await Promise.race([running, until(async () => (await refused()) > 8)]);
	await workroom.admin.clearFaults(away);
	const { rows } = await running;
	clock.mockRestore();
	expect(rows.map(({ state }) => state)).toEqual(['applied', 'applied', 'applied']);
});
