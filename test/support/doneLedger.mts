/** What a ledger says after a night without trouble. */
import type { IDataObject } from 'n8n-workflow';

/** The ledger after a plan of which everything was done. */
export function doneOf({
	changes,
	ledgerRows,
}: {
	changes: IDataObject[];
	ledgerRows: IDataObject[];
}): IDataObject[] {
	const rows = changes.map(({ run_id, sequence, action, kind, key, school_external_id, hash }) => ({
		...{ run_id, sequence: String(sequence), kind, key, school_external_id, hash },
		...{
			state: action === 'remove' ? 'removed' : 'applied',
			service_id: '',
			missing_since: '',
			detail: '',
			at: new Date().toISOString(),
		},
	}));
	return [...ledgerRows, ...rows];
}
