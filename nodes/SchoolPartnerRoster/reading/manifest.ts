/** manifest.csv of OneRoster: which files there are. One that says only what has changed (`delta`) is refused. */
import { FILES } from './formats';
import { Stop } from './stop';
import type { Table } from './table';

/** `unnamed`: the manifest does not say that it is whole. */
export type Extent = 'absent' | 'bulk' | 'unnamed';

export interface Manifest {
	version: '1.1' | '1.2';
	/** Of files that are read, by the name without `.csv`, in small letters. */
	extents: ReadonlyMap<string, Extent>;
}

export function manifestOf(table: Table): Manifest {
	const [names, values] = [table.columns.propertyName ?? [], table.columns.value ?? []];
	const extents = new Map<string, Extent>();
	let version = '';
	for (const [row, name] of names.entries()) {
		const property = name.toLowerCase();
		const value = values[row].toLowerCase();
		if (property === 'oneroster.version') version = value;
		const file = FILES.map((one) => one.toLowerCase()).find((one) => property === `file.${one}`);
		// What a line says of a file that nobody reads stops nothing.
		if (file === undefined) continue;
		const line = table.lines[row];
		if (value === 'delta') throw ofChanges(line, file);
		if ((value !== 'absent' && value !== 'bulk') || (extents.get(file) ?? value) !== value) {
			throw new Stop(
				'manifest',
				`manifest.csv says in line ${line} of ${file} neither absent nor bulk, or not what it said before`,
				'Have the files exported again, or correct manifest.csv.',
			);
		}
		extents.set(file, value);
	}
	return { version: versionOf(version), extents };
}

/** Trap: what one night misses of such exports is lost for good, and one that comes twice, or late, undoes what was done since. */
const ofChanges = (line: number, file: string) =>
	new Stop(
		'manifest',
		`manifest.csv says in line ${line} of ${file} that it holds only what has changed (delta)`,
		'Have the whole roster exported (bulk): this node finds out by itself what has changed.',
	);

function versionOf(version: string): Manifest['version'] {
	const known = /^1\.([12])(\.\d+)?$/.exec(version)?.[1];
	if (known === undefined) {
		throw new Stop(
			'format',
			'manifest.csv does not say that this is OneRoster 1.1 or 1.2 (oneroster.version)',
			'Have the roster exported as OneRoster 1.1 or 1.2.',
		);
	}
	return known === '1' ? '1.1' : '1.2';
}
