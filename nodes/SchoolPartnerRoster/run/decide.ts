/** Approve and Resolve: what people have decided becomes rows, at any time and beside any run. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asNodeFailure, failureItem } from '../../shared/actions/nodeFailure';
import { failed, success, type Outcome } from '../../shared/failure';
import { RESOLUTIONS } from '../ledger/decisions';
import type { DecisionDetail } from '../ledger/detail';
import { isKey } from '../ledger/key';
import { ledgerRow, type LedgerRow } from '../ledger/row';
import type { Ledger } from '../ledger/ledger';
import { patiently } from '../night/patience';
import { readLedger } from '../night/reading';
import { Turns } from '../roster/turns';
import { storeOf } from '../store/openStore';

import { CLOCK, HOST } from './clock';
import { inputFailures, ledgerAbsent } from './failures';

/** What an item becomes: a row, what the node says of it; or why not. */
type Decision = Outcome<{ row?: Partial<LedgerRow>; answer: IDataObject }>;

/** How long a ledger that is locked is tried again. Milliseconds. */
const PATIENCE_MS = 60_000;

export async function approve(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	return await decide(context, (item, ledger) => {
		const [id, by] = [textOf(item.hold_id), textOf(item.by)];
		const isApproved = readBoolean(item.approve);
		if (id === '' || by === '' || isApproved === undefined) return failed(problems.approveFields);
		const hold = ledger.decisions.holds.get(id);
		if (hold === undefined || hold.rows.length === 0) return failed(problems.holdUnknown(id));
		const state = isApproved ? 'approved' : 'withdrawn';
		const { reason, changes } = hold;
		return success({
			row: { kind: 'approve', key: id, state },
			answer: { hold_id: id, state, by, reason, changes: changes.size, what_to_do: START_SYNC },
		});
	});
}

export async function resolve(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	return await decide(context, (item, ledger) => {
		const [key, is, by] = [textOf(item.key), textOf(item.is), textOf(item.by)];
		if (is === '') return success({ answer: { key, state: 'skipped', what_to_do: WITHOUT_IS } });
		if (key === '' || by === '' || !(RESOLUTIONS as readonly string[]).includes(is))
			return failed(problems.resolveFields);
		const entry = ledger.entries.get(key);
		// Of somebody who only looks like a known one, the ledger has nothing yet.
		if (entry === undefined && (is !== 'notInService' || !isKey(key)))
			return failed(problems.keyUnknown(key));
		return success({
			row: { kind: 'resolve', key, school_external_id: entry?.school ?? '', state: is },
			answer: { key, state: is, by, what_to_do: START_SYNC },
		});
	});
}

async function decide(
	context: IExecuteFunctions,
	decideOne: (item: IDataObject, ledger: Ledger) => Decision,
): Promise<Outcome<INodeExecutionData[][]>> {
	const store = storeOf(context);
	const opened = await store.open(false);
	if (!opened.ok) return opened;
	if (opened.value === 'absent') return failed(ledgerAbsent(store.name));
	const read = await readLedger(store, CLOCK, new Turns(HOST));
	if (!read.ok) return read;
	const at = new Date(CLOCK.wall()).toISOString();
	const rows: LedgerRow[] = [];
	const given: INodeExecutionData[] = [];
	for (const [item, input] of context.getInputData().entries()) {
		const decision = decideOne(input.json, read.value);
		if (decision.ok) {
			const { row, answer } = decision.value;
			const detail = JSON.stringify({ by: textOf(input.json.by) } satisfies DecisionDetail);
			if (row !== undefined) rows.push(ledgerRow({ ...row, detail, at }));
			given.push({ json: answer, pairedItem: { item } });
		} else if (context.continueOnFail()) given.push(failureItem(context, input, decision.failure, item));
		else throw asNodeFailure(context, decision.failure, item);
	}
	if (rows.length > 0) {
		const written = await patiently(CLOCK, PATIENCE_MS, async () => await store.append(rows));
		if (!written.ok) return written;
	}
	return success([given]);
}

function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** A form gives text. */
function readBoolean(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	const text = textOf(value).toLowerCase();
	if (text === 'true' || text === 'yes') return true;
	return text === 'false' || text === 'no' ? false : undefined;
}

const START_SYNC = 'The next Sync goes by it: start it again.';
const WITHOUT_IS = 'The item says nothing in "is", so that nothing was noted.';

const GIVE_FIELDS =
	'Give the item these fields, for example in a node Edit Fields. Nothing was noted for it.';

const problems = inputFailures({
	approveFields: {
		message: 'An approval needs the fields hold_id, approve (true or false) and by (who has looked at it)',
		next: GIVE_FIELDS,
	},
	resolveFields: {
		message:
			'To resolve a record, an item needs the fields key, is (inService or notInService) and by (who has looked)',
		next: GIVE_FIELDS,
	},
	holdUnknown: (id: string) => ({
		message: `The ledger knows of no hold ${id}`,
		next: 'Run Sync first, and take the hold_id from its output Summary: only what Sync has reported can be approved. Look whether Ledger and Ledger Name are those of Sync.',
	}),
	keyUnknown: (key: string) => ({
		message: `The ledger knows nothing of ${key}`,
		next: 'Take the key as the outputs of Sync give it. Look whether Ledger and Ledger Name are those of Sync.',
	}),
});
