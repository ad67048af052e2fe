import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { ExportOptions } from './command-line.mts';
import { exportRoster } from './export.mts';
import { rosterMapping } from './mapping.mts';

/** Writes the files of an export, and gives lines that say what is in them. Rejects when a file cannot be written. */
export async function writeExport({
	format,
	query,
	out,
	changes,
	mapping,
}: ExportOptions): Promise<readonly string[]> {
	const made = exportRoster(query, format);
	await pipeline(made.zip(), createWriteStream(out));
	if (changes !== undefined) await writeJson(changes, made.changes);
	if (mapping !== undefined) await writeJson(mapping, rosterMapping);
	const counts = Object.entries(made.counts).map(([kind, count]) => `${count} ${kind}`);
	return [
		`${out}: ${format}, ${counts.join(', ')}${query.tonight === 0 ? '' : `, ${query.tonight} changes`}`,
		...(changes === undefined ? [] : [`${changes}: what changed`]),
		...(mapping === undefined ? [] : [`${mapping}: the mapping that fits`]),
	];
}

async function writeJson(file: string, value: unknown): Promise<void> {
	await writeFile(file, `${JSON.stringify(value, null, '\t')}\n`);
}
