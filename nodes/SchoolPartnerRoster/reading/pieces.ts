/**
 * Where a CSV file may be cut into pieces: at the end of a record, which is not every end of a line (RFC 4180, section 2.6).
 * csv-parse takes a text in one go, and a whole file would block n8n for seconds. It is also lenient about quotes, or refuses
 * every one within a cell; a quote that is not closed must stop the reading, a nickname in quotes must not.
 */
import { Stop } from './stop';

/** A piece holds whole records and is hardly larger than this, in bytes: some milliseconds of work. */
const PIECE = 64 * 1024;
/** Longest record, in bytes. What is longer is a quote that nobody closed, or no roster. */
const LONGEST_RECORD = 1024 * 1024;

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

export interface Piece {
	end: number;
	/** Whether a cell in it holds an end of a line. */
	hasInnerLines: boolean;
}

export class Pieces {
	/** The byte that ends a line: files of old Macs know only the carriage return. */
	readonly newline: number;
	private nextQuote: number;

	/** @param delimiter the byte between two cells */
	constructor(
		private readonly bytes: Buffer,
		private readonly delimiter: number,
		private readonly file: string,
	) {
		this.newline = bytes.includes(LF) ? LF : CR;
		this.nextQuote = bytes.indexOf(QUOTE);
	}

	/** The piece that begins at `start`, which is where a record begins. */
	from(start: number): Piece {
		const target = Math.min(start + PIECE, this.bytes.length);
		if (this.nextQuote !== -1 && this.nextQuote < start) this.nextQuote = this.bytes.indexOf(QUOTE, start);
		if (this.nextQuote === -1 || this.nextQuote >= target) {
			const end =
				target === this.bytes.length ? target : this.bytes.lastIndexOf(this.newline, target - 1) + 1;
			if (end > start) return { end, hasInnerLines: false };
		}
		return this.walk(start);
	}

	/** The same where there are quotes, byte by byte. */
	private walk(start: number): Piece {
		const { bytes, delimiter, newline } = this;
		let [end, isCellStart, hasInnerLines] = [start, true, false];
		for (let at = start; at < bytes.length; at++) {
			if (end > start && at - start >= PIECE) return { end, hasInnerLines };
			if (at - end > LONGEST_RECORD) throw this.tooLong(end);
			const byte = bytes[at];
			if (byte === QUOTE && isCellStart) {
				const close = this.closeOf(at, end);
				hasInnerLines ||= bytes.subarray(at, close).includes(newline);
				at = close;
			}
			if (byte === newline) end = at + 1;
			isCellStart = byte === newline || byte === delimiter;
		}
		return { end: bytes.length, hasInnerLines };
	}

	/** Where the quote at `open` is closed; `record` is where its record begins. */
	private closeOf(open: number, record: number): number {
		const { bytes } = this;
		let close = bytes.indexOf(QUOTE, open + 1);
		// Two quotes in a quoted cell are one.
		while (close !== -1 && bytes[close + 1] === QUOTE) close = bytes.indexOf(QUOTE, close + 2);
		if (close - record > LONGEST_RECORD) throw this.tooLong(record);
		const next = bytes[close + 1];
		const isEnd = next === undefined || next === this.delimiter || next === this.newline;
		const isEndOfLine = next === CR && bytes[close + 2] === this.newline;
		if (close !== -1 && (isEnd || isEndOfLine)) return close;
		throw new Stop(
			'quoteNotClosed',
			`${this.file} cannot be read to its end: the quote in line ${this.lineAt(open)} is not closed where its cell ends`,
			'Have the file exported again, with quotes inside a cell doubled.',
		);
	}

	private lineAt(place: number): number {
		let line = 1;
		for (let at = 0; at < place; at++) if (this.bytes[at] === this.newline) line++;
		return line;
	}

	private tooLong(record: number): Stop {
		return new Stop(
			'rowTooLong',
			`${this.file} cannot be read to its end: the row that begins in line ${this.lineAt(record)} is longer than 1 MB`,
			'Look for a quote that is not closed in that row, or a file that is no roster.',
		);
	}
}
