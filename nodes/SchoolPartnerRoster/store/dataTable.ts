/** A ledger in a Data Table of n8n: one table for each ledger, in the project of the workflow. */
import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { LEDGER_COLUMNS, LEASE, type LedgerRow, type StoredRow } from '../ledger/row';

import { refuseName, storeErrors } from './failures';
import { rowCells, runInline, storedRows } from './inlineNode';
import { passOver, storeResult, StoreError, type LedgerStore } from './store';
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

	async open(make: boolean): Promise<'found' | 'made' | 'absent'> {
		refuseName(this.name);
		if (await this.find()) return 'found';
		return make ? await this.make() : 'absent';
	}

	async rowsAfter(id: number, limit: number): Promise<StoredRow[]> {
		const page = await storeResult(this.between(id, undefined, limit));
		if (page.ok) {
			const isOfOneQuery = page.value.length < Math.min(limit, ROWS_OF_ONE_QUERY);
			if (isOfOneQuery) return page.value.sort(byId);
			if (await this.isOrdered()) return page.value;
		} else if (!page.failure.isPassing || limit <= ROWS_OF_ONE_QUERY) throw new StoreError(page.failure);
		return await rowsByRanges(this.between.bind(this), id, limit);
	}

	async leaseRows(): Promise<StoredRow[]> {
		const rows = await this.get([where('kind', 'eq', LEASE)]);
		return rows.sort(byId);
	}

	async append(rows: readonly LedgerRow[], isWaitedFor = true): Promise<void> {
		const parameters = {
			columns: { mappingMode: 'autoMapInputData', value: null },
			options: { optimizeBulk: true },
		};
		await this.run('insert', parameters, rows.map(rowCells), isWaitedFor);
	}

	async replaceLease(before: StoredRow, after: LedgerRow): Promise<boolean> {
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
		return changed.length === 1;
	}

	async removeRange(from: number, to: number): Promise<void> {
		await this.remove([where('id', 'gte', from), where('id', 'lte', to), where('kind', 'neq', LEASE)]);
	}

	async removeLease(id: number): Promise<void> {
		await this.remove([where('id', 'eq', id), where('kind', 'eq', LEASE)]);
	}

	/** Trap: n8n's own search takes a table whose name holds this one, so all are listed and compared. */
	private async find(): Promise<boolean> {
		// By name: by the default order, a table that is written to meanwhile may move to a page that was read already.
		const options = { sortField: 'name', sortDirection: 'asc' };
		const listed = await this.runNode({ resource: 'table', operation: 'list', returnAll: true, options });
		const table = listed.find(({ name }) => name === this.name);
		if (table === undefined) return false;
		const columns = Array.isArray(table.columns) ? (table.columns as IDataObject[]) : [];
		const texts = new Set(columns.filter(({ type }) => type === 'string').map(({ name }) => name));
		const missing = LEDGER_COLUMNS.filter((column) => !texts.has(column));
		if (missing.length > 0) throw new StoreError(storeErrors.ledgerColumns(this.name, missing));
		this.table = String(table.id);
		return true;
	}

	/**
	 * Without `createIfNotExists`, which would tell two who make it at once that both have. A refusal may mean that somebody
	 * else was faster, in words that differ from database to database: so it is looked for again.
	 */
	private async make(): Promise<'found' | 'made'> {
		const column = LEDGER_COLUMNS.map((name) => ({ name, type: 'string' }));
		const parameters = { tableName: '={{ $json.name }}', columns: { column }, options: {} };
		const create = { resource: 'table', operation: 'create', ...parameters };
		const made = await storeResult(this.runNode(create, [{ name: this.name }]));
		if (made.ok) {
			this.table = String(made.value[0]?.id);
			return 'made';
		}
		if (await this.find().catch(passOver)) return 'found';
		throw new StoreError(made.failure);
	}

	/** Whether n8n gives rows in the order that is asked for. Trap: 2.4.8 takes the question and does not. */
	private async isOrdered(): Promise<boolean> {
		if (this.ordered !== undefined) return this.ordered;
		const [first] = await this.get([], 1);
		const [last] = await this.get([], 1, 'DESC');
		this.ordered = (last?.id ?? 0) > (first?.id ?? 0);
		return this.ordered;
	}

	/** Trap: on PostgreSQL n8n's ids are of 32 bits, and a condition on a greater one fails; so a range may have no end. */
	private async between(after: number, to?: number, limit?: number): Promise<StoredRow[]> {
		const conditions: RowCondition[] = [where('id', 'gt', after)];
		if (to !== undefined) conditions.push(where('id', 'lte', to));
		return await this.get(conditions, limit);
	}

	private async get(
		conditions: RowCondition[],
		limit?: number,
		orderByDirection = 'ASC',
	): Promise<StoredRow[]> {
		const many = limit === undefined ? { returnAll: true } : { returnAll: false, limit };
		const order = { orderBy: true, orderByColumn: 'id', orderByDirection };
		return storedRows(this.name, await this.run('get', { ...matching(conditions), ...order, ...many }));
	}

	private async remove(conditions: RowCondition[]): Promise<void> {
		await this.run('deleteRows', matching(conditions));
	}

	private async run(
		operation: string,
		parameters: INodeParameters,
		items?: readonly IDataObject[],
		isWaitedFor?: boolean,
	): Promise<IDataObject[]> {
		const dataTableId = { __rl: true, mode: 'id', value: this.table };
		return await this.runNode({ resource: 'row', operation, dataTableId, ...parameters }, items, isWaitedFor);
	}

	private async runNode(
		parameters: INodeParameters,
		items: readonly IDataObject[] = [{}],
		isWaitedFor = true,
	): Promise<IDataObject[]> {
		const node = { type: 'n8n-nodes-base.dataTable', typeVersion: 1, parameters } as const;
		return await runInline(this.context, node, items, isWaitedFor);
	}
}

function matching(conditions: RowCondition[]): INodeParameters {
	return { matchType: 'allConditions', filters: { conditions } };
}
