/** Ledgers in a database of PostgreSQL: one table for all of them, through n8n's own Postgres node and credential. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { failed, success } from '../../shared/failure';
import { LEDGER_COLUMNS, type LedgerRow, type StoredRow } from '../ledger/row';

import { nameFailure, storeErrors } from './failures';
import { rowCells, runInline, storedRows } from './inlineNode';
import * as sql from './sql';
import type { LedgerStore, StoreResult } from './store';

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
	async open(make: boolean): Promise<StoreResult<'found' | 'made' | 'absent'>> {
		const misnamed = nameFailure(this.name);
		if (misnamed !== undefined) return failed(misnamed);
		const table = await this.table(make);
		if (!table.ok) return table;
		if (!table.value) return success('absent');
		const rows = await this.run(sql.HAS_ROWS, [this.name]);
		if (!rows.ok) return rows;
		if (rows.value[0]?.has_rows === true) return success('found');
		return success(make ? 'made' : 'absent');
	}

	async rowsAfter(id: number, limit: number): Promise<StoreResult<StoredRow[]>> {
		return await this.rows(sql.ROWS_AFTER, [this.name, id, limit]);
	}

	async leaseRows(): Promise<StoreResult<StoredRow[]>> {
		return await this.rows(sql.LEASE_ROWS, [this.name]);
	}

	async append(rows: readonly LedgerRow[], isWaitedFor = true): Promise<StoreResult<void>> {
		return await this.change(sql.APPEND, [this.name, JSON.stringify(rows.map(rowCells))], isWaitedFor);
	}

	async replaceLease(before: StoredRow, after: LedgerRow): Promise<StoreResult<boolean>> {
		const { id, run_id: holder, sequence: beat } = before;
		const values = [this.name, id, holder, beat, JSON.stringify(rowCells(after))];
		const changed = await this.run(sql.REPLACE_LEASE, values);
		return changed.ok ? success(changed.value.length === 1) : changed;
	}

	async removeRange(from: number, to: number): Promise<StoreResult<void>> {
		return await this.change(sql.REMOVE_RANGE, [this.name, from, to]);
	}

	async removeLease(id: number): Promise<StoreResult<void>> {
		return await this.change(sql.REMOVE_LEASE, [this.name, id]);
	}

	/** Whether there is a table that can be used; makes it when it may. */
	private async table(make: boolean): Promise<StoreResult<boolean>> {
		const inspect = await this.look();
		if (!inspect.ok) return inspect;
		if (inspect.value.is_there) return usable(inspect.value);
		if (!make) return success(false);
		if (!inspect.value.may_create) return failed(storeErrors.createRightMissing(inspect.value.user_name));
		const made = await this.run(sql.CREATE_TABLE);
		if (made.ok) return success(true);
		// Trap: of two who make it at once one is refused, "if not exists" or not.
		const again = await this.look();
		return again.ok && again.value.is_there ? usable(again.value) : made;
	}

	private async look(): Promise<StoreResult<Inspection>> {
		const seen = await this.run(sql.INSPECT);
		return seen.ok ? success(seen.value[0] as unknown as Inspection) : seen;
	}

	private async rows(query: string, values: QueryValues): Promise<StoreResult<StoredRow[]>> {
		const rows = await this.run(query, values);
		return rows.ok ? storedRows(this.name, rows.value) : rows;
	}

	private async change(query: string, values: QueryValues, isWaitedFor = true): Promise<StoreResult<void>> {
		const changed = await this.run(query, values, isWaitedFor);
		return changed.ok ? success(undefined) : changed;
	}

	/**
	 * The rows that a query gives. Trap: the node splits a text of parameters at commas; an expression that gives an array is
	 * taken as it is. Where there are no rows it may give an item of its own, without an id.
	 */
	private async run(
		query: string,
		values: QueryValues = [],
		isWaitedFor = true,
	): Promise<StoreResult<IDataObject[]>> {
		const postgres = this.context.getNode().credentials?.postgres;
		if (postgres === undefined) return failed(storeErrors.credentialMissing);
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
		return given.ok ? success(given.value.filter(({ success: isOwn }) => isOwn !== true)) : given;
	}
}

function usable({ columns, may_use: mayUse, user_name: user }: Inspection): StoreResult<boolean> {
	if (!mayUse) return failed(storeErrors.rightMissing(user));
	const there = new Set(columns.split(','));
	const missing = ['id', 'ledger', ...LEDGER_COLUMNS].filter((column) => !there.has(column));
	return missing.length === 0 ? success(true) : failed(storeErrors.ledgerColumns(sql.TABLE, missing));
}
