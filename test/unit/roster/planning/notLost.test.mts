/** What must not happen in the nights after: created twice, removed though it is there, let through because of an old failure. */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { applied, firstNight, night, nightOf, planned } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aSchool, rosterOf } from '../world.mts';

const isBond = ({ kind }: RosterRecord) => kind === 'bond';
const NORTH = aSchool('north', 2, 60);

test('records that were to be taken as done and were left over are never created: the next plan waits', async () => {
	const done = { firstRun: true, takeAsDone: 'everything', mostChanges: 100 } as const;
	const first = await planned(nightOf(0), rosterOf(NORTH), [], done);
	const ledger = [...first.ledgerRows, ...(await applied(first.changes, new Service(), nightOf(0)))];
	const without = await planned(nightOf(1), rosterOf(NORTH), ledger);
	expect(without.changes).toEqual([]);
	expect(without.summary.held_because[0].reason).toMatch(/left \d+ records to be taken as done/);
	const again = await planned(nightOf(1), rosterOf(NORTH), ledger, { takeAsDone: 'everything', mostChanges: 1_000, holdCreationsPercent: 100 });
	expect(new Set(again.changes.map(({ action }) => action))).toEqual(new Set(['note']));
});

test('a bond whose role nobody mapped any more stays: it is in the export', async () => {
	const ledger = await firstNight(rosterOf(NORTH), new Service());
	const [lost, ...bonds] = NORTH.filter(isBond);
	const { profile_name: _unmapped, ...fields } = lost.fields;
	const roster = rosterOf([...NORTH.filter((record) => !isBond(record)), ...bonds], { faulty: [{ ...lost, fields }] });
	expect((await planned(nightOf(1), roster, ledger)).changes).toEqual([]);
	const [, user = '', ofClass = ''] = [0, lost.fields.user_external_id, lost.fields.class_external_id].map(String);
	const elsewhere = aBond(user, ofClass, 'student', 'south');
	const moved = rosterOf(NORTH.filter((record) => record !== lost), { faulty: [elsewhere] });
	expect((await planned(nightOf(1), moved, ledger)).changes).toEqual([]);
});

test('removals that failed long ago do not let a broken export remove without a hold', async () => {
	const service = new Service();
	const ledger = await firstNight(rosterOf(NORTH), service);
	const without = rosterOf(NORTH.filter((record) => !isBond(record)));
	const refused = await planned(nightOf(1), without, ledger, { holdRemovalsPercent: 100 });
	const rows = refused.changes.map((change) => ({ ...change, sequence: String(change.sequence), state: 'failed', service_id: '', missing_since: '', detail: '400', at: new Date(nightOf(1)).toISOString() }));
	const back = await night(nightOf(2), rosterOf(NORTH), [...ledger, ...refused.ledgerRows, ...rows] as never, service);
	const broken = await planned(nightOf(3), without, back.ledger);
	expect([broken.changes.length, broken.held.length > 0]).toEqual([0, true]);
});
