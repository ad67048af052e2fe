/** The promises as docs/reliability.md shows them. Knows nothing of n8n, so that unit tests can read it. */
import {
	EXPECTATIONS,
	HOLDS_OF_ROSTERS,
	PROMISES_OF_ROSTERS,
	PROMISES_OF_RUNS,
	type Kind,
	type Verdict,
} from './expectations.mts';

const COLUMNS: Array<[heading: string, kind: Kind]> = [
	['Lookups (GET)', 'read'],
	['Updates (PUT)', 'change'],
	['Deletions (DELETE)', 'remove'],
	['Creations, course status (POST)', 'create'],
	['Code exchange (POST)', 'redeem'],
];

const WORDS: Record<Verdict, string> = {
	again: 'sent again',
	fails: 'fails',
	uncertain: '**fails, may be done**',
	renewed: 'sent again with a new token',
	halved: 'sent again in halves',
	succeeds: 'succeeds',
	nothing: 'nothing found',
};

const table = (rows: string[][]): string => {
	const [head = [], ...others] = rows;
	return [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

/** One row for each thing that can happen to a request. Throws when faults of one row are not promised the same. */
export function requestTable(): string {
	const rows = new Map<string, string[]>();
	for (const { row, fault, verdicts } of EXPECTATIONS) {
		const cells = COLUMNS.map(([, kind]) => WORDS[verdicts[kind]]);
		const known = rows.get(row);
		if (known !== undefined && known.join() !== cells.join())
			throw new Error(`${fault} is unlike the others of its row`);
		rows.set(row, cells);
	}
	const head = ['What happens to a request', ...COLUMNS.map(([heading]) => heading)];
	return table([head, ...[...rows].map(([row, cells]) => [row, ...cells])]);
}

export function runTable(): string {
	const rows = Object.values(PROMISES_OF_RUNS).map(({ what, promise }) => [what, promise]);
	return table([['What happens to a run', 'Result'], ...rows]);
}

type OfRosters = typeof PROMISES_OF_ROSTERS | typeof HOLDS_OF_ROSTERS;

const rosterRows = (promises: OfRosters, heading: string): string =>
	table([
		[heading, 'Result', 'What to do'],
		...Object.values(promises).map(({ what, promise, todo }) => [what, promise, todo]),
	]);

export const rosterTable = (): string => rosterRows(PROMISES_OF_ROSTERS, 'What happens to a roster run');
export const holdTable = (): string => rosterRows(HOLDS_OF_ROSTERS, 'What cannot be right');
