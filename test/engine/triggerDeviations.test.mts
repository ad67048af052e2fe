/** Events that differ from the tables of the service's document, as the sandbox delivers them: none of them may be lost. */
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import type { Variant } from '../../sandbox/variants.mts';
import { userAccess } from '../unit/trigger/sample-events.mts';
import { sha256, useHosts, type Host } from './trigger-host.mts';
import { deliver, KEY } from './trigger-sender.mts';

const host = useHosts();

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ students: 12, strict: true });
});
afterAll(async () => await sandbox.stop());

interface Told {
	path: string;
	message: string;
}

const VARIANTS: Variant[] = ['empty-event-texts', 'long-event-values', 'wrong-event-kinds'];

/** The event that an access makes under a variant, with its record of the delivery. */
async function granted({ url }: Host, variants: Variant[], deviations = true) {
	await sandbox.admin.changeSettings({ variants, deviations });
	await sandbox.admin.registerWebhook({ url, apiKey: KEY });
	return await sandbox.admin.grantAccess({ login: 'student1' });
}

function itemOf({ runs }: Host, output = 0) {
	return runs.at(-1)?.[output]?.[0]?.json as
		| {
				header: object;
				payload: Record<string, unknown>;
				delivery: { deviations: Told[]; age_seconds: unknown };
		  }
		| undefined;
}

const options = (deviations: string, others = {}) => ({ parameters: { options: { deviations, ...others } } });

describe('Access that comes in a deviating event', () => {
	test.each(VARIANTS)(
		'%s: starts its run when the option is left alone, and the item lists what deviates',
		async (variant) => {
			const started = await host();
			const { status, payload } = await granted(started, [variant], false);
			expect(status).toBe(200);
			const item = itemOf(started);
			expect(item?.delivery.deviations.map(({ path }) => path)).toContain(
				'payload.structure_school.class.name',
			);
			expect(item?.delivery.deviations).not.toContainEqual({
				path: '',
				message: expect.anything() as string,
			});
			// Nothing is healed that is no documented deviation, and nothing is left out.
			if (variant !== 'long-event-values') expect(item).toMatchObject(JSON.parse(payload) as object);
		},
	);

	test.each(VARIANTS)('%s: is refused with what is wrong where the user says so', async (variant) => {
		const started = await host(options('reject'));
		const { status, message } = await granted(started, [variant]);
		expect(status).toBe(400);
		expect(message).toContain('payload.structure_school.class.name');
		expect(started.runs).toEqual([]);
	});

	test('is a repeat when it comes again', async () => {
		const started = await host();
		const body = { ...userAccess(), payload: {} };
		expect(await deliver(started.url, { body })).toMatchObject({ body: { status: 'accepted' } });
		expect(await deliver(started.url, { body })).toMatchObject({
			body: { status: 'duplicate', same_body: true },
		});
		expect(started.runs).toHaveLength(1);
	});
});

test("An event that is spelled as in the samples of the service's document does not deviate, nor does one by its tables", async () => {
	for (const deviations of ['accept', 'reject']) {
		const started = await host(options(deviations));
		const { payload } = await granted(started, []);
		expect(payload).toContain('"cpnj"');
		expect(payload).toContain('"+55"');
		expect(itemOf(started)?.delivery.deviations).toEqual([]);
		await granted(started, [], false);
		expect(started.runs).toHaveLength(2);
		expect(itemOf(started)?.delivery.deviations).toEqual([]);
	}
});

test('A request_id that is longer than the document says is taken once', async () => {
	const started = await host();
	const body = userAccess('r'.repeat(5_000));
	expect(await deliver(started.url, { body })).toMatchObject({ body: { status: 'accepted' } });
	expect(await deliver(started.url, { body })).toMatchObject({ body: { status: 'duplicate' } });
	expect(itemOf(started)?.delivery.deviations).toEqual([
		{ path: 'header.request_id', message: 'must be at most 36 characters long' },
	]);
});

test.each([[['2026-03-09']], [7], [{ at: 1 }], ['yesterday'], ['2026-03-09T12:30:00-03:00'], [null]])(
	'An event that was created at %j has no age, and is taken',
	async (created_at) => {
		const started = await host();
		const body = { ...userAccess(), header: { ...userAccess().header, created_at } };
		expect(await deliver(started.url, { body })).toMatchObject({ status: 200 });
		expect(itemOf(started)?.header).toEqual(body.header);
		expect(itemOf(started)?.delivery).toMatchObject({
			age_seconds: null,
			deviations: [{ path: 'header.created_at' }],
		});
	},
);

test('A delivery without request_id, action or payload is refused whatever the user chose', async () => {
	const { header, payload } = userAccess();
	const bodies = [
		[],
		{ header },
		{ header, payload: 'none' },
		{ header: [header], payload },
		...['', '  ', null, 7, ['x'], {}].flatMap((value) => [
			{ header: { ...header, request_id: value }, payload },
			{ header: { ...header, action: value }, payload },
		]),
	];
	for (const deviations of ['accept', 'reject']) {
		const started = await host(options(deviations));
		for (const body of bodies) {
			expect(await deliver(started.url, { body })).toMatchObject({
				status: 400,
				body: { status: 'rejected' },
			});
		}
		expect(started.runs).toEqual([]);
	}
});

describe('The log', () => {
	const unknown = (action: string) => ({ header: { ...userAccess().header, action }, payload: {} });

	test('says which unknown action was acknowledged, cut and on one line, with the digest of its id', async () => {
		const lines: string[] = [];
		const started = await host({ log: (line) => void lines.push(line) });
		const body = unknown(`USER\nPROMOTED ${'x'.repeat(9_000)}`);
		expect(await deliver(started.url, { body })).toMatchObject({ body: { status: 'ignored' } });
		expect(lines).toHaveLength(1);
		expect(lines[0]).toContain('USER PROMOTED xxx');
		expect(lines[0]?.length).toBeLessThan(600);
		expect(lines[0]).toContain(sha256(body.header.request_id));
		expect(lines[0]).not.toContain(body.header.request_id);
	});

	test('says nothing of an event that the user did not choose, nor of one that deviates', async () => {
		const lines: string[] = [];
		const started = await host({
			parameters: { events: ['userAccessRevocation'] },
			log: (line) => void lines.push(line),
		});
		expect(await deliver(started.url, { body: userAccess() })).toMatchObject({ body: { status: 'ignored' } });
		const revocation = { ...unknown('USER_ACCESS_REVOCATION'), payload: { bond: ['Lia'] } };
		expect(await deliver(started.url, { body: revocation })).toMatchObject({ body: { status: 'accepted' } });
		expect(lines).toEqual([]);
	});
});
