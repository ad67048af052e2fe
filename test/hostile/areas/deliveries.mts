/** Access events from somebody who is not the service, or who breaks off at the worst moment. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { userAccess } from '../../unit/trigger/sample-events.mts';
import { Findings, shown, type Area, type Cell } from '../cell.mts';
import { sendRaw, type RawAnswer, type RawRequest } from '../raw.mts';
import type { HostileStage, OpenWebhook } from '../stage.mts';

import { FORGED_KEYS, KEY, OTHER_KEY, PREVIOUS_KEY } from './forgedKeys.mts';
import { BROKEN_BODIES, STRANGE_BODIES } from './hostileBodies.mts';

/** A person of whom nothing may stand in a log. */
const PERSON = 'Quirina Marked-Person';

const REFUSALS = 20_000;
/** Megabytes that n8n may hold more after four rounds of five: 16,000 deliveries that left 1 KB each would be 16. */
const MOST_HELD_MB = 12;
const HANG_UPS = 5;
const UNDER_LOAD = 300;
const AT_ONCE = 10;

function event(id: string): string {
	const envelope = userAccess(id);
	const [student] = envelope.payload.structure_users.users;
	if (student !== undefined) student.name = PERSON;
	return JSON.stringify(envelope);
}

async function send(url: string, request: Partial<RawRequest> = {}, key = KEY): Promise<RawAnswer> {
	const type = request.headers?.some((line) => /^content-type/i.test(line))
		? []
		: ['content-type: application/json'];
	const headers = [...type, ...(key === '' ? [] : [`x-api-key: ${key}`]), ...(request.headers ?? [])];
	return await sendRaw(url, { ...request, headers: headers.filter((line) => line !== 'content-type;') });
}

/** So many workers, each with its own number. */
async function atOnce(count: number, work: (worker: number) => Promise<void>): Promise<void> {
	await Promise.all(Array.from({ length: count }, async (_, worker) => await work(worker)));
}

async function open(stage: HostileStage): Promise<OpenWebhook> {
	for (const [index, key] of [KEY, PREVIOUS_KEY, OTHER_KEY].entries())
		stage.secrets.set(`webhook key ${index}`, key);
	stage.personal.add(PERSON);
	return await stage.openEvents({ apiKey: KEY, previousApiKey: PREVIOUS_KEY });
}

const forgedKeys: Cell = {
	tries: 'keys that are not the key',
	holds: 'each is refused, nothing is told about it, and nothing starts',
	attempts: FORGED_KEYS.length,
	attack: async (stage) => {
		const trigger = await open(stage);
		await stage.openEvents({ apiKey: OTHER_KEY });
		const found = new Findings();
		for (const { what, headers, query, body } of FORGED_KEYS) {
			const { status, text } = await send(
				trigger.url,
				{ headers, query, body: body ?? event(randomUUID()) },
				'',
			);
			// 400 is Node.js's own answer to a head that is none.
			found.hold(status === 401 || status === 400, `${what}: answered ${status}`);
			found.hold(!text.includes(KEY) && !text.includes(PREVIOUS_KEY), `${what}: the answer quotes a key`);
		}
		const good = [await send(trigger.url, { body: event(randomUUID()) })];
		good.push(await send(trigger.url, { body: event(randomUUID()) }, PREVIOUS_KEY));
		for (const { status } of good) found.hold(status === 200, `afterwards a right key is answered ${status}`);
		const runs = (await stage.runsOf(trigger)).length;
		found.hold(runs === good.length, `${runs - good.length} forged deliveries started a run`);
		return found.list;
	},
};

const brokenBodies: Cell = {
	tries: 'bodies that are no delivery, with the right key',
	holds: 'each is refused, and nothing starts',
	attempts: BROKEN_BODIES.length,
	attack: async (stage) => {
		const trigger = await open(stage);
		const found = new Findings();
		for (const { what, body, headers } of BROKEN_BODIES) {
			const { status, text } = await send(trigger.url, { body, headers });
			// 422 and 500 are n8n's own, for what it cannot read before the trigger is asked.
			const isRefused = [400, 413, 415, 422].includes(status) || (status === 500 && headers !== undefined);
			found.hold(isRefused, `${what}: answered ${status}`);
			found.hold(text.length < 10_000, `${what}: an answer of ${text.length} characters`);
		}
		const runs = (await stage.runsOf(trigger)).length;
		found.hold(runs === 0, `${runs} of them started a run`);
		return found.list;
	},
};

const strangeBodies: Cell = {
	tries: 'strange bodies that are a delivery',
	holds: 'each is taken once, and its execution can be opened',
	attempts: STRANGE_BODIES.length,
	attack: async (stage) => {
		const trigger = await open(stage);
		const found = new Findings();
		for (const { what, body, headers } of STRANGE_BODIES) {
			const { status } = await send(trigger.url, { body: body(randomUUID()), headers });
			found.hold(status === 200, `${what}: answered ${status}`);
		}
		const runs = await stage.runsOf(trigger);
		found.hold(runs.length === STRANGE_BODIES.length, `${runs.length} runs`);
		for (const run of runs) {
			const item = await stage.startedWith(run);
			found.hold(item?.header !== undefined, `an execution cannot be read: ${shown(item)}`);
		}
		return found.list;
	},
};

const flood: Cell = {
	tries: `${REFUSALS.toLocaleString('en')} deliveries with wrong keys`,
	holds: 'all are refused, memory stays flat, and a right one is taken in the middle of them',
	attempts: REFUSALS,
	patienceMs: 300_000,
	attack: async (stage) => {
		const trigger = await open(stage);
		const found = new Findings();
		const body = event(randomUUID());
		const statuses: Record<number, number> = {};
		const round = async (count: number) => {
			let left = count;
			await atOnce(AT_ONCE, async () => {
				while (left-- > 0) {
					const { status } = await send(trigger.url, { body }, `wrong-${randomUUID()}`);
					statuses[status] = (statuses[status] ?? 0) + 1;
				}
			});
			return await stage.heldMegabytes();
		};
		// The first round fills what is filled once: caches, compiled code.
		const sizes: number[] = [];
		for (let rounds = 0; rounds < 5; rounds++) {
			sizes.push(await round(REFUSALS / 5));
			const good = await send(trigger.url, { body: event(randomUUID()) });
			found.hold(good.status === 200, `a right delivery is answered ${good.status}`);
		}
		const grown = (sizes.at(-1) ?? 0) - (sizes[0] ?? 0);
		found.hold(statuses[401] === REFUSALS, `answers: ${shown(statuses)}`);
		found.hold(
			grown < MOST_HELD_MB,
			`n8n holds more by ${Math.round(grown)} MB: ${sizes.map(Math.round).join(', ')}`,
		);
		const runs = (await stage.runsOf(trigger)).length;
		found.hold(runs === sizes.length, `${runs} runs`);
		return found.list;
	},
};

const hangUps: Cell = {
	tries: 'senders that hang up while n8n records the run',
	holds: 'what was recorded is taken: it comes again, is a duplicate, and ran once',
	attempts: HANG_UPS,
	attack: async (stage) => {
		const trigger = await open(stage);
		const found = new Findings();
		const ids = Array.from({ length: HANG_UPS }, () => randomUUID());
		// Shorter than n8n waits for its database: the run is recorded, after the sender has gone.
		await stage.whileLocked(async () => {
			for (const id of ids) void send(trigger.url, { body: event(id), hangUpAfterMs: 300 });
			await wait(700);
		});
		await wait(1_500);
		const recorded = await stage.runsOf(trigger);
		for (const id of ids) await send(trigger.url, { body: event(id) });
		const runs = await runsById(stage, trigger);
		found.hold(recorded.length > 0, 'nothing was recorded: the attack came to nothing');
		for (const id of ids) found.hold(runs.get(id) === 1, `an event ran ${runs.get(id) ?? 0} times`);
		return found.list;
	},
};

const locked: Cell = {
	tries: 'a delivery while the database of n8n is locked, and the same again afterwards',
	holds: 'the first is not answered with success, the second is taken, and it ran once',
	attempts: 1,
	attack: async (stage) => {
		const trigger = await open(stage);
		const found = new Findings();
		const id = randomUUID();
		// Until it is answered: on a busy machine n8n begins to write late, and would find the database free again.
		const { status } = await stage.whileLocked(async () => await send(trigger.url, { body: event(id) }));
		found.hold(status >= 500, `answered ${status} although nothing could be recorded`);
		const again = await send(trigger.url, { body: event(id) });
		found.hold(again.status === 200, `afterwards answered ${again.status}`);
		const runs = await runsById(stage, trigger);
		found.hold(runs.get(id) === 1, `it ran ${runs.get(id) ?? 0} times`);
		return found.list;
	},
};

/** How often each event ran. */
async function runsById(stage: HostileStage, trigger: OpenWebhook): Promise<Map<string, number>> {
	const counts = new Map<string, number>();
	const queue = (await stage.runsOf(trigger)).values();
	await atOnce(4, async () => {
		for (const run of queue) {
			const item = (await stage.startedWith(run)) as { header?: { request_id?: string } } | undefined;
			const id = item?.header?.request_id ?? '';
			counts.set(id, (counts.get(id) ?? 0) + 1);
		}
	});
	return counts;
}

const killed: Cell = {
	tries: `kill -9 in the middle of ${UNDER_LOAD} deliveries, and all of them again afterwards`,
	holds: `all run, what was answered runs once, and at most the ${AT_ONCE} that were on their way run twice`,
	attempts: UNDER_LOAD,
	patienceMs: 240_000,
	attack: async (stage) => {
		const trigger = await open(stage);
		const found = new Findings();
		const ids = Array.from({ length: UNDER_LOAD }, () => randomUUID());
		const answered = new Set<string>();
		const queue = ids.values();
		let killing: Promise<void> | undefined;
		await atOnce(AT_ONCE, async () => {
			for (const id of queue) {
				if (killing) break;
				const { status } = await send(trigger.url, { body: event(id) });
				if (status === 200) answered.add(id);
				if (answered.size >= UNDER_LOAD / 2) killing ??= stage.killAndStartAgain();
			}
		});
		await killing;
		found.hold(answered.size < UNDER_LOAD, 'it was not killed in the middle');
		await waitUntilOpen(trigger.url);
		const again = ids.values();
		await atOnce(AT_ONCE, async () => {
			for (const id of again) {
				const { status, text } = await send(trigger.url, { body: event(id) });
				found.hold(status === 200, `after the restart an event is answered ${status}`);
				if (answered.has(id))
					found.hold(text.includes('"duplicate"'), 'an answered event is taken a second time');
			}
		});
		const runs = await runsById(stage, trigger);
		const twice = ids.filter((id) => (runs.get(id) ?? 0) > 1);
		found.hold(
			ids.every((id) => runs.has(id)),
			`${ids.filter((id) => !runs.has(id)).length} events never ran`,
		);
		const twiceAndAnswered = twice.filter((id) => answered.has(id)).length;
		found.hold(twiceAndAnswered === 0, `${twiceAndAnswered} events that were answered ran twice`);
		found.hold(twice.length <= AT_ONCE, `${twice.length} events ran twice`);
		return found.list;
	},
};

/** After a start n8n answers 404 until it has opened its webhooks. */
async function waitUntilOpen(url: string): Promise<void> {
	for (let tries = 0; tries < 100; tries++) {
		const { status } = await send(url, { body: '{}' }, 'wrong');
		if (status === 401) return;
		await wait(100);
	}
}

const atTheSameTime: Cell = {
	tries: 'the same event ten times at once, by one who has the key',
	holds: 'one run, nine duplicates',
	attempts: 10,
	attack: async (stage) => {
		const trigger = await open(stage);
		const found = new Findings();
		const id = randomUUID();
		const answers: RawAnswer[] = [];
		await atOnce(10, async () => void answers.push(await send(trigger.url, { body: event(id) })));
		const accepted = answers.filter(({ text }) => text.includes('"accepted"')).length;
		const duplicates = answers.filter(({ text }) => text.includes('"duplicate"')).length;
		found.hold(accepted === 1 && duplicates === 9, `${accepted} accepted, ${duplicates} duplicates`);
		const runs = (await stage.runsOf(trigger)).length;
		found.hold(runs === 1, `${runs} runs`);
		return found.list;
	},
};

const cutOff: Cell = {
	tries: 'deliveries that are cut off in the middle of their body',
	holds: 'nothing starts',
	attempts: 20,
	attack: async (stage) => {
		const trigger = await open(stage);
		const found = new Findings();
		const whole = event(randomUUID());
		const headers = ['content-type: application/json', `x-api-key: ${KEY}`];
		const cut = { hangUpAfterMs: 100, headers };
		await atOnce(10, async () => {
			await sendRaw(trigger.url, {
				...cut,
				headers: [...headers, `content-length: ${whole.length}`, '', whole.slice(0, 300)],
			});
			await sendRaw(trigger.url, { ...cut, headers: [...headers, 'transfer-encoding: chunked', '', 'ff'] });
		});
		await wait(300);
		const runs = (await stage.runsOf(trigger)).length;
		found.hold(runs === 0, `${runs} runs`);
		return found.list;
	},
};

export const deliveries: Area = {
	name: 'deliveries',
	cells: [forgedKeys, brokenBodies, strangeBodies, atTheSameTime, cutOff, hangUps, locked, flood, killed],
};
