/** What an export of changes holds is done with that same export: the next one may not hold it. */
import { runFindings } from '../../../../nodes/SchoolPartnerRoster/run/runFindings.ts';
import { CHANGES, rosterOf } from '../world.mts';

type Given = Parameters<typeof runFindings>;

test('Where a kind is refused alike, it is said with which export the rest is done', () => {
	const failure = { origin: 'service', effect: 'none', message: 'It refuses it.', next: 'Correct it.' };
	const sent = { done: [], refusedAlike: { kind: 'user', refused: 80, of: 100, failure } };
	const advice = (completeness = {}) => {
		const roster = rosterOf([], completeness);
		const ofRun = { roster, rows: 0, runBytes: 0, now: 0 };
		const plan = { unconfirmed: [], findings: [] };
		return runFindings({} as Given[0], plan as unknown as Given[1], sent as unknown as Given[2], ofRun)[0]
			?.what_to_do;
	};
	expect(advice()).toMatch(/Then start Sync again: it goes on with the rest\.$/);
	expect(advice({ completeness: CHANGES })).toMatch(
		/Then start Sync again with this same export: the next one/,
	);
});
