/**
 * Cuts what is to be sent into batches: what is announced in the ledger, and sent, together. A batch is what goes out in about one and a half
 * seconds: two of them may be on their way at once, and what of them is under way at a crash is uncertain.
 */
import type { Change } from '../planning/change';
import { wasRefused } from '../planning/refused';
import type { Kind } from '../roster/record';
import { FIRST_OF_A_KIND } from '../sending/circuitBreaker';
import { MAX_INSERT_ROWS } from '../store/store';

import type { Clock } from './clock';

/** What a batch should take. Milliseconds. */
const GOAL_MS = 1_500;
const SMALLEST = 100;
const LARGEST = 1_000;

export interface Batch {
	changes: readonly Change[];
	/** It needs what is in the batches before, or is of another kind: they must have ended before it begins. */
	beginsStep: boolean;
}

export class Batches {
	private size = SMALLEST * 2;
	private at = 0;
	/** Of the batches that go out side by side. */
	private readonly keysOfStep = new Set<string>();
	private lastEnd = -Infinity;
	/** By kind, how many creations were to be sent that were not refused before, and show whether all would be. */
	private readonly begun = new Map<Kind, number>();
	/** The first creations of a kind are looked at before others go. */
	looksAtFirst = false;

	constructor(
		private readonly changes: readonly Change[],
		private readonly clock: Clock,
	) {}

	/** The changes that come next, all of one step; undefined at the end. */
	next(): Batch | undefined {
		const start = this.at;
		if (start >= this.changes.length) return undefined;
		const { action, kind } = this.changes[start];
		const beginsStep = this.looksAtFirst || start === 0 || this.needsEndOfStep(this.changes[start]);
		if (beginsStep) this.keysOfStep.clear();
		const before = this.begun.get(kind) ?? 0;
		this.looksAtFirst = action === 'create' && before < FIRST_OF_A_KIND;
		const size = this.looksAtFirst ? FIRST_OF_A_KIND - before : this.size;
		// Notes are only written: nothing of them is ever uncertain.
		const most = action === 'note' ? MAX_INSERT_ROWS : size;
		do this.keysOfStep.add(this.changes[this.at++].key);
		while (
			this.at < this.changes.length &&
			this.at - start < most &&
			!this.needsEndOfStep(this.changes[this.at])
		);
		const changes = this.changes.slice(start, this.at);
		for (const change of changes) this.countBegun(change, 1);
		return { changes, beginsStep };
	}

	/** Told of what is not sent after all: it says nothing of the others. */
	leaveOut(change: Change): void {
		this.countBegun(change, -1);
	}

	private countBegun(change: Change, one: 1 | -1): void {
		if (change.action !== 'create' || wasRefused(change)) return;
		this.begun.set(change.kind, (this.begun.get(change.kind) ?? 0) + one);
	}

	/** Told when a batch has come back: the next is as large as would have fitted. @param began when it was taken */
	finish({ changes: { length: count } }: Batch, began: number): void {
		const now = this.clock.steady();
		// While the one before it was under way, it only waited.
		const tookMs = Math.max(now - Math.max(began, this.lastEnd), 1);
		this.lastEnd = now;
		const fitting = Math.round((count * GOAL_MS) / tookMs);
		this.size = Math.max(SMALLEST, Math.min(LARGEST, fitting, this.size * 2));
	}

	private needsEndOfStep(change: Change): boolean {
		const before = this.changes[this.at - 1];
		if (before.action !== change.action) return true;
		// Trap: a sheet gives class, user and bond row by row. Each insert for itself, taking over a network would take hours.
		if (change.action === 'note') return false;
		if (before.kind !== change.kind) return true;
		return change.needs.some((key) => this.keysOfStep.has(key));
	}
}
