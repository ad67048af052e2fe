/** Ledgers of a few rows, read as a run reads them. */
import { LedgerReader, type Ledger } from '../../../nodes/SchoolPartnerRoster/ledger/ledger.ts';
import { ledgerRow } from '../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { Turns } from '../../../nodes/SchoolPartnerRoster/roster/turns.ts';

export type Row = Parameters<typeof ledgerRow>[0];

/** A ledger of these rows, each with the next id. */
export async function ledgerOf(...rows: Row[]): Promise<Ledger> {
	const reader = new LedgerReader();
	for (const [place, row] of rows.entries()) reader.take({ ...ledgerRow(row), id: place + 1 });
	return await reader.ledger(new Turns({ pause: async () => {}, clock: () => 0 }));
}
