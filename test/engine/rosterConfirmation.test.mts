/** Done means seen: what the service's answer to a creation is believed for, and what its creation result is asked for. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { until } from '../../playground/eventually.mts';

import { statesOf, useOffice, type Night, type NightOptions } from './rosterStage.mts';
import { BOND_PATH, CLASS_PATH, USER_PATH } from './workroom.mts';

const office = useOffice();
const { workroom } = office;

const [MOTHER, STUDENT_1] = ['u:school-001|ros-mother-1', 'u:school-001|ros-student-1'];
const BOND_1 = 'b:school-001|ros-class-1|ros-student-1|student';

describe('A creation that is answered 200', () => {
	test.each<[string, IDataObject]>([
		['success: false', { success: false }],
		['an error', { Error: 'Fontela is not welcome.' }],
		['errors', { Errors: ['Fontela is not welcome.'] }],
		['errors within data', { data: { errors: ['Fontela is not welcome.'] } }],
	])(
		'and whose body says no (%s) is not there: it is told, what needs it waits, and it comes the night after',
		async (_what, body) => {
			await office.approve(await office.sync());
			const says = await workroom.admin.addFault({ path: USER_PATH, bodyContains: 'ros-mother-1' }, { body });
			const { summary, attention, changes } = await office.sync();
			expect(statesOf(changes)).toMatchObject({
				[MOTHER]: 'failed',
				[STUDENT_1]: 'blocked',
				[BOND_1]: 'blocked',
			});
			const told = attention.find(({ code }) => code === 'saysNo');
			expect(told).toMatchObject({ severity: 'error', key: MOTHER, blocks: 4 });
			if (JSON.stringify(body).includes('welcome')) expect(told?.message).toContain('is not welcome');
			expect(summary.outcome).toBe('attention');
			expect(JSON.stringify(office.ledger)).not.toContain('welcome');
			await workroom.admin.clearFaults(says);
			office.pass();
			expect(statesOf((await office.sync()).changes)).toMatchObject({
				[MOTHER]: 'applied',
				[BOND_1]: 'applied',
			});
		},
	);

	test.each([CLASS_PATH, BOND_PATH])('is not believed for %s either', async (path) => {
		await office.approve(await office.sync());
		await workroom.admin.addFault({ path }, { body: { success: false } });
		const { attention } = await office.sync();
		expect(attention.find(({ code }) => code === 'saysNo')).toBeDefined();
	});

	test('leaves the ids that it gives in the ledger', async () => {
		await office.begin();
		const { items } = await workroom.admin.users({ externalId: 'ros-mother-1' });
		expect(office.ledger.find(({ kind, key }) => kind === 'user' && key === MOTHER)).toMatchObject({
			service_id: items[0].user_id,
		});
	});
});

const CALLBACK_PATH = '/integration/partner/v1/callback';
const queryOf = (...parameter: Array<{ name: string; value: string }>) => ({
	confirmationQuery: { parameter },
});
const BY_ID = queryOf(
	{ name: 'external_id', value: '{external_id}' },
	{ name: 'school_external_id', value: '{school_external_id}' },
);
const CALLBACK: NightOptions = { options: { confirmation: 'callback', ...BY_ID } };

const asked = async () => await workroom.received(CALLBACK_PATH);
const accountOf = async (externalId: string) =>
	(await workroom.admin.users({ externalId })).items[0].account_id;
const rowOf = (key: string) => office.ledger.filter((row) => row.kind === 'user' && row.key === key).at(-1);

/** A night in which more than ten minutes go by as soon as accounts are asked for. */
async function longNight(night: NightOptions = CALLBACK): Promise<Night> {
	const sync = office.sync(night);
	await until(async () => (await asked()).length > 0);
	const now = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => now() + 11 * 60_000);
	return await sync.finally(() => jest.restoreAllMocks());
}

describe('With Confirmation set to Callback', () => {
	test('a run waits for accounts that come late, and sends bonds when they are there', async () => {
		await office.approve(await office.sync(CALLBACK));
		await workroom.admin.changeSettings({ accounts: { delayMs: 1_500 } });
		const { summary, changes } = await office.sync(CALLBACK);
		expect(new Set(Object.values(statesOf(changes)))).toEqual(new Set(['applied']));
		expect(summary.outcome).toBe('done');
		expect(rowOf(STUDENT_1)).toMatchObject({ account_id: await accountOf('ros-student-1') });
		expect((await asked()).map(({ query }) => query)).toContainEqual({
			external_id: 'ros-mother-1',
			school_external_id: 'school-001',
		});
		expect(await workroom.admin.countRequests({ path: BOND_PATH, status: 400 })).toBe(0);
	});

	test('who has no account is told, and only the own bond waits; it goes when the account is seen, and nobody is created twice', async () => {
		await office.approve(await office.sync(CALLBACK));
		await workroom.admin.changeSettings({ accounts: { never: ['ros-student-1'] } });
		const first = await longNight();
		expect(statesOf(first.changes)).toMatchObject({ [STUDENT_1]: 'unconfirmed', [BOND_1]: 'waiting' });
		expect(first.summary).toMatchObject({
			outcome: 'attention',
			counts: { user: { applied: 3, unconfirmed: 1 }, bond: { applied: 2, waiting: 1 } },
		});
		expect(first.attention).toMatchObject([
			{ severity: 'warning', code: 'unconfirmed', key: STUDENT_1, external_id: 'ros-student-1', blocks: 1 },
		]);
		expect(first.changes.slice(0, 2).map(({ state }) => state)).toEqual(['unconfirmed', 'waiting']);

		await workroom.admin.clearRequests();
		const preview = await office.preview(CALLBACK);
		expect(preview.attention).toMatchObject([{ code: 'unconfirmed', key: STUDENT_1, blocks: 1 }]);
		expect(await workroom.received('/integration')).toEqual([]);
		const second = await office.sync(CALLBACK);
		expect([second.changes, (await asked()).length]).toEqual([[], 1]);

		await workroom.admin.changeSettings({ accounts: null });
		expect(statesOf((await office.sync(CALLBACK)).changes)).toEqual({ [BOND_1]: 'applied' });
		expect(rowOf(STUDENT_1)).toMatchObject({
			state: 'applied',
			account_id: await accountOf('ros-student-1'),
		});
		expect((await office.sync(CALLBACK)).summary.outcome).toBe('nothing');
		expect(await workroom.admin.countRequests({ path: USER_PATH })).toBe(0);
	}, 30_000);

	test('accounts of which hardly any is there are one cause', async () => {
		await office.approve(await office.sync(CALLBACK));
		await workroom.admin.changeSettings({ accounts: { neverShare: 1 } });
		const { summary, attention } = await longNight();
		expect(attention).toMatchObject([
			{ severity: 'warning', code: 'mostUnconfirmed', count: 4 },
			{ code: 'waits', count: 3 },
		]);
		expect(summary).toMatchObject({ outcome: 'attention', counts: { bond: { waiting: 3 } } });
	}, 30_000);

	test('an answer that is lost is settled by the account that is seen', async () => {
		await office.approve(await office.sync(CALLBACK));
		const lost = await workroom.admin.addFault(
			{ path: USER_PATH, bodyContains: 'ros-teacher-1' },
			{ drop: 'after' },
		);
		const teacher = 'u:school-001|ros-teacher-1';
		expect(statesOf((await office.sync(CALLBACK)).changes)).toMatchObject({ [teacher]: 'uncertain' });
		await workroom.admin.clearFaults(lost);
		const { attention } = await office.sync(CALLBACK);
		expect(attention).toEqual([]);
		expect(rowOf(teacher)).toMatchObject({ state: 'applied', account_id: await accountOf('ros-teacher-1') });
	});

	test('the status is compared whatever its case and blanks, and may be another one', async () => {
		const data = (user_id: string) => ({ data: { account_id: 'a', user_id, status: ' ACTIVE ' } });
		await office.approve(await office.sync(CALLBACK));
		for (const nth of [1, 2, 3, 4])
			await workroom.admin.addFault({ path: CALLBACK_PATH, nth }, { body: data(`user-${nth}`) });
		const options = { ...CALLBACK.options, confirmedStatuses: 'Done, active' };
		expect(statesOf((await office.sync({ options })).changes)).toMatchObject({ [BOND_1]: 'applied' });
		expect(await asked()).toHaveLength(4);
	});

	test.each<[string, INodeParameters, string]>([
		['no query', {}, 'Confirmation Query has no parameter'],
		[
			'a parameter without a name',
			queryOf({ name: ' ', value: '{external_id}' }),
			'Row 1 of Confirmation Query: Parameter Name is empty',
		],
		[
			'a value that is nobody’s',
			queryOf({ name: 'school', value: '{school_external_id}' }),
			'no Parameter Value has {external_id} or {service_id} in it',
		],
		[
			'a misspelt value',
			queryOf({ name: 'id', value: '{externalid}' }, { name: 'id', value: '{external_id2}' }),
			'Row 1 of Confirmation Query: Parameter Value has {externalid} in it; it may have {external_id}',
		],
	])('and %s, nothing is done, and the message names the parameter', async (_what, query, words) => {
		for (const operation of ['sync', 'preview']) {
			const { message, description } = await office.stop(operation, {
				options: { confirmation: 'callback', ...query },
			});
			expect(message).toContain(words);
			expect(description).toContain('Confirmation Query');
		}
		expect(await workroom.received()).toEqual([]);
	});
});
