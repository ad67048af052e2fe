/** Files of one export that disagree about a school, or write ids in two ways: nobody loses a class because of it. */
import type { Mapping } from '../../../../nodes/SchoolPartnerRoster/reading/mapping.ts';
import { Nights } from '../night.mts';
import { GRADES, rosterOf, type Lines } from '../reading/support.mts';

const BEFORE: Lines = {
	'orgs.csv': [
		'sourcedId,status,name,type,identifier',
		...['net,,Network,district,', 'north,,North,school,1', 'south,,South,school,2'],
	],
	'academicSessions.csv': [
		'sourcedId,status,title,type,startDate,endDate,schoolYear',
		'y26,,2026,schoolYear,2026-01-15,2026-12-15,2026',
	],
	'courses.csv': [
		'sourcedId,status,schoolYearSourcedId,title,courseCode,grades,orgSourcedId',
		'co-1,,y26,Mathematics,MAT,,net',
	],
};
const CLASSES =
	'sourcedId,status,title,grades,courseSourcedId,classCode,classType,schoolSourcedId,termSourcedIds';
const USERS = 'sourcedId,status,enabledUser,givenName,familyName,identifier';
const ROLES = 'sourcedId,status,userSourcedId,roleType,role,beginDate,endDate,orgSourcedId';
const ENROLLMENTS = 'sourcedId,status,classSourcedId,schoolSourcedId,userSourcedId,role,beginDate,endDate';

const removals = ({ told }: Awaited<ReturnType<Nights['sync']>>) =>
	told.filter((one) => one.startsWith('remove'));

describe('A class whose file says another school than its enrollments keeps its pupils, who have other classes too:', () => {
	const pupils = Array.from({ length: 30 }, (_, place) => `p${place}`);
	const classes = ['home', 'math', 'art', 'bio', 'geo', 'his', 'eng', 'phy', 'che', 'mus', 'pe'];
	const files = (schoolOfMath: string): Lines => ({
		...BEFORE,
		'classes.csv': [
			...[CLASSES, 's1,,s1,05,co-1,s1,scheduled,south,y26'],
			...classes.map(
				(id) => `${id},,${id},05,co-1,${id},scheduled,${id === 'math' ? schoolOfMath : 'north'},y26`,
			),
		],
		'users.csv': [USERS, 'q,,true,Rui,Lima,', ...pupils.map((id) => `${id},,true,Ana,Lima ${id},`)],
		'roles.csv': [
			...[ROLES, 'rq,,q,primary,student,,,south'],
			...pupils.map((id) => `r${id},,${id},primary,student,,,north`),
		],
		'enrollments.csv': [
			...[ENROLLMENTS, 'eq,,s1,south,q,student,,'],
			...pupils.flatMap((id) => classes.map((of) => `e${id}${of},,${of},north,${id},student,,`)),
		],
	});

	test.each([
		['one that there is not', 'nroth'],
		['another one', 'south'],
	])('%s', async (_what, school) => {
		const nights = await Nights.after(await rosterOf(files('north')));
		expect(removals(await nights.sync(await rosterOf(files(school))))).toEqual([]);
	});
});

describe.each<[string, (school: string, id: string) => string]>([
	['of one school', (school, id) => (school === 'south' ? id.toUpperCase() : id)],
	['of all schools', (_school, id) => id.toUpperCase()],
])(
	'Enrollments %s with ids in other capitals than those of the other files keep everybody',
	(_what, written) => {
		const ids = ['nina', 'otto', 'pia', 'rui', 'ada', 'bea'];
		const isTeacher = (id: string) => id === 'ada' || id === 'bea';
		const files = (idAs: (school: string, id: string) => string): Lines => ({
			...BEFORE,
			'classes.csv': [
				CLASSES,
				'cl-n,,n,05,co-1,k-n,scheduled,north,y26',
				'cl-s,,s,05,co-1,k-s,scheduled,south,y26',
			],
			'users.csv': [USERS, ...ids.map((id) => `u-${id},,true,${id},Lima,i-${id}`)],
			'roles.csv': [
				ROLES,
				...ids.flatMap((id) =>
					['north', 'south'].map(
						(school) =>
							`${school}${id},,u-${id},${school === 'north' ? 'primary' : 'secondary'},${isTeacher(id) ? 'teacher' : 'student'},,,${school}`,
					),
				),
			],
			'enrollments.csv': [
				ENROLLMENTS,
				...ids.flatMap((id) =>
					(isTeacher(id) ? ['north', 'south'] : ['north']).map((school) =>
						[
							...[`e${id}${school}`, '', idAs(school, `cl-${school[0]}`), idAs(school, school)],
							...[idAs(school, `u-${id}`), isTeacher(id) ? 'teacher' : 'student', '', ''],
						].join(','),
					),
				),
			],
		});
		const MAPPINGS: Mapping[] = (['sourcedId', 'identifier'] as const).flatMap((userIdFrom) =>
			(['sourcedId', 'identifier', 'identifierAndYear'] as const).map((classIdFrom) => ({
				...GRADES,
				...{ userIdFrom, classIdFrom },
			})),
		);

		test.each(MAPPINGS)('with User ID From $userIdFrom and Class ID From $classIdFrom', async (mapping) => {
			const before = await rosterOf(
				files((_school, id) => id),
				mapping,
			);
			const nights = await Nights.after(before, { holdRemovalsPercent: 100 });
			expect(removals(await nights.sync(await rosterOf(files(written), mapping)))).toEqual([]);
		});
	},
);
