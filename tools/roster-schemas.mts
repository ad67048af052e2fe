/** What the first output of each operation of the roster node gives, as JSON Schema: n8n knows one for a node. Held by test/engine/rosterSchemas. */
import * as z from 'zod/v4-mini';

import { bond, classCreation, userCreation } from '../nodes/shared/contract/provisioning.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const texts = { type: 'array', items: text };

const object = (properties: Record<string, object>) => ({ type: 'object', properties });
const list = (properties: Record<string, object>) => ({ type: 'array', items: object(properties) });
const named = (names: readonly string[], schema: object) =>
	Object.fromEntries(names.map((name) => [name, schema]));

/** How many there are, by words that not every run has. */
const counts = { type: 'object' };

const byKind = object(named(['class', 'user', 'bond'], counts));

/** Sync, Preview and Take Over. */
const summary = object({
	...named(['run_id', 'outcome', 'busy_with'], text),
	holds: list({
		...named(['hold_id', 'reason', 'school_external_id', 'what_to_do'], text),
		schools: texts,
		counts,
	}),
	counts: byKind,
	schools: list({ school_external_id: text, counts: byKind }),
	causes: list({
		...named(['code', 'severity', 'kind', 'action', 'message', 'what_to_do'], text),
		...named(['count', 'new'], number),
	}),
	changes: number,
	files: { type: 'array', items: { type: 'object' } },
	ledger: object({ name: text, rows: number }),
	took_ms: number,
});

const approval = object({
	...named(['hold_id', 'state', 'by', 'reason', 'what_to_do'], text),
	changes: number,
});

const resolution = object(named(['key', 'state', 'by', 'what_to_do'], text));

const accessEvent = object(
	named(
		[
			...['state', 'key', 'school_external_id', 'external_id', 'class_external_id', 'since'],
			...['user_id', 'account_id', 'class_id', 'tenant_id', 'request_id'],
		],
		text,
	),
);

const verification = object({
	outcome: text,
	coverage: object(named(['people', 'with_account', 'asked', 'same', 'different', 'not_seen'], number)),
	differences: number,
	access: object({
		...named(['granted', 'revoked', 'never', 'unknown_people', 'unknown_classes'], number),
		items: list(
			named(
				[
					...[
						'code',
						'severity',
						'message',
						'what_to_do',
						'kind',
						'key',
						'external_id',
						'school_external_id',
					],
					...['since', 'user_id', 'request_id'],
				],
				text,
			),
		),
	}),
	share: object(named(['of', 'turn'], number)),
	causes: list({ ...named(['code', 'severity', 'message', 'what_to_do'], text), count: number }),
	ledger: object({ name: text, rows: number }),
	took_ms: number,
});

/** What each field of a creation is when it is sent. */
const fieldsOf = (schema: z.ZodMiniType) => {
	const { properties = {} } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
	return Object.fromEntries(
		Object.entries(properties as Record<string, { type?: string }>).map(([name, { type }]) => [
			name,
			type === 'array' ? texts : type === 'integer' ? number : text,
		]),
	);
};

/** The service's own fields, and what the node says beside them. */
const record = object({
	...named(['kind', 'of'], text),
	...fieldsOf(classCreation),
	...fieldsOf(userCreation),
	...fieldsOf(bond),
	source: object({ file: text, line: number }),
});

const boolean = { type: 'boolean' };
const explained = {
	...named(['key', 'state', 'at', 'missing_since', 'code', 'hold_id', 'hold', 'file'], text),
	...{ status: number, line: number, approved: boolean },
	refused: object(named(['since', 'last', 'next_try'], text)),
	history: list(named(['at', 'kind', 'state', 'run_id'], text)),
};

const explanation = object({
	...named(
		['verdict', 'what_to_do', 'code', 'external_id', 'school_external_id', 'key', 'hold_id', 'file'],
		text,
	),
	line: number,
	user: object(explained),
	bonds: list({ ...explained, ...named(['class_external_id', 'profile', 'class_state'], text) }),
	ids: object(named(['account_id', 'user_id', 'tenant_id'], text)),
	access: object(named(['state', 'since', 'request_id'], text)),
	service: object({ seen: boolean, classes: texts }),
});

export const rosterSchemas = {
	...{ approve: approval, explain: explanation, preview: summary, readFiles: record },
	...{
		recordAccess: accessEvent,
		resolve: resolution,
		sync: summary,
		takeOver: summary,
		verify: verification,
	},
};
