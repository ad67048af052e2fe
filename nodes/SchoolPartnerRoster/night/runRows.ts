/** The rows of a run beside those of its changes: of itself, and of what its holds keep back. */
import { holdKey } from '../ledger/decisions';
import type { HoldDetail, RunDetail } from '../ledger/detail';
import { piecesOf } from '../ledger/digest';
import type { Ledger } from '../ledger/ledger';
import type { LedgerRow } from '../ledger/row';
import type { Hold } from '../planning/holds';
import type { Plan } from '../planning/plan';
import type { Done } from '../sending/batch';

/** Digests of so many rosters are kept, so that an older one is known again. */
const ROSTERS_KEPT = 60;

export function runRow(detail: RunDetail, state: 'under way' | 'ended'): Partial<LedgerRow> {
	return { kind: 'run', key: 'run', state, detail: JSON.stringify(detail) };
}

/** What the next night needs to know of this one. What is not believed yet is not noted: marks and files stay as they were. */
export function runDetail(
	{ changes, holds, isDoubted, isTakeOver, circumstances, base, salt, away }: Plan,
	{ lastDetail: before, rows }: Ledger,
	files: readonly string[] | undefined,
	runId: string,
): RunDetail {
	const { marks, roster, rowsExpected } = circumstances;
	// Trap: a first run that was held has noted none, and with other ids all that is taken over would be created again.
	const mark = (name: 'service' | 'client' | 'ids') =>
		(isDoubted && !isTakeOver ? '' : marks[name]) || before[name];
	const unfinished = isDoubted ? before.takesOver : [];
	return {
		...{ service: mark('service'), client: mark('client'), ids: mark('ids') },
		files: isDoubted || files === undefined ? before.files : [...files],
		// Trap: noted although it is held, an older roster would be the last one, and go unseen the next time.
		rosters: isDoubted ? before.rosters : rostersWith(before.rosters, roster),
		salt,
		holds: holds.map(({ hold_id }) => hold_id),
		changes: changes.length,
		sent: 0,
		takesOver: isTakeOver ? [...unfinished, runId] : unfinished,
		base: isDoubted && !isTakeOver ? before.base : base.entries(),
		recent: before.recent,
		away: isDoubted ? before.away : [...away],
		cuts: !isDoubted && rows < rowsExpected ? (before.cuts ?? 0) + 1 : before.cuts,
		...(before.asksFew === true && { asksFew: true }),
	};
}

/** Trap: where the same one comes every half hour, no older one would be left after a day. */
function rostersWith(rosters: RunDetail['rosters'], roster: [string, string]): RunDetail['rosters'] {
	const last = rosters.findLast(([schools]) => schools === roster[0]);
	return last?.[1] === roster[1] ? rosters : [...rosters, roster].slice(-ROSTERS_KEPT);
}

/** Take overs that stay unfinished when this one has come to its end: they have left rows in schools that are not in its roster. */
export function otherTakeOvers(
	done: readonly Done[],
	{ entries, lastDetail: { takesOver } }: Ledger,
): string[] {
	if (takesOver.length === 0) return [];
	const schools = new Set(done.map(({ change }) => change.school_external_id));
	const left = new Set(
		[...entries.values()].flatMap(({ school, row }) => (schools.has(school) ? [] : row.run_id)),
	);
	return takesOver.filter((runId) => left.has(runId));
}

/** Of the holds that the ledger does not know yet, so that just what they keep back is approved. */
export function holdRows(holds: readonly Hold[], { decisions }: Ledger): Array<Partial<LedgerRow>> {
	const isKnown = ({ hold_id: id }: Hold) => (decisions.holds.get(id)?.rows.length ?? 0) > 0;
	return holds.filter((hold) => !isKnown(hold)).flatMap(rowsOfHold);
}

function rowsOfHold({ hold_id: id, school_external_id: school, reason, conditions, digests }: Hold) {
	return piecesOf(digests).map((changes, place): Partial<LedgerRow> => {
		const detail = JSON.stringify({ school, reason, conditions, changes } satisfies HoldDetail);
		return {
			kind: 'hold',
			key: holdKey(id, place + 1),
			school_external_id: school,
			state: 'reported',
			detail,
		};
	});
}
