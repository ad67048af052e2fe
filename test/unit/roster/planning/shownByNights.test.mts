/** What a year of nights has shown (test/nights), each in the smallest network that shows it. */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { Nights } from '../night.mts';
import { aBond, aClass, aSchool, aStudent, aUser, isBond } from '../world.mts';

const isOfSchool = (school: string) => (record: RosterRecord) => record.fields.school_external_id === school;

/** Under other ids; who is named is written otherwise, too. */
function underOtherIds(records: readonly RosterRecord[], married: (id: string) => boolean): RosterRecord[] {
	return records.map(({ fields, ...record }) => {
		const { external_id: id, user_external_id: user } = fields;
		if (record.kind === 'user')
			return {
				...record,
				fields: {
					...fields,
					external_id: `x${String(id)}`,
					...(married(String(id)) && { last_name: 'Reis' }),
				},
			};
		return {
			...record,
			fields: isBond({ ...record, fields }) ? { ...fields, user_external_id: `x${String(user)}` } : fields,
		};
	});
}

const pupil = (id: string, school = 'school-1') =>
	aStudent(id, [], school, { last_name: `Lima ${id}`, birth_date: '2015-05-01' });

describe('Where everybody has another id', () => {
	const SCHOOL = [
		aClass('c'),
		...Array.from({ length: 40 }, (_, at) => [pupil(`s${at}`), aBond(`s${at}`, 'c')]).flat(),
	];

	test('the few who do not look like known people, since they have married, are not created either', async () => {
		const nights = await Nights.after(SCHOOL);
		const { told, plan } = await nights.sync(underOtherIds(SCHOOL, (id) => /s[0-3]$/.test(id)));
		expect(told).toEqual([]);
		expect(plan.holds.map(({ reason }) => reason).join(' ')).toContain(
			'36 users of school school-1 have ids that look like known ones, or that others had before',
		);
	});

	test('nobody is taken out of a class of the next year, which has few people yet, while those of this year are held', async () => {
		const early = ['s5', 's6', 's7'].map((id) => aBond(id, 'next'));
		const autumn = [...SCHOOL, aClass('next', 'school-1', { year: 2027 }), ...early];
		const nights = await Nights.after(autumn);
		expect((await nights.sync(underOtherIds(autumn, () => false))).told).toEqual([]);
		// Who leaves on a usual night is taken out as ever.
		expect((await nights.sync(autumn.slice(0, -1))).told).toEqual([
			'remove b:school-1|next|s7|student removed',
		]);
	});

	test('of few people, the others are created as usual', async () => {
		const nights = await Nights.after(SCHOOL);
		const few = underOtherIds(SCHOOL, () => false).slice(1, 9);
		const { told } = await nights.sync([...SCHOOL, ...few, aUser('t', 'educator')]);
		expect(told).toEqual(['create u:school-1|t applied']);
	});
});

describe('Where all classes of a year have other ids', () => {
	const SCHOOL = aSchool('small', 2, 10);
	const inOthers = (year: number) =>
		SCHOOL.map(({ fields, ...record }) => ({
			...record,
			fields: {
				...fields,
				...(record.kind === 'class' && { external_id: `x${String(fields.external_id)}`, year }),
				...(record.kind === 'bond' && { class_external_id: `x${String(fields.class_external_id)}` }),
			},
		}));

	test('nothing is created in however small a school, before a person has looked', async () => {
		const nights = await Nights.after(SCHOOL);
		const { told, plan } = await nights.sync(inOthers(2026));
		expect([told, plan.holds.map(({ reason }) => reason)]).toEqual([
			[],
			[
				'school small would get 2 classes of the year 2026, and none of the 2 that it has of that year is in the export',
			],
		]);
	});

	test('a person is told to put a table of the ids before the node, and not to approve lightly', async () => {
		const nights = await Nights.after(SCHOOL);
		const lightly = 'put a table of new and old ids before this node. Do not approve this lightly';
		expect((await nights.preview(inOthers(2026))).holds).toMatchObject([
			{ what_to_do: expect.stringContaining(lightly) as string },
		]);
		// What is merely much has nothing to do with ids.
		expect((await nights.preview([...SCHOOL, ...aSchool('new', 3, 40)])).holds).toMatchObject([
			{ what_to_do: expect.not.stringContaining(lightly) as string },
		]);
	});

	test('it is another year: the next one is not taken for a mistake', async () => {
		const nights = await Nights.after(SCHOOL);
		expect((await nights.preview(inOthers(2027))).holds).toEqual([]);
	});
});

test('A class is held that loses all of its pupils, although its teachers stay', async () => {
	const teachers = ['t1', 't2', 't3'].flatMap((id) => [
		aUser(id, 'educator', 's'),
		aBond(id, 's-c1', 'educator', 's'),
	]);
	const school = [...aSchool('s', 9, 11), ...teachers];
	const nights = await Nights.after(school);
	const isOfFirst = ({ fields }: RosterRecord) =>
		fields.class_external_id === 's-c1' && fields.profile_name === 'student';
	const plan = await nights.preview(school.filter((one) => !isOfFirst(one)));
	expect([plan.held.length, plan.holds[0].reason]).toEqual([
		11,
		'class s-c1: 11 of 11 leave, and go to no other class',
	]);
});

test('An export that is cut within a school: the few who are missing there wait with the others', async () => {
	const schools = ['a', 'b', 'c'].map((school) => aSchool(school, 3, 20)).flat();
	const nights = await Nights.after(schools);
	const inFirst = schools.filter((one) => isBond(one) && isOfSchool('a')(one)).slice(0, 55);
	const plan = await nights.preview(schools.filter((one) => !isBond(one) || inFirst.includes(one)));
	expect([plan.held.length, plan.holds.length]).toEqual([125, 1]);
});

test('Where one school is held, those that lose hardly anybody go on', async () => {
	const schools = ['a', 'b', 'c'].map((school) => aSchool(school, 3, 40)).flat();
	const nights = await Nights.after(schools);
	const isGone = (one: RosterRecord) =>
		isBond(one) && (isOfSchool('c')(one) || one.fields.user_external_id === 'a-c1-s1');
	const { told, plan } = await nights.sync(schools.filter((one) => !isGone(one)));
	expect([told, plan.holds.length]).toEqual([['remove b:a|a-c1|a-c1-s1|student removed'], 1]);
});

describe('A new school year whose classes were there long before', () => {
	const year = (of: number, more: RosterRecord[]) => [aClass(String(of), 's', { year: of }), ...more];
	const pupils = Array.from({ length: 60 }, (_, at) => pupil(`p${at}`, 's'));
	const firstGraders = Array.from({ length: 20 }, (_, at) => pupil(`n${at}`, 's'));
	const bonds = (of: number, people: RosterRecord[]) =>
		people.map(({ fields }) => aBond(String(fields.external_id), String(of), 'student', 's'));
	const before = [...year(2026, []), ...pupils, ...bonds(2026, pupils)];

	test('is one hold when its pupils come, with those who are new', async () => {
		const nights = await Nights.after(before);
		await nights.sync([...before, ...year(2027, [])]);
		nights.pass(60);
		const { plan } = await nights.sync([
			...year(2027, bonds(2027, [...pupils, ...firstGraders])),
			...pupils,
			...firstGraders,
		]);
		expect(plan.holds.map(({ reason }) => reason)).toEqual([
			'A new school year (2027) in school s: 0 new classes, 60 people go on, 0 leave, 20 are new',
		]);
	});

	test('is none while the year before goes on: a class that empties in autumn is told as such', async () => {
		const nights = await Nights.after(before);
		await nights.sync([...before, ...year(2027, [])]);
		const { plan } = await nights.sync([
			...year(2026, []),
			...year(2027, []),
			...pupils,
			...bonds(2026, pupils.slice(0, 10)),
		]);
		expect(plan.holds[0].reason).toContain('50 bonds of the profile student of school s would be removed');
	});
});

test('Since October, where everybody has a place in a class of the next year, a class of this year that is emptied is held, and nobody counts as a mover', async () => {
	const ids = Array.from({ length: 20 }, (_, at) => `s${at}`);
	const both = (year: number, some: readonly string[]) => some.map((id) => aBond(id, `c${year}`));
	const classes = [2026, 2027].map((year) => aClass(`c${year}`, 'school-1', { year }));
	const people = [...ids.map((id) => pupil(id)), ...classes, ...both(2027, ids)];
	const nights = await Nights.after([...people, ...both(2026, ids)]);
	const { told, plan } = await nights.sync([...people, ...both(2026, ids.slice(0, 3))]);
	expect([told, plan.holds.map(({ changes }) => changes.length)]).toEqual([[], [17]]);
});
