/** The SQL that moves a ledger from a Data Table to PostgreSQL, with the columns of the ledger. */
import { COLUMNS } from '../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { MAKE, TABLE } from '../../nodes/SchoolPartnerRoster/store/sql.ts';

const MOVING = `${TABLE}_moving`;
const sql = (text: string) => `\`\`\`sql\n${text}\n\`\`\``;

/** The table as the node makes it, and one that takes the rows on their way. */
const make = () =>
	sql(`${MAKE}
drop table if exists ${MOVING};
create table ${MOVING} (
  id bigint,
${COLUMNS.map((column) => `  ${column} text`).join(',\n')},
  "createdAt" text,
  "updatedAt" text
);`);

/** All rows in the order in which they count: a copy that a compaction has made stands where its original stood. */
function move(): string {
	const cells = COLUMNS.map((column) =>
		column === 'detail'
			? "case when copy_of is null then detail else (detail::jsonb - 'of')::text end"
			: column,
	);
	return sql(`insert into ${TABLE} (ledger, ${COLUMNS.join(', ')})
select 'School Partner Roster', ${cells.join(', ')}
from (
  select *, case when detail like '%"of":%' then (detail::jsonb ->> 'of')::bigint end as copy_of
  from ${MOVING}
) as moving
order by coalesce(copy_of, id);
drop table ${MOVING};`);
}

export const LEDGER_PARTS: Record<string, () => string> = { make, move };
