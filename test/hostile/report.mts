/** What was tried, what held, and what did not, as a person reads it, and as a file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { nameOf, type Area, type Cell } from './cell.mts';

/** Outside of git. */
const FILE = join('.cache', 'hostile.json');
/** Findings of a cell that are printed; the file has all. */
const SHOWN = 4;
const LONGEST = 400;

export interface Tried {
	cell: Cell;
	findings: string[];
	milliseconds: number;
}

/** Attempts of a cell that did not hold: at least one as soon as anything was found, at most all. */
const notHeld = ({ cell, findings }: Tried): number => Math.min(findings.length, cell.attempts);

function counts(tried: readonly Tried[]): number[] {
	const attempts = tried.reduce((sum, { cell }) => sum + cell.attempts, 0);
	const lost = tried.reduce((sum, each) => sum + notHeld(each), 0);
	const known = tried
		.filter(({ cell }) => cell.isKnownNotToHold)
		.reduce((sum, each) => sum + each.cell.attempts - notHeld(each), 0);
	return [tried.length, attempts, attempts - lost - known, known, lost];
}

export function hostileText(areas: readonly Area[], triedOf: (cell: Cell) => Tried | undefined): string {
	const rows = areas.map(({ name, cells }) => ({
		name,
		tried: cells.flatMap((cell) => triedOf(cell) ?? []),
	}));
	const lines = [
		['', 'cells', 'tried', 'held', 'known not to hold', 'not held'],
		...rows.map(({ name, tried }) => [name, ...counts(tried).map(String)]),
		['all', ...counts(rows.flatMap(({ tried }) => tried)).map(String)],
	];
	const widths =
		lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
	const table = lines.map((line) =>
		line
			.map((text, column) =>
				column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0),
			)
			.join('   '),
	);
	const wrong = rows.flatMap(({ name, tried }) =>
		tried
			.filter(({ findings }) => findings.length > 0)
			.map(({ cell, findings }) =>
				[
					`NOT HELD (${name}) ${nameOf(cell)}`,
					...findings
						.slice(0, SHOWN)
						.map((finding) => `  ${finding.replaceAll('\n', ' ').slice(0, LONGEST)}`),
					...(findings.length > SHOWN ? [`  … and ${findings.length - SHOWN} more`] : []),
				].join('\n'),
			),
	);
	return [table.join('\n'), ...wrong].join('\n\n');
}

/** Prints the table and writes everything that was found to `.cache/hostile.json`. */
export function report(
	areas: readonly Area[],
	triedOf: (cell: Cell) => Tried | undefined,
	seconds: number,
): void {
	mkdirSync(dirname(FILE), { recursive: true });
	const cells = areas.flatMap(({ name, cells }) =>
		cells.map((cell) => {
			const { findings, milliseconds } = triedOf(cell) ?? {};
			return { area: name, cell: nameOf(cell), attempts: cell.attempts, milliseconds, findings };
		}),
	);
	writeFileSync(
		FILE,
		`${JSON.stringify({ at: new Date().toISOString(), seconds, cells }, undefined, '\t')}\n`,
	);
	// Not console.log: jest would put the place of the call under every table.
	process.stdout.write(
		`\n${hostileText(areas, triedOf)}\n\n${cells.length} cells in ${Math.round(seconds)} s, details in ${FILE}\n`,
	);
}
