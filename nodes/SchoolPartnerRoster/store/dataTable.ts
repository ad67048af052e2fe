/** A ledger in a Data Table of n8n: one table for each ledger, in the project of the workflow. */
import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { failed, success } from '../../shared/failure';
import { LEDGER_COLUMNS, LEASE, type LedgerRow, type StoredRow } from '../ledger/row';

import { nameFailure, storeErrors } from './failures';
import { rowCells, runInline, storedRows } from './inlineNode';
import type { LedgerStore, StoreResult } from './store';
import { byId, rowsByRanges } from './unorderedRows';

const where = (
	keyName: string,
	condition: 'eq' | 'neq' | 'gt' | 'gte' | 'lte',
	keyValue: string | number,
) => ({ keyName, condition, keyValue });

type RowCondition = ReturnType<typeof where>;

/** Rows that the node reads in one query. When it takes several, and rows are added meanwhile, it gives up. */
const ROWS_OF_ONE_QUERY = 1_000;

export class DataTableStore implements LedgerStore {
	/** n8n's id of the table, known once it has been opened. */
	private table = '';
	/** Whether n8n sorts, once that was asked. */
	private ordered?: boolean;

	constructor(
		private readonly context: IExecuteFunctions,
		readonly name: string,
	) {}

	async open(make: boolean): Promise<StoreResult<'found' | 'made' | 'absent'>> {
		const misnamed = nameFailure(this.name);
		if (misnamed !== undefined) return failed(misnamed);
		const found = await this.find();
		if (!found.ok) return found;
		if (found.value) return success('found');
		return make ? await this.make() : success('absent');
	}

	async rowsAfter(id: number, limit: number): Promise<StoreResult<StoredRow[]>> {
		const page = await this.between(id, undefined, limit);
		const isOfOneQuery = page.ok && page.value.length < Math.min(limit, ROWS_OF_ONE_QUERY);
		if (isOfOneQuery) return success(page.value.sort(byId));
		const isOrdered = await this.isOrdered();
		if (!isOrdered.ok) return isOrdered;
		const isDisturbed = !page.ok && page.failure.isPassing && limit > ROWS_OF_ONE_QUERY;
		if (isOrdered.value && !isDisturbed) return page;
		return await rowsByRanges(this.between.bind(this), id, limit);
	}

	async leaseRows(): Promise<StoreResult<StoredRow[]>> {
		const rows = await this.get([where('kind', 'eq', LEASE)]);
		return rows.ok ? success(rows.value.sort(byId)) : rows;
	}

	async append(rows: readonly LedgerRow[], isWaitedFor = true): Promise<StoreResult<void>> {
		const parameters = {
			columns: { mappingMode: 'autoMapInputData', value: null },
			options: { optimizeBulk: true },
		};
		return done(await this.run('insert', parameters, rows.map(rowCells), isWaitedFor));
	}

	async replaceLease(before: StoredRow, after: LedgerRow): Promise<StoreResult<boolean>> {
		// Trap: n8n's import of a CSV makes an empty cell null, which is equal to nothing. Beat and time change with every change.
		const known = (['run_id', 'sequence', 'at'] as const).filter((column) => before[column] !== '');
		const parameters = {
			...matching([
				where('id', 'eq', before.id),
				...known.map((column) => where(column, 'eq', `={{ $json.before.${column} }}`)),
			]),
			columns: { mappingMode: 'defineBelow', value: '={{ $json.after }}' },
		};
		const items = [{ before: rowCells(before), after: rowCells(after) }];
		const changed = await this.run('update', parameters, items);
		return changed.ok ? success(changed.value.length === 1) : changed;
	}

	async removeRange(from: number, to: number): Promise<StoreResult<void>> {
		return await this.remove([where('id', 'gte', from), where('id', 'lte', to), where('kind', 'neq', LEASE)]);
	}

	async removeLease(id: number): Promise<StoreResult<void>> {
		return await this.remove([where('id', 'eq', id), where('kind', 'eq', LEASE)]);
	}

	/** Trap: n8n's own search takes a table whose name holds this one, so all are listed and compared. */
	private async find(): Promise<StoreResult<boolean>> {
		// By name: by the default order, a table that is written to meanwhile may move to a page that was read already.
		const options = { sortField: 'name', sortDirection: 'asc' };
		const listed = await this.runNode({ resource: 'table', operation: 'list', returnAll: true, options });
		if (!listed.ok) return listed;
		const table = listed.value.find(({ name }) => name === this.name);
		if (table === undefined) return success(false);
		const columns = Array.isArray(table.columns) ? (table.columns as IDataObject[]) : [];
		const texts = new Set(columns.filter(({ type }) => type === 'string').map(({ name }) => name));
		const missing = LEDGER_COLUMNS.filter((column) => !texts.has(column));
		if (missing.length > 0) return failed(storeErrors.ledgerColumns(this.name, missing));
		this.table = String(table.id);
		return success(true);
	}

	/**
	 * Without `createIfNotExists`, which would tell two who make it at once that both have. A refusal may mean that somebody
	 * else was faster, in words that differ from database to database: so it is looked for again.
	 */
	private async make(): Promise<StoreResult<'found' | 'made'>> {
		const column = LEDGER_COLUMNS.map((name) => ({ name, type: 'string' }));
		const parameters = { tableName: '={{ $json.name }}', columns: { column }, options: {} };
		const made = await this.runNode({ resource: 'table', operation: 'create', ...parameters }, [
			{ name: this.name },
		]);
		if (made.ok) {
			this.table = String(made.value[0]?.id);
			return success('made');
		}
		const found = await this.find();
		return found.ok && found.value ? success('found') : made;
	}

	/** Whether n8n gives rows in the order that is asked for. Trap: 2.4.8 takes the question and does not. */
	private async isOrdered(): Promise<StoreResult<boolean>> {
		if (this.ordered !== undefined) return success(this.ordered);
		const first = await this.get([], 1);
		const last = await this.get([], 1, 'DESC');
		if (!first.ok) return first;
		if (!last.ok) return last;
		this.ordered = (last.value[0]?.id ?? 0) > (first.value[0]?.id ?? 0);
		return success(this.ordered);
	}

	/** Trap: on PostgreSQL n8n's ids are of 32 bits, and a condition on a greater one fails; so a range may have no end. */
	private async between(after: number, to?: number, limit?: number): Promise<StoreResult<StoredRow[]>> {
		const conditions: RowCondition[] = [where('id', 'gt', after)];
		if (to !== undefined) conditions.push(where('id', 'lte', to));
		return await this.get(conditions, limit);
	}

	private async get(
		conditions: RowCondition[],
		limit?: number,
		orderByDirection = 'ASC',
	): Promise<StoreResult<StoredRow[]>> {
		const many = limit === undefined ? { returnAll: true } : { returnAll: false, limit };
		const order = { orderBy: true, orderByColumn: 'id', orderByDirection };
		const rows = await this.run('get', { ...matching(conditions), ...order, ...many });
		return rows.ok ? storedRows(this.name, rows.value) : rows;
	}

	private async remove(conditions: RowCondition[]): Promise<StoreResult<void>> {
		return done(await this.run('deleteRows', matching(conditions)));
	}

	private async run(
		operation: string,
		parameters: INodeParameters,
		items?: readonly IDataObject[],
		isWaitedFor?: boolean,
	): Promise<StoreResult<IDataObject[]>> {
		const dataTableId = { __rl: true, mode: 'id', value: this.table };
		return await this.runNode({ resource: 'row', operation, dataTableId, ...parameters }, items, isWaitedFor);
	}

	private async runNode(
		parameters: INodeParameters,
		items: readonly IDataObject[] = [{}],
		isWaitedFor = true,
	): Promise<StoreResult<IDataObject[]>> {
		const node = { type: 'n8n-nodes-base.dataTable', typeVersion: 1, parameters } as const;
		return await runInline(this.context, node, items, isWaitedFor);
	}
}

function matching(conditions: RowCondition[]): INodeParameters {
	return { matchType: 'allConditions', filters: { conditions } };
}

function done(result: StoreResult<unknown>): StoreResult<void> {
	return result.ok ? success(undefined) : result;
}
