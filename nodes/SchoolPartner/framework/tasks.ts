/**
 * What has to be done for all items of a run, so that nothing is asked twice: identical GETs are one task, and
 * updates that travel together are one task. A task may serve several items; an item may need several tasks.
 */
import type { IDataObject } from 'n8n-workflow';

import { failed, success, type Outcome } from '../../shared/transport/failure';
import { targetOf, type ServiceRequest } from '../../shared/transport/request';
import type { Send } from '../../shared/transport/send';

import { readAnswer, type Answer, type Found } from './answer';
import type { Manner } from './manner';
import { sendMerged } from './merging';
import type { Part, Work } from './operation';

/** One thing to do: at most one request of it is on its way at any time. */
export interface Task {
	/** The items it serves, in input order. */
	items: number[];
	perform: (send: Send) => Promise<void>;
}

export interface Plan {
	tasks: Task[];
	/** What came of an item, once all tasks are done. `undefined`: its tasks were never begun. */
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
	const outcomes = new Map([...inputs].map(([item, input]) => [item, requests.add(item, partOf(input))] as const));
	return { tasks: requests.tasks, outcomeOf: (item) => outcomes.get(item)?.() };
}

function planParts(
	inputs: ReadonlyMap<number, unknown>,
	partsOf: (input: unknown) => Record<string, Part>,
	manner: Manner,
): Plan {
	const requests = new SharedRequests(manner.simplify);
	const outcomes = new Map(
		[...inputs].map(([item, input]) => {
			const parts = Object.entries(partsOf(input)).map(([name, part]) => ({ name, part, outcome: requests.add(item, part) }));
			return [item, parts] as const;
		}),
	);
	return {
		tasks: requests.tasks,
		outcomeOf: (item) => {
			const parts = outcomes.get(item);
			if (parts === undefined) return undefined;
			const whole: IDataObject = {};
			let foundAny = false;
			for (const { name, part, outcome } of parts) {
				const found = outcome();
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
	return { tasks: [...tasks.values()], outcomeOf: (item) => outcomes.get(item) };
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
	return { tasks, outcomeOf: (item) => outcomes.get(item) };
}

/** The requests of a run; a GET that is there already is not added again. */
class SharedRequests {
	readonly tasks: Task[] = [];

	private readonly known = new Map<string, { task: Task; outcome: (item: number) => Outcome<Found> | undefined }>();

	constructor(private readonly simplify: boolean) {}

	/** Adds what an item needs; gives the way to its outcome. */
	add(item: number, part: Part): () => Outcome<Found> | undefined {
		const target = part.request.method === 'GET' ? targetOf(part.request) : undefined;
		const known = target === undefined ? undefined : this.known.get(target);
		if (known !== undefined) {
			known.task.items.push(item);
			return () => known.outcome(item);
		}
		const added = taskOf(item, part, this.simplify);
		this.tasks.push(added.task);
		if (target !== undefined) this.known.set(target, added);
		return () => added.outcome(item);
	}
}

function taskOf(item: number, { request, answer }: Part, simplify: boolean) {
	let outcome: Outcome<Found> | undefined;
	const task: Task = {
		items: [item],
		perform: async (send) => {
			outcome = await answerOf(request, answer, simplify, send);
		},
	};
	// The first item takes the answer, the others take copies: what follows may change an item without changing its neighbour.
	const outcomeFor = (each: number) => (each === item || outcome?.ok !== true ? outcome : success(structuredClone(outcome.value)));
	return { task, outcome: outcomeFor };
}

async function answerOf(request: ServiceRequest, answer: Answer, simplify: boolean, send: Send): Promise<Outcome<Found>> {
	const reply = await send(request);
	return reply.ok ? readAnswer(request, reply.value, answer, simplify) : reply;
}
