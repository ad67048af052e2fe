/**
 * Reads whole rosters of others with the roster node's reader and says what is in them: `npx tsx tools/rosters.mts [folder]`, by
 * default `../shared/rosters`. What the reader says is compared with counts over the raw CSV, taken without it. The sets are not
 * part of the project: where they are not, that is said, and nothing fails.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Mapping } from '../nodes/SchoolPartnerRoster/reading/mapping.ts';
import { readFiles } from '../nodes/SchoolPartnerRoster/reading/readFiles.ts';
import { KINDS, type Kind } from '../nodes/SchoolPartnerRoster/roster/record.ts';
import type { Roster } from '../nodes/SchoolPartnerRoster/roster/roster.ts';
import { mappingOf } from '../test/unit/roster/reading/support.mts';

const FOLDER = process.argv[2] ?? join(import.meta.dirname, '..', '..', 'shared', 'rosters');

/** How each set is meant: what its own README or its dates say. Others are read as they are. */
const MAPPINGS: Record<string, Partial<Mapping>> = {
	'oneroster-1.1-generated': {
		asOf: '2026-10-01',
		yearFrom: 'start',
		grades: gradesOf('KG', ...numbers(1, 12)),
	},
	'oneroster-1.1-families': { asOf: '2026-10-01' },
	'sds-2.1': { asOf: '2022-01-01', yearFrom: 'start', grades: gradesOf('10') },
	'sds-2.1-awkward': {
		asOf: '2025-10-01',
		yearFrom: 'start',
		dateFormat: 'MM/DD/YYYY',
		grades: gradesOf('EighthGrade'),
	},
};

const TODAY = new Date().toISOString().slice(0, 10);

function gradesOf(...codes: string[]) {
	return codes.map((gradeCode) => ({ gradeCode, educationalStage: 'EF', gradeName: gradeCode }));
}

function numbers(first: number, last: number): string[] {
	return Array.from({ length: last - first + 1 }, (_, at) => String(first + at).padStart(2, '0'));
}

type Row = Record<string, string>;

/** A CSV by the plainest means: the sets have no line ends within cells. */
function rawRows(folder: string, file: string): Row[] {
	const path = join(folder, `${file}.csv`);
	if (!existsSync(path)) return [];
	const [header, ...lines] = readFileSync(path, 'utf8')
		.replace(/^\ufeff/, '')
		.split(/\r?\n/)
		.filter((line) => line !== '');
	const cells = (line: string) =>
		line
			.match(/("([^"]|"")*"|[^,]*)(,|$)/g)
			?.map((cell) => cell.replace(/,$/, '').replace(/^"(.*)"$/s, '$1')) ?? [];
	const names = cells(header);
	return lines.map((line) =>
		Object.fromEntries(
			cells(line)
				.slice(0, names.length)
				.map((cell, at) => [names[at], cell]),
		),
	);
}

interface Counts {
	/** Records and faulty ones together: what the files say is there. */
	class: number;
	user: number;
	bond: number;
	links: number;
}

const isDayIn = (begin: string, end: string, day: string) =>
	(begin === '' || begin <= day) && (end === '' || end >= day);
const iso = (date = '') => date.replace(/^(\d\d)\/(\d\d)\/(\d{4}).*$/, '$3-$1-$2');

/** What is there on the day, counted over the raw files. */
function rawCounts(folder: string, day: string): Counts {
	const [users, roles, enrollments] = ['users', 'roles', 'enrollments'].map((file) => rawRows(folder, file));
	const relationships = rawRows(folder, 'relationships');
	const begun = roles.filter((row) => isDayIn(iso(row.roleStartDate), iso(row.roleEndDate), day));
	const isHere = (id: string) =>
		roles.length === 0 ||
		begun.some((row) => row.userSourcedId === id) ||
		relationships.some((row) => row.relationshipUserSourcedId === id) ||
		!roles.some((row) => row.userSourcedId === id);
	const roleOf = new Map(users.map((row) => [row.sourcedId, row.role]));
	const links = new Set<string>();
	for (const user of users) {
		for (const agent of (user.agentSourcedIds ?? '').split(',').filter(Boolean)) {
			const isStudent = roleOf.get(user.sourcedId) === 'student';
			if (isStudent !== (roleOf.get(agent) === 'student'))
				links.add(isStudent ? `${user.sourcedId} ${agent}` : `${agent} ${user.sourcedId}`);
		}
	}
	for (const row of relationships) links.add(`${row.userSourcedId} ${row.relationshipUserSourcedId}`);
	return {
		class: rawRows(folder, 'classes').length,
		user: new Set(users.map((row) => row.sourcedId).filter(isHere)).size,
		bond: enrollments.filter((row) => isHere(row.userSourcedId)).length,
		links: links.size,
	};
}

const countOf = (mentions: ReadonlyArray<{ kind: Kind }>, kind: Kind) =>
	mentions.filter((one) => one.kind === kind).length;

function linksIn(roster: Roster): number {
	return roster.records.reduce(
		(all, { fields: { responsible_external_id: ids } }) => all + (Array.isArray(ids) ? ids.length : 0),
		0,
	);
}

function print(set: string, roster: Roster, raw: Counts): void {
	console.log(`\n${set}`);
	console.log('  kind       records  faulty    gone   files  says');
	for (const kind of KINDS) {
		const numbers = [
			countOf(roster.records, kind),
			countOf(roster.faulty, kind),
			countOf(roster.gone, kind),
			raw[kind],
		];
		console.log(
			`  ${kind.padEnd(9)}${numbers.map((number) => String(number).padStart(8)).join('')}  ${roster.completeness[kind]}`,
		);
	}
	console.log(`  links    ${String(linksIn(roster)).padStart(8)}${String(raw.links).padStart(24)}`);
	for (const { severity, code, count, message, file, line } of roster.findings) {
		console.log(
			`  ${severity.padEnd(12)}${String(count).padStart(6)}  ${code}: ${message}${file === undefined ? '' : ` (${file}, line ${line ?? '?'})`}`,
		);
	}
}

/** What the reader counts otherwise than the raw files. */
function differences(roster: Roster, raw: Counts): string[] {
	const found = KINDS.flatMap((kind) => {
		const there = countOf(roster.records, kind) + countOf(roster.faulty, kind);
		return there === raw[kind] ? [] : [`${kind}: ${there} read, ${raw[kind]} in the files`];
	});
	// A student who cannot be sent has no links that can be counted.
	const noStudentIsFaulty = countOf(roster.faulty, 'user') === 0;
	return noStudentIsFaulty && linksIn(roster) !== raw.links
		? [...found, `links: ${linksIn(roster)} read, ${raw.links} in the files`]
		: found;
}

async function main(): Promise<void> {
	if (!existsSync(FOLDER)) {
		console.log(
			`Rosters of others: ${FOLDER} is not there, so none was read. They are not part of the project.`,
		);
		return;
	}
	const host = { pause: () => new Promise<void>((resolve) => setTimeout(resolve)), clock: Date.now };
	let wrong = 0;
	const read = async (set: string, files: Array<{ name: string; bytes: Uint8Array }>, raw: Counts) => {
		const mapping = mappingOf({ asOf: TODAY, ...MAPPINGS[set.split(' ')[0]] });
		const outcome = await readFiles(files, mapping, 'automatic', host);
		const found = outcome.ok ? differences(outcome.value, raw) : [`stopped: ${outcome.failure.message}`];
		if (outcome.ok) print(set, outcome.value, raw);
		for (const difference of found) console.log(`  DIFFERENT  ${set}: ${difference}`);
		wrong += found.length;
	};
	const sets = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
	for (const { name: set } of sets) {
		const folder = join(FOLDER, set);
		const names = readdirSync(folder).filter((file) => file.endsWith('.csv'));
		const files = names.map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) }));
		const raw = rawCounts(folder, MAPPINGS[set]?.asOf ?? TODAY);
		await read(set, files, raw);
		// With the school that its orgs.csv lacks, this set shows its families.
		const orgs = files.find(({ name }) => name === 'orgs.csv');
		const lacking = [...new Set(rawRows(folder, 'users').map((row) => row.orgSourcedIds))].filter(
			(org) => org && !rawRows(folder, 'orgs').some((row) => row.sourcedId === org),
		);
		if (orgs === undefined || lacking.length === 0) continue;
		const more = lacking.map((org) => `${org},,,A school that was added to look,school,,\n`).join('');
		const text = Buffer.from(orgs.bytes).toString().replace(/\n*$/, '\n');
		const whole = files.map((file) =>
			file === orgs ? { ...file, bytes: new Uint8Array(Buffer.from(text + more)) } : file,
		);
		await read(`${set} with the school that its orgs.csv lacks`, whole, raw);
	}
	console.log(`\nRosters of others: ${sets.length} sets read, ${wrong} counts different.`);
	if (wrong > 0 || sets.length === 0) process.exitCode = 1;
}

await main();
