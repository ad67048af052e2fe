/** What a person is told of a run beside its changes: in the editor, among the findings. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Sent } from '../night/sendAll';
import type { Hold } from '../planning/holds';
import type { Finding } from '../roster/finding';

/** Above the outputs of the node. */
export function tellHolds(context: IExecuteFunctions, holds: readonly Hold[]): void {
	if (holds.length === 0) return;
	const [{ hold_id: id, reason }] = holds;
	const others = holds.length === 1 ? '' : ` And ${holds.length - 1} more: see Summary.`;
	context.addExecutionHints({
		type: 'warning',
		location: 'outputPane',
		message: `Held: ${reason}. To let it go: a node School Partner Roster with the operation Approve, an item with hold_id ${id}, approve true and by; then start Sync again.${others}`,
	});
}

/** A finding where all creations of a kind would be refused for the same thing. */
export function refusedAlike({ refusedAlike: alike }: Sent): Finding[] {
	if (alike === undefined) return [];
	const { kind, refused, of, failure } = alike;
	return [
		{
			severity: 'error',
			code: 'refusedAlike',
			kind,
			message: `Of the first ${of} creations of the kind ${kind}, ${refused} were refused alike. ${failure.message}`,
			what_to_do: `Nothing more was sent: the others would be refused too. ${failure.next} Then start Sync again: it goes on with the rest.`,
			count: refused,
			places: [],
		},
	];
}

/** What a row takes, measured: a first load of 3,000 students in SQLite, with the rows of its batches and holds. */
const BYTES_A_ROW = 330;

/** n8n refuses to write when all Data Tables together are larger, as it comes; 2.4.8 already at 50 MiB. Bytes. */
const LIMIT = 200 * 1024 * 1024;

/** A finding for a ledger that takes half of the room, or more. @param rows of the ledger */
export function largeLedger(context: IExecuteFunctions, rows: number): Finding[] {
	const bytes = rows * BYTES_A_ROW;
	if (bytes < LIMIT / 2 || context.getNodeParameter('ledger', 0) !== 'dataTable') return [];
	return [
		{
			severity: 'warning',
			code: 'ledgerLarge',
			message: `The ledger takes some ${Math.round(bytes / 1024 / 1024)} MiB: n8n refuses to write when all of its Data Tables together have 200 MiB`,
			what_to_do:
				'Move the ledger to PostgreSQL, or let the administrator of n8n raise N8N_DATA_TABLES_MAX_SIZE_BYTES.',
			count: 1,
			places: [],
		},
	];
}
