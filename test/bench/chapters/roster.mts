/** Plan Changes for a network of 50,000 students, beside n8n's own nodes and a bare script; the rows of a sheet; networks of other sizes. */
import { ratiosOf, spreadOf } from '../measuring/statistics.mts';
import type { Plan, Results, RosterPoint } from '../results.mts';
import { Ground, type Network, type Run } from '../roster/ground.mts';
import { ABSENT_RECORDS } from '../roster/ledgers.mts';

const STUDENTS = 50_000;
const SHEET_ROWS = 20_000;
/** Smaller ones are measured in several rounds. */
const OTHER_SIZES = [1_000, 10_000, 200_000];
const MOST_ROUNDS = 3;

const THEIRS = "n8n's own nodes: Compression, Extract from File for each file, Compare Datasets";
const BARE = 'a bare script of the same libraries: unzip, parse, ids and hashes into a Map, compare';

export async function measureRoster({ rounds: asked, say }: Plan): Promise<Partial<Results>> {
	const rounds = Math.min(asked, MOST_ROUNDS);
	const ground = new Ground();
	try {
		say(`a ledger for ${STUDENTS.toLocaleString('en')} students`);
		const network = await ground.prepare(STUDENTS);
		const ours: Run[] = [];
		let theirs: Run | undefined;
		let ledgerMb: number | undefined;
		const bare: number[] = [];
		for (let round = 0; round < rounds; round++) {
			say(`plan of ${STUDENTS.toLocaleString('en')} students, round ${round + 1} of ${rounds}`);
			ours.push(await ground.run(network.ours, ABSENT_RECORDS));
			bare.push(ground.bare(network));
			// Once: it takes minutes, and differs by seconds.
			theirs ??= await ground.run(await ground.theirs(STUDENTS), ABSENT_RECORDS);
			ledgerMb ??= (await ground.run(network.onlyLedger, 1)).peakMb;
		}
		const sheet = await ground.sheet(SHEET_ROWS);
		const sheets: Run[] = [];
		for (let round = 0; round < rounds; round++) {
			say(
				`${sheet.columns} columns of ${SHEET_ROWS.toLocaleString('en')} rows, round ${round + 1} of ${rounds}`,
			);
			sheets.push(await ground.run(sheet));
		}
		const growth = [pointOf(network, ours)];
		for (const students of OTHER_SIZES) {
			say(`plan of ${students.toLocaleString('en')} students`);
			const other = await ground.prepare(students);
			const runs: Run[] = [];
			for (let round = 0; round < (students > STUDENTS ? 1 : rounds); round++)
				runs.push(await ground.run(other.ours, ABSENT_RECORDS));
			growth.push(pointOf(other, runs));
		}
		return resultsOf({ network, ours, theirs, ledgerMb, bare, sheets, columns: sheet.columns, growth });
	} finally {
		ground.end();
	}
}

interface Measured {
	network: Network;
	ours: Run[];
	theirs: Run | undefined;
	/** Of a run that reads the ledger and does nothing with it. */
	ledgerMb: number | undefined;
	bare: number[];
	sheets: Run[];
	columns: number;
	growth: RosterPoint[];
}

function resultsOf({
	network,
	ours,
	theirs,
	ledgerMb,
	bare,
	sheets,
	columns,
	growth,
}: Measured): Partial<Results> {
	if (theirs === undefined || ledgerMb === undefined) throw new Error('There was no round');
	const what = `plan of ${STUDENTS.toLocaleString('en')} students (${network.records.toLocaleString('en')} records) against a ledger of as many rows`;
	const took = ours.map(({ ms }) => ms);
	const peaks = ours.map(({ peakMb }) => peakMb);
	const [ownPeaks, theirOwnPeak] = [peaks.map((peak) => peak - ledgerMb), theirs.peakMb - ledgerMb];
	return {
		comparisons: [
			{
				...{ id: 'roster-n8n', what, against: THEIRS, unit: 'ms', target: { atLeast: 5 } },
				...{
					ours: spreadOf(took),
					theirs: spreadOf([theirs.ms]),
					ratio: spreadOf(took.map((ms) => theirs.ms / ms)),
				},
			},
			{
				...{
					id: 'roster-memory',
					what: `peak memory above that of an n8n at rest, ${what}`,
					against: THEIRS,
					unit: 'MB',
					target: { atMost: 0.6 },
				},
				...{
					ours: spreadOf(peaks),
					theirs: spreadOf([theirs.peakMb]),
					ratio: spreadOf(peaks.map((peak) => peak / theirs.peakMb)),
				},
			},
			{
				...{
					id: 'roster-own-memory',
					what: `the same, above that of a run that only reads the ledger`,
					against: THEIRS,
					unit: 'MB',
					target: { atMost: 0.6 },
				},
				...{
					ours: spreadOf(ownPeaks),
					theirs: spreadOf([theirOwnPeak]),
					ratio: spreadOf(ownPeaks.map((peak) => peak / theirOwnPeak)),
				},
			},
			{
				...{
					id: 'roster-bare',
					what: `${what}, times as long`,
					against: BARE,
					unit: 'ms',
					target: { atMost: 3 },
				},
				...{ ours: spreadOf(took), theirs: spreadOf(bare), ratio: spreadOf(ratiosOf(took, bare)) },
			},
		],
		bounds: [
			{
				...{
					id: 'roster-loop-p99',
					what: `delay of n8n's event loop during it, all but one of a hundred looks`,
					unit: 'ms',
					atMost: 50,
				},
				seen: spreadOf(ours.map(p99Of)),
			},
			{
				...{
					id: 'roster-loop-longest',
					what: `delay of n8n's event loop during it, the longest`,
					unit: 'ms',
					atMost: 250,
				},
				seen: spreadOf(ours.map(longestOf)),
			},
			{
				...{
					id: 'roster-rows',
					what: `plan of a sheet of ${SHEET_ROWS.toLocaleString('en')} rows with ${columns} columns`,
					unit: 's',
					atMost: 5,
				},
				seen: spreadOf(sheets.map(({ ms }) => ms / 1000)),
			},
		],
		rosterGrowth: growth.sort((one, other) => one.students - other.students),
	};
}

function pointOf({ students, records }: Network, runs: readonly Run[]): RosterPoint {
	return {
		...{ students, records, took: spreadOf(runs.map(({ ms }) => ms)) },
		loop: { p99: spreadOf(runs.map(p99Of)), longest: spreadOf(runs.map(longestOf)) },
		peakMb: Math.max(...runs.map(({ peakMb }) => peakMb)),
	};
}

const longestOf = ({ delays }: Run) => Math.max(...delays);
const p99Of = ({ delays }: Run) =>
	delays.toSorted((one, other) => one - other)[Math.floor(delays.length * 0.99)] ?? 0;
