/** An export for each school: each is whole by itself, and none says anything of the others. */
import { readExports } from '../../../../nodes/SchoolPartnerRoster/reading/readExports.ts';
import type { Roster } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';
import type { Outcome } from '../../../../nodes/shared/failure.ts';

import { actionsOf, Nights } from '../night.mts';
import {
	GRADES,
	bytesOf,
	changed,
	extended,
	host,
	oneRoster12,
	overRecords,
	rosterOf,
	zipOf,
	type Lines,
} from '../reading/support.mts';

/** The export of one school. As many systems do, its orgs.csv lists all of them. */
const exportOf = (school: string): Lines => {
	const own = Object.entries(oneRoster12()).map(([file, lines]) => [
		file,
		lines.map((line) =>
			line.replaceAll(/sch-1|\b(st|gu|te|cl|e|r)-?(?=\d)/g, (id) =>
				id === 'sch-1' ? school : `${school}-${id}`,
			),
		),
	]);
	const orgs = ['sch-a', 'sch-b'].map((id) => `${id},,,School,school,,net`);
	return {
		...(Object.fromEntries(own) as Lines),
		'orgs.csv': [...oneRoster12()['orgs.csv'].slice(0, 2), ...orgs],
	};
};
const [A, B] = [exportOf('sch-a'), exportOf('sch-b')];
const without = (lines: Lines, start: string) =>
	changed(lines, 'enrollments.csv', (line) => (line.startsWith(start) ? undefined : line));
const zip = (name: string, lines: Lines) => [{ name, bytes: zipOf(lines) }];

const outcomeOf = async (
	...exports: Array<Array<{ name: string; bytes: Uint8Array }>>
): Promise<Outcome<Roster>> => await readExports(exports, GRADES, 'automatic', host);
async function each(...exports: Parameters<typeof outcomeOf>): Promise<Roster> {
	const read = await outcomeOf(...exports);
	if (!read.ok) throw new Error(read.failure.message);
	return read.value;
}

const BOND_A = 'b:sch-a|sch-a-cl-1|sch-a-st-1|student';
const BOND_B = 'b:sch-b|sch-b-cl-1|sch-b-st-1|student';
const both = async () => await each(zip('a.zip', A), zip('b.zip', B));

describe('With an export in each item', () => {
	test('all of them are one roster, which says of each record the export that it is from', async () => {
		const roster = await both();
		expect(roster.records).toHaveLength(12);
		expect(roster.findings).toEqual([]);
		const files = new Set(roster.records.map(({ source }) => source.file));
		expect([...files].sort()).toEqual([
			...['a', 'b'].flatMap((name) =>
				['classes', 'enrollments', 'users'].map((file) => `${name}.zip/${file}.csv`),
			),
		]);
	});

	test('each removes what has left its own school, and a school that is in none loses and misses nothing', async () => {
		const nights = await Nights.after(await both());
		const plan = await nights.preview(await each(zip('a.zip', without(A, 'sch-a-e1'))));
		expect([actionsOf(plan), plan.findings]).toEqual([[`remove ${BOND_A}`], []]);
	});

	test('what is left of a removal that the service refused waits for the own export of its school', async () => {
		const nights = await Nights.after(await both());
		nights.service.fault = (action) => (action === 'remove' ? 422 : undefined);
		const gone = zip('a.zip', without(A, 'sch-a-e1'));
		expect((await nights.sync(await each(gone, zip('b.zip', B)))).told).toEqual([`remove ${BOND_A} failed`]);
		nights.service.fault = () => undefined;
		nights.pass();
		expect((await nights.sync(await each(zip('b.zip', B)))).told).toEqual([]);
		expect(
			(await nights.sync(await each(zip('a.zip', { 'users.csv': ['x'] }), zip('b.zip', B)))).told,
		).toEqual([]);
		expect((await nights.sync(await each(gone, zip('b.zip', B)))).told).toEqual([`remove ${BOND_A} removed`]);
	});

	test('a school that is in none for weeks has not left', async () => {
		const nights = await Nights.after(await both());
		for (let night = 0; night < 3; night++) {
			await nights.sync(await each(zip('a.zip', A)));
			nights.pass(7);
		}
		const { changes, holds, findings } = await nights.preview(await each(zip('a.zip', A)));
		expect([changes, holds, findings]).toEqual([[], [], []]);
		expect((await nights.preview(await rosterOf(A))).holds).toEqual([]);
	});

	test('a teacher of another school, whose own export is not used, says nothing of that school', async () => {
		const nights = await Nights.after(await both());
		const users = extended(A, 'users.csv', 'te-9,,,true,ana,,Ana,Sá,,,,,,,,,,,,,,');
		const guest = extended(users, 'roles.csv', 'r9,,,te-9,primary,teacher,,,sch-b,');
		const plan = await nights.preview(await each(zip('a.zip', guest), zip('b.zip', { 'users.csv': ['x'] })));
		expect(actionsOf(plan)).toEqual(['create u:sch-b|te-9']);
	});

	test('one that cannot be used takes no class from a teacher who is in another one of the same school, nor says that anybody left', async () => {
		const half = (of: string): Lines =>
			Object.fromEntries(
				Object.entries(A).map(([file, lines]) => [
					file,
					lines.map((line) => line.replaceAll(/sch-a-(st|gu|cl)/g, `${of}-$1`)),
				]),
			);
		const [one, other] = ['x', 'y'].map((of) => zip(`${of}.zip`, half(of)));
		const nights = await Nights.after(await each(one, other));
		const ended = await nights.sync(await each(one, zip('y.zip', { 'users.csv': ['x'] })));
		expect([ended.told, ended.plan.left]).toEqual([[], []]);
		expect(ended.plan.findings.map(({ code }) => code)).toEqual(['exportNotUsed']);
	});

	const GONE = 'sch-b-st-1,tobedeleted,,true,ana,,Ana,Sá,,,,,,,,,,,,,,';

	test('one says of nobody in the schools of another that they are gone: a number may be somebody else there', async () => {
		const nights = await Nights.after(await both());
		const deleted = zip('a.zip', extended(A, 'users.csv', GONE));
		expect(actionsOf(await nights.preview(await each(deleted)))).toEqual([]);
		const broken = [{ name: 'b.zip', bytes: zipOf(B).slice(0, 500) }];
		expect(actionsOf(await nights.preview(await each(deleted, broken)))).toEqual([]);
		const lost = 'x,,,nowhere,sch-a,sch-a-st-1,student,,,';
		const faulty = extended(extended(A, 'users.csv', GONE), 'enrollments.csv', lost);
		expect(actionsOf(await nights.preview(await each(zip('a.zip', faulty))))).toEqual([]);
	});

	test('who has left one school of the network keeps the bonds in that of an export that is not there', async () => {
		const teacher = (school: string, ended = '') => {
			const users = extended(exportOf(school), 'users.csv', 'te-9,,,true,ana,,Ana,Sá,,,,,,,,,,,,,,');
			const roles = extended(users, 'roles.csv', `r9,,,te-9,primary,teacher,,${ended},${school},`);
			const bond = `e9,,,${school}-cl-1,${school},te-9,teacher,,,${ended}`;
			return extended(roles, 'enrollments.csv', bond);
		};
		const network = { ...GRADES, userKeys: 'network' } as const;
		const options = { userIdsUniqueWithin: 'network' } as const;
		const read = async (...exports: Parameters<typeof outcomeOf>) => {
			const roster = await readExports(exports, network, 'automatic', host);
			if (!roster.ok) throw new Error(roster.failure.message);
			return roster.value;
		};
		const nights = new Nights(undefined, options);
		await nights.takeOver(await read(zip('a.zip', teacher('sch-a')), zip('b.zip', teacher('sch-b'))));
		const left = await nights.preview(await read(zip('a.zip', teacher('sch-a', '2026-01-31'))), options);
		expect(actionsOf(left)).toEqual(['remove b:sch-a|sch-a-cl-1|te-9|educator']);
	});

	test('one that cannot be believed leaves out itself and says so; the rest goes on', async () => {
		const nights = await Nights.after(await both());
		const broken = [{ name: 'b.zip', bytes: zipOf(B).slice(0, 500) }];
		const roster = await each(zip('a.zip', without(A, 'sch-a-e1')), broken);
		const { changes, findings } = await nights.preview(roster);
		expect(changes.map(({ key }) => key)).toEqual([BOND_A]);
		expect(findings).toMatchObject([
			{
				severity: 'error',
				code: 'exportNotUsed',
				message: 'b.zip is not used: b.zip cannot be read as a zip: it is cut off or damaged',
				what_to_do: expect.stringMatching(/Its schools are neither changed nor missed/) as string,
			},
		]);
		expect(JSON.stringify(findings)).not.toContain('Nothing of the roster is used');
		expect(roster.completeness).toEqual({ class: 'partial', user: 'partial', bond: 'partial' });
	});

	test('who is in no other export may be in the one that cannot be believed, and keeps the bond', async () => {
		const nights = await Nights.after(await both());
		const broken = [{ name: 'b.zip', bytes: zipOf(B).slice(0, 500) }];
		const moved = Object.fromEntries(
			Object.entries(A).map(([file, lines]) => [file, lines.filter((line) => !line.includes('sch-a-st-1'))]),
		) as Lines;
		expect(actionsOf(await nights.preview(await each(zip('a.zip', moved), broken)))).toEqual([]);
		expect(actionsOf(await nights.preview(await each(zip('a.zip', moved), zip('b.zip', B))))).toEqual([
			`remove ${BOND_A}`,
		]);
	});

	test('it stops when none of them can be believed', async () => {
		expect(await outcomeOf([], [{ name: 'b.zip', bytes: zipOf(B).slice(0, 500) }])).toMatchObject({
			ok: false,
			failure: { code: 'noFiles' },
		});
	});

	test('one with a row that may be about anybody does not keep another from being whole', async () => {
		const nights = await Nights.after(await both());
		const untold = extended(without(B, 'sch-b-e1'), 'enrollments.csv', 'x,,,,,,student,,,');
		const roster = await each(zip('a.zip', without(A, 'sch-a-e1')), zip('b.zip', untold));
		expect(actionsOf(await nights.preview(roster))).toEqual([`remove ${BOND_A}`]);
	});

	const silent = (lines: Lines): Lines => ({
		...lines,
		'enrollments.csv': lines['enrollments.csv'].slice(0, 1),
	});

	test('one that says nothing of bonds takes none away, although another one of its school says all of its own', async () => {
		const ids = /\b(st|gu|te|cl|e|r)-?(?=\d)/g;
		const second = Object.fromEntries(
			Object.entries(A).map(([file, lines]) => [
				file,
				lines.map((line) => line.replaceAll(ids, 'second-$&')),
			]),
		) as Lines;
		const nights = await Nights.after(await each(zip('1.zip', A), zip('2.zip', second)));
		const roster = await each(zip('1.zip', A), zip('2.zip', silent(second)));
		expect(roster.findings.map(({ code }) => code)).toContain('fileWithoutRows');
		expect(actionsOf(await nights.preview(roster))).toEqual([]);
	});

	test('one that says nothing of bonds takes none away over Records either', async () => {
		const nights = await Nights.after(await overRecords(await both()));
		const plan = await nights.preview(
			await overRecords(await each(zip('a.zip', A), zip('b.zip', silent(B)))),
		);
		expect(actionsOf(plan)).toEqual([]);
		expect(plan.findings).toMatchObject([{ code: 'recordsNotWhole', kind: 'bond' }]);
	});

	test('what is in two of them counts once, and one id for two people is an error for both', async () => {
		const roster = await each(zip('a.zip', A), bytesOf(A));
		expect([roster.records.length, roster.findings]).toEqual([6, []]);
		const other = changed(A, 'users.csv', (line) => line.replace('Nina', 'Abelia'));
		const grown = changed(other, 'demographics.csv', (line) => line.replace('2015', '2010'));
		const twice = await each(zip('a.zip', A), bytesOf(grown));
		expect(twice.findings).toMatchObject([
			{
				code: 'idTwice',
				kind: 'user',
				count: 2,
				places: [{ file: 'a.zip/users.csv' }, { file: 'Item 2/users.csv' }],
			},
			{ code: 'idTwice', kind: 'bond', count: 1 },
		]);
		expect(twice.records.map(({ fields }) => fields.external_id)).not.toContain('sch-a-st-1');
	});

	test('each person with an error is told of, as where all files are one export; and schools have their names', async () => {
		const people = ['x1', 'x2'].map((id) => `${id},,,true,ana,,=Ana,Sá,,,,,,,,,,,,,,`);
		const roles = ['x1', 'x2'].map((id) => `r-${id},,,${id},primary,student,,,sch-a,`);
		const spoilt = extended(extended(A, 'users.csv', ...people), 'roles.csv', ...roles);
		const [apart, all] = [await each(bytesOf(spoilt)), await rosterOf(spoilt)];
		const keys = ({ findings }: Roster) =>
			findings.filter(({ code }) => code === 'formula').map(({ key }) => key);
		expect(keys(apart)).toEqual(['u:sch-a|x1', 'u:sch-a|x2']);
		expect([keys(apart), apart.schoolNames]).toEqual([keys(all), all.schoolNames]);
	});

	test('classes that all have other ids are held, although another export cannot be believed', async () => {
		const nights = await Nights.after(await both());
		const others = Object.entries(A).map(([file, lines]) => [
			file,
			lines.map((line) => line.replaceAll('sch-a-cl', 'x-cl')),
		]);
		const broken = [{ name: 'b.zip', bytes: zipOf(B).slice(0, 500) }];
		const tonight = await each(zip('a.zip', Object.fromEntries(others) as Lines), broken);
		const { told, plan } = await nights.sync(tonight);
		expect([told, plan.holds.map(({ reason }) => reason)]).toEqual([
			[],
			[expect.stringContaining('none of the 1 that it has of that year is in the export')],
		]);
	});

	test('files of the same kind in two items have the number of their item for a name', async () => {
		const { records } = await each(bytesOf(A), bytesOf(B));
		expect(new Set(records.map(({ source }) => source.file.split('/')[0]))).toEqual(
			new Set(['Item 1', 'Item 2']),
		);
	});
});

test('Exports that come one night for one school, and one night for the other: no school loses anything, and nothing of it is forgotten', async () => {
	const nights = await Nights.after([...(await rosterOf(A)).records, ...(await rosterOf(B)).records]);
	const night = async (lines: Lines) => {
		const { told, plan } = await nights.sync(await rosterOf(lines), { gracePeriodDays: 3 });
		nights.pass();
		return [told, plan.holds];
	};
	expect(await night(without(B, 'sch-b-e1'))).toEqual([[`note ${BOND_B} missing`], []]);
	expect(await night(A)).toEqual([[], []]);
	expect(await night(A)).toEqual([[], []]);
	expect(await night(without(B, 'sch-b-e1'))).toEqual([[`remove ${BOND_B} removed`], []]);
	expect(await night(A)).toEqual([[], []]);
	expect(await night(without(B, 'sch-b-e1'))).toEqual([[], []]);
});
