import { until } from '../../playground/eventually.mts';
import { userAccess } from '../unit/trigger/sample-events.mts';
import { useHosts } from './trigger-host.mts';
import { deliver } from './trigger-sender.mts';

const host = useHosts();

/** n8n's database, which records a run only after a test has opened it, and then with `outcome`. */
function heldRecording(outcome: () => void = () => undefined) {
	let open = (): void => undefined;
	const opened = new Promise<void>((resolve) => (open = resolve));
	const state = { begun: 0 };
	const record = async () => {
		state.begun++;
		await opened;
		outcome();
	};
	return { open, record, begun: () => state.begun };
}

function fail(): never {
	throw new Error('The database is not there');
}

/** For what must not happen: long enough for it to happen all the same. What must happen is waited for with `until`. */
const soon = async () => await new Promise((resolve) => setTimeout(resolve, 50));

describe('Simultaneous deliveries of the same id', () => {
	test('start one run; the others wait until it was answered', async () => {
		const { open, record } = heldRecording();
		const { url, runs, given } = await host({ record });
		const order: string[] = [];
		const sent = Array.from({ length: 10 }, async () => {
			const answer = await deliver(url, { body: userAccess() });
			order.push(String(answer.body?.status));
		});
		await until(() => given() === 10);
		await soon();
		expect(order).toEqual([]);
		open();
		await Promise.all(sent);
		expect([...order].sort()).toEqual(['accepted', ...Array.from({ length: 9 }, () => 'duplicate')]);
		expect(runs).toHaveLength(1);
	});

	test('become the first when the first was not recorded', async () => {
		let attempts = 0;
		const { open, record } = heldRecording(() => (++attempts <= 2 ? fail() : undefined));
		const { url, runs, given } = await host({ record });
		const sent = Array.from({ length: 5 }, async () => await deliver(url, { body: userAccess() }));
		await until(() => given() === 5);
		open();
		const answers = await Promise.all(sent);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 500, 500]);
		expect(answers.filter(({ body }) => body?.status === 'accepted')).toHaveLength(1);
		expect(runs).toHaveLength(1);
	});

	/** A first delivery whose sender hangs up while its run is being recorded, and a second one that waits for it. */
	async function hungUpWhileRecorded(outcome?: () => void) {
		const { open, record, begun } = heldRecording(outcome);
		const started = await host({ record });
		const { url, given, hungUp } = started;
		const impatient = new AbortController();
		const first = deliver(url, { body: userAccess(), signal: impatient.signal }).catch(() => 'hung up');
		await until(() => begun() === 1);
		const second = deliver(url, { body: userAccess() });
		await until(() => given() === 2);
		impatient.abort();
		expect(await first).toBe('hung up');
		await until(() => hungUp() === 1);
		await soon();
		expect(begun()).toBe(1);
		open();
		return { ...started, second: await second };
	}

	test('are repeats when the first was recorded, although its sender had hung up', async () => {
		const { second, runs, url, staticData } = await hungUpWhileRecorded();
		expect(second).toMatchObject({ body: { status: 'duplicate' } });
		expect(await deliver(url, { body: userAccess() })).toMatchObject({ body: { status: 'duplicate' } });
		expect(runs).toHaveLength(1);
		const restarted = await host({ staticData: staticData() });
		expect(await deliver(restarted.url, { body: userAccess() })).toMatchObject({
			body: { status: 'duplicate' },
		});
	});

	test('become the first when the sender of the first had hung up and it was not recorded', async () => {
		let attempts = 0;
		const { second, runs } = await hungUpWhileRecorded(() => (++attempts === 1 ? fail() : undefined));
		expect(second).toMatchObject({ body: { status: 'accepted' } });
		expect(runs).toHaveLength(1);
	});

	test('do not start when their sender hung up while they waited', async () => {
		const { open, record, begun } = heldRecording(fail);
		const { url, given, hungUp } = await host({ record });
		const first = deliver(url, { body: userAccess() });
		await until(() => begun() === 1);
		const impatient = new AbortController();
		const second = deliver(url, { body: userAccess(), signal: impatient.signal }).catch(() => 'hung up');
		await until(() => given() === 2);
		impatient.abort();
		expect(await second).toBe('hung up');
		await until(() => hungUp() === 1);
		open();
		expect(await first).toMatchObject({ status: 500 });
		await soon();
		expect(begun()).toBe(1);
	});
});
