/**
 * From inputs to outcomes: one for every input, in their order, whatever happens. Knows nothing of n8n's nodes and items.
 * Everything that can be said about the inputs without sending anything comes first, for all of them.
 */
import { sleep, type IDataObject } from 'n8n-workflow';
import pMap from 'p-map';

import { readReply, type Found, type Reading } from '../calls/answer';
import type { CallWork } from '../calls/call';
import { failed, NOT_BEGUN, success, type Failure, type Outcome } from '../failure';
import { targetOf, type Reply } from '../transport/request';
import type { Send } from '../transport/send';

import { Outcomes, type ResultOf, type StopRule } from './outcomes';
import type { Reach } from './unexpected';

/** Work in a way of its own. */
export interface OwnWork<Input = unknown, Context = { item: number }> {
	/** What can be refused without sending anything. It is done for all inputs before the first is performed. */
	check?: (input: Input, context: Context) => Promise<Outcome<unknown>>;
	/** Gives the item, or the items. */
	perform: (input: Input, context: Context) => Promise<Outcome<IDataObject | IDataObject[]>>;
}

/** How inputs are worked on: as a call of the service, or in a way of its own, which is given the index of the input. */
export type Work<Context = { item: number }> =
	| CallWork<unknown>
	| ({ kind: 'own' } & OwnWork<unknown, Context>);

type WorkOf<Kind> = Extract<Work, { kind: Kind }>;

/** Everything that the engine has to know. */
export interface Job extends StopRule, Reading {
	/** How many inputs there are. */
	count: number;
	/** Reads and checks one of them, and sends nothing. */
	inputOf: (item: number) => Outcome<unknown>;
	work: Work;
	/** What the service may get of the work. */
	reach: Reach;
	resultOf: ResultOf;
	/** Begins nothing once the run is cancelled or stopped: its outcome is NOT_BEGUN then. */
	send: Send;
	/** How many updates travel together. */
	batchSize: number;
	/** How many tasks may be begun at the same time: the most that the pace can ever let out. When each sends is the limiter's to say. */
	begunAtOnce: number;
}

/** Reading many inputs in one go would keep n8n from answering anything else: after so many, it gets its turn. */
const INPUTS_IN_ONE_GO = 200;

/** Never throws. With `stopsAtFailure`, inputs that were not begun have NOT_BEGUN as their outcome. */
export async function outcomesOf(job: Job): Promise<Array<Outcome<Found>>> {
	const outcomes = new Outcomes(job, job.resultOf);
	const plan = new TaskPlan(job, outcomes);
	for (let item = 0; item < job.count && !outcomes.isOver; item++) {
		if (item % INPUTS_IN_ONE_GO === INPUTS_IN_ONE_GO - 1) await sleep(0);
		await outcomes.guard([item], 'nothing', async () => {
			const input = job.inputOf(item);
			if (input.ok) await plan.add(item, input.value);
			else outcomes.settle(item, input);
		});
	}
	const perform = async (task: Task) => await outcomes.guard(task.items, job.reach, task.perform);
	if (!outcomes.isOver) await pMap(plan.tasks, perform, { concurrency: job.begunAtOnce });
	return Array.from({ length: job.count }, (_, item) => outcomes.of(item));
}

/** One thing to do: at most one request of it is on its way at any time. */
interface Task {
	/** The items it serves, in input order. */
	items: number[];
	perform: () => Promise<void>;
}

interface SharedRequest extends Task {
	/** Who takes the answer. */
	takers: Array<(answer: Outcome<Found>) => void>;
}

/** An input that its contract has accepted. */
interface AcceptedInput {
	item: number;
	input: unknown;
}

type Parts = WorkOf<'parts'>['parts'];

/** What is to be done for the inputs of a run, so that nothing is asked twice: a task may serve several items, an item may need several tasks. */
class TaskPlan {
	/** In the order in which they are begun. */
	readonly tasks: Task[] = [];

	private readonly lookups = new Map<string, SharedRequest>();

	private readonly updates = new Map<string, { task: Task; updates: AcceptedInput[] }>();

	constructor(
		private readonly job: Job,
		private readonly outcomes: Outcomes,
	) {}

	/** Takes an input up. Whatever can be refused without sending anything is refused here. */
	async add(item: number, input: unknown): Promise<void> {
		const { work } = this.job;
		switch (work.kind) {
			case 'request':
				return this.addRequest({ item, input }, work, (answer) => this.outcomes.settle(item, answer));
			case 'parts':
				return this.addParts({ item, input }, work.parts);
			case 'merged':
				return this.addUpdate({ item, input }, work);
			case 'own':
				return await this.addOwn({ item, input }, work);
		}
	}

	/** Identical GETs are sent once. */
	private addRequest(
		{ item, input }: AcceptedInput,
		work: WorkOf<'request'>,
		take: (answer: Outcome<Found>) => void,
	): void {
		const request = work.request(input);
		const target = request.method === 'GET' ? targetOf(request) : undefined;
		const known = target === undefined ? undefined : this.lookups.get(target);
		if (known !== undefined) {
			known.items.push(item);
			known.takers.push(take);
			return;
		}
		const takers = [take];
		const perform = async () => {
			const reply = await this.job.send(request);
			// Read anew for each item: what follows may change an item without changing its neighbour.
			for (const each of takers) each(readReply(reply, work.answer, this.job));
		};
		const task = { items: [item], takers, perform };
		if (target !== undefined) this.lookups.set(target, task);
		this.tasks.push(task);
	}

	private addParts(accepted: AcceptedInput, parts: Parts): void {
		const answers = new Map<string, Outcome<Found>>();
		const entries = Object.entries(parts);
		for (const [name, { work }] of entries) {
			this.addRequest(accepted, work, (answer) => {
				this.outcomes.notice(answer);
				answers.set(name, answer);
				if (answers.size === entries.length) this.outcomes.settle(accepted.item, wholeOf(parts, answers));
			});
		}
	}

	/** Updates with the same key travel together. */
	private addUpdate(update: AcceptedInput, work: WorkOf<'merged'>): void {
		const key = work.key?.(update.input) ?? work.request([update.input]).path;
		const known = this.updates.get(key);
		if (known !== undefined) {
			known.task.items.push(update.item);
			known.updates.push(update);
			return;
		}
		const updates = [update];
		const task = { items: [update.item], perform: async () => await this.sendUpdates(updates, work) };
		this.updates.set(key, { task, updates });
		this.tasks.push(task);
	}

	/** Batches of one key go one after another, so that the order of the input holds. What one throws is not the failure of the next. */
	private async sendUpdates(updates: readonly AcceptedInput[], work: WorkOf<'merged'>): Promise<void> {
		const { batchSize, reach } = this.job;
		const size = work.single ? 1 : batchSize;
		for (let start = 0; start < updates.length; start += size) {
			const batch = updates.slice(start, start + size);
			const items = batch.map(({ item }) => item);
			await this.outcomes.guard(items, reach, async () => await this.sendBatch(batch, work));
		}
	}

	/**
	 * A batch that the service refuses with 400 is halved until the refused updates stand alone, so that one bad record never sinks the
	 * others. For one bad record in a batch of n, this costs about 2 log2(n) requests more.
	 * @param uncertain the failure of a larger batch that held these updates and may be done
	 */
	private async sendBatch(
		batch: readonly AcceptedInput[],
		work: WorkOf<'merged'>,
		uncertain?: Failure,
	): Promise<void> {
		const sent = await this.job.send(work.request(batch.map(({ input }) => input)));
		if (!sent.ok && sent.failure.status === 400 && batch.length > 1) {
			const middle = Math.ceil(batch.length / 2);
			const ofHalves = sent.failure.effect === 'unknown' ? sent.failure : uncertain;
			await this.sendBatch(batch.slice(0, middle), work, ofHalves);
			await this.sendBatch(batch.slice(middle), work, ofHalves);
			return;
		}
		const reply = afterUncertain(sent, uncertain);
		// Read anew for each item: what follows may change an item without changing its neighbour.
		for (const { item } of batch) this.outcomes.settle(item, readReply(reply, work.answer, this.job));
	}

	private async addOwn({ item, input }: AcceptedInput, { check, perform }: WorkOf<'own'>): Promise<void> {
		const { outcomes } = this;
		const checked = await check?.(input, { item });
		if (checked?.ok === false) return outcomes.settle(item, checked);
		this.tasks.push({
			items: [item],
			perform: async () => {
				if (outcomes.isOver) return;
				const outcome = await perform(input, { item });
				outcomes.settle(item, outcome.ok ? success([outcome.value].flat()) : outcome);
			},
		});
	}
}

/** Trap: a refusal speaks of what was sent last; the batch that these updates were in before may be done all the same. */
function afterUncertain(reply: Outcome<Reply>, uncertain: Failure | undefined): Outcome<Reply> {
	if (reply.ok || uncertain === undefined) return reply;
	return failed({ ...(reply.failure === NOT_BEGUN ? uncertain : reply.failure), effect: 'unknown' });
}

/** One item of all parts. A whole of nothing but empty parts is nothing found. */
function wholeOf(parts: Parts, answers: ReadonlyMap<string, Outcome<Found>>): Outcome<Found> {
	const whole: IDataObject = {};
	let foundAny = false;
	let notBegun: Outcome<Found> | undefined;
	for (const [name, { work }] of Object.entries(parts)) {
		const found = answers.get(name) ?? failed(NOT_BEGUN);
		if (found.ok) {
			whole[name] = work.answer.shape === 'list' ? found.value : (found.value[0] ?? null);
			foundAny ||= found.value.length > 0;
			continue;
		}
		const { failure } = found;
		if (failure !== NOT_BEGUN)
			return failed({ ...failure, message: `The part "${name}" could not be fetched. ${failure.message}` });
		// The failure of a later part may be what ended the run.
		notBegun = found;
	}
	return notBegun ?? success(foundAny ? [whole] : []);
}
