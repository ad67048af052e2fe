/** manifest.csv of OneRoster: which files there are, and whether each is whole (`bulk`) or says what has changed (`delta`). */
import { quoted } from '../../shared/contract/quoted';

import { FILES } from './formats';
import { Stop } from './stop';
import type { Table } from './table';

export type Extent = 'absent' | 'bulk' | 'delta';

export interface Manifest {
	version: '1.1' | '1.2';
	/** Of files that are read, by the name without `.csv`, in small letters. */
	extents: ReadonlyMap<string, Extent>;
}

const isExtent = (value: string): value is Extent => ['absent', 'bulk', 'delta'].includes(value);

/** Whether a file holds anything for the service. */
function isRead(file: string): boolean {
	return FILES.some((name) => name.toLowerCase() === file);
}

/** What a line says of a file that nobody reads stops nothing. */
export function manifestOf(table: Table): Manifest {
	const [names, values] = [table.columns.propertyName ?? [], table.columns.value ?? []];
	const extents = new Map<string, Extent>();
	let version = '';
	for (const [row, name] of names.entries()) {
		const property = name.toLowerCase();
		const value = values[row].toLowerCase();
		if (property === 'oneroster.version') version = value;
		const file = /^file\.(.+)$/.exec(property)?.[1];
		if (file === undefined || !isRead(file)) continue;
		if (!isExtent(value) || (extents.get(file) ?? value) !== value) {
			throw new Stop(
				'manifest',
				`manifest.csv says in line ${table.lines[row]} of ${quoted(file, 40)} neither absent nor bulk nor delta, or not what it said before`,
				'Have the files exported again, or correct manifest.csv.',
			);
		}
		extents.set(file, value);
	}
	return { version: versionOf(version), extents };
}

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
