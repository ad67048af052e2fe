/** Ledgers in a database of PostgreSQL: one table for all of them, through n8n's own Postgres node and credential. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { LEDGER_COLUMNS, type LedgerRow, type StoredRow } from '../ledger/row';

import { refuseName, storeErrors } from './failures';
import { rowCells, runInline, storedRows } from './inlineNode';
import * as sql from './sql';
import { passOver, storeResult, StoreError, type LedgerStore } from './store';

/** What stands in the places `$1`, `$2`, … of a query. */
type QueryValues = IDataObject[string][];

/** What {@link sql.INSPECT} says. */
interface Inspection {
	user_name: string;
	is_there: boolean;
	may_create: boolean;
	may_use: boolean;
	columns: string;
}

export class PostgresStore implements LedgerStore {
	constructor(
		private readonly context: IExecuteFunctions,
		readonly name: string,
	) {}

	/** Made is a ledger by its first row. Whoever finds none may add the lease row: the index lets one of them in. */
	async open(make: boolean): Promise<'found' | 'made' | 'absent'> {
		refuseName(this.name);
		if (!(await this.hasTable(make))) return 'absent';
		const [ledger] = await this.run(sql.HAS_ROWS, [this.name]);
		if (ledger?.has_rows === true) return 'found';
		return make ? 'made' : 'absent';
	}

	async rowsAfter(id: number, limit: number): Promise<StoredRow[]> {
		return storedRows(this.name, await this.run(sql.ROWS_AFTER, [this.name, id, limit]));
	}

	async leaseRows(): Promise<StoredRow[]> {
		return storedRows(this.name, await this.run(sql.LEASE_ROWS, [this.name]));
	}

	async append(rows: readonly LedgerRow[], isWaitedFor = true): Promise<void> {
		await this.run(sql.APPEND, [this.name, JSON.stringify(rows.map(rowCells))], isWaitedFor);
	}

	async replaceLease(before: StoredRow, after: LedgerRow): Promise<boolean> {
		const { id, run_id: holder, sequence: beat } = before;
		const values = [this.name, id, holder, beat, JSON.stringify(rowCells(after))];
		const changed = await this.run(sql.REPLACE_LEASE, values);
		return changed.length === 1;
	}

	async removeRange(from: number, to: number): Promise<void> {
		await this.run(sql.REMOVE_RANGE, [this.name, from, to]);
	}

	async removeLease(id: number): Promise<void> {
		await this.run(sql.REMOVE_LEASE, [this.name, id]);
	}

	/** Whether there is a table that can be used; makes it when it may. */
	private async hasTable(make: boolean): Promise<boolean> {
		const seen = await this.look();
		if (seen.is_there) checkTable(seen);
		if (seen.is_there || !make) return seen.is_there;
		if (!seen.may_create) throw new StoreError(storeErrors.createRightMissing(seen.user_name));
		const made = await storeResult(this.run(sql.CREATE_TABLE));
		if (made.ok) return true;
		// Trap: of two who make it at once one is refused, "if not exists" or not.
		const again = await this.look().catch(passOver);
		if (!again?.is_there) throw new StoreError(made.failure);
		checkTable(again);
		return true;
	}

	private async look(): Promise<Inspection> {
		const [seen] = await this.run(sql.INSPECT);
		return seen as unknown as Inspection;
	}

	/**
	 * The rows that a query gives. Trap: the node splits a text of parameters at commas; an expression that gives an array is
	 * taken as it is. Where there are no rows it may give an item of its own, without an id.
	 */
	private async run(query: string, values: QueryValues = [], isWaitedFor = true): Promise<IDataObject[]> {
		const postgres = this.context.getNode().credentials?.postgres;
		if (postgres === undefined) throw new StoreError(storeErrors.credentialMissing);
		const node = {
			type: 'n8n-nodes-base.postgres',
			typeVersion: 2.5,
			parameters: {
				resource: 'database',
				operation: 'executeQuery',
				query,
				options: { queryReplacement: '={{ $json.values }}' },
			},
			credentials: { postgres },
		} as const;
		const given = await runInline(this.context, node, [{ values } as IDataObject], isWaitedFor);
		return given.filter(({ success: isOwn }) => isOwn !== true);
	}
}

function checkTable({ columns, may_use: mayUse, user_name: user }: Inspection): void {
	if (!mayUse) throw new StoreError(storeErrors.rightMissing(user));
	const there = new Set(columns.split(','));
	const missing = ['id', 'ledger', ...LEDGER_COLUMNS].filter((column) => !there.has(column));
	if (missing.length > 0) throw new StoreError(storeErrors.ledgerColumns(sql.TABLE, missing));
}
