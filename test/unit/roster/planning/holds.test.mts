import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { applied, firstNight, night, nightOf, planned } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aClass, aSchool, aStudent, aUser, rosterOf } from '../world.mts';

/** So many classes more. */
function classes(count: number, school = 'north', prefix = 'new'): RosterRecord[] {
	return Array.from({ length: count }, (_, index) => aClass(`${prefix}-${index}`, school));
}

const isBond = ({ kind }: RosterRecord) => kind === 'bond';

/** A school with 200 classes, and 200 students in one of them. */
const BIG = [...classes(200, 'north', 'old'), ...aSchool('north', 1, 200)];
const SMALL = aSchool('south', 1, 10);

async function ledgerOfBoth(service = new Service()) {
	return await firstNight(rosterOf([...BIG, ...SMALL]), service);
}

describe('New records of a school', () => {
	test('26 % of a kind are held, 25 % are not', async () => {
		const ledger = await firstNight(rosterOf([...classes(200, 'north', 'old')]), new Service());
		const held = await planned(
			nightOf(1),
			rosterOf([...classes(200, 'north', 'old'), ...classes(52)]),
			ledger,
		);
		expect([held.changes.length, held.ledgerRows.length, held.held.length]).toEqual([0, 0, 52]);
		expect(held.held.every((change) => change.held === true)).toBe(true);
		expect(held.summary.held_because).toMatchObject([
			{
				school_external_id: 'north',
				reason:
					'52 classes of school north would be created: that is 26 % of the 200 that are there, and more than 25 % is held',
			},
		]);
		expect(held.summary.held_because[0].what_to_do).toContain(held.summary.held_because[0].plan_id);
		const free = await planned(
			nightOf(1),
			rosterOf([...classes(200, 'north', 'old'), ...classes(50)]),
			ledger,
		);
		expect([free.changes.length, free.held.length]).toEqual([50, 0]);
	});

	test('fewer than 50 are not held, however many there are', async () => {
		const ledger = await firstNight(rosterOf(classes(4, 'north', 'old')), new Service());
		expect(
			(await planned(nightOf(1), rosterOf([...classes(4, 'north', 'old'), ...classes(49)]), ledger)).held,
		).toEqual([]);
		expect(
			(await planned(nightOf(1), rosterOf([...classes(4, 'north', 'old'), ...classes(50)]), ledger)).held,
		).toHaveLength(50);
	});

	test('a new school is held from 50 on, and the others go on', async () => {
		const ledger = await ledgerOfBoth();
		const { changes, held, summary } = await planned(
			nightOf(1),
			rosterOf([...BIG, ...SMALL, aClass('one-more', 'south'), ...aSchool('east', 1, 60)]),
			ledger,
		);
		expect(changes.map(({ key }) => key)).toEqual(['c:south|one-more']);
		expect(new Set(held.map(({ school_external_id: school }) => school))).toEqual(new Set(['east']));
		expect(held).toHaveLength(1 + 180);
		expect(summary.held_because.map(({ reason }) => reason)).toEqual([
			'120 users of school east would be created: the ledger has none yet',
			'60 bonds of school east would be created: the ledger has none yet',
		]);
		expect(summary.schools.map(({ school_external_id: school, held: isHeld }) => [school, isHeld])).toEqual([
			['east', true],
			['north', false],
			['south', false],
		]);
	});

	test('the first night of a school year is held, and goes on when it was approved', async () => {
		const service = new Service();
		const ledger = await ledgerOfBoth(service);
		const students = SMALL.filter(({ kind }) => kind === 'user');
		const year = [
			aClass('2027-a', 'south'),
			...students,
			...students
				.slice(0, 10)
				.map(({ fields }) => aBond(String(fields.external_id), '2027-a', 'student', 'south')),
		];
		const bigYear = [
			...BIG.filter((record) => !isBond(record)),
			aClass('2027', 'north'),
			...BIG.filter(isBond).map(({ fields }) =>
				aBond(String(fields.user_external_id), '2027', 'student', 'north'),
			),
		];
		const roster = rosterOf([...bigYear, ...year]);
		const first = await planned(nightOf(1), roster, ledger);
		expect(first.summary.held_because.map(({ reason }) => reason)).toEqual([
			'200 bonds of school north would be created: that is 100 % of the 200 that are there, and more than 25 % is held',
			'200 bonds of school north would be removed: that is 100 % of the 200 that are there, and more than 10 % is held',
		]);
		const { plan_id: approvedPlan } = first.summary.held_because[0];
		const { plan, ledger: after } = await night(nightOf(2), roster, ledger, service, {
			approvedPlan: [approvedPlan],
		});
		expect(plan.held).toEqual([]);
		expect(await planned(nightOf(3), roster, after)).toMatchObject({ changes: [], held: [] });
		expect(service.all().filter((name) => name.includes('"2027"')).length).toBe(201);
	});

	test('100 percent switches it off', async () => {
		const ledger = await ledgerOfBoth();
		const { held } = await planned(nightOf(1), rosterOf([...BIG, ...SMALL, ...classes(900)]), ledger, {
			holdCreationsPercent: 100,
		});
		expect(held).toEqual([]);
	});

	test('are not held in the first run', async () => {
		expect((await planned(nightOf(0), rosterOf(BIG), [], { firstRun: true })).held).toEqual([]);
	});

	test('taking them as done is held like creating them', async () => {
		const ledger = await firstNight(rosterOf(classes(4, 'north', 'old')), new Service());
		const { held, summary } = await planned(
			nightOf(1),
			rosterOf([...classes(4, 'north', 'old'), ...classes(60)]),
			ledger,
			{ takeAsDone: 'everything' },
		);
		expect(held).toHaveLength(60);
		expect(summary.held_because[0].reason).toContain('would be taken as done');
	});

	test('sending changed ones again is held like creating them', async () => {
		const ledger = await firstNight(rosterOf(classes(100)), new Service());
		const renamed = classes(100).map((record) => ({
			...record,
			fields: { ...record.fields, name: 'Other' },
		}));
		expect(
			(await planned(nightOf(1), rosterOf(renamed), ledger, { changedRecords: 'sendAgain' })).held,
		).toHaveLength(100);
	});
});

describe('Records of a school that are gone', () => {
	test('11 % gone in one school: it is held, the others go on', async () => {
		const ledger = await ledgerOfBoth();
		const bonds = BIG.filter(isBond);
		const gone = new Set([...bonds.slice(0, 22), ...SMALL.filter(isBond).slice(0, 1)]);
		const { changes, held, summary } = await planned(
			nightOf(1),
			rosterOf([...BIG, ...SMALL].filter((record) => !gone.has(record))),
			ledger,
		);
		expect(changes.map(({ action, school_external_id: school }) => [action, school])).toEqual([
			['remove', 'south'],
		]);
		expect(held).toHaveLength(22);
		expect(summary.held_because).toMatchObject([
			{
				school_external_id: 'north',
				reason:
					'22 bonds of school north would be removed: that is 11 % of the 200 that are there, and more than 10 % is held',
			},
		]);
	});

	test('10 % gone, or fewer than 20, are not held', async () => {
		const ledger = await ledgerOfBoth();
		const bonds = BIG.filter(isBond);
		expect(
			(
				await planned(
					nightOf(1),
					rosterOf([...BIG.filter((record) => !bonds.slice(0, 20).includes(record)), ...SMALL]),
					ledger,
				)
			).held,
		).toEqual([]);
		expect(
			(await planned(nightOf(1), rosterOf([...BIG, ...SMALL.filter((record) => !isBond(record))]), ledger))
				.held,
		).toEqual([]);
	});

	test('are held from the number on that the option says', async () => {
		const ledger = await ledgerOfBoth();
		const roster = rosterOf([...BIG.filter((record) => !isBond(record)), ...SMALL]);
		expect((await planned(nightOf(1), roster, ledger, { holdRemovalsFrom: 200 })).held).toHaveLength(200);
		expect((await planned(nightOf(1), roster, ledger, { holdRemovalsFrom: 201 })).held).toEqual([]);
	});
});

describe('A held school', () => {
	test('is held whole, and what needs something of it waits', async () => {
		const ledger = await firstNight(rosterOf(SMALL), new Service());
		const guest = aStudent('guest', ['east-c1-s1-r'], 'south');
		const roster = rosterOf([
			...SMALL,
			...aSchool('east', 1, 60),
			guest,
			aBond('guest', 'south-c1', 'student', 'south'),
		]);
		const { changes, held, findings, summary } = await planned(nightOf(1), roster, ledger);
		expect(changes).toEqual([]);
		expect(held.some(({ key }) => key.includes('guest'))).toBe(false);
		expect(findings).toMatchObject([
			{ code: 'waitsForHeld', key: 'u:guest' },
			{ code: 'waitsForHeld', kind: 'bond' },
		]);
		expect(summary.counts).toMatchObject({
			user: { waiting: 1, create: 120 },
			bond: { waiting: 1, create: 60 },
		});
		const approved = await planned(nightOf(1), roster, ledger, {
			approvedPlan: [summary.held_because[0].plan_id],
		});
		expect(approved.held).toEqual([]);
		expect(approved.changes.map(({ key }) => key)).toContain('u:guest');
	});

	test('is let through by the id of its part, which lets no other through', async () => {
		const ledger = await firstNight(rosterOf(SMALL), new Service());
		const roster = rosterOf([...SMALL, ...aSchool('east', 1, 60), ...aSchool('west', 1, 60)]);
		const { summary } = await planned(nightOf(1), roster, ledger);
		const east = summary.schools.find(({ school_external_id: school }) => school === 'east')?.plan_id ?? '';
		const { changes, held } = await planned(nightOf(1), roster, ledger, { approvedPlan: [east] });
		expect(new Set(changes.map(({ school_external_id: school }) => school))).toEqual(new Set(['east']));
		expect(new Set(held.map(({ school_external_id: school }) => school))).toEqual(new Set(['west']));
		const both = await planned(nightOf(1), roster, ledger, { approvedPlan: [summary.plan_id] });
		expect(both.held).toEqual([]);
	});

	test('is not let through by an id of another night’s plan', async () => {
		const ledger = await firstNight(rosterOf(SMALL), new Service());
		const first = await planned(nightOf(1), rosterOf([...SMALL, ...aSchool('east', 1, 60)]), ledger);
		const second = await planned(nightOf(2), rosterOf([...SMALL, ...aSchool('east', 1, 61)]), ledger, {
			approvedPlan: [first.summary.plan_id, ...first.summary.schools.map(({ plan_id: id }) => id)],
		});
		expect(second.changes).toEqual([]);
		expect(second.held).toHaveLength(184);
	});

	test('has another id when the same records come with other content', async () => {
		const ledger = await firstNight(rosterOf(SMALL), new Service());
		const east = aSchool('east', 1, 60);
		const renamed = east.map((record) =>
			record.kind === 'class' ? { ...record, fields: { ...record.fields, name: 'Other' } } : record,
		);
		const [one, other] = await Promise.all(
			[east, renamed].map(
				async (records) => await planned(nightOf(1), rosterOf([...SMALL, ...records]), ledger),
			),
		);
		expect(one.held.map(({ key }) => key)).toEqual(other.held.map(({ key }) => key));
		expect(one.summary.plan_id).not.toBe(other.summary.plan_id);
		expect(one.summary.held_because[0].plan_id).not.toBe(other.summary.held_because[0].plan_id);
	});

	test('has the same id when the export gives its records in another order, or the others have gone on', async () => {
		const service = new Service();
		const ledger = await firstNight(rosterOf(SMALL), service);
		const records = [...SMALL, aClass('more', 'south'), ...aSchool('east', 1, 60)];
		const { plan, ledger: after } = await night(nightOf(1), rosterOf(records), ledger, service);
		const east = plan.summary.held_because[0].plan_id;
		const { held } = await planned(nightOf(2), rosterOf(records.toReversed()), after, {
			approvedPlan: [east],
		});
		expect(held).toEqual([]);
	});

	test('approves nothing by an id that says nothing', async () => {
		const ledger = await firstNight(rosterOf(SMALL), new Service());
		const { held } = await planned(nightOf(1), rosterOf([...SMALL, ...aSchool('east', 1, 60)]), ledger, {
			approvedPlan: ['', 'everything'],
		});
		expect(held).toHaveLength(181);
	});
});

describe('What is nothing new', () => {
	test('comes again without being held: what failed, was blocked or was not tried', async () => {
		const service = new Service();
		service.fault = (_action, body) => (String(body.external_id).endsWith('-r') ? 400 : undefined);
		const roster = rosterOf([...aSchool('north', 1, 80), ...SMALL]);
		const first = await night(nightOf(0), roster, [], service, { firstRun: true });
		expect(first.ledger.filter(({ state }) => state === 'blocked')).toHaveLength(90 + 90);
		service.fault = () => undefined;
		const second = await night(nightOf(1), roster, first.ledger, service);
		expect(second.plan.held).toEqual([]);
		expect(second.plan.changes).toHaveLength(90 * 3);
		expect(second.plan.changes[0].why).toBe('was not done the last time');
		expect(await planned(nightOf(2), roster, second.ledger)).toMatchObject({ changes: [], held: [] });
	});

	test('comes in the next runs where there was too much for one, and only that', async () => {
		const service = new Service();
		const roster = rosterOf(aSchool('north', 2, 100));
		let { ledger, plan } = await night(nightOf(0), roster, [], service, { firstRun: true, mostChanges: 250 });
		expect(plan.summary.left).toBe(352);
		expect(plan.held).toEqual([]);
		({ ledger, plan } = await night(nightOf(1), roster, ledger, service, { mostChanges: 250 }));
		expect([plan.changes.length, plan.held.length, plan.summary.left]).toEqual([250, 0, 102]);
		// What was left over excuses as many, and no more.
		const more = rosterOf([
			...roster.records,
			...aSchool('north', 2, 300).filter(
				(record) =>
					!roster.records.some(
						({ fields }) =>
							fields.external_id !== undefined && fields.external_id === record.fields.external_id,
					),
			),
		]);
		expect((await planned(nightOf(2), more, ledger, { mostChanges: 250 })).held.length).toBeGreaterThan(0);
		({ plan } = await night(nightOf(2), roster, ledger, service, { mostChanges: 250 }));
		expect([plan.changes.length, plan.held.length, plan.summary.left]).toEqual([102, 0, 0]);
	});

	test('creations that are left over do not excuse removals', async () => {
		const service = new Service();
		const roster = rosterOf([...BIG, ...classes(60)]);
		const before = await firstNight(rosterOf(BIG), service);
		const { ledger } = await night(nightOf(1), roster, before, service, {
			mostChanges: 10,
			holdCreationsPercent: 100,
		});
		const { held } = await planned(
			nightOf(2),
			rosterOf([...BIG.filter((record) => !isBond(record)), ...classes(60), ...BIG.filter(isBond).slice(50)]),
			ledger,
		);
		expect(held.filter(({ action }) => action === 'remove')).toHaveLength(50);
	});
});

test('An optional file that the last run had and tonight’s export lacks holds everything', async () => {
	const file = (name: string) => ({ name, rows: 1, sha256: 'x' });
	const service = new Service();
	const { ledger } = await night(
		nightOf(0),
		rosterOf(SMALL, { files: [file('users.csv'), file('demographics.csv')] }),
		[],
		service,
		{ firstRun: true },
	);
	const roster = rosterOf([...SMALL, aUser('t', 'educator', 'south')], { files: [file('users.csv')] });
	const { changes, held, summary } = await planned(nightOf(1), roster, ledger);
	expect([changes.length, held.length]).toEqual([0, 1]);
	expect(summary.held_because).toMatchObject([
		{
			reason: 'The last run had files that are not there now: demographics.csv',
			school_external_id: '',
			plan_id: summary.plan_id,
		},
	]);
	const approved = await night(nightOf(1), roster, ledger, service, { approvedPlan: [summary.plan_id] });
	expect(approved.plan.changes).toHaveLength(1);
	expect(
		(
			await planned(
				nightOf(2),
				rosterOf([...roster.records, aClass('x', 'south')], { files: [file('users.csv')] }),
				approved.ledger,
			)
		).held,
	).toEqual([]);
});

test('What is held is not written into the ledger, and comes again the night after', async () => {
	const ledger = await firstNight(rosterOf(SMALL), new Service());
	const roster = rosterOf([...SMALL, ...aSchool('east', 1, 60)]);
	const { ledgerRows, changes, held } = await planned(nightOf(1), roster, ledger);
	expect(ledgerRows).toEqual([]);
	expect(await applied(changes, new Service(), nightOf(1))).toEqual([]);
	expect((await planned(nightOf(2), roster, ledger)).held.map(({ key }) => key)).toEqual(
		held.map(({ key }) => key),
	);
});
