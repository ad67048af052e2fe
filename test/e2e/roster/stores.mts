/** The tables that a ledger lies in: n8n's own Data Table, and PostgreSQL with the table of docs/roster.md. */
import { readFileSync } from 'node:fs';

import { credentialReference } from '../../../playground/n8n-client.mts';
import { COLUMNS } from '../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import type { LedgerDatabase } from '../../support/ledger-database.mts';

import type { RosterStage, Store } from './stage.mts';

const AS_THEY_COME = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] };

/** A new Data Table with this name. `isCut`: it is read with Return All off. */
export async function dataTable(roster: RosterStage, tableName: string): Promise<Store & { cut: Store }> {
	const type = 'n8n-nodes-base.dataTable';
	const columns = { column: COLUMNS.map((name) => ({ name, type: 'string' })) };
	await roster.prepare({
		name: 'Table',
		type,
		parameters: { resource: 'table', operation: 'create', tableName, columns, options: {} },
	});
	const dataTableId = { __rl: true, mode: 'name', value: tableName };
	const write = {
		type,
		parameters: {
			resource: 'row',
			operation: 'insert',
			dataTableId,
			columns: AS_THEY_COME,
			options: { optimizeBulk: true },
		},
	};
	const readAll = (returnAll: boolean) => ({
		type,
		parameters: { resource: 'row', operation: 'get', dataTableId, ...(returnAll && { returnAll }) },
	});
	return { read: readAll(true), write, cut: { read: readAll(false), write } };
}

/** A new table in this PostgreSQL. */
export async function postgresTable(
	roster: RosterStage,
	database: LedgerDatabase,
	table: string,
): Promise<Store> {
	const credentials = credentialReference(
		await database.credential(roster.stage.session, `PostgreSQL of ${table}`),
	);
	const node = { type: 'n8n-nodes-base.postgres', typeVersion: 2.6, credentials };
	const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(readFileSync('docs/roster.md', 'utf8')) ?? [];
	await roster.prepare({
		name: 'Table',
		...node,
		parameters: { operation: 'executeQuery', query: sql.replace('roster_ledger', table), options: {} },
	});
	const where = {
		schema: { __rl: true, mode: 'name', value: 'public' },
		table: { __rl: true, mode: 'name', value: table },
	};
	return {
		read: { ...node, parameters: { operation: 'select', ...where, returnAll: true, options: {} } },
		write: { ...node, parameters: { operation: 'insert', ...where, columns: AS_THEY_COME, options: {} } },
	};
}
