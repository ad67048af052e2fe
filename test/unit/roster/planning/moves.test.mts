/** Who moves: whom the roster still gives a bond anywhere loses an old one only once a sound one is there; whom it gives none loses all. */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import type { Roster } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';
import { actionsOf, Nights } from '../night.mts';
import type { Fault } from '../service.mts';
import { aBond, aClass, aSchool, aUser, FAMILY, isBond, LIST, rosterOf } from '../world.mts';

const WITHOUT = FAMILY.filter((record) => record !== FAMILY[5]);
const OLD = 'remove b:school-1|c1|s1|student';
const NEW = 'create b:school-1|c2|s1|student';
const KEY = 'b:school-1|c1|s1|student';

test('Who moves to another school is created there and in class, before the old bond goes', async () => {
	const north = [...FAMILY, aClass('n1', 'north')];
	const nights = await Nights.after(north);
	const moved = [
		...WITHOUT,
		aClass('n1', 'north'),
		aUser('s1', 'student', 'north'),
		aBond('s1', 'n1', 'student', 'north'),
	];
	expect((await nights.sync(moved)).told).toEqual([
		...['create u:north|s1 applied', 'create b:north|n1|s1|student applied', `${OLD} removed`],
	]);
	expect((await nights.sync(moved)).told).toEqual([]);
});

test('Whom the roster gives no bond loses all', async () => {
	const nights = await Nights.after([...FAMILY, aBond('s1', 'c2')]);
	expect(actionsOf(await nights.preview(WITHOUT))).toEqual([OLD, 'remove b:school-1|c2|s1|student']);
});

const broken = aClass('c3', 'school-1', { name: '' });
const { profile_name: _unmapped, ...withoutRole } = aBond('s1', 'c2').fields;
const { school_external_id: _nowhere, ...withoutSchool } = aBond('s1', 'c2').fields;

test.each<[string, RosterRecord[], Partial<Roster>]>([
	['has an error', [broken, aBond('s1', 'c3')], {}],
	['is nowhere', [aBond('s1', 'c9')], {}],
	['has an error, as its bond says', [], { faulty: [aBond('s1', 'c3')] }],
	[
		'is in another school, and its bond has an error',
		[],
		{ faulty: [aBond('s1', 'c3', 'student', 'school-2')] },
	],
	['is known, and the role is not', [], { faulty: [{ ...aBond('s1', 'c2'), fields: withoutRole }] }],
	['is of nobody knows which school', [], { faulty: [{ ...aBond('s1', 'c2'), fields: withoutSchool }] }],
])('The old bond stays while the new class %s', async (_what, records, more) => {
	const nights = await Nights.after(FAMILY);
	const { changes, waitsFor } = await nights.preview(rosterOf([...WITHOUT, ...records], more));
	expect(actionsOf({ changes })).not.toContain(OLD);
	expect([...waitsFor.keys()]).toContain(KEY);
});

test('One refused or unreadable bond does not keep the others: the old one goes behind one that comes', async () => {
	const nights = await Nights.after([...FAMILY, aClass('c3')]);
	nights.service.fault = (_action, { class_external_id: id }) => (id === 'c3' ? 422 : undefined);
	const roster = rosterOf([...WITHOUT, aClass('c3'), aBond('s1', 'c2'), aBond('s1', 'c3')], {
		faulty: [aBond('s1', 'c4')],
	});
	expect((await nights.sync(roster)).told).toEqual([
		`${NEW} applied`,
		'create b:school-1|c3|s1|student failed',
		`${OLD} removed`,
	]);
});

test('The old bond stays when the only new one that comes is refused, whatever others wait', async () => {
	const nights = await Nights.after([...FAMILY, broken]);
	nights.service.fault = (_action, { class_external_id: id }) => (id === 'c2' ? 422 : undefined);
	const { told } = await nights.sync([...WITHOUT, broken, aBond('s1', 'c2'), aBond('s1', 'c3')]);
	expect(told).toEqual([`${NEW} failed`, `${OLD} blocked`]);
});

test('The old bond stays while one new one is held and the other names a class that is nowhere', async () => {
	const nights = await Nights.after(FAMILY);
	const held = [
		...aSchool('school-2', 1, 60),
		aUser('s1', 'student', 'school-2'),
		aBond('s1', 'school-2-c1', 'student', 'school-2'),
	];
	const { changes, waitsFor } = await nights.preview([...WITHOUT, ...held, aBond('s1', 'c9')]);
	expect(changes).toEqual([]);
	expect(waitsFor.get(KEY)).toBe('b:school-2|school-2-c1|s1|student');
});

test('The old bond stays while the new school is held, and goes when that is approved', async () => {
	const nights = await Nights.after(FAMILY);
	const student = FAMILY[3];
	const moved = [
		...WITHOUT,
		{
			...student,
			fields: { ...student.fields, school_external_id: 'school-2', responsible_external_id: [] },
		},
	];
	const all = [...moved, ...aSchool('school-2', 1, 60), aBond('s1', 'school-2-c1', 'student', 'school-2')];
	const { plan } = await nights.sync(all);
	expect([plan.changes.length, plan.holds.length]).toEqual([0, 1]);
	await nights.approveAll({ plan });
	const { told } = await nights.sync(all);
	expect(told.slice(-2)).toEqual(['create b:school-2|school-2-c1|s1|student applied', `${OLD} removed`]);
});

test('The old bond stays while nobody knows whether the new one is there, and goes when a person has looked', async () => {
	const nights = await Nights.after(FAMILY);
	const moved = [...WITHOUT, aBond('s1', 'c2')];
	nights.service.fault = (_action, { class_external_id: id }) => (id === 'c2' ? 'answer lost' : undefined);
	expect((await nights.sync(moved)).told).toEqual([`${NEW} uncertain`, `${OLD} blocked`]);
	nights.service.fault = () => undefined;
	const { changes, waitsFor } = await nights.preview(moved);
	expect(changes).toEqual([]);
	expect(waitsFor.get(KEY)).toBe('b:school-1|c2|s1|student');
	await nights.resolve('b:school-1|c2|s1|student', 'inService');
	expect((await nights.sync(moved)).told).toEqual([
		`${OLD} removed`,
		'note b:school-1|c2|s1|student applied',
	]);
});

test('The old bond stays while the service does not offer the new profile', async () => {
	const nights = await Nights.after(FAMILY);
	const refusal = { code: 'profileNotOffered', message: 'No such profile', what_to_do: 'Map it' };
	const check = async () => (record: RosterRecord) =>
		record.fields.profile_name === 'teacher' ? refusal : undefined;
	const mapped = [...FAMILY.slice(0, -1), aBond('t1', 'c1', 'teacher')];
	expect((await nights.preview(mapped, { check })).changes).toEqual([]);
	expect(actionsOf(await nights.preview(mapped))).toEqual([
		'create b:school-1|c1|t1|teacher',
		'remove b:school-1|c1|t1|educator',
	]);
});

test('A bond with an error of somebody else, or one that is there already, keeps nothing', async () => {
	const nights = await Nights.after([...FAMILY, aBond('s1', 'c2')]);
	const faulty = [aBond('t1', 'c9', 'educator'), aBond('s1', 'c2')];
	expect(actionsOf(await nights.preview(rosterOf(WITHOUT, { faulty })))).toEqual([OLD]);
});

describe('Who moves to a school that Only Schools leaves out', () => {
	const SCHOOLS = [...aSchool('north', 2, 6), ...aSchool('south', 2, 6)];
	const leo = (school: string, ofClass = `${school}-c1`) => [
		aUser('leo', 'student', school),
		aBond('leo', ofClass, 'student', school),
	];
	const [BEFORE, MOVED] = [leo('south'), leo('north')].map((more) => [...SCHOOLS, ...more]);
	const LEFT = 'remove b:south|south-c1|leo|student removed';
	const SOUTH = { onlySchools: ['south'] };

	/** In the north he is refused. */
	async function refused(): Promise<Nights> {
		const nights = await Nights.after(BEFORE);
		nights.service.fault = (_action, { school_external_id: school }) =>
			school === 'north' ? 422 : undefined;
		await nights.sync(MOVED);
		nights.pass();
		return nights;
	}

	test('stays in the old class until the new one is there, and is told to wait', async () => {
		const nights = await refused();
		expect((await nights.sync(MOVED, SOUTH)).told).toEqual([]);
		expect(nights.attention('waits')).toMatchObject([{ count: 1 }]);
		nights.service.fault = () => undefined;
		nights.pass(7);
		expect((await nights.sync(MOVED)).told).toContain(LEFT);
	});

	test.each<[string, RosterRecord[], Partial<Roster>]>([
		['is new tonight', MOVED, {}],
		['cannot be read', SCHOOLS, { faulty: [leo('north')[1]] }],
	])('stays in the old class while the bond there %s', async (_what, records, more) => {
		const nights = await Nights.after(BEFORE);
		expect((await nights.sync(rosterOf(records, more), SOUTH)).told).toEqual([]);
	});

	test('leaves the old class when the new one is there already', async () => {
		const nights = await Nights.after([...BEFORE, ...leo('north')]);
		expect((await nights.sync(MOVED, SOUTH)).told).toEqual([LEFT]);
	});

	test('leaves the old class where a list says so, which does not come again', async () => {
		const nights = await Nights.after(BEFORE);
		const [gone] = leo('south').slice(1);
		expect((await nights.sync(rosterOf(leo('north'), { ...LIST, gone: [gone] }), SOUTH)).told).toEqual([
			LEFT,
		]);
	});

	test('leaves the old class where the ledger knows nothing of that school, which may never come', async () => {
		const nights = await Nights.after(BEFORE, SOUTH);
		expect((await nights.sync(MOVED)).told).toEqual([LEFT]);
	});
});

describe('30 pupils who move', () => {
	const SCHOOL = aSchool('s', 4, 30);
	const moved = SCHOOL.map((record) =>
		record.kind === 'bond' && record.fields.class_external_id === 's-c1'
			? aBond(String(record.fields.user_external_id), 's-c9', 'student', 's')
			: record,
	);
	const unreadable = [...moved, aClass('s-c9', 's', { name: '' })];
	const readable = [...moved, aClass('s-c9', 's')];

	/** Told to wait: with what has an item of its own, or together. */
	const waitingOf = ({ telling }: Nights) =>
		(telling?.attention ?? []).reduce(
			(sum, { code, blocks = 0, count = 0 }) => sum + (code === 'waits' ? count : blocks),
			0,
		);

	test.each<[string, number, Roster]>([
		['cannot be read', 60, rosterOf(unreadable)],
		[
			'cannot be read, nor can their bonds',
			30,
			rosterOf(
				unreadable.filter(({ fields }) => fields.class_external_id !== 's-c9'),
				{ faulty: moved.filter(({ fields }) => fields.class_external_id === 's-c9') },
			),
		],
	])(
		'into a class that %s stay in the old one, for as long as that lasts',
		async (_what, waiting, roster) => {
			const nights = await Nights.after(SCHOOL);
			for (let night = 0; night < 10; night++) {
				const { told, plan } = await nights.sync(roster);
				expect([told, plan.holds]).toEqual([[], []]);
				expect(waitingOf(nights)).toBe(waiting);
				nights.pass();
			}
			expect(nights.service.all().filter((name) => name.includes('|s-c1|'))).toHaveLength(30);
		},
	);

	test('go the night it can be read: all 30 are in the new one before the first has left the old one, and nobody is asked', async () => {
		const nights = await Nights.after(SCHOOL);
		await nights.sync(unreadable);
		nights.pass();
		const { told, plan } = await nights.sync(readable);
		const actions = told.map((text) => text.replace(/:.* /, ' '));
		expect([plan.holds, actions]).toEqual([
			[],
			['create c applied', ...Array(30).fill('create b applied'), ...Array(30).fill('remove b removed')],
		]);
	});
});

describe('A teacher in two schools, with default options', () => {
	const of = (...schools: string[]) => [
		...['north', 'south'].map((school) => aClass('c1', school)),
		...schools.flatMap((school) => [
			aUser('t1', 'educator', school, { birth_date: '1980-05-06', document_value: '00000000191' }),
			aBond('t1', 'c1', 'educator', school),
		]),
	];

	test('is a user of each, with a bond in each, and no look-alike of the other', async () => {
		const nights = await Nights.after(of('north'));
		expect((await nights.sync(of('north', 'south'))).told).toEqual([
			'create u:south|t1 applied',
			'create b:south|c1|t1|educator applied',
		]);
		expect(await nights.sync(of('south', 'north'))).toMatchObject({ told: [], plan: { findings: [] } });
	});

	test('who leaves one loses that bond alone, and whoever leaves both loses both', async () => {
		const nights = await Nights.after(of('north', 'south'));
		expect((await nights.sync(of('south'))).told).toEqual(['remove b:north|c1|t1|educator removed']);
		expect((await nights.sync([...of(), aUser('t2', 'educator', 'south')])).told).toContain(
			'remove b:south|c1|t1|educator removed',
		);
	});

	test('whose bond in one is refused keeps the other', async () => {
		const nights = await Nights.after(of('north'));
		nights.service.fault = (_action, { school_external_id: school }) =>
			school === 'south' ? 422 : undefined;
		for (let night = 0; night < 3; night++) {
			expect((await nights.sync(of('north', 'south'))).told.join()).not.toContain('remove');
			nights.pass();
		}
		expect(nights.service.all()).toContain('b:north|c1|t1|educator');
	});
});

describe('Half of a school that changes classes is not held for leaving,', () => {
	const SCHOOL = aSchool('s', 4, 30);
	const toC3 = (ofClasses: RegExp) =>
		SCHOOL.map((one) =>
			one.kind === 'bond' && ofClasses.test(String(one.fields.class_external_id))
				? aBond(String(one.fields.user_external_id), 's-c3', 'student', 's')
				: one,
		);

	test('not in the night after what is new was approved either', async () => {
		const nights = await Nights.after(SCHOOL);
		const moved = toC3(/^s-c[12]$/);
		await nights.approveAll(await nights.sync(moved));
		const { plan, told } = await nights.sync(moved);
		expect([plan.holds, told.length]).toEqual([[], 120]);
	});

	test('nor when the days of Grace Period are over', async () => {
		const nights = await Nights.after(SCHOOL, { gracePeriodDays: 10 });
		const moved = toC3(/^s-c1$/);
		await nights.sync(moved);
		nights.pass(10);
		const { plan, told } = await nights.sync(moved);
		expect([plan.holds, told.length]).toEqual([[], 30]);
	});

	test('nor when the run was killed before the old bonds went', async () => {
		const moved = toC3(/^s-c1$/);
		let inPart = 0;
		for (let step = 8; step < 40; step += 4) {
			const nights = await Nights.after(SCHOOL);
			nights.pass(30);
			await nights.run(moved, { troubles: [[step, { kind: 'kill' }]] });
			inPart += Number((await nights.ledger()).entries.has('b:s|s-c3|s-c1-s1|student'));
			// The service refuses what is done again, and takes it the night after.
			for (const fault of [422, undefined]) {
				nights.service.fault = (action) => (action === 'remove' ? fault : undefined);
				nights.pass();
				expect((await nights.sync(moved)).plan.holds).toHaveLength(0);
			}
		}
		expect(inPart).toBeGreaterThan(0);
	});
});

describe('Course bonds that are lost night by night, 11 more each time, are held on the third night', () => {
	const SCHOOL = aSchool('s', 1, 120);
	const COURSE = SCHOOL.filter(isBond).map(({ fields }) =>
		aBond(String(fields.user_external_id), 's-k', 'student', 's'),
	);

	test.each<[string, number, Fault]>([
		['30 days after the first load', 30, undefined],
		['30 days after it, while the service refuses the removals', 30, 422],
		['in the days after it', 0, undefined],
		['in the days after it, while the service refuses the removals', 0, 422],
		['in the days after it, while answers to the removals are lost', 0, 'answer lost'],
		['in the days after it, while the service is in trouble', 0, 503],
	])('%s', async (_when, days, fault) => {
		const nights = await Nights.after([...SCHOOL, aClass('s-k', 's'), ...COURSE]);
		nights.pass(days);
		nights.service.fault = (action) => (action === 'remove' ? fault : undefined);
		const held: string[][] = [];
		for (const lost of [11, 22, 33]) {
			const { plan } = await nights.sync([...SCHOOL, aClass('s-k', 's'), ...COURSE.slice(lost)]);
			held.push(plan.holds.map(({ changes }) => changes[0].action));
			nights.pass();
		}
		expect(held).toEqual([[], [], ['remove']]);
	});
});
