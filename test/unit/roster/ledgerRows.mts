/** Ledgers of a few rows, read as a run reads them. */
import { LedgerReader, type Ledger } from '../../../nodes/SchoolPartnerRoster/ledger/ledger.ts';
import { ledgerRow, type StoredRow } from '../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { Turns } from '../../../nodes/SchoolPartnerRoster/roster/turns.ts';

export type Row = Parameters<typeof ledgerRow>[0];

/** A ledger of these rows, each with the next id. */
export async function ledgerOf(...rows: Row[]): Promise<Ledger> {
	return await ledgerFrom(rows.map((row, place) => ({ ...ledgerRow(row), id: place + 1 })));
}

export async function ledgerFrom(rows: readonly StoredRow[]): Promise<Ledger> {
	const reader = new LedgerReader();
	for (const row of rows) reader.take(row);
	return await reader.ledger(new Turns({ pause: async () => {}, clock: () => 0 }));
}
