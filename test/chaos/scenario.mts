/** What the scenarios of the matrix have in common: something happens to a whole run, and it is held to its promise. */
import type { Session } from '../../playground/n8n-client.mts';

import type { Cell } from './cell.mts';
import type { Key } from './keys.mts';
import type { OperationCase } from './operations.mts';
import { arrivalsByKey, received, type RunOptions, type RunSeen } from './runs.mts';
import type { Lane } from './stage.mts';

export interface Scenario {
	column: string;
	/** Absent: for every operation. */
	isFor?: (operation: OperationCase) => boolean;
	perform: (
		session: Session,
		lane: Lane,
		operation: OperationCase,
	) => Promise<Omit<Cell, 'operation' | 'column'>>;
}

export const SLACK_MS = 4_000;
export const FEW = 3;

/** Waits between the attempts: at least 0.25 + 0.5 + 1 + 2 + 4 s. */
export const PATIENT: RunOptions = { timeout: 5_000, maxRetries: 5, concurrency: 10 };
export const IMPATIENT: RunOptions = { timeout: 2_000, maxRetries: 1, concurrency: 10 };

/** Requests that carry a token of the application. */
export async function signed({ sandbox }: Lane): Promise<number> {
	return (await received(sandbox)).filter(({ path }) => !path.startsWith('/identity')).length;
}

/** Collects what is not as promised. */
export class Findings {
	readonly list: string[] = [];

	hold(holds: boolean, finding: string): void {
		if (!holds) this.list.push(finding);
	}

	allItems(ended: RunSeen, outcome: 'success' | 'failure', says = /./): void {
		this.hold(ended.status === 'success', `the run ended as ${ended.status}: ${ended.error}`);
		for (const { item, outcome: seen, message } of ended.items) {
			this.hold(seen === outcome, `item ${item}: ${seen} instead of ${outcome} ${message}`);
			if (outcome === 'failure') this.hold(says.test(message), `item ${item} says: ${message}`);
		}
	}

	async allDone({ sandbox }: Lane, operation: OperationCase, keys: readonly Key[]): Promise<void> {
		const done = await operation.done?.(sandbox.admin, keys);
		this.hold(done === undefined || keys.every(({ id }) => done.has(id)), 'some work is not done');
	}

	within(milliseconds: number, bound: number): void {
		this.hold(milliseconds <= bound, `it took ${milliseconds} ms, its bound is ${bound} ms`);
	}
}

export async function freshKeys({ sandbox }: Lane, operation: OperationCase, count: number): Promise<Key[]> {
	await sandbox.admin.reset();
	const keys = await operation.keys(sandbox, operation.alone ? 1 : count);
	await sandbox.admin.clearRequests();
	return keys;
}

/** How many requests of each key arrived: `[[key, count], …]`. */
export async function counts({ sandbox }: Lane, keys: readonly Key[]): Promise<number[]> {
	const arrived = await arrivalsByKey(sandbox, keys);
	return keys.map(({ id }) => arrived.get(id)?.length ?? 0);
}

export const isMachine = ({ credential }: OperationCase) => credential === 'machine';
