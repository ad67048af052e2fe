/**
 * What has to be done for all items of a run, so that nothing is asked twice: identical GETs are one task, and
 * updates that travel together are one task. A task may serve several items; an item may need several tasks.
 */
import type { IDataObject } from 'n8n-workflow';

import { failed, success, type Outcome } from '../../shared/transport/failure';
import { targetOf, type ServiceRequest } from '../../shared/transport/request';
import type { Send } from '../../shared/transport/send';

import { readAnswer, type Answer, type Found } from '../../shared/calls/answer';
import type { Part } from '../../shared/calls/call';
import type { Manner } from './manner';
import { sendMerged } from './merging';
import type { Work } from './operation';

/** One thing to do: at most one request of it is on its way at any time. */
export interface Task {
	/** The items it serves, in input order. */
	items: number[];
	perform: (send: Send) => Promise<void>;
}

export interface Plan {
	tasks: Task[];
	/** True when something that the item needs has failed. Cheap: may be asked after every task. */
	hasFailed: (item: number) => boolean;
	/** What came of an item, once all tasks are done. `undefined`: its tasks were never begun. Copies what items share. */
	outcomeOf: (item: number) => Outcome<Found> | undefined;
}

export function planOf(work: Work<unknown>, inputs: ReadonlyMap<number, unknown>, manner: Manner): Plan {
	switch (work.kind) {
		case 'request':
			return planRequests(inputs, (input) => ({ request: work.request(input), answer: work.answer }), manner);
		case 'parts':
			return planParts(inputs, work.parts, manner);
		case 'merged':
			return planMerged(inputs, work, manner);
		case 'own':
			return planOwn(inputs, work, manner);
	}
}

function planRequests(inputs: ReadonlyMap<number, unknown>, partOf: (input: unknown) => Part, manner: Manner): Plan {
	const requests = new SharedRequests(manner.simplify);
	const wanted = new Map([...inputs].map(([item, input]) => [item, requests.add(item, partOf(input))] as const));
	return {
		tasks: requests.tasks,
		hasFailed: (item) => wanted.get(item)?.hasFailed() === true,
		outcomeOf: (item) => wanted.get(item)?.take(),
	};
}

function planParts(
	inputs: ReadonlyMap<number, unknown>,
	partsOf: (input: unknown) => Record<string, Part>,
	manner: Manner,
): Plan {
	const requests = new SharedRequests(manner.simplify);
	const wanted = new Map(
		[...inputs].map(([item, input]) => {
			const parts = Object.entries(partsOf(input)).map(([name, part]) => ({ name, part, answer: requests.add(item, part) }));
			return [item, parts] as const;
		}),
	);
	return {
		tasks: requests.tasks,
		hasFailed: (item) => wanted.get(item)?.some(({ answer }) => answer.hasFailed()) === true,
		outcomeOf: (item) => {
			const parts = wanted.get(item);
			if (parts === undefined) return undefined;
			const whole: IDataObject = {};
			let foundAny = false;
			for (const { name, part, answer } of parts) {
				const found = answer.take();
				if (found === undefined) return undefined;
				if (!found.ok) {
					return failed({ ...found.failure, message: `The part "${name}" could not be fetched. ${found.failure.message}` });
				}
				whole[name] = part.answer.shape === 'list' ? found.value : (found.value[0] ?? null);
				foundAny ||= found.value.length > 0;
			}
			// A whole of nothing but empty parts is nothing found, and the option of that name says what becomes of it.
			return success(foundAny ? [whole] : []);
		},
	};
}

function planMerged(
	inputs: ReadonlyMap<number, unknown>,
	work: Extract<Work<unknown>, { kind: 'merged' }>,
	manner: Manner,
): Plan {
	const outcomes = new Map<number, Outcome<Found>>();
	const tasks = new Map<string, Task>();
	for (const [item, input] of inputs) {
		const key = work.key(input);
		const task = tasks.get(key);
		if (task !== undefined) task.items.push(item);
		else {
			const items = [item];
			const perform = async (send: Send) =>
				await sendMerged(
					items.map((each) => ({ item: each, input: inputs.get(each) })),
					manner,
					work,
					send,
					(each, outcome) => outcomes.set(each, outcome),
				);
			tasks.set(key, { items, perform });
		}
	}
	return { tasks: [...tasks.values()], ...settled(outcomes) };
}

function planOwn(
	inputs: ReadonlyMap<number, unknown>,
	work: Extract<Work<unknown>, { kind: 'own' }>,
	{ tools }: Manner,
): Plan {
	const outcomes = new Map<number, Outcome<Found>>();
	const tasks = [...inputs].map(([item, input]) => ({
		items: [item],
		perform: async (send: Send) => {
			const outcome = await work.perform(input, { ...tools, send, item });
			const found = outcome.ok ? success(Array.isArray(outcome.value) ? outcome.value : [outcome.value]) : outcome;
			outcomes.set(item, found);
		},
	}));
	return { tasks, ...settled(outcomes) };
}

/** Outcomes that belong to one item each. */
function settled(outcomes: ReadonlyMap<number, Outcome<Found>>): Omit<Plan, 'tasks'> {
	return { hasFailed: (item) => outcomes.get(item)?.ok === false, outcomeOf: (item) => outcomes.get(item) };
}

/** The requests of a run; a GET that is there already is not added again. */
class SharedRequests {
	readonly tasks: Task[] = [];

	private readonly known = new Map<string, SharedAnswer>();

	constructor(private readonly simplify: boolean) {}

	/** Adds what an item needs; gives its answer to be. */
	add(item: number, part: Part): SharedAnswer {
		const target = part.request.method === 'GET' ? targetOf(part.request) : undefined;
		const known = target === undefined ? undefined : this.known.get(target);
		if (known !== undefined) {
			known.task.items.push(item);
			return known;
		}
		const added = new SharedAnswer(item, part, this.simplify);
		this.tasks.push(added.task);
		if (target !== undefined) this.known.set(target, added);
		return added;
	}
}

/** The answer of one request, for all items that asked for it. */
class SharedAnswer {
	readonly task: Task;

	private outcome: Outcome<Found> | undefined;

	private isTaken = false;

	constructor(item: number, { request, answer }: Part, simplify: boolean) {
		const perform = async (send: Send) => {
			this.outcome = await answerOf(request, answer, simplify, send);
		};
		this.task = { items: [item], perform };
	}

	hasFailed(): boolean {
		return this.outcome?.ok === false;
	}

	/** The first to take it gets the answer, the others get copies: what follows may change an item, not its neighbour. */
	take(): Outcome<Found> | undefined {
		if (this.outcome?.ok !== true || !this.isTaken) {
			this.isTaken = true;
			return this.outcome;
		}
		return success(structuredClone(this.outcome.value));
	}
}

async function answerOf(request: ServiceRequest, answer: Answer, simplify: boolean, send: Send): Promise<Outcome<Found>> {
	const reply = await send(request);
	return reply.ok ? readAnswer(request, reply.value, answer, simplify) : reply;
}
