/** What networks really export, and what a night does with it: too much is held, in a school, in a direction, over days (rule 6). */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import type { Sent } from '../../../../nodes/SchoolPartnerRoster/night/changeSender.ts';
import type { Plan } from '../../../../nodes/SchoolPartnerRoster/planning/plan.ts';
import { Nights, type RunInput } from '../night.mts';
import { aBond, aClass, aSchool, aStudent, aUser, PARTIAL, isBond, rosterOf } from '../world.mts';

/** A network of so many schools, each with one class of so many pupils. */
const network = (schools: number, pupils: number) =>
	Array.from({ length: schools }, (_, number) => aSchool(`s${number}`, 1, pupils)).flat();

/** Everybody's id is another one. */
const renamed = (records: readonly RosterRecord[], rename: (id: string) => string): RosterRecord[] =>
	records.map((record) => {
		const { external_id: id, user_external_id: user, responsible_external_id: of, ...rest } = record.fields;
		const fields = {
			...rest,
			...(id !== undefined && { external_id: record.kind === 'user' ? rename(String(id)) : id }),
			...(user !== undefined && { user_external_id: rename(String(user)) }),
			...(Array.isArray(of) && { responsible_external_id: of.map(rename) }),
		};
		return { ...record, fields };
	});

/** Numbers of what goes and of what is held, by action. */
function numbersOf({ changes, holds }: Plan) {
	const held = holds.flatMap((hold) => hold.changes);
	const count = (of: Plan['changes'], action: string) => of.filter((one) => one.action === action).length;
	return {
		created: count(changes, 'create'),
		removed: count(changes, 'remove'),
		held: { in: count(held, 'create'), out: count(held, 'remove') },
	};
}

const reasons = ({ holds }: Plan) => holds.map(({ reason }) => reason);

test('An export of 200 schools of 18 pupils whose enrollments are cut, for nights: nobody leaves a class, one hold, one approval', async () => {
	const schools = network(200, 18);
	const nights = await Nights.after(schools);
	const cut = [...schools.filter((one) => !isBond(one)), schools.filter(isBond)[0]];
	for (let night = 0; night < 3; night++) {
		const { told, plan } = await nights.sync(cut);
		expect([told, numbersOf(plan).held]).toEqual([[], { in: 0, out: 3_599 }]);
		expect(reasons(plan)).toEqual([
			expect.stringContaining('3599 bonds of the profile student of 200 of 200 schools'),
		]);
		nights.pass();
	}
});

test('Every user id changed in a network: nobody is created anew, nobody leaves', async () => {
	const schools = network(20, 30);
	const nights = await Nights.after(schools);
	const { plan, told } = await nights.sync(renamed(schools, (id) => `new-${id}`));
	expect([told, plan.holds.length > 0]).toEqual([[], true]);
});

describe('What is small in each school and large in all:', () => {
	const SCHOOLS = network(8, 100);
	const first = (count: number) =>
		SCHOOLS.filter(
			(one) => !(isBond(one) && Number(/s(\d+)$/.exec(String(one.fields.user_external_id))?.[1]) <= count),
		);

	test('nine of a hundred bonds gone in every school are held, and one of a hundred is not', async () => {
		const nights = await Nights.after(SCHOOLS);
		expect(numbersOf(await nights.preview(first(9)))).toMatchObject({ removed: 0, held: { out: 72 } });
		expect(numbersOf(await nights.preview(first(1)))).toMatchObject({ removed: 8, held: { out: 0 } });
	});

	test('one of a hundred night after night is, before a week is over', async () => {
		const nights = await Nights.after(SCHOOLS);
		let removed = 0;
		for (let night = 1; night <= 6; night++) {
			removed += (await nights.sync(first(night))).told.length;
			nights.pass();
		}
		expect(removed).toBeLessThanOrEqual(8 * 3);
	});

	test('spread over months it is not', async () => {
		const nights = await Nights.after(SCHOOLS);
		for (let night = 1; night <= 6; night++) {
			expect((await nights.sync(first(night))).plan.holds).toEqual([]);
			nights.pass(30);
		}
	});
});

describe('A group of a school that is gone at a stroke', () => {
	const PUPILS = aSchool('s', 10, 30);
	const TEACHERS = Array.from({ length: 20 }, (_, number) => [
		aUser(`t${number}`, 'educator', 's'),
		aBond(`t${number}`, `s-c${(number % 10) + 1}`, 'educator', 's'),
	]).flat();
	const isOfTeacher = ({ fields }: RosterRecord) => fields.profile_name === 'educator';

	test('all teachers of a school of 325 people are held', async () => {
		const nights = await Nights.after([...PUPILS, ...TEACHERS]);
		const { held, holds } = await nights.preview([...PUPILS, ...TEACHERS].filter((one) => !isOfTeacher(one)));
		expect([held.length, holds[0].reason]).toEqual([
			20,
			'20 bonds of the profile educator of school s would be removed: that is 100 % of the 20 that were there. By class: s-c10: 2 of 2 leave; s-c1: 2 of 2 leave; s-c2: 2 of 2 leave; s-c3: 2 of 2 leave; s-c4: 2 of 2 leave; and 5 classes more',
		]);
	});

	test('many who leave one school are told by class, where most leave first, and never by name', async () => {
		const nights = await Nights.after(PUPILS);
		const isGone = (id: string) => /^s-c2-s([1-9]|1\d)$|^s-c(4|5)-s[1-9]$/.test(id);
		const plan = await nights.preview(
			PUPILS.filter((one) => !(isBond(one) && isGone(String(one.fields.user_external_id)))),
		);
		expect([plan.held.length, reasons(plan)]).toEqual([
			37,
			[
				'37 bonds of the profile student of school s would be removed: that is 12.3 % of the 300 that were there. By class: s-c2: 19 of 30 leave; s-c4: 9 of 30 leave; s-c5: 9 of 30 leave',
			],
		]);
	});

	test('a class that is only divided is not: its pupils go to another', async () => {
		const nights = await Nights.after(PUPILS);
		const moved = PUPILS.map((one) =>
			isBond(one) && one.fields.class_external_id === 's-c3'
				? aBond(String(one.fields.user_external_id), 's-c4', 'student', 's')
				: one,
		);
		expect((await nights.preview(moved)).held).toEqual([]);
	});
});

test('New people in every school, in none of them enough to be held, are held as a network', async () => {
	const schools = network(8, 100);
	const nights = await Nights.after(schools);
	const fresh = Array.from({ length: 8 }, (_, school) =>
		Array.from({ length: 30 }, (_each, place) => aStudent(`n${place}`, [], `s${school}`)),
	).flat();
	const { plan, told } = await nights.sync([...schools, ...fresh]);
	expect([told, numbersOf(plan).held]).toEqual([[], { in: 240, out: 0 }]);
	expect(plan.holds.map(({ school_external_id: school }) => school)).toEqual(['']);
});

describe('Held is one direction of one school', () => {
	const SCHOOL = aSchool('s', 10, 60);
	const OTHERS = network(4, 50);
	const leavers = SCHOOL.filter(isBond).slice(0, 70);
	const fresh = [aStudent('n1', [], 's'), aBond('n1', 's-c1', 'student', 's')];

	test('held removals do not keep new pupils waiting', async () => {
		const nights = await Nights.after([...SCHOOL, ...OTHERS]);
		const { told, plan } = await nights.sync([
			...SCHOOL.filter((one) => !leavers.includes(one)),
			...OTHERS,
			...fresh,
		]);
		expect(numbersOf(plan)).toEqual({ created: 2, removed: 0, held: { in: 0, out: 70 } });
		expect(told).toHaveLength(2);
	});

	test('other ids of a small school are held in both directions: no class is created twice', async () => {
		const small = aSchool('small', 3, 10);
		const nights = await Nights.after([...OTHERS, ...small]);
		const others = JSON.parse(JSON.stringify(small).replaceAll('small-c', 'other-c')) as RosterRecord[];
		const { told, plan } = await nights.sync([...OTHERS, ...others]);
		expect([told, numbersOf(plan).held.out]).toEqual([[], 30]);
	});
});

test('The more people ever were in a school, the more is held all the same', async () => {
	const families = aSchool('s', 5, 100);
	const nights = await Nights.after(families);
	// Years go by, and others come: the ledger keeps everybody.
	for (const year of ['a', 'b', 'c']) {
		const others = renamed(families, (id) => `${year}-${id}`);
		await nights.approveAll(await nights.sync(others));
		await nights.sync(others);
		nights.pass(365);
		await nights.sync(others);
	}
	const now = renamed(families, (id) => `c-${id}`);
	const some = renamed(families, (id) => `d-${id}`).filter(
		({ kind, fields }) => kind === 'user' && /-s([1-9]|[12]\d)(-r)?$/.test(String(fields.external_id)),
	);
	expect((await nights.preview([...now, ...some])).held).toHaveLength(290);
});

describe('A new school year', () => {
	const SCHOOLS = Array.from({ length: 8 }, (_, number) => `s${number}`);
	/** Pupils of a school who stay, who are new, and their class of a year. */
	const year = (of: number, from: number, to: number) =>
		SCHOOLS.flatMap((school) => [
			aClass(`${of}`, school, { year: of }),
			...Array.from({ length: to - from }, (_, place) => [
				aStudent(`p${from + place}`, [], school),
				aBond(`p${from + place}`, `${of}`, 'student', school),
			]).flat(),
		]);

	test('whose classes are divided anew, in forty schools, is one hold; approved, everybody is in the class of the year', async () => {
		const schools = Array.from({ length: 40 }, (_, number) => `s${number}`);
		const [people, letters] = [60, ['a', 'b', 'c']];
		/** Pupils of a year in so many classes. */
		const divided = (of: number, from: number, classes: number) =>
			schools.flatMap((school) => [
				...letters.slice(0, classes).map((letter) => aClass(`${of}${letter}`, school, { year: of })),
				...Array.from({ length: people }, (_, place) => [
					aStudent(`p${from + place}`, [], school),
					aBond(`p${from + place}`, `${of}${letters[place % classes]}`, 'student', school),
				]).flat(),
			]);
		const nights = await Nights.after(divided(2026, 0, 2));
		const { plan, told } = await nights.sync(divided(2027, 10, 3));
		expect([told, plan.holds.map(({ school_external_id: school }) => school)]).toEqual([[], ['']]);
		expect(reasons(plan)[0]).toBe(
			'A new school year (2027) in 40 schools: 120 new classes, 2000 people go on, 400 leave, 400 are new',
		);
		await nights.approveAll({ plan });
		await nights.sync(divided(2027, 10, 3));
		const bonds = divided(2027, 10, 3).filter(isBond);
		expect(nights.service.all().filter((key) => key.startsWith('b:'))).toHaveLength(bonds.length);
	});

	test('is asked for once: what comes of it later is judged as usual', async () => {
		const nights = await Nights.after(year(2026, 0, 60));
		await nights.approveAll(await nights.sync(year(2027, 10, 60)));
		await nights.sync(year(2027, 10, 60));
		nights.pass(10);
		const { plan } = await nights.sync([
			...year(2027, 10, 60),
			...SCHOOLS.flatMap((school) => [
				aClass('2027b', school, { year: 2027 }),
				...Array.from({ length: 50 }, (_, place) => aBond(`p${10 + place}`, '2027b', 'student', school)),
			]),
		]);
		expect(reasons(plan)[0]).toContain('400 bonds of the profile student of 8 of 8 schools');
	});
});

describe('A field that nobody mapped, and that the service wants', () => {
	const SCHOOL = aSchool('s', 5, 200);

	async function night(
		refuses: (kind: string, place: number) => boolean,
		status = 422,
		input: RunInput = {},
	) {
		const nights = new Nights(undefined, input);
		await nights.approveAll(await nights.sync(SCHOOL));
		let users = 0;
		nights.service.fault = (_action, { external_id: id, year }) =>
			id !== undefined && year === undefined && refuses('user', users++) ? status : undefined;
		const { sent } = await nights.sync(SCHOOL);
		return { refusedAlike: sent.refusedAlike, requests: users };
	}

	const causes = (alike: Sent['refusedAlike']) =>
		alike.flatMap(({ kind, failure }) => [kind, failure.status]);

	test('is refused a hundred times, and not a thousand times', async () => {
		const { refusedAlike, requests } = await night(() => true);
		expect([requests, ...causes(refusedAlike)]).toEqual([100, 'user', 422]);
	});

	test.each([
		['which are known to mean that it exists', [409]],
		['of which nobody knows what they mean', []],
	])(
		'and an approved first run of a lost ledger, whose doubles are refused with statuses %s, is one cause as well',
		async (_what, existsStatuses) => {
			const { refusedAlike, requests } = await night(() => true, 409, { statuses: { existsStatuses } });
			expect([requests, ...causes(refusedAlike)]).toEqual([100, 'user', 409]);
		},
	);

	test('is refused of few: the others go', async () => {
		const { refusedAlike, requests } = await night((_kind, place) => place % 3 === 0);
		expect(refusedAlike).toEqual([]);
		expect(requests).toBeGreaterThan(1_000);
	});
});

describe('Of 61 new pupils 60 are refused alike, on a night on which one moves and one leaves:', () => {
	const pupils = Array.from({ length: 60 }, (_, n) => [
		aUser(`p${n}`, 'student'),
		aBond(`p${n}`, 'c1'),
	]).flat();
	const BEFORE = [aClass('c1'), aClass('c2'), ...pupils];
	const bondOf = (user: string, ofClass: string) => `b:school-1|${ofClass}|${user}|student`;

	/** @param more what comes beside those who are refused */
	async function night(refused: number, status: number, more: readonly RosterRecord[] = []) {
		const nights = await Nights.after(BEFORE, { holdCreationsFrom: 1_000 });
		nights.service.fault = (action, { external_id: id }) =>
			action === 'create' && String(id).startsWith('new') ? status : undefined;
		const stay = BEFORE.filter(
			(record) => !isBond(record) || !['p1', 'p2'].includes(String(record.fields.user_external_id)),
		);
		const fresh = Array.from({ length: refused }, (_, n) => aUser(`new${n}`, 'student'));
		const ended = await nights.sync([...stay, aBond('p1', 'c2'), ...fresh, ...more]);
		return { ...ended, nights, rowOf: async (key: string) => (await nights.ledger()).entries.get(key)?.row };
	}

	const LATE = [aUser('zoe', 'student'), aBond('zoe', 'c1'), aBond('new0', 'c1')];

	test('all but the others of their kind, and what needs them, is done', async () => {
		const { told } = await night(60, 422, LATE);
		expect(told).toEqual(
			expect.arrayContaining([
				'create u:school-1|zoe applied',
				`create ${bondOf('zoe', 'c1')} applied`,
				`create ${bondOf('new0', 'c1')} blocked`,
				`create ${bondOf('p1', 'c2')} applied`,
				`remove ${bondOf('p1', 'c1')} removed`,
				`remove ${bondOf('p2', 'c1')} removed`,
			]),
		);
	});

	test('who was left out has no row, nor has what needs it, and the run has not sent all', async () => {
		const { told, plan, sent, nights, rowOf } = await night(150, 422, [...LATE, aBond('new149', 'c1')]);
		expect(nights.service.requests.filter((request) => request.includes('|new'))).toHaveLength(100);
		expect(told).toContain(`remove ${bondOf('p1', 'c1')} removed`);
		const left = plan.changes.filter((change) => !sent.done.some((one) => one.change === change));
		expect(left).toHaveLength(53);
		for (const { key } of left) expect(await rowOf(key)).toBeUndefined();
		const untried = nights.telling?.settled.filter(({ state }) => state === 'not tried');
		expect(untried?.map(({ change }) => change)).toEqual(left);
	});
});

describe('A school that has nothing in the export any more', () => {
	const NORTH = aSchool('north', 4, 30);
	const SOUTH = aSchool('south', 1, 3);

	test('loses nothing for seven days, and then a person is asked, however small it is', async () => {
		const nights = await Nights.after([...NORTH, ...SOUTH]);
		for (let day = 0; day < 7; day++) {
			const { told, plan } = await nights.sync(NORTH);
			expect([told, plan.holds]).toEqual([[], []]);
			nights.pass();
		}
		const { told, plan } = await nights.sync(NORTH);
		expect([told, plan.holds.length, plan.holds[0].school_external_id]).toEqual([[], 1, 'south']);
		expect(reasons(plan)[0]).toMatch(/^School south has nothing in the export since \d{4}-\d\d-\d\d$/);
		await nights.approveAll({ plan });
		expect((await nights.sync(NORTH)).told).toHaveLength(3);
	});

	test('is not told to be missing for ever, when its bonds are gone and its people cannot be removed', async () => {
		const nights = await Nights.after([...NORTH, ...SOUTH]);
		await nights.sync(NORTH);
		expect(nights.attention('schoolEmpty')).toHaveLength(1);
		nights.pass(7);
		await nights.approveAll(await nights.sync(NORTH));
		for (let night = 0; night < 4; night++) {
			await nights.sync(NORTH);
			expect(nights.attention('schoolEmpty')).toEqual([]);
			nights.pass(3);
		}
		expect((await nights.sync([...NORTH, ...SOUTH])).told).toHaveLength(3);
	});

	test('is not missed by an export of changes alone, and counts anew when it was back', async () => {
		const nights = await Nights.after([...NORTH, ...SOUTH]);
		const partial = rosterOf(NORTH, { completeness: PARTIAL });
		for (let day = 0; day < 9; day++) {
			expect((await nights.sync(partial)).plan.holds).toEqual([]);
			nights.pass();
		}
		await nights.sync(NORTH);
		nights.pass(5);
		await nights.sync([...NORTH, ...SOUTH]);
		nights.pass(5);
		expect((await nights.sync(NORTH)).plan.holds).toEqual([]);
	});

	test('counts on while only some schools are looked at', async () => {
		const nights = await Nights.after([...NORTH, ...SOUTH]);
		await nights.sync(NORTH);
		nights.pass(6);
		await nights.sync(NORTH, { onlySchools: ['north'] });
		nights.pass();
		expect((await nights.sync(NORTH)).plan.holds).toHaveLength(1);
	});

	test('whose pupils go to another school: they are there first, and the old bonds go with an approval', async () => {
		const pupils = SOUTH.filter(isBond).map(({ fields }) => String(fields.user_external_id));
		const moved = [
			...NORTH,
			...pupils.flatMap((id) => [aStudent(id, [], 'north'), aBond(id, 'north-c1', 'student', 'north')]),
		];
		const nights = await Nights.after([...NORTH, ...SOUTH]);
		expect((await nights.sync(moved)).told).toHaveLength(6);
		nights.pass(7);
		await nights.approveAll(await nights.sync(moved));
		const { told } = await nights.sync(moved);
		expect(told.filter((one) => one.startsWith('remove b:south'))).toHaveLength(3);
	});
});
