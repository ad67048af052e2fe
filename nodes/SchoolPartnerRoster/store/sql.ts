/** What the ledger asks of PostgreSQL. Fixed texts: what differs stands in `$1`, `$2`, … */
import { LEDGER_COLUMNS, LEASE } from '../ledger/row';

export const TABLE = 'school_partner_roster';

const COLUMN_NAMES = LEDGER_COLUMNS.join(', ');
const CELLS = LEDGER_COLUMNS.map((column) => `r.${column}`).join(', ');

/** All of it, or nothing: n8n's node sends it as one transaction. */
export const CREATE_TABLE = `create table if not exists ${TABLE} (
  id bigserial primary key,
  ledger text not null,
${LEDGER_COLUMNS.map((column) => `  ${column} text not null default ''`).join(',\n')}
);
create unique index if not exists ${TABLE}_lease on ${TABLE} (ledger) where kind = '${LEASE}';
create index if not exists ${TABLE}_rows on ${TABLE} (ledger, id);`;

/** What a person runs who may, for a user who may not. */
export function grantsFor(user: string): string {
	const name = `"${user.replaceAll('"', '""')}"`;
	return `grant select, insert, update, delete on ${TABLE} to ${name};
grant usage on sequence ${TABLE}_id_seq to ${name};`;
}

/**
 * Whether the table is there, with which columns, and what the user may do. Asked before anything is tried: what PostgreSQL
 * refuses it says in the language of its own settings. Rights are asked one by one: a list would mean any of them.
 */
export const INSPECT = `select current_user::text as user_name,
  t.found is not null as is_there,
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
  coalesce(${['select', 'insert', 'update', 'delete']
		.map((right) => `has_table_privilege(t.found, '${right}')`)
		.join('\n    and ')}, false) as may_use,
  coalesce((select string_agg(attname::text, ',') from pg_attribute
    where attrelid = t.found and attnum > 0 and not attisdropped), '') as columns
from (select to_regclass('${TABLE}')::oid as found) t`;

export const HAS_ROWS = `select exists (select 1 from ${TABLE} where ledger = $1) as has_rows`;

/** `$1` ledger, `$2` id, `$3` limit. */
export const ROWS_AFTER = `select id, ${COLUMN_NAMES} from ${TABLE} where ledger = $1 and id > $2 order by id limit $3`;

export const LEASE_ROWS = `select id, ${COLUMN_NAMES} from ${TABLE} where ledger = $1 and kind = '${LEASE}' order by id`;

/** `$1` ledger, `$2` rows as JSON. A second lease row is left out: the index allows one. */
export const APPEND = `insert into ${TABLE} (ledger, ${COLUMN_NAMES})
select $1, ${CELLS} from json_populate_recordset(null::${TABLE}, $2::json) with ordinality as r
order by r.ordinality
on conflict do nothing`;

/** `$1` ledger, `$2` id, `$3` and `$4` the holder and the beat that it has to have, `$5` the row as JSON. */
export const REPLACE_LEASE = `update ${TABLE} as t set (${COLUMN_NAMES}) = (select ${CELLS} from json_populate_record(null::${TABLE}, $5::json) as r)
where t.ledger = $1 and t.id = $2 and t.run_id = $3 and t.sequence = $4
returning t.id`;

/** `$1` ledger, `$2` and `$3` the first and the last id. */
export const REMOVE_RANGE = `delete from ${TABLE} where ledger = $1 and id between $2 and $3 and kind <> '${LEASE}'`;

/** `$1` ledger, `$2` id. */
export const REMOVE_LEASE = `delete from ${TABLE} where ledger = $1 and id = $2 and kind = '${LEASE}'`;
