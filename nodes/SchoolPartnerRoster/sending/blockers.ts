/** What stands in the way of a change: what it needs is not there, or nobody knows whether it is. */
import { kindOfKey } from '../ledger/key';
import type { OutcomeState } from '../ledger/row';
import { isUpdate, type Change } from '../planning/change';

import type { ChangeResult } from './result';

export class Blockers {
	private readonly missing = new Set<string>();
	/** Of these, what is not tried: others of the kind were refused alike, or the service forbids it. */
	private readonly leftOut = new Map<string, Change>();
	private readonly uncertain = new Set<string>();
	/** Users without a confirmed account, and the bonds that wait for them. */
	private readonly awaited = new Set<string>();

	note(change: Change, state: OutcomeState): void {
		if (change.action !== 'create' || isUpdate(change) || state === 'applied') return;
		const isAwaited = state === 'unconfirmed' || state === 'waiting';
		(isAwaited ? this.awaited : state === 'uncertain' ? this.uncertain : this.missing).add(change.key);
	}

	/** It is not sent tonight, nor is what needs it. What is there keeps nothing back, whatever becomes of its new values. */
	leaveOut(change: Change): void {
		this.note(change, 'not tried');
		if (!isUpdate(change)) this.leftOut.set(change.key, change);
	}

	/** In which school the service forbids something that this needs. */
	forbiddenNeed({ needs }: Change): string | undefined {
		return needs.map((key) => this.leftOut.get(key)?.forbiddenIn).find((school) => school !== undefined);
	}

	/** The account of a user was seen. */
	confirm(key: string): void {
		this.awaited.delete(key);
	}

	/** What comes of a change that must not be sent; undefined for what may. */
	resultFor(change: Change): ChangeResult | undefined {
		const by = this.blockerOf(change);
		if (by === undefined) return undefined;
		if (this.leftOut.has(by)) return { kind: 'notTried' };
		return { kind: this.awaited.has(by) ? 'waiting' : 'blocked', by };
	}

	/** The key for want of which a change is not sent. */
	private blockerOf({ action, kind, needs }: Change): string | undefined {
		const { missing, uncertain, awaited } = this;
		// A user needs a class only while it is in doubt, whether or not that is sent tonight.
		const isInDoubt = (key: string) => kind === 'user' && kindOfKey(key) === 'class';
		const isLacking = (key: string) => missing.has(key) || uncertain.has(key) || isInDoubt(key);
		const isAwaited = (key: string) => awaited.has(key);
		if (action === 'remove') {
			// Of the new bonds of who moves, one is enough.
			const isKept = needs.length > 0 && needs.every((key) => isLacking(key) || isAwaited(key));
			return isKept ? (needs.find(isAwaited) ?? needs[0]) : undefined;
		}
		// Bonds of somebody uncertain are sent; a link to a responsible person cannot be made later.
		if (kind !== 'bond') return needs.find(isLacking);
		return needs.find((key) => missing.has(key)) ?? needs.find(isAwaited);
	}
}
