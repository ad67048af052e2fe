/** Exports of a school system that are broken, or made to break n8n: each is sent to a published workflow that reads it. */
import { forgetPeak, peakMemoryMb } from '../../bench/measuring/machine.mts';
import {
	BROKEN,
	damagedFiles,
	damagedZips,
	GRADED,
	STRANGE,
	withWord,
	zipped,
	type Files,
} from '../../unit/roster/reading/broken.mts';
import { Findings, shown, type Area, type Cell } from '../cell.mts';
import type { HostileStage } from '../stage.mts';
import type { Reading } from '../uploads.mts';

/** For any export, on a busy machine. */
const LONGEST_MS = 10_000;
/** What n8n may take above what it held before, for exports of up to 90 MB that it keeps while they are read. */
const MOST_MB = 700;
const [ZIPS, FILES] = [150, 300];

const NO_WORDS = /undefined|null|NaN|\[object|TypeError|RangeError|Cannot read|Prado|hunter2/;

/** What is wrong with what came of an export; nothing when a person knows what to do. */
function wrongWith({ status, took, stopped, findings }: Reading, mustTell: boolean): string[] {
	const found = new Findings();
	found.hold(['success', 'error'].includes(status), `the run is ${status}`);
	found.hold(took < LONGEST_MS, `it took ${took} ms`);
	const told = stopped === undefined ? findings : [stopped];
	found.hold(!mustTell || told.length > 0, 'nothing is told');
	for (const { message, next } of told) {
		found.hold(
			next !== '' && !NO_WORDS.test(`${message} ${next}`),
			`words that help nobody: ${shown(`${message} ${next}`)}`,
		);
		found.hold(message.length + next.length < 1_500, `words without end: ${shown(message)}`);
	}
	return found.list;
}

function cellOf(
	tries: string,
	attempts: number,
	exportsOf: (stage: HostileStage) => ReadonlyArray<readonly [string, () => Files, ...unknown[]]>,
	mustTell: boolean,
): Cell {
	return {
		tries,
		holds: `${mustTell ? 'each stops in words that say what to do, or is told as a finding' : 'each is read or stops in words that say what to do'}, within ${LONGEST_MS / 1_000} s, and n8n takes no more than ${MOST_MB} MB for it`,
		attempts,
		patienceMs: 600_000,
		attack: async (stage) => {
			const reader = await stage.openReader(GRADED);
			const found = new Findings();
			const all = exportsOf(stage);
			const before = stage.residentMegabytes();
			forgetPeak(stage.pid);
			for (const [, files] of all) await reader.upload(files());
			const took = peakMemoryMb(stage.pid) - before;
			found.hold(took < MOST_MB, `n8n took ${Math.round(took)} MB`);
			const readings = await reader.readings();
			found.hold(readings.length === all.length, `${readings.length} runs`);
			for (const [index, reading] of readings.entries())
				found.add(wrongWith(reading, mustTell).map((what) => `${all[index]?.[0]}: ${what}`));
			return found.list;
		},
	};
}

const numbered = (name: string, all: readonly Files[]) =>
	all.map((files, index) => [`${name} ${index + 1}`, () => files] as const);

const SECRET_CELLS: ReadonlyArray<readonly [string, string]> = [
	['a password', 'hunter2'],
	['a race', 'secret-race'],
];

/** What the export says and the service must not know. The zip is packed, so that n8n's own copy of the upload cannot be taken for it. */
const secrets: Cell = cellOf(
	'passwords and the like in an export, which are then looked for in database and log',
	SECRET_CELLS.length,
	(stage) =>
		SECRET_CELLS.map(
			([what, word]) => [what, () => zipped(withWord(word, stage.newSecret(`${what} of a roster`)))] as const,
		),
	false,
);

export const rosters: Area = {
	name: 'rosters',
	cells: [
		cellOf(
			'exports that are broken or made to break n8n: zip bombs, zips in zips, NUL bytes, cells of 50 MB',
			BROKEN.length,
			() => BROKEN,
			true,
		),
		cellOf(
			'exports with strange cells: formulas, dates that are none, unknown roles, ids without end',
			STRANGE.length,
			() => STRANGE,
			true,
		),
		cellOf(
			'zips in which something went wrong on the way',
			ZIPS,
			() => numbered('zip', damagedZips(ZIPS).map(zipped)),
			false,
		),
		cellOf(
			'files in which something went wrong on the way',
			FILES,
			() => numbered('export', damagedFiles(FILES)),
			false,
		),
		secrets,
	],
};
