/** What has other values than it was created with. */
import { firstNight, night, nightOf, planned } from '../night.mts';
import { Service } from '../service.mts';
import { aClass, aStudent, aUser, FAMILY, rosterOf } from '../world.mts';

describe('What cannot be done is said, every night', () => {
	test.each([
		['another name', 'recordChanged', [aUser('t1', 'educator', 'school-1', { last_name: 'Souza' })]],
		[
			'another responsible person',
			'responsibleChanged',
			[aUser('r2', 'responsible'), aStudent('s1', ['r2'])],
		],
		['another school', 'schoolMoved', [aUser('t1', 'educator', 'school-2')]],
		['another name of a class', 'recordChanged', [aClass('c1', 'school-1', { name: 'Other' })]],
	])('%s', async (_what, code, records) => {
		const ledger = await firstNight(rosterOf([...FAMILY, aUser('r2', 'responsible')]), new Service());
		const ids = new Set(records.map(({ kind, fields }) => `${kind} ${String(fields.external_id)}`));
		const roster = rosterOf([
			...FAMILY.filter(({ kind, fields }) => !ids.has(`${kind} ${String(fields.external_id)}`)),
			...records,
			...(ids.has('user r2') ? [] : [aUser('r2', 'responsible')]),
		]);
		const { changes, findings, ledgerRows, summary } = await planned(nightOf(1), roster, ledger);
		expect([changes, ledgerRows]).toEqual([[], []]);
		expect(findings).toMatchObject([{ code, severity: 'warning', count: 1 }]);
		expect(findings[0].what_to_do).toContain('Take as Done');
		expect(summary.counts.class.changed + summary.counts.user.changed).toBe(1);
	});

	test('is not said any more once it was taken as done, and nothing is sent for that', async () => {
		const service = new Service();
		const ledger = await firstNight(rosterOf(FAMILY), service);
		const renamed = rosterOf([
			...FAMILY.filter(({ fields }) => fields.external_id !== 't1'),
			aUser('t1', 'educator', 'school-1', { last_name: 'Souza' }),
		]);
		const before = service.requests;
		const { plan, ledger: after } = await night(nightOf(1), renamed, ledger, service, {
			takeAsDone: 'changed',
		});
		expect(plan.changes).toMatchObject([{ action: 'note', state: 'applied', key: 'u:t1', send: null }]);
		expect(service.requests).toBe(before);
		expect(await planned(nightOf(2), renamed, after)).toMatchObject({ changes: [], findings: [] });
	});

	test('is sent again where that was asked for', async () => {
		const ledger = await firstNight(rosterOf(FAMILY), new Service());
		const renamed = rosterOf([
			...FAMILY.filter(({ fields }) => fields.external_id !== 't1'),
			aUser('t1', 'educator', 'school-1', { last_name: 'Souza' }),
		]);
		const { changes } = await planned(nightOf(1), renamed, ledger, { changedRecords: 'sendAgain' });
		expect(changes).toMatchObject([{ action: 'create', key: 'u:t1', send: { last_name: 'Souza' } }]);
	});
});

test('What has changed and is sent again is not taken as done where the service answers that it exists: nothing was changed by that', async () => {
	const service = new Service();
	const ledger = await firstNight(rosterOf(FAMILY), service);
	const renamed = rosterOf([
		...FAMILY.filter(({ fields }) => fields.external_id !== 't1'),
		aUser('t1', 'educator', 'school-1', { last_name: 'Souza' }),
	]);
	const { ledger: after } = await night(nightOf(1), renamed, ledger, service, {
		changedRecords: 'sendAgain',
	});
	expect(after.at(-1)).toMatchObject({ key: 'u:t1', state: 'failed', detail: '409' });
	expect((await planned(nightOf(2), renamed, after)).findings).toMatchObject([
		{ code: 'recordChanged', key: 'u:t1' },
	]);
});

test('Who needs somebody who has changed does not wait where the service refuses the change', async () => {
	const service = new Service();
	const ledger = await firstNight(rosterOf(FAMILY), service);
	const others = FAMILY.filter(({ fields }) => fields.external_id !== 'r1');
	const roster = rosterOf([
		...others,
		aUser('r1', 'responsible', 'school-1', { last_name: 'Souza' }),
		aStudent('s2', ['r1']),
	]);
	service.fault = (_action, body) => (body.external_id === 'r1' ? 422 : undefined);
	const { ledger: after } = await night(nightOf(1), roster, ledger, service, { changedRecords: 'sendAgain' });
	expect(after.slice(-2).map(({ key, state }) => [key, state])).toEqual([
		['u:r1', 'failed'],
		['u:s2', 'applied'],
	]);
});
