/**
 * What has to be done for the inputs of a run, so that nothing is asked twice: identical GETs are one task, and
 * updates that travel together are one task. A task may serve several items; an item may need several tasks.
 */
import type { IDataObject } from 'n8n-workflow';

import { readReply, type Found, type Reading } from '../calls/answer';
import type { CallWork, Part } from '../calls/call';
import { failed, NOT_BEGUN, success, type Outcome } from '../failure';
import { targetOf } from '../transport/request';
import type { Send } from '../transport/send';

import { sendMerged, type Update } from './merging';
import type { Outcomes } from './outcomes';

/** What work is done with; the same for a whole run. */
export interface WorkMeans extends Reading {
	send: Send;
	/** How many updates travel together. */
	batchSize: number;
}

/** What work in a way of its own is given of the engine. */
export interface OwnMeans {
	send: Send;
	/** Makes another way to send one that begins nothing once the run is over: every own way has to be made so. */
	unlessOver: <Args extends unknown[], T>(
		send: (...args: Args) => Promise<Outcome<T>>,
	) => (...args: Args) => Promise<Outcome<T>>;
	/** The index of the input. */
	item: number;
}

/** How inputs are worked on: as a call of the service, or in a way of its own. */
export type Work =
	| CallWork<unknown>
	| {
			kind: 'own';
			/** What can be refused without sending anything. It is done for all inputs before the first is performed. */
			check?: (input: unknown, means: OwnMeans) => Promise<Outcome<unknown>>;
			perform: (input: unknown, means: OwnMeans) => Promise<Outcome<IDataObject | IDataObject[]>>;
	  };

/** One thing to do: at most one request of it is on its way at any time. */
interface Task {
	/** The items it serves, in input order. */
	items: number[];
	perform: () => Promise<void>;
}

export interface TaskPlan {
	/** In the order in which they are begun. */
	tasks: Task[];
	/** Takes an input up. Whatever can be refused without sending anything is refused here. */
	add: (item: number, input: unknown) => Promise<void> | void;
}

/** An empty plan. Every outcome of an item goes into the outcomes. */
export function planOf(work: Work, means: WorkMeans, outcomes: Outcomes): TaskPlan {
	const gated = { ...means, send: outcomes.unlessOver(means.send) };
	switch (work.kind) {
		case 'request':
			return planRequests(work, gated, outcomes);
		case 'parts':
			return planParts(work, gated, outcomes);
		case 'merged':
			return planMerged(work, gated, outcomes);
		case 'own':
			return planOwn(work, gated, outcomes);
	}
}

type WorkOf<Kind> = Extract<Work, { kind: Kind }>;

function planRequests(work: WorkOf<'request'>, means: WorkMeans, outcomes: Outcomes): TaskPlan {
	const requests = new SharedRequests(means);
	const add = (item: number, input: unknown) =>
		requests.add([
			{
				item,
				part: { request: work.request(input), answer: work.answer },
				take: (answer) => outcomes.settle(item, answer),
			},
		]);
	return { tasks: requests.tasks, add };
}

function planParts(work: WorkOf<'parts'>, means: WorkMeans, outcomes: Outcomes): TaskPlan {
	const requests = new SharedRequests(means);
	const add = (item: number, input: unknown) => {
		const parts = Object.entries(work.parts(input));
		const answers = new Map<string, Outcome<Found>>();
		const wishes = parts.map(([name, part]) => ({
			item,
			part,
			take: (answer: Outcome<Found>) => {
				outcomes.notice(answer);
				answers.set(name, answer);
				if (answers.size === parts.length) outcomes.settle(item, wholeOf(parts, answers));
			},
		}));
		requests.add(wishes);
	};
	return { tasks: requests.tasks, add };
}

/** One item of all parts. A whole of nothing but empty parts is nothing found. */
function wholeOf(parts: Array<[string, Part]>, answers: ReadonlyMap<string, Outcome<Found>>): Outcome<Found> {
	const whole: IDataObject = {};
	let foundAny = false;
	for (const [name, { answer }] of parts) {
		const found = answers.get(name) ?? failed(NOT_BEGUN);
		if (!found.ok) {
			const { failure } = found;
			return failure === NOT_BEGUN
				? found
				: failed({ ...failure, message: `The part "${name}" could not be fetched. ${failure.message}` });
		}
		whole[name] = answer.shape === 'list' ? found.value : (found.value[0] ?? null);
		foundAny ||= found.value.length > 0;
	}
	return success(foundAny ? [whole] : []);
}

/** Updates with the same address travel together. */
function planMerged(work: WorkOf<'merged'>, means: WorkMeans, outcomes: Outcomes): TaskPlan {
	const tasks: Task[] = [];
	const travelling = new Map<string, { task: Task; updates: Update[] }>();
	const add = (item: number, input: unknown) => {
		const { path } = work.request([input]);
		const known = travelling.get(path);
		if (known !== undefined) {
			known.task.items.push(item);
			known.updates.push({ item, input });
			return;
		}
		const updates = [{ item, input }];
		const task: Task = {
			items: [item],
			perform: async () => await sendMerged(updates, means, work, outcomes),
		};
		travelling.set(path, { task, updates });
		tasks.push(task);
	};
	return { tasks, add };
}

function planOwn(work: WorkOf<'own'>, { send }: WorkMeans, outcomes: Outcomes): TaskPlan {
	const tasks: Task[] = [];
	const perform = outcomes.unlessOver(work.perform);
	const unlessOver: OwnMeans['unlessOver'] = (step) => outcomes.unlessOver(step);
	const add = async (item: number, input: unknown) => {
		const ownMeans = { send, item, unlessOver };
		const checked = await work.check?.(input, ownMeans);
		if (checked?.ok === false) {
			outcomes.settle(item, checked);
			return;
		}
		tasks.push({
			items: [item],
			perform: async () => {
				const outcome = await perform(input, ownMeans);
				outcomes.settle(item, outcome.ok ? success([outcome.value].flat()) : outcome);
			},
		});
	};
	return { tasks, add };
}

/** A request that an item needs, and who takes the answer. */
interface Wish {
	item: number;
	part: Part;
	take: (answer: Outcome<Found>) => void;
}

/** The requests of a run; a GET that is there already is not added again. */
class SharedRequests {
	readonly tasks: Task[] = [];

	private readonly known = new Map<string, { task: Task; takers: Array<Wish['take']> }>();

	constructor(private readonly means: WorkMeans) {}

	/** Adds what one item needs: all of it, or nothing where one of the addresses cannot be written. */
	add(wishes: readonly Wish[]): void {
		const targets = wishes.map(({ part }) => targetOf(part.request));
		wishes.forEach((wish, index) => this.addOne(wish, targets[index]));
	}

	private addOne({ item, part: { request, answer }, take }: Wish, target: string): void {
		const known = request.method === 'GET' ? this.known.get(target) : undefined;
		if (known !== undefined) {
			known.task.items.push(item);
			known.takers.push(take);
			return;
		}
		const takers = [take];
		const perform = async () => {
			const reply = await this.means.send(request);
			// Read anew for each item: what follows may change an item without changing its neighbour.
			for (const each of takers) each(readReply(reply, answer, this.means));
		};
		const task = { items: [item], perform };
		this.tasks.push(task);
		if (request.method === 'GET') this.known.set(target, { task, takers });
	}
}
