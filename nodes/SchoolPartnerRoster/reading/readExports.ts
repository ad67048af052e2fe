/** Several exports become one roster: each is whole by itself, such as one zip for each school. */
import { quoted } from '../../shared/contract/quoted';
import { failed, success, type Failure, type Outcome } from '../../shared/failure';
import { keyOf } from '../ledger/key';
import { findingTypes, type Finding } from '../roster/finding';
import { Findings, MOST_PLACES } from '../roster/findings';
import { KINDS, type Kind, type RosterRecord } from '../roster/record';
import { ofEachKind, type Completeness, type Roster } from '../roster/roster';
import { Turns, type Host } from '../roster/turns';

import { Collector } from './collector';
import { adviceOf } from './fileFindings';
import type { Mapping } from './mapping';
import { readFiles, type FormatName } from './readFiles';
import type { GivenFile } from './sources';
import { NOTHING_USED } from './stop';

/**
 * A roster from several exports. One that cannot be believed leaves out itself and says so; when none can, it fails.
 * @param exports the files of each
 */
export async function readExports(
	exports: ReadonlyArray<readonly GivenFile[]>,
	mapping: Mapping,
	format: FormatName,
	host: Host,
): Promise<Outcome<Roster>> {
	const findings = new Findings();
	const rosters: Roster[] = [];
	let failure: Failure | undefined;
	const names = exportNames(exports);
	for (const [place, files] of exports.entries()) {
		const read = await readFiles(files, mapping, format, host, `${names[place]}/`);
		if (read.ok) rosters.push(read.value);
		else {
			failure ??= read.failure;
			findings.add(exportNotUsed(names[place], read.failure));
		}
	}
	if (rosters.length === 0 && failure !== undefined) return failed(failure);
	const merged = await together(rosters, mapping, new Turns(host));
	return success({
		...merged,
		...(failure !== undefined && { lacksExports: true, completeness: ofEachKind('partial') }),
		findings: [...findings.list(), ...merged.findings],
	});
}

/** What each is called: its only file, else the number of its item. */
function exportNames(exports: ReadonlyArray<readonly GivenFile[]>): string[] {
	const names = exports.map((files) => (files.length === 1 ? quoted(files[0].name, 60) : ''));
	const isTwice = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
	return names.map((name, place) => (name === '' || isTwice(name) ? `Item ${place + 1}` : name));
}

async function together(rosters: readonly Roster[], { userKeys }: Mapping, turns: Turns): Promise<Roster> {
	const collector = new Collector(new Findings(), userKeys, adviceOf, true);
	const keys = new Set<string | undefined>();
	const bySchool = new Map<string, Record<Kind, Completeness>>();
	for (const roster of rosters) {
		await turns.forEach(roster.records, (record) => {
			keys.add(keyOf(record.kind, record.fields, userKeys));
			collector.add(record);
		});
		for (const school of schoolsIn(roster))
			bySchool.set(school, bothOf(roster.completeness, bySchool.get(school) ?? roster.completeness));
	}
	const all = <Each>(listOf: (roster: Roster) => readonly Each[]) => rosters.flatMap(listOf);
	// Each record is as its export gave it, unless the same is in several of them.
	const isOnce = keys.size === rosters.reduce((count, { records }) => count + records.length, 0);
	const merged = isOnce ? undefined : await collector.roster(ofEachKind('whole'), turns);
	return {
		records: merged?.records ?? all(({ records }) => records),
		faulty: [...all(({ faulty }) => faulty), ...(merged?.faulty ?? [])],
		// Who left one school may have come to another.
		gone: rosters.flatMap(goneIn).filter(({ kind, fields }) => !keys.has(keyOf(kind, fields, userKeys))),
		completeness: rosters.map(({ completeness }) => completeness).reduce(bothOf),
		completenessBySchool: bySchool,
		schools: [...new Set(all(({ schools }) => schools))],
		schoolNames: new Map(all(({ schoolNames = new Map<string, string>() }) => [...schoolNames])),
		unmappedGrades: all(({ unmappedGrades = [] }) => unmappedGrades),
		findings: findingsOf([...all(({ findings }) => findings), ...(merged?.findings ?? [])]),
		files: all(({ files }) => files),
	};
}

/** The schools that an export says something of. Trap: a teacher or a parent may stand in the export of another school too. */
function schoolsIn({ records, faulty }: Roster): Set<string> {
	const ofSchool = [...records, ...faulty].filter(({ kind }) => kind !== 'user');
	return new Set(ofSchool.map(({ fields }) => String(fields.school_external_id ?? '')));
}

/**
 * What an export says is gone. Trap: who is gone from its schools, of whom it names none, may have stayed in those of an export that is not there
 * tonight.
 */
function goneIn(roster: Roster): RosterRecord[] {
	const { gone, schools: listed } = roster;
	const ofSchools = gone.filter(({ kind }) => kind !== 'user');
	const spoken = schoolsIn({ ...roster, records: [...roster.records, ...ofSchools] });
	// Of what cannot be read nobody knows the school.
	spoken.delete('');
	const schools = spoken.size > 0 ? [...spoken] : listed;
	return gone.flatMap((mention) => {
		const { kind, fields } = mention;
		if (kind !== 'user' || (fields.school_external_id ?? '') !== '') return mention;
		return schools.map((one) => ({ ...mention, fields: { ...fields, school_external_id: one } }));
	});
}

/** What both say. Trap: one that is whole does not speak for another that says nothing of this kind: what was in that one would be gone. */
function bothOf(
	one: Record<Kind, Completeness>,
	other: Record<Kind, Completeness>,
): Record<Kind, Completeness> {
	const both = KINDS.map((kind) => [kind, one[kind] === other[kind] ? one[kind] : 'partial'] as const);
	return Object.fromEntries(both) as Record<Kind, Completeness>;
}

/** One finding for each cause, whichever exports have it; of what a person settles for each record, one for each of them. */
function findingsOf(findings: readonly Finding[]): Finding[] {
	const byCause = new Map<string, Finding>();
	for (const finding of findings) {
		const { code, kind, message, isOfOne, key } = finding;
		const cause = JSON.stringify([code, kind, message, isOfOne === true ? key : '']);
		const known = byCause.get(cause);
		if (known === undefined) byCause.set(cause, { ...finding });
		else {
			known.count += finding.count;
			known.places = [...known.places, ...finding.places].slice(0, MOST_PLACES);
		}
	}
	return [...byCause.values()];
}

const { exportNotUsed } = findingTypes('error', 'any', {
	exportNotUsed: (name: string, { message, next = '' }: Failure) => ({
		message: `${name} is not used: ${message}`,
		what_to_do: `${next.replace(NOTHING_USED, '')} Its schools are neither changed nor missed, and who is in no other export keeps the bonds there; the other exports go on.`,
	}),
});
