/** What the first output of each operation of the roster node gives, as JSON Schema: n8n knows one for a node. Held by test/engine/rosterSchemas. */
import { COLUMNS } from '../nodes/SchoolPartnerRoster/ledger/row.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const texts = { type: 'array', items: text };

const object = (properties: Record<string, object>) => ({ type: 'object', properties });
const named = (names: readonly string[], schema: object) =>
	Object.fromEntries(names.map((name) => [name, schema]));

const source = object({ file: text, line: number });

/** A row of the ledger: everything in it is text. */
const ledgerRow = object(named(COLUMNS, text));

const record = object({
	...named(
		[
			'kind',
			'of',
			'school_external_id',
			'external_id',
			'first_name',
			'last_name',
			'birth_date',
			'document_type',
			'document_value',
		],
		text,
	),
	...named(
		[
			'ddi',
			'cell_phone',
			'email',
			'educational_stage',
			'grade',
			'shift',
			'code',
			'name',
			'description',
			'course',
		],
		text,
	),
	...named(['class_external_id', 'user_external_id', 'profile_name'], text),
	...named(['profiles', 'responsible_external_id'], texts),
	year: number,
	source,
});

const change = object({
	...named(
		[
			'run_id',
			'plan_id',
			'action',
			'kind',
			'key',
			'school_external_id',
			'hash',
			'why',
			'state',
			'missing_since',
			'detail',
		],
		text,
	),
	...named(['batch', 'sequence'], number),
	needs: texts,
	send: { type: 'object' },
	source,
});

export const rosterSchemas = { apply: ledgerRow, compact: ledgerRow, plan: change, readFiles: record };
