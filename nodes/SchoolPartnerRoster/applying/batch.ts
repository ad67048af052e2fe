/** What Apply Changes is given: the changes of one batch, as the plan gave them. */
import * as z from 'zod/v4-mini';

import { failed, success, type Failure, type Outcome } from '../../shared/failure';
import { OUTCOMES } from '../ledger/row';
import { ACTIONS } from '../ledger/runs';
import type { Change } from '../planning/change';
import { isResponsible } from '../planning/order';
import { KINDS } from '../roster/record';

const change = z.looseObject({
	run_id: z.string().check(z.minLength(1)),
	batch: z.int(),
	sequence: z.int(),
	action: z.enum(ACTIONS),
	kind: z.enum(KINDS),
	key: z.string().check(z.minLength(1)),
	school_external_id: z.string(),
	hash: z.string(),
	needs: z.array(z.string()),
	send: z.nullish(z.record(z.string(), z.unknown())),
	state: z.nullish(z.enum(OUTCOMES)),
});

/** Reads the items of a batch, in the order of their sequence; or says why nothing of it is sent. */
export function batchOf(items: readonly unknown[]): Outcome<Change[]> {
	const changes: Change[] = [];
	for (const [index, item] of items.entries()) {
		const checked = change.safeParse(item);
		if (!checked.success) return failed(noChange(index));
		// What is held has no batch; its other mark may be lost on the way.
		if ((checked.data as { held?: unknown }).held === true || checked.data.batch < 1) return failed(HELD);
		if (checked.data.action === 'note' ? !checked.data.state : !checked.data.send)
			return failed(noChange(index));
		changes.push(checked.data as unknown as Change);
	}
	const [first] = changes;
	if (changes.some(({ run_id: runId, batch }) => runId !== first.run_id || batch !== first.batch))
		return failed(SEVERAL);
	if (new Set(changes.map(({ sequence }) => sequence)).size < changes.length) return failed(TWICE);
	return success(changes.sort((one, other) => one.sequence - other.sequence));
}

/**
 * The steps of a batch: what is in one can be sent side by side, and each ends before the next begins. Classes, responsible
 * persons and whoever is one's responsible, other users, bonds, removals; and who needs another of the same step has a step after it.
 */
export function stepsOf(changes: readonly Change[]): Change[][] {
	const steps: Change[][] = [];
	let keys = new Set<string>();
	const responsible = new Set(changes.flatMap((each) => (each.kind === 'user' ? each.needs : [])));
	const waveOf = (each: Change) =>
		`${each.action} ${each.kind} ${each.kind === 'user' && (isResponsible(each) || responsible.has(each.key))}`;
	for (const each of changes) {
		const step = steps[steps.length - 1];
		if (step === undefined || waveOf(step[0]) !== waveOf(each) || each.needs.some((key) => keys.has(key))) {
			steps.push([each]);
			keys = new Set([each.key]);
		} else {
			step.push(each);
			keys.add(each.key);
		}
	}
	return steps;
}

function noChange(index: number): Failure {
	return {
		origin: 'input',
		effect: 'none',
		code: 'noChange',
		message: `Item ${index + 1} is not a change as Plan Changes gives it`,
		next: 'Wire the output Changes of Plan Changes to this node, through Loop Over Items, and change nothing in the items. Nothing was sent for this batch.',
	};
}

const HELD: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'held',
	message: 'These changes are held: they came out of the output Held of Plan Changes',
	next: 'Look at them, and put their plan id into the option Approved Plan of Plan Changes; then they come out of the output Changes. Nothing was sent.',
};

const TWICE: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'changeTwice',
	message: 'The same change is among the items twice',
	next: 'Look at the connections: the output Changes of Plan Changes goes to Loop Over Items once, and the output Loop to this node once. Nothing was sent for these items.',
};

const SEVERAL: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'severalBatches',
	message: 'The items are of more than one batch or run',
	next: 'Put Loop Over Items in front of this node, with the same batch size as in Plan Changes, so that the rows of a batch are written before the next begins. Nothing was sent for these items.',
};
