/** Rows of a file: cells by the names of its columns. What a row does not have is empty. */
export type Rows = Iterable<Readonly<Record<string, string>>>;

/** One CSV file. */
export interface Table {
	readonly name: string;
	readonly header: readonly string[];
	readonly rows: () => Rows;
}

/** `columns` are the names of the header with blanks between. */
export const table = (name: string, columns: string, rows: () => Rows): Table => ({
	name,
	header: columns.split(' '),
	rows,
});

const SLICE_CHARACTERS = 65_536;

/** The text of a file in slices that end at a row's end, so that a large one is never in memory as a whole. */
export function* csvSlices({ header, rows }: Table): Generator<string> {
	let slice = line(header);
	for (const row of rows()) {
		slice += line(header.map((name) => row[name] ?? ''));
		if (slice.length < SLICE_CHARACTERS) continue;
		yield slice;
		slice = '';
	}
	if (slice !== '') yield slice;
}

const line = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

/** RFC 4180, section 2, rules 6 and 7. */
const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
