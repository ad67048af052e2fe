/** A node that does with a ledger what the parameter "calls" says, so that tests reach a store inside of a real n8n. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import { ledgerRow, type LedgerRow, type StoredRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row';
import { storeOf } from '../../../../nodes/SchoolPartnerRoster/run/openStore';
import {
	storeResult,
	type LedgerStore,
	type StoreFailure,
} from '../../../../nodes/SchoolPartnerRoster/store/store';
import type { Outcome } from '../../../../nodes/shared/failure';

/** What a store is asked for. `times`: so often at once, each time by a store of its own. */
export type Call = { times?: number } & (
	| { do: 'open'; make: boolean }
	| { do: 'rowsAfter'; id: number; limit: number }
	| { do: 'readAll'; limit: number }
	| { do: 'leaseRows' }
	| { do: 'append'; rows: Array<Partial<LedgerRow>>; copies?: number }
	/** Of the first lease row as it is when the calls begin. */
	| { do: 'replaceLease'; after: Partial<LedgerRow> }
	| { do: 'removeRange'; from: number; to: number }
	| { do: 'removeLease'; id: number }
	/** Reads to the end again and again while rows are added. */
	| { do: 'readWhileAdding'; rows: number }
);

/** What came of a call. */
export interface Answer {
	result: Outcome<unknown, StoreFailure>;
	ms: number;
}

export const PROBE = 'n8n-nodes-ledger-probe';

const text = { type: 'string' as const, default: '' };

export class LedgerProbe implements INodeType {
	description = {
		displayName: 'Ledger Probe',
		name: 'ledgerProbe',
		group: ['transform' as const],
		version: 1,
		description: 'Asks a ledger',
		defaults: { name: 'Ledger Probe' },
		inputs: ['main' as const],
		outputs: ['main' as const],
		credentials: [{ name: 'postgres', required: false }],
		properties: [
			{ displayName: 'Ledger', name: 'ledger', ...text },
			{ displayName: 'Ledger Name', name: 'ledgerName', ...text },
			{ displayName: 'Calls', name: 'calls', ...text },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const calls = JSON.parse(this.getNodeParameter('calls', 0) as string) as Call[];
		const items: INodeExecutionData[] = [];
		for (const call of calls) {
			const stores = Array.from({ length: call.times ?? 1 }, () => storeOf(this));
			const opened = await Promise.all(
				call.do === 'open' ? [] : stores.map((store) => storeResult(store.open(false))),
			);
			const before = call.do === 'replaceLease' ? await firstLease(stores[0]) : undefined;
			for (const { ok } of opened)
				if (!ok) return [[{ json: { result: opened[0], ms: 0 } as object as IDataObject }]];
			const answers = await Promise.all(stores.map((store) => timed(() => answerTo(store, call, before))));
			items.push(...answers.map((answer) => ({ json: answer as object as IDataObject })));
		}
		return [items];
	}
}

async function timed(work: () => Promise<unknown>): Promise<Answer> {
	const start = Date.now();
	const result = await storeResult(work());
	return { result, ms: Date.now() - start };
}

async function firstLease(store: LedgerStore): Promise<StoredRow> {
	const [lease] = await store.leaseRows();
	return lease;
}

async function answerTo(store: LedgerStore, call: Call, before?: StoredRow): Promise<unknown> {
	switch (call.do) {
		case 'open':
			return await store.open(call.make);
		case 'rowsAfter':
			return await store.rowsAfter(call.id, call.limit);
		case 'readAll':
			return await readAll(store, call.limit);
		case 'leaseRows':
			return await store.leaseRows();
		case 'append':
			return await store.append(
				Array.from({ length: call.copies ?? 1 }, () => call.rows.map(ledgerRow)).flat(),
			);
		case 'replaceLease':
			return await store.replaceLease(before as StoredRow, ledgerRow(call.after));
		case 'removeRange':
			return await store.removeRange(call.from, call.to);
		case 'removeLease':
			return await store.removeLease(call.id);
		case 'readWhileAdding':
			return await readWhileAdding(store, call.rows);
	}
}

/** How many rows there are, in how many pages, and whether every id is greater than the one before. */
async function readAll(store: LedgerStore, limit: number): Promise<unknown> {
	let [last, rows, pages, isAscending] = [0, 0, 0, true];
	for (;;) {
		const page = await store.rowsAfter(last, limit);
		pages += 1;
		for (const { id } of page) {
			isAscending &&= id > last;
			last = id;
			rows += 1;
		}
		if (page.length < limit) return { rows, pages, isAscending };
	}
}

async function readWhileAdding(store: LedgerStore, rows: number): Promise<unknown> {
	let isAdding = true;
	const adding = (async () => {
		for (let row = 0; row < rows; row++)
			await store.append([ledgerRow({ kind: 'access', key: `u:1|${row}` })]);
	})().finally(() => (isAdding = false));
	let reads = 0;
	for (; isAdding; reads++) await readAll(store, 10_000);
	await adding;
	return { reads };
}
