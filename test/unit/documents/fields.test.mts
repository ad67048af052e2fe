/** The field tables of the pages, against the tables of the service's document. */
import { upToDate } from '../../../tools/generated-parts.mts';

/** The rows of a generated table, each as its cells. */
function rowsOf(part: string): string[][] {
	const lines = upToDate(`<!-- generated: ${part} -->\n<!-- end -->`).split('\n');
	const cells = lines.filter((line) => line.startsWith('| ')).map((line) => line.slice(2, -2).split(' | '));
	return cells.slice(2).map((row) => row.map((cell) => cell.trim()));
}

test.each([
	['input class.create', ['Year', '`year`', 'a whole number of at most four digits', '', 'yes', '']],
	[
		'input class.create',
		['Additional Fields > Shift', '`shift`', 'text or whole number', '', 'no', '`null`'],
	],
	[
		'input user.createStudent',
		['Birth Date', '`birth_date`', 'a date that exists, written as YYYY-MM-DD', '', 'no', 'left out'],
	],
	['input account.get', ['Account ID', 'path', 'text or whole number', '36', 'yes', '']],
	['input account.get', ['Tenant ID', 'query `tenant_id`', 'a GUID', '', 'yes', '']],
	[
		'input enrollment.updateByUser',
		['Additional Fields > Notes', '`data[].notes`', 'text or whole number', '512', 'no', 'left out'],
	],
	['input enrollment.postCourseStatus', ['School ID', 'path, `data.school_id`', 'a GUID', '', 'yes', '']],
	['output account.getSchools', ['`addresses[].state`', 'text', '2', '']],
	['output account.getClasses', ['`shift`', 'object', '', 'null']],
	['event header', ['`client_id`', 'text', '200', 'yes']],
	['event user', ['`academic_email`', 'text', '200', 'no']],
	[
		'options',
		[
			'Max Concurrency',
			'1 to 200',
			'128',
			"How many requests may be on their way at the same time when 'Concurrency' is 0 (automatic)",
		],
	],
])('the table "%s" says what the document of the service says', (part, row) => {
	expect(rowsOf(part)).toContainEqual(row);
});

test.each(['input class.destroy', 'output bond.create', 'credential none', 'weather'])(
	'a marker that names nothing is refused: %s',
	(part) => {
		expect(() => rowsOf(part)).toThrow();
	},
);
