/** What a row without an id may be about stays, and nothing else does (rule 4). */
import { readRecords } from '../../../../nodes/SchoolPartnerRoster/reading/readRecords.ts';
import { readRows, type Row } from '../../../../nodes/SchoolPartnerRoster/reading/readRows.ts';
import type { Roster } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';

import { Nights, type Ended } from '../night.mts';
import {
	GRADES,
	changed,
	host,
	oneRoster12,
	overRecords,
	rosterOf,
	type Lines,
} from '../reading/support.mts';

const NAMES = ['Nina Prado', 'Otto Reis', 'Pia Souza'];

const row = (school: string, ofClass: string, pupil: number): Row => ({
	school_external_id: school,
	student_external_id: `${school}-${ofClass}-${pupil}`,
	student_full_name: `${NAMES[pupil - 1]} ${school} ${ofClass}`,
	student_birth_date: `2015-05-0${pupil}`,
	class_external_id: ofClass,
	class_name: ofClass,
	class_grade: '05',
	class_year: '2026',
});

/** Two schools of two classes of three pupils; the third of each leaves. */
const SHEET = ['north', 'south'].flatMap((school) =>
	['a', 'b'].flatMap((ofClass) => [1, 2, 3].map((pupil) => row(school, ofClass, pupil))),
);
const isThird = ({ student_external_id: id }: Row) => String(id).endsWith('-3');
const tonight = (...more: Row[]) => [...SHEET.filter((one) => !isThird(one)), ...more];

async function sheet(rows: Row[]): Promise<Roster> {
	return await readRows(rows, GRADES, 'whole', host);
}

const removals = ({ told }: Pick<Ended, 'told'>) =>
	told.filter((one) => one.startsWith('remove')).map((one) => /\|([^|]+)\|student removed$/.exec(one)?.[1]);

const keptIn = ({ plan }: Ended) =>
	plan.findings
		.filter(({ code }) => code === 'keptForRow')
		.map(({ message, key, line }) => ({ message, key, line }));

const THIRDS = ['north-a-3', 'north-b-3', 'south-a-3', 'south-b-3'];
const without = (...kept: string[]) => THIRDS.filter((id) => !kept.includes(id));

describe.each([
	['', sheet],
	[' over Read Files and Records', async (all: Row[]) => await overRecords(await sheet(all))],
])('A row of a sheet without the id of its student%s', (_route, read) => {
	const night = async (more: Row) => {
		const nights = await Nights.after(await read(SHEET));
		return await nights.sync(await read(tonight(more)));
	};
	const nameless = (of: Row, more: Row = {}) => ({ ...of, student_external_id: '', ...more });

	test('keeps the one student of its school who has its name and birth date, in whatever class, and says so', async () => {
		const ended = await night(nameless(row('north', 'a', 3), { class_external_id: 'b' }));
		expect(removals(ended)).toEqual(without('north-a-3'));
		expect(keptIn(ended)).toEqual([
			{
				message:
					'A row without an id, or with a wrong one, may be that of the user north-a-3 of school north: one bond that is not in the export stays because of it',
				key: 'u:north|north-a-3',
				line: 9,
			},
		]);
	});

	test('keeps nobody by a name that only another school knows', async () => {
		const ended = await night(nameless(row('south', 'a', 3), { school_external_id: 'north' }));
		expect(removals(ended)).toEqual(without('north-a-3'));
		expect(keptIn(ended)).toMatchObject([{ key: 'c:north|a' }]);
	});

	test('and with the name of nobody keeps those of its class', async () => {
		const ended = await night(nameless(row('north', 'b', 3), { student_full_name: 'Abelia Fontela' }));
		expect(removals(ended)).toEqual(without('north-b-3'));
		expect(keptIn(ended)).toMatchObject([
			{ message: expect.stringContaining('of anybody in class b of school north: one bond') as string },
		]);
	});

	test('and without its class keeps those of its school, while the other school goes on', async () => {
		const ended = await night(
			nameless(row('north', 'a', 3), { student_full_name: 'Abelia Fontela', class_external_id: '' }),
		);
		expect(removals(ended)).toEqual(without('north-a-3', 'north-b-3'));
		expect(keptIn(ended)).toMatchObject([
			{ message: expect.stringContaining('of anybody of school north: 2 bonds') as string, line: 9 },
		]);
	});

	test('and without its school may be anybody: nobody is removed', async () => {
		const ended = await night(
			nameless(row('north', 'a', 3), { school_external_id: '', class_external_id: '' }),
		);
		expect(removals(ended)).toEqual([]);
	});
});

test('A row of a sheet without the id of its class keeps its student, and nobody else of the school', async () => {
	const nights = await Nights.after(await sheet(SHEET));
	const ended = await nights.sync(await sheet(tonight({ ...row('north', 'a', 3), class_external_id: '' })));
	expect(removals(ended)).toEqual(without('north-a-3'));
});

test('Records without ids keep what they may be about, but not what the records say is gone', async () => {
	type Item = Record<string, unknown>;
	const read = async (of: Item[]) => await readRecords(of, 'school', 'whole', host);
	const items = (await sheet(SHEET)).records.map(({ kind, fields }): Item => ({ kind, ...fields }));
	const nights = await Nights.after(await read(items));
	const isThirdBond = ({ user_external_id: id }: Item) => String(id).endsWith('-3');
	const bondIn = (school: string, ofClass: string) =>
		items.find((item) => item.user_external_id === `${school}-${ofClass}-3`);
	const ended = await nights.sync(
		await read([
			...items.filter((item) => !isThirdBond(item)),
			{ ...bondIn('north', 'a'), user_external_id: '' },
			{ ...bondIn('north', 'a'), kind: 'gone', of: 'bond' },
			{ ...bondIn('south', 'b'), kind: 'faulty', of: 'bond', user_external_id: '' },
		]),
	);
	expect(removals(ended)).toEqual(without('south-b-3'));
	expect(keptIn(ended)).toMatchObject([{ key: 'c:south|b' }]);
});

describe('In files', () => {
	/** Two pupils in two classes of one school; ids of people are their numbers. */
	const files = (): Lines => {
		const more = { ...oneRoster12() };
		const add = (file: string, ...lines: string[]) => (more[file] = [...more[file], ...lines]);
		add('classes.csv', 'cl-2,,,"Grade 5, room B",05,co-1,5B,homeroom,,sch-1,y26,,,');
		add('users.csv', 'st-2,,,true,ana,,Ana,Sá,,A4,,,,,05,,,,,,sch-1,');
		add('roles.csv', 'r4,,,st-2,primary,student,,,sch-1,');
		add('demographics.csv', 'st-2,,,2014-02-03,female,');
		add('enrollments.csv', 'e3,,,cl-2,sch-1,st-2,student,,,');
		return more;
	};
	const mapping = { ...GRADES, userIdFrom: 'identifier' as const };
	const sync = async (lines: Lines) => {
		const nights = await Nights.after(await rosterOf(files(), mapping));
		return await nights.sync(await rosterOf(lines, mapping));
	};
	const lacks = (lines: Lines, file: string, start: string) =>
		changed(lines, file, (line) => (line.startsWith(start) ? undefined : line));

	test('a person whose number is empty keeps what has its name and birth date; who else has left goes', async () => {
		const noNumber = changed(files(), 'users.csv', (line) => line.replace(',A4,', ',,'));
		const ended = await sync(lacks(noNumber, 'enrollments.csv', 'e1'));
		expect(removals(ended)).toEqual(['A1']);
	});

	test('an enrollment without its user keeps those of its class; who has left another class goes', async () => {
		const noUser = changed(files(), 'enrollments.csv', (line) =>
			line.replace('cl-2,sch-1,st-2', 'cl-2,sch-1,'),
		);
		const ended = await sync(lacks(noUser, 'enrollments.csv', 'e1'));
		expect(removals(ended)).toEqual(['A1']);
		expect(keptIn(ended)).toMatchObject([{ key: 'c:sch-1|cl-2', line: 3 }]);
	});

	test.each([
		['without its class', ''],
		['in a class that is not in the export', 'nowhere'],
	])('an enrollment %s keeps those of its user; who else has left goes', async (_, ofClass) => {
		const noClass = changed(files(), 'enrollments.csv', (line) =>
			line.replace('cl-2,sch-1,st-2', `${ofClass},sch-1,st-2`),
		);
		const ended = await sync(lacks(noClass, 'enrollments.csv', 'e1'));
		expect(removals(ended)).toEqual(['A1']);
		expect(keptIn(ended)).toMatchObject([
			{ message: expect.stringContaining('of the user A4: one bond') as string },
		]);
	});
});

describe('An id that is none', () => {
	const notText: Array<[string, unknown]> = [
		['a date', new Date(0)],
		['an object', { id: 'north-a-3' }],
		['a list', ['north-a-3']],
		['a fraction', 1.5],
	];

	test.each<[string, unknown]>([...notText, ['a number that a sheet has rounded', '1,23E+12']])(
		'%s of a student says nobody: the one who has this name and birth date stays',
		async (_, id) => {
			const nights = await Nights.after(await sheet(SHEET));
			const odd = { ...row('north', 'a', 3), student_external_id: id };
			expect(removals(await nights.sync(await sheet(tonight(odd))))).toEqual(without('north-a-3'));
		},
	);

	test.each(notText)('%s of a school may be any school', async (_, id) => {
		const nights = await Nights.after(await sheet(SHEET));
		const odd = { ...row('north', 'a', 3), school_external_id: id };
		expect(removals(await nights.sync(await sheet(tonight(odd))))).toEqual(without('north-a-3'));
	});
});

test('Of a row that may be of any school, only what is kept in the schools of Only Schools is told', async () => {
	const nights = await Nights.after(await sheet(SHEET));
	const odd = { ...row('south', 'a', 3), school_external_id: '', student_external_id: '' };
	const ended = await nights.sync(await sheet(tonight(odd)), { onlySchools: ['north'] });
	expect(removals(ended)).toEqual(['north-b-3']);
	expect(keptIn(ended)).toMatchObject([
		{ message: expect.stringContaining('anybody in class a: one bond') as string },
	]);
});

test('A row without an id in a class that is new tonight keeps what its school has: its pupil was in another', async () => {
	const nights = await Nights.after(await sheet(SHEET));
	const moved = { ...row('north', 'fresh', 3), student_external_id: '', student_full_name: 'Rita Nunes' };
	expect(removals(await nights.sync(await sheet(tonight(moved))))).toEqual(['south-a-3', 'south-b-3']);
});

describe('A pupil whose id was overwritten by that of somebody else keeps the class, and the row is told:', () => {
	const overwritten = (id: string, ...pupils: string[]) =>
		SHEET.map((one) =>
			pupils.includes(String(one.student_external_id)) ? { ...one, student_external_id: id } : one,
		);

	test('by that of a pupil who is in the sheet, as when a cell is filled down', async () => {
		const nights = await Nights.after(await sheet(SHEET));
		const ended = await nights.sync(await sheet(overwritten('north-a-1', 'north-a-2', 'north-a-3')));
		expect(removals(ended)).toEqual([]);
		expect(keptIn(ended).map(({ key }) => key)).toEqual(['u:north|north-a-2', 'u:north|north-a-3']);
	});

	test('by that of a pupil of the same first name', async () => {
		const first = row('north', 'a', 1);
		const rows = [first, { ...row('north', 'a', 2), student_full_name: 'Nina Reis' }, row('north', 'a', 3)];
		const nights = await Nights.after(await sheet(rows));
		const both = [first, { ...rows[1], student_external_id: 'north-a-1' }, rows[2]];
		const ended = await nights.sync(await sheet(both));
		expect(ended.told).toEqual([]);
		expect(ended.plan.findings.map(({ code }) => code)).toContain('idTwice');
	});

	test('by that of one who has left', async () => {
		const nights = await Nights.after(await sheet(SHEET));
		const gone = ({ student_external_id: id }: Row) => id !== 'north-a-1';
		expect(removals(await nights.sync(await sheet(SHEET.filter(gone))))).toEqual(['north-a-1']);
		nights.pass();
		const ended = await nights.sync(
			await sheet(overwritten('north-a-1', 'north-a-3').filter((_, at) => at > 0)),
		);
		expect(ended.told).toEqual([]);
		expect(keptIn(ended)).toMatchObject([{ key: 'u:north|north-a-3' }]);
	});
});

test('A new year does not count as leaving whom rows without an id keep, and these rows say how many they keep', async () => {
	const pupils = (ofClass: string, year: string, from: number, to: number): Row[] =>
		Array.from({ length: to - from }, (_, place) => ({
			...row('north', ofClass, 1),
			...{ student_external_id: `p${from + place}`, student_full_name: `Nina Prado ${from + place}` },
			class_year: year,
		}));
	const nights = await Nights.after(await sheet(pupils('2026-a', '2026', 0, 80)));
	const next = pupils('2027-a', '2027', 30, 95);
	const whole = await nights.preview(await sheet(next));
	const [nameless] = pupils('2027-a', '2027', 99, 100);
	const kept = await nights.preview(await sheet([...next, { ...nameless, student_external_id: '' }]));
	const year = 'A new school year (2027) in school north: 1 new classes, 50 people go on,';
	expect([whole, kept].map(({ holds }) => holds[0].reason)).toEqual([
		`${year} 30 leave, 15 are new`,
		`${year} 0 leave, 15 are new`,
	]);
	expect(kept.findings.filter(({ code }) => code === 'keptForRow')).toMatchObject([
		{ message: expect.stringMatching(/of school north: 80 bonds that are not in the export stay/) },
	]);
});
