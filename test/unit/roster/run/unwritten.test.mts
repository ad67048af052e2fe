/** What is said of a run whose ledger could not be written any more. */
import type { Sent } from '../../../../nodes/SchoolPartnerRoster/night/changeSender.ts';
import { maybeNoted, unwritten } from '../../../../nodes/SchoolPartnerRoster/run/failures.ts';
import { StoreError, type StoreFailure } from '../../../../nodes/SchoolPartnerRoster/store/store.ts';
import { inputFailure } from '../../../../nodes/shared/failure.ts';

const full = inputFailure({ code: 'dataTablesFull', message: 'The tables are full.', next: 'Make room.' });
const lost = (...changes: Array<[id: string, kind: string, state: string]>) =>
	({
		unwritten: changes.map(([id, kind, state]) => ({
			...{ change: { key: `u:s|${id}`, action: 'create' }, result: { kind }, state },
		})),
	}) as unknown as Sent;

test('What was sent is named as uncertain, and nothing that was not', () => {
	const sent = lost(
		...([
			['1', 'done', 'applied'],
			['2', 'failed', 'failed'],
			['3', 'blocked', 'blocked'],
			['4', 'waiting', 'waiting'],
			['5', 'notTried', 'notTried'],
		] as Array<[string, string, string]>),
	);
	const { message, next } = unwritten(sent, full);
	expect(message).toMatch(/of 2 changes\./);
	expect(next).toMatch(/by its key: u:s\|1 \(applied\), u:s\|2 \(failed\)\.$/);
});

test('Where nothing was sent, nothing is uncertain', () => {
	expect(unwritten(lost(['3', 'blocked', 'blocked']), full).next).toMatch(
		/Nothing was sent without a row\.$/,
	);
});

test('Whom the next run only asks for once more is not named as uncertain', () => {
	const asked = {
		unwritten: lost(['1', 'done', 'applied']).unwritten.map((one) => ({ ...one, isAskedLater: true })),
	};
	const { effect, next } = unwritten(asked as unknown as Sent, full);
	expect([effect, next]).toEqual(['none', 'Make room. Nothing was sent without a row.']);
});

test('What a person has said, and the ledger may have taken, is not to be said again unseen', () => {
	const noted = (failure: StoreFailure): StoreFailure => {
		try {
			return maybeNoted(new StoreError(failure));
		} catch (thrown) {
			return (thrown as StoreError).failure;
		}
	};
	expect(noted({ ...full, isPassing: true, next: 'Run it again.' })).toMatchObject({
		effect: 'unknown',
		next: 'It may have been noted all the same: look with Explain before you say it again. Run it again.',
	});
	expect(noted({ ...full, isPassing: false })).toMatchObject({ effect: 'none', next: 'Make room.' });
});
