/** A CSV file as columns. Only those that are wanted are kept: passwords, race and the like are dropped while parsing. */
import { createHash } from 'node:crypto';

import { parse } from 'csv-parse/sync';

import type { FileRead } from '../roster/roster';

import type { FileLayout } from './formats';
import { Pieces } from './pieces';
import { Stop } from './stop';
import { textOf, type Healed } from './text';
import type { Turns } from '../roster/turns';

/** What was healed in a table beside its text. */
export type TableHealed = Healed | 'delimiter' | 'headerCase' | 'columnOrder' | 'shortRows';

/** The rows of a file that hold anything, column by column, by the names that all formats share here. */
export interface Table {
	/** Without folders. */
	file: string;
	size: number;
	/** Cells without the blanks around them; a column that the file lacks is not there. */
	columns: Record<string, string[] | undefined>;
	/** Line of each row, from 1. */
	lines: number[];
	/** Rows with more cells than the header has names: a comma too many has moved their cells. */
	overlong: Set<number>;
	healed: TableHealed[];
	read: FileRead;
}

const DELIMITERS = [',', ';', '\t'] as const;
const MOST_COLUMNS = 1_000;
const MB = 1024 * 1024;
const AGAIN = 'Have the files exported again.';

/** Reads a file; stops where it is empty, cut, unreadable or lacks a column that it cannot do without. */
export async function readTable(
	bytes: Uint8Array,
	file: string,
	layout: FileLayout,
	turns: Turns,
): Promise<Table> {
	const sha256 = await digestOf(bytes, turns);
	const text = await textOf(bytes, file, turns);
	const header = headerOf(text.bytes, file, layout);
	const table: Table = {
		file,
		size: 0,
		columns: Object.fromEntries(header.columns.map(({ name }) => [name, []])),
		lines: [],
		overlong: new Set(),
		healed: [...text.healed, ...header.healed],
		read: { name: file, rows: 0, sha256 },
	};
	const rows = new Rows(table, header, text.bytes);
	const pieces = new Pieces(text.bytes, header.delimiter.charCodeAt(0), file);
	for (let at = header.end; at < text.bytes.length; ) {
		const { end, hasInnerLines } = pieces.from(at);
		rows.add(cellsOf(text.bytes.subarray(at, end), header.delimiter, pieces.newline, file), hasInnerLines);
		at = end;
		await turns.take();
	}
	rows.close();
	table.size = table.lines.length;
	table.read.rows = table.size;
	return table;
}

async function digestOf(bytes: Uint8Array, turns: Turns): Promise<string> {
	const digest = createHash('sha256');
	for (let at = 0; at < bytes.length; at += MB) {
		digest.update(bytes.subarray(at, at + MB));
		await turns.take();
	}
	return digest.digest('hex');
}

function cellsOf(bytes: Buffer, delimiter: string, newline: number, file: string): string[][] {
	try {
		return parse(bytes, {
			delimiter,
			record_delimiter: newline === 0x0d ? '\r' : bytes.includes(0x0d) ? ['\r\n', '\n'] : '\n',
			relax_column_count: true,
			// Quotes that begin a cell were looked at before (pieces.ts): others are characters.
			relax_quotes: true,
		});
	} catch {
		// Trap: the message of csv-parse quotes the cell.
		throw unreadable(file);
	}
}

const unreadable = (file: string) => new Stop('notCsv', `${file} cannot be read as CSV`, AGAIN);

interface Header {
	delimiter: string;
	/** Names in the file, not only those that are wanted. */
	width: number;
	columns: Array<{ name: string; at: number }>;
	/** Where the first row begins. */
	end: number;
	/** Its line. */
	line: number;
	healed: TableHealed[];
}

/** The first line that holds anything. The delimiter is the one that gives the most known names. */
function headerOf(bytes: Buffer, file: string, layout: FileLayout): Header {
	const newline = bytes.includes(0x0a) ? 0x0a : 0x0d;
	let [start, line] = [0, 1];
	const endOfLine = () => {
		const at = bytes.indexOf(newline, start);
		return at === -1 ? bytes.length : at + 1;
	};
	while (
		start < bytes.length &&
		bytes.toString('utf8', start, Math.min(endOfLine(), start + MB)).trim() === ''
	) {
		start = endOfLine();
		line++;
	}
	const end = endOfLine();
	if (start >= bytes.length) throw new Stop('fileEmpty', `${file} is empty`, AGAIN);
	if (end - start > MB) throw new Stop('rowTooLong', `The first line of ${file} is longer than 1 MB`, AGAIN);
	const wanted = new Map(
		Object.entries(layout.columns).map(([name, own]) => [name.toLowerCase(), { name, own }]),
	);
	const candidates = DELIMITERS.map((delimiter) => {
		const names = (cellsOf(bytes.subarray(start, end), delimiter, newline, file)[0] ?? []).map((name) =>
			name.trim(),
		);
		return { delimiter, names, known: names.filter((name) => wanted.has(name.toLowerCase())).length };
	});
	const best = candidates.reduce((one, other) => (other.known > one.known ? other : one));
	const { delimiter, names } = best;
	if (names.length > MOST_COLUMNS) {
		throw new Stop(
			'tooManyColumns',
			`${file} has more than ${MOST_COLUMNS} columns`,
			'Look whether it is the right file.',
		);
	}
	const columns: Header['columns'] = [];
	const healed: TableHealed[] = delimiter === ',' ? [] : ['delimiter'];
	for (const [at, name] of names.entries()) {
		const column = wanted.get(name.toLowerCase());
		if (column === undefined) continue;
		if (columns.some(({ name: before }) => before === column.own)) {
			throw new Stop('columnTwice', `${file} has the column ${column.name} twice`, AGAIN);
		}
		if (name !== column.name && !healed.includes('headerCase')) healed.push('headerCase');
		columns.push({ name: column.own, at });
	}
	const order = Object.values(layout.columns);
	const places = columns.map(({ name }) => order.indexOf(name));
	if (places.some((place, index) => place < (places[index - 1] ?? -1))) healed.push('columnOrder');
	const nameInFile = (own: string) =>
		Object.entries(layout.columns).find(([, name]) => name === own)?.[0] ?? own;
	const missing = layout.needs.filter((own) => !columns.some(({ name }) => name === own));
	if (missing.length > 0) {
		throw new Stop(
			'columnMissing',
			`${file} has no column ${missing.map(nameInFile).join(', ')}`,
			'Look whether its first line holds the names of the columns and whether it is the right file, or change what Mapping takes from it.',
		);
	}
	return { delimiter, width: names.length, columns, end, line: line + 1, healed };
}

/** Takes rows into a table. */
class Rows {
	private line: number;
	private shortRows = 0;
	/** Cells of the row before the last, and of the last; to tell a cut file from one that leaves empty cells out. */
	private shortest = Infinity;
	private last = Infinity;

	constructor(
		private readonly table: Table,
		private readonly header: Header,
		private readonly bytes: Buffer,
	) {
		this.line = header.line;
	}

	add(rows: readonly string[][], hasInnerLines: boolean): void {
		for (const cells of rows) {
			if (cells.length > 1 || cells[0].trim() !== '') this.take(cells);
			this.line += 1 + (hasInnerLines ? linesIn(cells) : 0);
		}
	}

	private take(cells: readonly string[]): void {
		if (cells.length > 1 && cells.every((cell) => cell.trim() === '')) return;
		const { table, header } = this;
		this.shortest = Math.min(this.shortest, this.last);
		this.last = cells.length;
		if (cells.length < header.width) this.shortRows++;
		if (cells.length > header.width && cells.slice(header.width).some((cell) => cell.trim() !== '')) {
			table.overlong.add(table.lines.length);
		}
		for (const { name, at } of header.columns) {
			const column = table.columns[name] as string[];
			const cell = (cells[at] ?? '').trim();
			// Neighbours often hold the same: one text in memory instead of thousands.
			const before = column[column.length - 1];
			column.push(cell === before ? before : cell);
		}
		table.lines.push(this.line);
	}

	close(): void {
		if (this.shortRows === 0) return;
		const lastByte = this.bytes[this.bytes.length - 1];
		const endsALine = lastByte === 0x0a || lastByte === 0x0d;
		if (!endsALine && this.last < this.header.width && this.shortest > this.last) {
			throw new Stop(
				'fileCut',
				`${this.table.file} ends in the middle of its last row: it is cut off`,
				AGAIN,
			);
		}
		this.table.healed.push('shortRows');
	}
}

function linesIn(cells: readonly string[]): number {
	let lines = 0;
	for (const cell of cells) {
		for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) lines++;
	}
	return lines;
}
