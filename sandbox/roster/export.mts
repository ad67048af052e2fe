import type { RosterChanges, RosterFormat, RosterQuery } from '../roster-types.mts';
import { seedWorld } from '../world/seed-world.mts';
import type { Table } from './csv.mts';
import { oneRosterTables } from './oneroster.mts';
import { rosterOf, type Roster } from './roster.mts';
import { sdsTables } from './sds.mts';
import { sheetOf } from './sheet.mts';
import { applyTonight, sumOf } from './tonight.mts';
import { zipped } from './zip.mts';

const TABLES: Readonly<Record<RosterFormat, (roster: Roster) => Table[]>> = {
	'oneroster-1.1': (roster) => oneRosterTables(roster, '1.1'),
	'oneroster-1.2': (roster) => oneRosterTables(roster, '1.2'),
	sds: sdsTables,
};

export const rosterFormats = Object.keys(TABLES) as RosterFormat[];

export interface RosterExport {
	readonly fileName: string;
	/** Counts of what is in it, by kind. */
	readonly counts: Readonly<Record<string, number>>;
	readonly changes: RosterChanges;
	/** The bytes of the zip, piece by piece. */
	readonly zip: () => AsyncGenerator<Uint8Array>;
}

/**
 * The network's roster of a night. It is made from the seed, not from what the service holds: the service follows the
 * roster, and a roster that followed the service would find nothing to do. Throws when more is to change than can.
 */
export function exportRoster(query: Required<RosterQuery>, format: RosterFormat): RosterExport {
	const { seed, students, schools, tonight } = query;
	const roster = rosterOf(seedWorld({ seed, students, schools }));
	const changes = applyTonight(roster, tonight, seed);
	return {
		fileName: `roster-${format}${tonight === 0 ? '' : `-tonight-${tonight}`}.zip`,
		counts: {
			schools: roster.schools.length,
			classes: roster.classes.size,
			people: roster.people.size,
			bonds: roster.bonds.size,
		},
		changes: { seed, students, schools, tonight, changes, ...sumOf(changes) },
		zip: () => zipped(TABLES[format](roster)),
	};
}

/** The same night as the sheet of an office. */
export function exportSheet({ seed, students, schools, tonight }: Required<RosterQuery>): string {
	const roster = rosterOf(seedWorld({ seed, students, schools }));
	applyTonight(roster, tonight, seed);
	return sheetOf(roster);
}
