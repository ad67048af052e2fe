/** The statements for PostgreSQL. */
import * as sql from '../../../../nodes/SchoolPartnerRoster/store/sql';

const statements = Object.entries(sql).filter(
	(entry): entry is [string, string] => typeof entry[1] === 'string',
);

it.each(statements)('%s holds nothing that n8n would take for an expression', (_name, text) => {
	expect(text).not.toMatch(/^=|\{\{|\}\}/);
});
