/** The statements for PostgreSQL. */
import { LEDGER_COLUMNS } from '../../../../nodes/SchoolPartnerRoster/ledger/row';
import * as sql from '../../../../nodes/SchoolPartnerRoster/store/sql';

const statements = Object.entries(sql).filter(
	(entry): entry is [string, string] => typeof entry[1] === 'string',
);

it.each(statements)('%s holds nothing that n8n would take for an expression', (_name, text) => {
	expect(text).not.toMatch(/^=|\{\{|\}\}/);
});

it('a row of a ledger has a column for each of its cells, and they are empty by themselves', () => {
	for (const column of LEDGER_COLUMNS)
		expect(sql.CREATE_TABLE).toContain(`  ${column} text not null default ''`);
});
