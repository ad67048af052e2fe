/** What all rows of one key say together. */
import type { Kind } from '../roster/record';

import { byWeight, type LedgerRow } from './row';

/** How often, since when, and in which export last, a record was not there. */
export interface Missing {
	exports: number;
	/** YYYY-MM-DD */
	since: string;
	/** The digest of the last export that lacked it. */
	digest: string;
}

/** What the ledger knows of one record. */
export interface LedgerEntry {
	kind: Kind;
	key: string;
	school: string;
	/** Whether the service has it; `maybe`: it was sent, and nobody knows what came of it. */
	there: 'yes' | 'no' | 'maybe';
	/** The digest of what the service has; '' when that is not known. */
	hash: string;
	/** The id that the service gave it; '' when it gave none. */
	serviceId: string;
	missing: Missing | undefined;
	/** True when what was tried last was not done, so that trying it again is nothing new. */
	isUnfinished: boolean;
	/** When it was tried last, ISO 8601. */
	triedAt: string;
}

/** An entry, and the rows that it follows from: the newest, the newest that says whether it is there, and the one that counts its absence. */
export interface Folded {
	entry: LedgerEntry;
	newest: LedgerRow;
	basis?: LedgerRow;
	missing?: LedgerRow;
}

const NOT_DONE = new Set(['failed', 'blocked', 'not tried']);

/**
 * Folds the rows of one key, in any order.
 * @param rows at least one
 */
export function fold(rows: readonly LedgerRow[]): Folded {
	const inOrder = rows.length === 1 ? rows : rows.toSorted(byWeight);
	const newest = inOrder[inOrder.length - 1];
	const entry: LedgerEntry = {
		kind: newest.kind as Kind,
		key: newest.key,
		school: newest.school_external_id,
		there: 'no',
		hash: '',
		serviceId: '',
		missing: undefined,
		isUnfinished: NOT_DONE.has(newest.state),
		triedAt: newest.at,
	};
	const folded: Folded = { entry, newest };
	for (const row of inOrder) take(folded, row);
	return folded;
}

function take(folded: Folded, row: LedgerRow): void {
	const { entry } = folded;
	switch (row.state) {
		case 'applied':
			settle(folded, row, 'yes');
			entry.serviceId = row.service_id || entry.serviceId;
			return;
		case 'removed':
			settle(folded, row, 'no');
			return;
		case 'uncertain':
			if (entry.there !== 'yes') return settle(folded, row, 'maybe');
			// A class or user that is there, sent once more, is there. Of a bond it was the removal: what was counted of its absence stays.
			if (entry.kind !== 'bond') return;
			entry.there = 'maybe';
			folded.basis = row;
			return;
		case 'missing':
			if (entry.there === 'no') return;
			entry.missing = missingOf(row);
			folded.missing = row;
			return;
		// failed, blocked, not tried: what is there stays as it was.
	}
}

/** From here on the service has it, or not, and nothing was counted. */
function settle(folded: Folded, row: LedgerRow, there: LedgerEntry['there']): void {
	const { entry } = folded;
	entry.there = there;
	entry.school = row.school_external_id;
	entry.hash = there === 'no' ? '' : row.hash;
	entry.missing = undefined;
	folded.basis = row;
	folded.missing = undefined;
}

/** How a count of absences is written into `detail`, and read from it. */
export function missingDetail(exports: number, digest: string): string {
	return `${exports} ${digest}`;
}

function missingOf(row: LedgerRow): Missing {
	const [exports, digest = ''] = row.detail.split(' ');
	return { exports: Number(exports) || 1, since: row.missing_since.slice(0, 'YYYY-MM-DD'.length), digest };
}
