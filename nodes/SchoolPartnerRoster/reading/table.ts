/** A CSV file as columns. Only those that are wanted are kept: passwords, race and the like are dropped while parsing. */
import { createHash } from 'node:crypto';

import { parse } from 'csv-parse/sync';

import type { Findings } from '../roster/findings';
import type { Place } from '../roster/record';
import type { FileRead } from '../roster/roster';
import { MEGABYTE, type Turns } from '../roster/turns';

import { fileWarnings } from './fileFindings';
import type { FileLayout } from './formats';
import { Pieces } from './pieces';
import type { NamedFile } from './sources';
import { Stop } from './stop';
import { textOf } from './text';

/** Whether a row says that what it is about is there; `unusable`: it cannot be told, and a finding says so. */
export type RowState = 'here' | 'gone' | 'unusable';

const DELIMITERS = [',', ';', '\t'];
/** Practically every row, as a share of them. */
const EVERY_ROW = 0.9;

/** Reads a file; stops where it is empty, cut, unreadable or lacks a column that it cannot do without. */
export async function readTable(
	{ name: file, read }: NamedFile,
	layout: FileLayout,
	findings: Findings,
	turns: Turns,
): Promise<Table> {
	const bytes = await read();
	const digest = createHash('sha256');
	await turns.forEachMegabyte(bytes, (piece) => digest.update(piece));
	const { text, isWindows1252 } = await textOf(bytes, file, turns);
	if (isWindows1252) findings.add(fileWarnings.windows1252, { file, line: 1 });
	const header = headerOf(text, file, layout);
	const table = new Table(file, digest.digest('hex'), header);
	const pieces = new Pieces(text, header.delimiter.charCodeAt(0), file);
	for (let at = header.end; at < text.length; ) {
		const { end, hasInnerLines } = pieces.from(at);
		table.add(cellsOf(text.subarray(at, end), header.delimiter, pieces.newline, file), hasInnerLines);
		at = end;
		await turns.yieldIfDue();
	}
	const endsALine = [0x0a, 0x0d].includes(text[text.length - 1]);
	if (!endsALine && table.isLastCut())
		throw new Stop('fileCut', `${file} ends in the middle of its last row: it is cut off`);
	if (table.firstShort !== undefined) findings.add(fileWarnings.shortRows, { file, line: table.firstShort });
	return table;
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

const unreadable = (file: string) => new Stop('notCsv', `${file} cannot be read as CSV`);

interface Header {
	delimiter: string;
	/** Names in the file, not only those that are wanted. */
	width: number;
	columns: Array<{ name: string; at: number }>;
	/** Where the first row begins. */
	end: number;
	/** Its line. */
	line: number;
}

/** The first line that holds anything. The delimiter is the one that gives the most known names. */
function headerOf(bytes: Buffer, file: string, layout: FileLayout): Header {
	const newline = bytes.includes(0x0a) ? 0x0a : 0x0d;
	const endOfLine = (start: number) => bytes.indexOf(newline, start) + 1 || bytes.length;
	const isBlank = (start: number, end: number) =>
		bytes.toString('utf8', start, Math.min(end, start + MEGABYTE)).trim() === '';
	let [start, end, line] = [0, endOfLine(0), 1];
	while (start < bytes.length && isBlank(start, end)) {
		[start, end] = [end, endOfLine(end)];
		line++;
	}
	if (start >= bytes.length) throw new Stop('fileEmpty', `${file} is empty`);
	if (end - start > MEGABYTE) throw new Stop('rowTooLong', `The first line of ${file} is longer than 1 MB`);
	const candidates = DELIMITERS.map((delimiter) => {
		const [cells = []] = cellsOf(bytes.subarray(start, end), delimiter, newline, file);
		const names = cells.map((name) => name.trim());
		return { delimiter, width: names.length, columns: columnsOf(names, layout) };
	});
	const best = candidates.reduce((one, other) => (other.columns.length > one.columns.length ? other : one));
	checkColumns(best.columns, file, layout);
	return { ...best, end, line: line + 1 };
}

/** The columns that are wanted, by our names. Capitals do not count. */
function columnsOf(names: readonly string[], { columns }: FileLayout): Header['columns'] {
	const wanted = new Map(Object.entries(columns).map(([name, own]) => [name.toLowerCase(), own]));
	return names.flatMap((nameInFile, at) => {
		const name = wanted.get(nameInFile.toLowerCase());
		return name === undefined ? [] : [{ name, at }];
	});
}

function checkColumns(columns: Header['columns'], file: string, layout: FileLayout): void {
	const names = columns.map(({ name }) => name);
	const nameInFile = (own: string | undefined) =>
		Object.entries(layout.columns).find(([, name]) => name === own)?.[0];
	const twice = names.find((name, at) => names.indexOf(name) !== at);
	if (twice !== undefined) throw new Stop('columnTwice', `${file} has the column ${nameInFile(twice)} twice`);
	const missing = layout.needs.filter((name) => !names.includes(name));
	if (missing.length > 0) {
		throw new Stop(
			'columnMissing',
			`${file} has no column ${missing.map(nameInFile).join(', ')}`,
			'Look whether its first line holds the names of the columns and whether it is the right file, or change what Mapping takes from it.',
		);
	}
}

/** The rows of a file that hold anything, column by column, by the names that all formats share here. */
export class Table {
	/** Cells without the blanks around them; a column that the file lacks is not there. */
	readonly columns: Partial<Record<string, string[]>>;
	/** Line of each row, from 1. */
	readonly lines: number[] = [];
	/** Of each row: filled by `readRowStates`. */
	readonly states: RowState[] = [];
	/** Rows with more cells than the header, some of which hold something. */
	private readonly moved: number[] = [];
	/** Other rows with more cells than the header, by the number of their cells. */
	private readonly trailing = new Map<number, number[]>();
	firstShort: number | undefined;
	private line: number;
	/** Cells of the shortest row before the last, and of the last. */
	private shortest = Infinity;
	private last = Infinity;

	/** @param file without folders @param sha256 of its bytes, hexadecimal */
	constructor(
		readonly file: string,
		private readonly sha256: string,
		private readonly header: Header,
	) {
		this.columns = Object.fromEntries(header.columns.map(({ name }) => [name, []]));
		this.line = header.line;
	}

	get read(): FileRead {
		return { name: this.file, rows: this.lines.length, sha256: this.sha256 };
	}

	/** Tells a cut file, whose last row alone is so short, from one that leaves empty cells out. */
	isLastCut(): boolean {
		return this.last < this.header.width && this.last < this.shortest;
	}

	/**
	 * Rows with too many cells. Delimiters at the end of practically every row, or of all but the last, are the exporter's habit. Trap: in a few rows
	 * they come from a comma that is not in quotes, which has moved the cells.
	 */
	overlongRows(): ReadonlySet<number> {
		const { length: count } = this.lines;
		const least = Math.min(EVERY_ROW * count, Math.max(2, count - 1));
		return new Set([
			...this.moved,
			...[...this.trailing.values()].filter((rows) => rows.length < least).flat(),
		]);
	}

	private surplusOf(cells: readonly string[]): number[] {
		if (cells.slice(this.header.width).some((cell) => cell.trim() !== '')) return this.moved;
		const rows = this.trailing.get(cells.length) ?? [];
		this.trailing.set(cells.length, rows);
		return rows;
	}

	add(rows: readonly string[][], hasInnerLines: boolean): void {
		for (const cells of rows) {
			if (cells.some((cell) => cell.trim() !== '')) this.take(cells);
			this.line += 1 + (hasInnerLines ? cells.join().split('\n').length - 1 : 0);
		}
	}

	private take(cells: readonly string[]): void {
		const { width, columns } = this.header;
		this.shortest = Math.min(this.shortest, this.last);
		this.last = cells.length;
		if (cells.length < width) this.firstShort ??= this.line;
		if (cells.length > width) this.surplusOf(cells).push(this.lines.length);
		for (const { name, at } of columns) {
			const column = this.columns[name] as string[];
			const cell = (cells[at] ?? '').trim();
			// Neighbours often hold the same: one text in memory instead of thousands.
			const before = column[column.length - 1];
			column.push(cell === before ? before : cell);
		}
		this.lines.push(this.line);
	}
}

/** One row of a table. */
export class TableRow {
	constructor(
		private readonly table: Table,
		private readonly index: number,
	) {}

	/** Without blanks around it; '' when the file has no such column. */
	cell(column: string): string {
		return this.table.columns[column]?.[this.index] ?? '';
	}

	get state(): RowState {
		return this.table.states[this.index];
	}

	get place(): Place {
		return { file: this.table.file, line: this.table.lines[this.index] };
	}

	/** By the names of the columns. */
	get cells(): Record<string, string> {
		return Object.fromEntries(Object.keys(this.table.columns).map((name) => [name, this.cell(name)]));
	}

	/** What this row leaves blank, the other fills; guardians are those of both, since none can be added later. */
	fillFrom(other: TableRow): void {
		for (const [name, cells = []] of Object.entries(this.table.columns)) {
			const [own, more] = [cells[this.index], other.cell(name)];
			if (own === '') cells[this.index] = more;
			else if (name === 'agentSourcedIds' && more !== '' && more !== own) cells[this.index] += `,${more}`;
		}
	}
}

export async function forEachRow(
	table: Table | undefined,
	turns: Turns,
	work: (row: TableRow, index: number) => void,
): Promise<void> {
	if (table === undefined) return;
	await turns.forEach(table.lines, (_, index) => work(new TableRow(table, index), index));
}
