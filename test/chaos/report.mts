/** The matrix as a person reads it, and as a file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Cell } from './cell.mts';

const WIDTH = 132;
/** Findings of a cell that are printed; the file has all. */
const SHOWN = 3;

/** What is told about a matrix. */
export interface Telling {
	/** Of the file. */
	name: string;
	/** Below the table. */
	legend: string;
}

const OF_REQUESTS: Telling = {
	name: 'chaos',
	legend: [
		'ok, fail: on the output, on the failure output; the figure: how often the request of the item arrived at the service.',
		'Two of them: the fault struck once, and the fault stayed. fail?: the message says that the work may be done all the same.',
		'WRONG: not as promised; the findings stand below the table.',
	].join('\n'),
};

/** Blocks of columns that fit beside the names of the operations. */
export function matrixText(cells: readonly Cell[], legend = OF_REQUESTS.legend): string {
	const operations = [...new Set(cells.map(({ operation }) => operation))];
	const columns = [...new Set(cells.map(({ column }) => column))];
	const cellOf = new Map(cells.map((cell) => [`${cell.operation}/${cell.column}`, cell]));
	const textOf = (operation: string, column: string) => {
		const cell = cellOf.get(`${operation}/${column}`);
		return cell === undefined ? '-' : cell.findings.length > 0 ? `WRONG ${cell.short}` : cell.short;
	};
	const first = Math.max(...operations.map((name) => name.length));
	const widthOf = (column: string) =>
		Math.max(column.length, ...operations.map((name) => textOf(name, column).length));
	const blocks: string[][] = [];
	let room = 0;
	for (const column of columns) {
		room -= widthOf(column) + 2;
		if (room < 0 || blocks.length === 0) {
			blocks.push([]);
			room = WIDTH - first - widthOf(column) - 2;
		}
		blocks.at(-1)?.push(column);
	}
	const line = (head: string, block: string[], text: (column: string) => string) =>
		[head.padEnd(first), ...block.map((column) => text(column).padEnd(widthOf(column)))].join('  ').trimEnd();
	const tables = blocks.map((block) =>
		[
			line('', block, (column) => column),
			...operations.map((operation) => line(operation, block, (column) => textOf(operation, column))),
		].join('\n'),
	);
	const wrong = cells.flatMap(({ operation, column, findings }) =>
		findings
			.slice(0, SHOWN)
			.map((finding) => `WRONG ${operation}, ${column}: ${finding.replaceAll('\n', ' ')}`),
	);
	return [...tables, legend, ...(wrong.length > 0 ? [wrong.join('\n')] : [])].join('\n\n');
}

/** Prints the matrix and writes everything that was seen to a file in `.cache`, outside of git. */
export function report(cells: readonly Cell[], seconds: number, { name, legend } = OF_REQUESTS): void {
	const file = join('.cache', `${name}.json`);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(
		file,
		`${JSON.stringify({ at: new Date().toISOString(), seconds, cells }, undefined, '\t')}\n`,
	);
	// Not console.log: jest would put the place of the call under every table.
	process.stdout.write(
		`\n${matrixText(cells, legend)}\n\n${cells.length} cells in ${Math.round(seconds)} s, details in ${file}\n`,
	);
}
