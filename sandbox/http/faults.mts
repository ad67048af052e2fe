import type { FaultMatch, FaultRule, FaultState } from '../admin-types.mts';
import type { Exchange, RequestBody } from './exchange.mts';

interface Armed {
	readonly state: FaultState;
	readonly pattern: RegExp | undefined;
}

/** Faults on demand. The first rule that applies to a request is used; every rule counts its matches. */
export class Faults {
	#armed: Armed[] = [];

	#nextId = 1;

	add({ match, fault }: FaultRule): FaultState {
		const pattern = match.pathPattern === undefined ? undefined : new RegExp(match.pathPattern);
		const state: FaultState = { id: `fault-${this.#nextId++}`, match, fault, matched: 0, used: 0 };
		this.#armed.push({ state, pattern });
		return state;
	}

	list(): FaultState[] {
		return this.#armed.map(({ state }) => state);
	}

	/** Removes one rule, or all of them; says how many. */
	remove(id?: string): number {
		const before = this.#armed.length;
		this.#armed = id === undefined ? [] : this.#armed.filter(({ state }) => state.id !== id);
		return before - this.#armed.length;
	}

	/** The fault for this request, if any. Counting happens here. */
	take(exchange: Exchange): FaultState | undefined {
		let taken: FaultState | undefined;
		for (const { state, pattern } of this.#armed) {
			if (!matches(state.match, pattern, exchange)) continue;
			state.matched += 1;
			if (taken === undefined && isDue(state)) {
				state.used += 1;
				taken = state;
			}
		}
		return taken;
	}
}

function matches(match: FaultMatch, pattern: RegExp | undefined, exchange: Exchange): boolean {
	if (match.method !== undefined && match.method.toUpperCase() !== exchange.method) return false;
	if (match.path !== undefined && !exchange.path.startsWith(match.path)) return false;
	if (pattern !== undefined && !pattern.test(exchange.path)) return false;
	return match.bodyContains === undefined || textOf(exchange.body).includes(match.bodyContains);
}

const textOf = (body: RequestBody): string => ('text' in body ? body.text : '');

function isDue({ match, matched, used }: FaultState): boolean {
	if (match.times !== undefined && used >= match.times) return false;
	if (match.after !== undefined && matched <= match.after) return false;
	if (match.every !== undefined && matched % match.every !== 0) return false;
	if (match.nth === undefined) return true;
	return Array.isArray(match.nth) ? match.nth.includes(matched) : match.nth === matched;
}
