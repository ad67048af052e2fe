/** The workflows that a roster is measured with: this package's node, n8n's own nodes, and the rows of a sheet. */
import type { INodeParameters } from 'n8n-workflow';

import type { WorkflowInput } from '../../../playground/n8n-client.mts';
import { wired, type Step } from '../../support/wired.mts';
import { ROW_FIELDS } from '../../../nodes/SchoolPartnerRoster/reading/readRows.ts';

import { AS_OF, NETWORK_GRADES } from './network.mts';

export const PLAN = 'Plan Changes';
const FILES = 'Files';
const LEDGER = 'Ledger';
const UNZIP = 'Unzip';
const WEBHOOK = 'Webhook';

/** A workflow that a request starts and whose last items are its answer. */
export interface Timed {
	path: string;
	workflow: WorkflowInput;
	/** The nodes whose time counts. */
	nodes: string[];
}

function timed(path: string, steps: readonly Step[], nodes: string[]): Timed {
	const webhook: Step = {
		...{ name: WEBHOOK, type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: path },
		parameters: {
			path,
			httpMethod: 'GET',
			responseMode: 'lastNode',
			responseData: 'allEntries',
			options: {},
		},
	};
	return {
		path,
		workflow: { name: path, ...wired([webhook, ...steps]), settings: { executionOrder: 'v1' } },
		nodes,
	};
}

const filesFrom = (zip: string): Step => ({
	...{ name: FILES, type: 'n8n-nodes-base.readWriteFile', typeVersion: 1 },
	...{ parameters: { operation: 'read', fileSelector: zip, options: {} }, from: [WEBHOOK] },
});

/** Rows of one of n8n's Data Tables: all, or those of a kind. */
const rowsOf = (name: string, table: string, kind?: string, mode: 'id' | 'name' = 'id'): Step => ({
	...{ name, type: 'n8n-nodes-base.dataTable', typeVersion: 1, from: [WEBHOOK] },
	parameters: {
		...{
			resource: 'row',
			operation: 'get',
			returnAll: true,
			dataTableId: { __rl: true, mode, value: table },
		},
		...(kind !== undefined && {
			filters: { conditions: [{ keyName: 'kind', condition: 'eq', keyValue: kind }] },
		}),
	},
});

const planOf = (parameters: INodeParameters, from: string[]): Step => ({
	...{ name: PLAN, type: 'n8n-nodes-school-partner.schoolPartnerRoster', typeVersion: 1, from },
	parameters: { operation: 'plan', ...parameters },
});

/** The ledger read, and nothing done with it: what every way to compare pays n8n for. */
export function onlyLedger(path: string, nameOfLedger: string): Timed {
	const first: Step = {
		...{ name: 'First', type: 'n8n-nodes-base.limit', typeVersion: 1, from: [LEDGER] },
		parameters: { maxItems: 1 },
	};
	return timed(path, [rowsOf(LEDGER, nameOfLedger, undefined, 'name'), first], [LEDGER]);
}

/** The service of the benchmark has none of these schools, so it is not asked. */
const OPTIONS = { checkWithService: false };

export function ourPlan(path: string, zip: string, ledger: string): Timed {
	const mapping = {
		grades: { grade: NETWORK_GRADES.map((grade) => ({ ...grade, schoolExternalId: '' })) },
		asOf: AS_OF,
	};
	return timed(
		path,
		[filesFrom(zip), rowsOf(LEDGER, ledger), planOf({ mapping, options: OPTIONS }, [FILES, LEDGER])],
		[PLAN],
	);
}

const COMPARED: ReadonlyArray<readonly [file: string, kind: string]> = [
	['classes.csv', 'class'],
	['users.csv', 'user'],
	['enrollments.csv', 'bond'],
];

/**
 * The same with n8n's own nodes: unzipped, one Extract from File for each file, and one Compare Datasets for classes, users and enrollments. What is easier
 * for them is left easy: their ledger has the ids of the files' own rows as its keys, so that nothing has to be computed for a row; nothing is joined, checked
 * or ordered; and of two versions that differ the first is taken, without looking at dots in names.
 * @param files names of the files, in the order of the zip
 */
export function theirPlan(path: string, zip: string, ledger: string, files: readonly string[]): Timed {
	const extracts = files.map(
		(file, place): Step => ({
			...{ name: `Extract ${file}`, type: 'n8n-nodes-base.extractFromFile', typeVersion: 1.1, from: [UNZIP] },
			parameters: { operation: 'csv', binaryPropertyName: `file_${place}`, options: {} },
		}),
	);
	const rows = COMPARED.map(([, kind]) => rowsOf(`Ledger ${kind}`, ledger, kind));
	const compares = COMPARED.map(
		([file, kind]): Step => ({
			...{
				name: `Compare ${file}`,
				type: 'n8n-nodes-base.compareDatasets',
				typeVersion: 2.3,
				from: [`Extract ${file}`, `Ledger ${kind}`],
			},
			parameters: {
				mergeByFields: { values: [{ field1: 'sourcedId', field2: 'key' }] },
				...{ resolve: 'preferInput1', options: { disableDotNotation: true } },
			},
		}),
	);
	const steps: Step[] = [
		filesFrom(zip),
		{
			...{ name: UNZIP, type: 'n8n-nodes-base.compression', typeVersion: 1.1, from: [FILES] },
			parameters: { operation: 'decompress', binaryPropertyName: 'data', outputPrefix: 'file_' },
		},
		...extracts,
		...rows,
		...compares,
		{
			...{ name: 'What Is New', type: 'n8n-nodes-base.merge', typeVersion: 3.2 },
			...{
				parameters: { mode: 'append', numberInputs: compares.length },
				from: compares.map(({ name }) => name),
			},
		},
	];
	return timed(
		path,
		steps,
		[UNZIP, ...extracts, ...compares].map((node) => (typeof node === 'string' ? node : node.name)),
	);
}

/** Fields that a sheet of students with their responsible persons fills. */
const FIELDS = ROW_FIELDS.filter(
	(field) => !/full_name|shift|responsible_3_(?!external_id|first_name|last_name|email)/.test(field),
);

/** What stands in the column of a field, as an expression of JavaScript in `row`. */
function cellOf(field: string): string {
	const [, who = '', what = field] = /^(student|class|responsible_\d)_(\w+)$/.exec(field) ?? [];
	const known: Record<string, string> = {
		school_external_id: '`school-${row % 40}`',
		external_id: who === 'class' ? '`class-${row % 800}`' : `\`${who}-\${row}\``,
		educational_stage: "'EF'",
		grade: "'5º ano'",
		year: "'2026'",
		birth_date: who === 'student' ? "'2015-05-17'" : "'1985-03-02'",
		document_type: "'TAX_ID'",
		document_value: 'String(10000000000 + row)',
		ddi: "'55'",
		cell_phone: 'String(11900000000 + row)',
		email: `\`${who}-\${row}@families.example\``,
		first_name: "'Abelia'",
		last_name: who === 'class' ? "''" : '`Fontela ${row}`',
	};
	return known[what] ?? `'${what} ${who}'`;
}

/** `count` rows of {@link FIELDS}, each column dragged to its field. */
export function sheetPlan(path: string, count: number, emptyTable: string): Timed & { columns: number } {
	const row = FIELDS.map((field) => `'Column ${field}': ${cellOf(field)}`).join(', ');
	const value = Object.fromEntries(FIELDS.map((field) => [field, `={{ $json['Column ${field}'] }}`]));
	const sheet: Step = {
		...{ name: 'Sheet', type: 'n8n-nodes-base.code', typeVersion: 2, from: [WEBHOOK] },
		parameters: { jsCode: `return Array.from({ length: ${count} }, (_, row) => ({ json: { ${row} } }));` },
	};
	const columns = { mappingMode: 'defineBelow', value };
	const plan = planOf({ source: 'rows', columns, options: { ...OPTIONS, firstRun: true } }, [
		'Sheet',
		LEDGER,
	]);
	return { ...timed(path, [sheet, rowsOf(LEDGER, emptyTable), plan], [PLAN]), columns: FIELDS.length };
}
