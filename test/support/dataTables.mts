/**
 * n8n's Data Tables in memory, for tests in n8n-core's engine: there is no database and no workflow runner in process, so what n8n does with an
 * inline workflow of one Data Table node is done here, as far as a ledger needs it. The real node, on SQLite and PostgreSQL, is for the tests
 * in test/e2e/roster.
 */
import type {
	ExecuteWorkflowData,
	ExecuteWorkflowOptions,
	IDataObject,
	IExecuteWorkflowInfo,
	INodeExecutionData,
	INodeParameters,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import type { StoredRow } from '../../nodes/SchoolPartnerRoster/ledger/row.ts';

interface Table {
	id: string;
	name: string;
	columns: IDataObject[];
	rows: StoredRow[];
}

interface Condition {
	keyName: Exclude<keyof StoredRow, 'storedId'>;
	condition: 'eq' | 'neq' | 'gt' | 'gte' | 'lte';
	keyValue: string | number;
}

/** What the node knows of its neighbours: those that keep a ledger. */
export const KNOWN_NODES = Object.fromEntries(
	['executeWorkflowTrigger', 'dataTable', 'postgres'].map((name) => [
		`n8n-nodes-base.${name}`,
		{ className: name, sourcePath: '' },
	]),
);

export class DataTables {
	private readonly tables: Table[] = [];

	private lastId = 0;

	/** Called before each operation; what it throws, the node throws. */
	before: (operation: string, items: readonly IDataObject[]) => void | Promise<void> = () => undefined;

	/** Rows of a table, as they are: a test may change them. */
	rows(name: string): StoredRow[] {
		return this.tables.find((table) => table.name === name)?.rows ?? [];
	}

	/** Makes a table, as a person may have done before. */
	make(name: string, columns: readonly string[], rows: readonly IDataObject[] = []): void {
		const typed = columns.map((column) => ({ name: column, type: 'string' }));
		const table = { id: `table-${this.tables.length + 1}`, name, columns: typed, rows: [] };
		this.tables.push(table);
		this.insert(table, rows);
	}

	/** In the place of n8n's own, which runs the inline workflow. */
	readonly executeWorkflow = async (
		{ code }: IExecuteWorkflowInfo,
		_additionalData: IWorkflowExecuteAdditionalData,
		{ inputData = [] }: ExecuteWorkflowOptions,
	): Promise<ExecuteWorkflowData> => {
		const items = inputData.map(({ json }) => json);
		const parameters = code?.nodes[1]?.parameters ?? {};
		await this.before(String(parameters.operation), items);
		const given = structuredClone(this.perform(parameters, items));
		const data: INodeExecutionData[] = (given.length > 0 ? given : [{}]).map((json) => ({ json }));
		return { executionId: 'inner', data: [given.length > 0 ? data : []] };
	};

	private perform(parameters: INodeParameters, items: readonly IDataObject[]): IDataObject[] {
		const [item = {}] = items;
		const operation = `${String(parameters.resource)} ${String(parameters.operation)}`;
		if (operation === 'table list')
			return this.tables.map(({ id, name, columns }) => ({ id, name, columns }));
		if (operation === 'table create') {
			const { column } = parameters.columns as { column: Array<{ name: string }> };
			const name = String(evaluated(parameters.tableName, item));
			if (this.tables.some((table) => table.name === name)) throw new Error(`Table ${name} exists already`);
			this.make(
				name,
				column.map((each) => each.name),
			);
			return [{ id: this.tables.at(-1)?.id }];
		}
		const { value } = parameters.dataTableId as { value: string };
		const table = this.tables.find(({ id }) => id === value);
		if (table === undefined) throw new Error(`Could not find the data table: ${value}`);
		if (operation === 'row insert') return this.insert(table, items);
		const { conditions } = (parameters.filters ?? { conditions: [] }) as unknown as {
			conditions: Condition[];
		};
		const found = table.rows.filter((row) => conditions.every((condition) => holds(condition, row, item)));
		if (operation === 'row get') return inOrder(found, parameters);
		if (operation === 'row deleteRows') table.rows = table.rows.filter((row) => !found.includes(row));
		else if (operation === 'row update') {
			const { value: changed } = parameters.columns as { value: string };
			for (const row of found) Object.assign(row, evaluated(changed, item));
		} else throw new Error(`There is no ${operation} here`);
		return found as unknown as IDataObject[];
	}

	private insert(table: Table, rows: readonly IDataObject[]): IDataObject[] {
		for (const row of rows) table.rows.push({ ...row, id: ++this.lastId } as unknown as StoredRow);
		return [{ insertedRows: rows.length }];
	}
}

function inOrder(found: StoredRow[], { orderByDirection, returnAll, limit }: INodeParameters): IDataObject[] {
	const sorted = found.toSorted((one, other) => one.id - other.id);
	if (orderByDirection === 'DESC') sorted.reverse();
	return (returnAll === true ? sorted : sorted.slice(0, Number(limit))) as unknown as IDataObject[];
}

function holds({ keyName, condition, keyValue }: Condition, row: StoredRow, item: IDataObject): boolean {
	const [cell, value] = [row[keyName], evaluated(keyValue, item) as string | number];
	switch (condition) {
		case 'eq':
			return cell === value;
		case 'neq':
			return cell !== value;
		case 'gt':
			return cell > value;
		case 'gte':
			return cell >= value;
		case 'lte':
			return cell <= value;
	}
}

/** `={{ $json.before.run_id }}`: the only expressions that there are in it. */
function evaluated(value: unknown, item: IDataObject): unknown {
	const [, path] = (typeof value === 'string' && /^=\{\{ \$json\.([\w.]+) \}\}$/.exec(value)) || [];
	if (path === undefined) return value;
	return path.split('.').reduce<unknown>((found, name) => (found as IDataObject)[name], item);
}
