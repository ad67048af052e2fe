/** Approve and Resolve: what a person has decided goes into the ledger, item by item. */
import type { IDataObject } from 'n8n-workflow';

import { USER_PATH, wordsOf } from './workroom.mts';
import { keysOf, statesOf, useOffice, withoutBond, type Night } from './rosterStage.mts';

const office = useOffice();

const holdOf = ({ summary }: Night) => String((summary.holds as IDataObject[])[0].hold_id);
const STUDENT = 'u:school-001|ros-student-1';
const BOND = 'b:school-001|ros-class-1|ros-student-1|student';

/** A ledger in which a student is uncertain. */
async function uncertainStudent(): Promise<void> {
	await office.approve(await office.sync());
	const match = { path: USER_PATH, bodyContains: 'ros-student-1', times: 1 };
	await office.workroom.admin.addFault(match, { status: 500 });
	expect(statesOf((await office.sync()).changes)[STUDENT]).toBe('uncertain');
}

describe('Approve', () => {
	test('says what was approved, by whom, and what to do next; each answer comes from its item', async () => {
		const id = holdOf(await office.sync());
		const { outputs } = await office.decide('approve', [
			{ hold_id: ` ${id} `, approve: 'yes', by: 'Ana' },
			{ hold_id: id, approve: 'true', by: 'Ana' },
		]);
		expect(outputs).toHaveLength(1);
		expect(outputs[0].map(({ json, pairedItem }) => [json, pairedItem])).toMatchObject([
			[{ hold_id: id, state: 'approved', by: 'Ana', changes: 8 }, { item: 0 }],
			[{ hold_id: id, state: 'approved' }, { item: 1 }],
		]);
		expect(outputs[0][0].json.reason).toContain('first run');
		expect(outputs[0][0].json.what_to_do).toContain('Sync');
	});

	test('can be withdrawn, by a word of a form too: the next night holds again', async () => {
		const id = holdOf(await office.sync());
		await office.decide('approve', [{ hold_id: id, approve: true, by: 'Ana' }]);
		const { items } = await office.decide('approve', [{ hold_id: id, approve: 'No', by: 'Bento' }]);
		expect(items).toMatchObject([{ state: 'withdrawn', by: 'Bento' }]);
		expect((await office.sync()).summary).toMatchObject({ outcome: 'held' });
		expect(await office.sent()).toEqual([]);
	});

	test('is used up by what it let go, which was too much: the same change on a later night is held again', async () => {
		await office.begin();
		const night = { roster: [withoutBond('e2')], options: { holdRemovalsFrom: 1, holdRemovalsPercent: 0 } };
		const held = await office.sync(night);
		expect(held.summary).toMatchObject({ outcome: 'held', holds: [{ school_external_id: 'school-001' }] });
		await office.approve(held);
		const removed = { [BOND.replace('student-1', 'student-2')]: 'removed' };
		expect(statesOf((await office.sync(night)).changes)).toEqual(removed);
		await office.sync();
		expect((await office.sync(night)).summary).toMatchObject({ outcome: 'held' });
	});

	const NEEDS_FIELDS = 'needs the fields hold_id, approve';

	test.each<[string, (id: string) => IDataObject, string]>([
		['says nothing of yes or no', (id) => ({ hold_id: id, by: 'Ana' }), NEEDS_FIELDS],
		['says maybe', (id) => ({ hold_id: id, approve: 'maybe', by: 'Ana' }), NEEDS_FIELDS],
		['names no person', (id) => ({ hold_id: id, approve: true, by: ' ' }), NEEDS_FIELDS],
		['names no hold', () => ({ approve: true, by: 'Ana' }), NEEDS_FIELDS],
		[
			'names a hold that no Sync has reported',
			() => ({ hold_id: 'hold-0123456789ab', approve: true, by: 'Ana' }),
			'knows of no hold hold-0123456789ab',
		],
	])('fails when an item %s, and notes nothing', async (_what, itemOf, message) => {
		const id = holdOf(await office.sync());
		const rows = office.ledger.length;
		const run = await office.decide('approve', [{ hold_id: id, approve: true, by: 'Ana' }, itemOf(id)]);
		expect(wordsOf(run).message).toContain(message);
		expect(wordsOf(run).message).toContain('[Item 1]');
		expect(wordsOf(run).description).not.toContain('may be done');
		expect(run.outputs.flat()).toEqual([]);
		expect(office.ledger).toHaveLength(rows);
	});

	test('says of a hold that only Preview has shown: run Sync first', async () => {
		await office.takeOver();
		const held = await office.preview({
			roster: [withoutBond('e2')],
			options: { holdRemovalsFrom: 1, holdRemovalsPercent: 0 },
		});
		const run = await office.decide('approve', [{ hold_id: holdOf(held), approve: true, by: 'Ana' }]);
		expect(wordsOf(run).description).toContain('Run Sync first');
	});

	test('says of a hold that was reported more than seven days ago: start Sync, which holds it again', async () => {
		const id = holdOf(await office.sync());
		const at = new Date(Date.now() - 8 * 24 * 3_600_000).toISOString();
		for (const row of office.ledger) Object.assign(row, { at });
		const decide = async () => await office.decide('approve', [{ hold_id: id, approve: true, by: 'Ana' }]);
		expect(wordsOf(await decide()).message).toContain('was reported last more than seven days ago');
		expect(holdOf(await office.sync())).toBe(id);
		expect((await decide()).items).toMatchObject([{ state: 'approved' }]);
		expect((await office.sync()).summary).toMatchObject({ outcome: 'done' });
	});

	test('goes on with the other items where On Error says so', async () => {
		const id = holdOf(await office.sync());
		const items = [
			{ hold_id: 'hold-none', approve: true, by: 'Ana' },
			{ hold_id: id, approve: true, by: 'Ana' },
		];
		const run = await office.decide('approve', items, { onError: 'continueRegularOutput' });
		expect(run.error).toBeUndefined();
		expect(run.items).toMatchObject([
			{ error: expect.stringContaining('knows of no hold') as string },
			{ hold_id: id, state: 'approved' },
		]);
		expect((await office.sync()).summary).toMatchObject({ outcome: 'done' });
	});

	test('without a ledger says to run Sync first', async () => {
		const run = await office.decide('approve', [{ hold_id: 'hold-none', approve: true, by: 'Ana' }]);
		expect(wordsOf(run).message).toContain('There is no ledger "School Partner Roster" yet');
		expect(office.tables.rows('School Partner Roster')).toEqual([]);
	});
});

describe('Resolve', () => {
	test('settles what is uncertain: what is not in the service is created, with what waited for it', async () => {
		await uncertainStudent();
		expect(keysOf((await office.sync()).changes)).not.toContain(`create ${STUDENT}`);
		const { items } = await office.decide('resolve', [{ key: STUDENT, is: 'notInService', by: 'Ana' }]);
		expect(items).toMatchObject([{ key: STUDENT, state: 'notInService', by: 'Ana' }]);
		expect(statesOf((await office.sync()).changes)).toEqual({ [STUDENT]: 'applied', [BOND]: 'applied' });
		expect((await office.sync()).summary).toMatchObject({ outcome: 'nothing' });
	});

	test('takes the items of Needs Attention as they are; those without `is` are skipped, and said so', async () => {
		await uncertainStudent();
		const { attention } = await office.sync();
		const items = [...attention.map((item) => ({ ...item, is: 'inService', by: 'Ana' })), ...attention];
		const run = await office.decide('resolve', items);
		expect(run.error).toBeUndefined();
		expect(run.items.map(({ key, state }) => [key, state])).toEqual([
			...attention.map(({ key }) => [key, 'inService']),
			...attention.map(({ key }) => [key, 'skipped']),
		]);
		expect(run.items.at(-1)?.what_to_do).toContain('nothing was noted');
		expect((await office.sync()).summary).toMatchObject({ outcome: 'nothing' });
	});

	test.each<[string, IDataObject, string]>([
		['says another word', { key: STUDENT, is: 'gone', by: 'Ana' }, 'needs the fields key, is'],
		['names no person', { key: STUDENT, is: 'inService' }, 'needs the fields key, is'],
		['names no record', { is: 'inService', by: 'Ana' }, 'needs the fields key, is'],
		[
			'names a record that the ledger does not know',
			{ key: 'u:school-001|nobody', is: 'inService', by: 'Ana' },
			'The ledger knows nothing of u:school-001|nobody',
		],
		[
			'names a user without the school, where each school has its own users',
			{ key: 'u:ros-student-1', is: 'notInService', by: 'Ana' },
			'The ledger knows nothing of u:ros-student-1',
		],
	])('fails when an item %s; where On Error says so, that item alone', async (_what, item, message) => {
		await uncertainStudent();
		const run = await office.decide('resolve', [item]);
		expect(wordsOf(run).message).toContain(message);
		const good = { key: STUDENT, is: 'inService', by: 'Ana' };
		const continued = await office.decide('resolve', [item, good], { onError: 'continueErrorOutput' });
		expect(continued.error).toBeUndefined();
		expect(continued.outputs.map((items) => items.map(({ json }) => json.state ?? json.error))).toEqual([
			['inService'],
			[expect.stringContaining(message)],
		]);
	});
});
