/** What other files say of a record need not be in an export of changes: it has not changed. */
import { Nights } from '../night.mts';
import {
	GRADES,
	changed,
	extended,
	oneRoster11,
	oneRoster12,
	rosterOf,
	type Lines,
} from '../reading/support.mts';

/** An export of changes with just these rows, in files of which all but orgs.csv hold changes. */
function changesOf(lines: Lines, rows: Record<string, string[]>): Lines {
	const files = Object.entries(lines).map(([name, content]) => {
		const isWhole = ['manifest.csv', 'orgs.csv'].includes(name);
		return [name, isWhole ? content : [content[0], ...(rows[name] ?? [])]];
	});
	return changed(Object.fromEntries(files) as Lines, 'manifest.csv', (line) =>
		line.startsWith('file.orgs') ? line : line.replace('bulk', 'delta'),
	);
}

const row = (lines: Lines, file: string, id: string) =>
	(lines[file].find((line) => line.startsWith(id)) ?? '').replace(/,,/, ',active,2026-03-14');
const OTHER_MAIL = 'nina.prado@school.example';
const withMail = (line: string) => line.replace('nina@school.example', OTHER_MAIL);

/** The guardian lists her child, not the child the guardian. */
const listing = (): Lines =>
	changed(oneRoster11(), 'users.csv', (line) =>
		line.startsWith('st-1')
			? line.replace(',gu-1,', ',,')
			: line.startsWith('gu-1')
				? line.replace('0123,,,', '0123,,st-1,')
				: line,
	);

const told = (nights: Nights) =>
	(nights.telling?.attention ?? []).map(({ code, key, fields = [] }) => [code, key, ...fields].join(' '));

describe.each([
	['by pupils', oneRoster11],
	['by guardians', listing],
])('Where links are listed %s', (_by, full) => {
	const mail = () => changesOf(full(), { 'users.csv': [withMail(row(full(), 'users.csv', 'st-1'))] });

	test.each(['report', 'sendAgain'] as const)(
		'a changed address is told alone, and nobody is sent without birth date or guardian: %s',
		async (changedRecords) => {
			const nights = await Nights.after(await rosterOf(full()), { changedRecords });
			const done = await nights.sync(await rosterOf(mail()));
			expect(done.told).toEqual([]);
			expect(told(nights)).toEqual(['recordChanged u:sch-1|st-1 email']);
			expect(nights.attention('recordChanged')[0].what_to_do).toMatch(/correct it there by hand/);
		},
	);

	test('a row that has nothing else tells nothing', async () => {
		const nights = await Nights.after(await rosterOf(full()));
		await nights.sync(await rosterOf(changesOf(full(), { 'users.csv': [row(full(), 'users.csv', 'st-1')] })));
		expect(told(nights)).toEqual([]);
	});

	test('what a person has noted of it holds for the next whole export, and what that changes is told', async () => {
		const nights = await Nights.after(await rosterOf(full()));
		await nights.sync(await rosterOf(mail()));
		await nights.resolve('u:sch-1|st-1', 'inService');
		await nights.sync(await rosterOf(mail()));
		nights.pass();
		const whole = changed(full(), 'users.csv', withMail);
		await nights.sync(await rosterOf(whole));
		expect(told(nights)).toEqual([]);
		await nights.sync(
			await rosterOf(changed(whole, 'demographics.csv', (line) => line.replace('05-20', '05-21'))),
		);
		expect(told(nights)).toEqual(['recordChanged u:sch-1|st-1 birth_date']);
	});
});

test('A birth date that an export of changes empties or changes is told', async () => {
	const nights = await Nights.after(await rosterOf(oneRoster11()));
	for (const date of ['', '2015-05-21']) {
		const rows = {
			'users.csv': [row(oneRoster11(), 'users.csv', 'st-1')],
			'demographics.csv': [row(oneRoster11(), 'demographics.csv', 'st-1').replace('2015-05-20', date)],
		};
		await nights.sync(await rosterOf(changesOf(oneRoster11(), rows)));
		expect(told(nights)).toEqual(['recordChanged u:sch-1|st-1 birth_date']);
	}
});

test.each(['report', 'sendAgain'] as const)(
	'A user of the network whose second role alone is named has neither moved nor lost a profile: %s',
	async (changedRecords) => {
		const mapping = { ...GRADES, userKeys: 'network' } as const;
		const two = extended(oneRoster12(), 'orgs.csv', 'sch-9,,,South School,school,1009,net');
		const full = extended(two, 'roles.csv', 'r9,,,te-1,secondary,principal,,,sch-9,');
		const roles = { ...mapping, roles: [{ role: 'principal', profile: 'coordinator' }] };
		const nights = await Nights.after(await rosterOf(full, roles), {
			changedRecords,
			userIdsUniqueWithin: 'network',
		});
		const rows = {
			'users.csv': [row(full, 'users.csv', 'te-1')],
			'roles.csv': [row(full, 'roles.csv', 'r9')],
		};
		const done = await nights.sync(await rosterOf(changesOf(full, rows), roles));
		expect(done.told).toEqual([]);
		expect(told(nights)).toEqual([]);
	},
);

test('A class whose course has not changed has kept it', async () => {
	const nights = await Nights.after(await rosterOf(oneRoster11()));
	const named = row(oneRoster11(), 'classes.csv', 'cl-1').replace('room A', 'room C');
	const rows = {
		'classes.csv': [named],
		'academicSessions.csv': [row(oneRoster11(), 'academicSessions.csv', 'y26')],
	};
	await nights.sync(await rosterOf(changesOf(oneRoster11(), rows)));
	expect(told(nights)).toEqual(['recordChanged c:sch-1|cl-1 name']);
});
