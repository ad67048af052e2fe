/** Bonds of classes that are not in the files: the enrollment of a course at another school names the school of the pupil. */
import { Nights } from '../night.mts';
import { changed, extended, oneRoster11, rosterOf, type Lines } from '../reading/support.mts';

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

const STATUS_NOT_KNOWN = 'cl-7,inactive,,Old,05,co-1,R7,scheduled,,sch-9,y26,,,';

test.each([
	['classes.csv has its headings only', headingsOnly(full(), 'classes')],
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
