/** Bonds of classes that are not in the files: the enrollment of a course at another school names the school of the pupil. */
import { Nights } from '../night.mts';
import { changed, extended, oneRoster11, rosterOf, type Lines } from '../reading/support.mts';

const COURSE = 'b:sch-9|cl-9|st-1|student';
const ENROLLMENT = 'e9,,,cl-9,sch-1,st-1,student,,,';

/** A pupil of one school who takes a course at another. */
function full(): Lines {
	const two = extended(oneRoster11(), 'orgs.csv', 'sch-9,,,South School,school,1009,net');
	const pupil = changed(two, 'users.csv', (line) =>
		line.startsWith('st-1') ? line.replace(',sch-1,', ',"sch-1,sch-9",') : line,
	);
	const classes = extended(pupil, 'classes.csv', 'cl-9,,,Robotics,05,co-1,R9,scheduled,,sch-9,y26,,,');
	return extended(classes, 'enrollments.csv', ENROLLMENT);
}

const headingsOnly = (lines: Lines, ...files: string[]): Lines => ({
	...lines,
	...Object.fromEntries(files.map((file) => [`${file}.csv`, lines[`${file}.csv`].slice(0, 1)])),
});

function delta(lines: Lines, ...files: string[]): Lines {
	const isChanged = (line: string) => files.some((file) => line.startsWith(`file.${file},`));
	return changed(lines, 'manifest.csv', (line) => (isChanged(line) ? line.replace('bulk', 'delta') : line));
}

const changesOf = (enrollment: string): Lines =>
	extended(
		headingsOnly(
			delta(full(), 'users', 'demographics', 'classes', 'enrollments'),
			...['users', 'demographics', 'classes', 'enrollments'],
		),
		'enrollments.csv',
		enrollment,
	);

const STATUS_NOT_KNOWN = 'cl-7,inactive,,Old,05,co-1,R7,scheduled,,sch-9,y26,,,';

test.each([
	['classes.csv has its headings only', headingsOnly(full(), 'classes')],
	['only changed classes are in classes.csv', headingsOnly(delta(full(), 'classes'), 'classes')],
	[
		'a row of classes.csv cannot be used',
		changed(extended(full(), 'classes.csv', STATUS_NOT_KNOWN), 'classes.csv', (line) =>
			line.startsWith('cl-9') ? undefined : line,
		),
	],
])('Where %s, the bond stays', async (_what, files) => {
	const nights = await Nights.after(await rosterOf(full()));
	const { told } = await nights.sync(await rosterOf(files));
	expect(told).toEqual([]);
	expect(nights.attention('needsUnknown')).toEqual([]);
});

describe('By an export of changes', () => {
	test('who leaves the course leaves the bond at its school', async () => {
		const nights = await Nights.after(await rosterOf(full()));
		const { told } = await nights.sync(
			await rosterOf(changesOf(ENROLLMENT.replace('e9,,', 'e9,tobedeleted,'))),
		);
		expect(told).toEqual([`remove ${COURSE} removed`]);
	});

	test('who comes to the course comes to its school', async () => {
		const nights = await Nights.after(
			await rosterOf(changed(full(), 'enrollments.csv', (line) => (line === ENROLLMENT ? undefined : line))),
		);
		const { told } = await nights.sync(await rosterOf(changesOf(ENROLLMENT.replace('e9,,', 'e9,active,'))));
		expect(told).toEqual([`create ${COURSE} applied`]);
	});

	test('who is in a class that two other schools have keeps the bonds of both', async () => {
		const one = await rosterOf(full());
		const moved = ({ kind, fields }: (typeof one.records)[number]) =>
			(kind === 'class' ? fields.external_id : fields.class_external_id) === 'cl-9' ||
			(kind === 'user' && fields.school_external_id === 'sch-9');
		const again = one.records.filter(moved).map((record) => ({
			...record,
			fields: { ...record.fields, school_external_id: 'sch-8' },
		}));
		const nights = await Nights.after({ ...one, records: [...one.records, ...again] });
		const lacking = await rosterOf(headingsOnly(delta(full(), 'classes'), 'classes'));
		const inBoth = { ...lacking, schools: [...lacking.schools, 'sch-8'] };
		const { told } = await nights.sync(inBoth);
		expect(told).toEqual([]);
	});
});
