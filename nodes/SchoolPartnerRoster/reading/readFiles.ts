/** Files of a student information system become a roster. */
import { quoted } from '../../shared/contract/quoted';
import type { Outcome } from '../../shared/failure';
import { Findings } from '../roster/findings';
import type { Kind } from '../roster/record';
import type { Completeness, Roster } from '../roster/roster';
import { Turns, type Host } from '../roster/turns';

import { readBonds } from './bonds';
import { readClasses } from './classes';
import { Collector } from './collector';
import { adviceOf, fileNotes, fileWarnings } from './fileFindings';
import { FILES, MANIFEST, oneRoster, sds, type FileName, type Format } from './formats';
import { manifestOf, type Extent, type Manifest } from './manifest';
import { rulesOf, type Mapping, type Rules } from './mapping';
import { readPeople } from './people';
import { readRowStates, type RosterReading } from './reading';
import { readSchools } from './schools';
import { sourcesOf, type GivenFile, type Sources } from './sources';
import { unlessStopped, Stop } from './stop';
import { readTable, type Table } from './table';
import { refuseOtherKinds } from './text';

export type FormatName = 'automatic' | 'oneRoster' | 'sds';

/**
 * A roster from CSV files, or a zip of them; or why nothing of them may be used. Never throws for what is in the files.
 * @param folder stands before the names of the files, where there are several exports
 */
export async function readFiles(
	files: readonly GivenFile[],
	mapping: Mapping,
	format: FormatName,
	host: Host,
	folder = '',
): Promise<Outcome<Roster>> {
	const [rules, turns] = [rulesOf(mapping), new Turns(host)];
	return await unlessStopped(
		async () => await rosterOf(sourcesOf(files, folder, turns), rules, format, turns),
	);
}

async function rosterOf(sources: Sources, rules: Rules, named: FormatName, turns: Turns): Promise<Roster> {
	const findings = new Findings();
	const manifestFile = sources.byName.get('manifest');
	const manifestTable = manifestFile && (await readTable(manifestFile, MANIFEST, findings, turns));
	const manifest = manifestTable && manifestOf(manifestTable);
	const format = await formatOf(sources, manifest, named, rules, turns);
	const extents = extentsOf(format, sources, manifest, findings);
	const tables = await tablesOf(format, sources, extents, findings, turns);
	noteOtherFiles(sources, format, findings);
	const collector = new Collector(findings, rules.userKeys, adviceOf, true);
	const reading: RosterReading = { format: format.name, tables, rules, findings, collector, turns };
	await readRowStates(reading);
	const schools = await readSchools(reading);
	const people = await readPeople(reading, schools);
	const classes = await readClasses(reading, schools, people);
	await readBonds(reading, { schools, people, classes });
	return {
		...(await collector.roster(completenessOf(format, extents), turns, schools.all)),
		schoolNames: schools.names,
		files: [...(manifestTable ? [manifestTable] : []), ...Object.values(tables)].map(({ read }) => read),
	};
}

/** Which format it is: the manifest says it, else the columns of users.csv. */
async function formatOf(
	{ byName }: Sources,
	manifest: Manifest | undefined,
	named: FormatName,
	rules: Rules,
	turns: Turns,
): Promise<Format> {
	if (manifest !== undefined) {
		if (named !== 'sds') return oneRoster(manifest.version, rules);
		throw new Stop(
			'format',
			'Format is SDS, but the files are OneRoster: they have a manifest.csv',
			'Set Format to OneRoster or Automatic.',
		);
	}
	const users = byName.get('users');
	if (users === undefined) throw missing('users.csv', 'the format demands it');
	const bytes = await users.read();
	refuseOtherKinds(bytes, users.name);
	// It is read again for its rows, and need not be unpacked again.
	byName.set('users', { name: users.name, read: () => Promise.resolve(bytes) });
	await turns.yieldIfDue();
	return formatOfUsers(bytes, named, rules);
}

/** Which format it is, by the columns of users.csv. */
function formatOfUsers(bytes: Buffer, named: FormatName, rules: Rules): Format {
	const start = bytes.toString('latin1', 0, 64 * 1024);
	const [header] = start.trim().split(/[\r\n]/, 1);
	const has = (column: string) => new RegExp(`(^|[^a-z])${column}([^a-z]|$)`, 'i').test(header);
	const isOneRoster = ONE_ROSTER_ONLY.some(has);
	if (isOneRoster && named === 'sds') {
		throw new Stop(
			'format',
			'Format is SDS, but users.csv has the columns of OneRoster',
			'Set Format to OneRoster or Automatic.',
		);
	}
	if (!isOneRoster && named === 'oneRoster') {
		throw new Stop(
			'format',
			'Format is OneRoster, but users.csv does not have its columns',
			'Set Format to SDS or Automatic, or look whether it is the right file.',
		);
	}
	if (!isOneRoster) return sds(rules);
	return oneRoster(has('role') || has('orgSourcedIds') ? '1.1' : '1.2', rules);
}

/** Columns of users.csv that SDS does not have. */
const ONE_ROSTER_ONLY = ['enabledUser', 'agentSourcedIds', 'orgSourcedIds', 'dateLastModified', 'status'];

function missing(file: string, why: string): Stop {
	return new Stop(
		'fileMissing',
		`${file} is missing: ${why}`,
		'Have the files exported again. All files belong to one export.',
	);
}

function saidAbsent(file: string): Stop {
	const { message, what_to_do } = fileWarnings.fileSaidAbsent(file);
	return new Stop('manifest', message, what_to_do);
}

/** How much of its kind each file holds; stops where one that must be there is not. */
function extentsOf(
	format: Format,
	{ byName }: Sources,
	manifest: Manifest | undefined,
	findings: Findings,
): Record<FileName, Extent> {
	const extents = Object.fromEntries(FILES.map((name) => [name, 'absent'])) as Record<FileName, Extent>;
	refuseMissing(byName, manifest);
	for (const name of FILES) {
		if (format.files[name] === undefined) continue;
		const [short, file] = [name.toLowerCase(), `${name}.csv`];
		const isThere = byName.has(short);
		// Of what a manifest does not name, nobody said that it is whole.
		const ofFile = manifest === undefined ? 'bulk' : 'unnamed';
		const extent = manifest?.extents.get(short) ?? (isThere ? ofFile : 'absent');
		if (extent === 'absent' && format.demanded.includes(name))
			throw isThere ? saidAbsent(file) : missing(file, `${format.name} demands it`);
		if (extent === 'absent' && isThere) findings.add(fileWarnings.fileSaidAbsent(file));
		if (extent === 'unnamed') findings.add(fileWarnings.fileNotInManifest(file));
		extents[name] = extent;
	}
	if (extents.enrollments === 'bulk' && extents.classes === 'absent')
		throw missing('classes.csv', 'enrollments.csv says nothing without it');
	return extents;
}

/** Stops where the manifest names a file that is read and is not there. */
function refuseMissing(byName: Sources['byName'], manifest: Manifest | undefined): void {
	for (const [file, extent] of manifest?.extents ?? [])
		if (extent !== 'absent' && !byName.has(file)) throw missing(`${file}.csv`, 'manifest.csv names it');
}

/** Many systems write them always, and fill them never. */
const SUPPLEMENTS: readonly FileName[] = ['courses', 'academicSessions'];

/** Reads the files one after another. One that must hold rows and has none stops; an optional one without rows says nothing. */
async function tablesOf(
	format: Format,
	{ byName }: Sources,
	extents: Record<FileName, Extent>,
	findings: Findings,
	turns: Turns,
): Promise<Partial<Record<FileName, Table>>> {
	const tables: Partial<Record<FileName, Table>> = {};
	for (const name of FILES) {
		const [layout, source] = [format.files[name], byName.get(name.toLowerCase())];
		if (layout === undefined || source === undefined || extents[name] === 'absent') continue;
		const table = await readTable(source, layout, findings, turns);
		if (table.lines.length === 0 && extents[name] === 'bulk') {
			if (format.demanded.includes(name))
				throw new Stop('fileWithoutRows', `${table.file} has no rows, only the names of its columns`);
			extents[name] = 'absent';
			const { fileWithoutRows } = SUPPLEMENTS.includes(name) ? fileNotes : fileWarnings;
			findings.add(fileWithoutRows(table.file), { file: table.file, line: 1 });
			continue;
		}
		tables[name] = table;
	}
	return tables;
}

function completenessOf(format: Format, extents: Record<FileName, Extent>): Record<Kind, Completeness> {
	const of = (...names: FileName[]): Completeness => {
		const ofFiles = names.filter((name) => format.files[name] !== undefined).map((name) => extents[name]);
		if (ofFiles.every((extent) => extent === 'absent')) return 'silent';
		return ofFiles.every((extent) => extent === 'bulk') ? 'whole' : 'partial';
	};
	return { class: of('classes'), user: of('users', 'roles'), bond: of('enrollments') };
}

function noteOtherFiles({ byName, others }: Sources, format: Format, findings: Findings): void {
	const known = [...FILES, ...format.unread, 'manifest'].map((name) => name.toLowerCase());
	for (const [short, { name }] of byName)
		if (!known.includes(short)) findings.add(fileNotes.fileNotUsed(name));
	for (const name of others) findings.add(fileNotes.fileNotUsed(quoted(name, 60)));
}
