/** The SQL that moves a ledger from a Data Table to PostgreSQL, with the columns of the ledger. */
import { LEDGER_COLUMNS } from '../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { CREATE_TABLE, TABLE } from '../../nodes/SchoolPartnerRoster/store/sql.ts';

const MOVING = `${TABLE}_moving`;
const sql = (text: string) => `\`\`\`sql\n${text}\n\`\`\``;

/** The table as the node makes it, and one that takes the rows on their way. */
const make = () =>
	sql(`${CREATE_TABLE}
drop table if exists ${MOVING};
create table ${MOVING} (
  id bigint,
${LEDGER_COLUMNS.map((column) => `  ${column} text`).join(',\n')},
  "createdAt" text,
  "updatedAt" text
);`);

/** All rows in the order in which they count: a copy that a compaction has made stands where its original stood. */
function move(): string {
	const cells = LEDGER_COLUMNS.map((column) =>
		column === 'detail'
			? "case when copy_of is null then detail else (detail::jsonb - 'of')::text end"
			: column,
	);
	return sql(`insert into ${TABLE} (ledger, ${LEDGER_COLUMNS.join(', ')})
select 'School Partner Roster', ${cells.join(', ')}
from (
  select *, case when detail like '%"of":%' then (detail::jsonb ->> 'of')::bigint end as copy_of
  from ${MOVING}
) as moving
order by coalesce(copy_of, id);
drop table ${MOVING};`);
}

export const LEDGER_PARTS: Record<string, () => string> = { make, move };
