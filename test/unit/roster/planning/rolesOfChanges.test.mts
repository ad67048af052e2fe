/** OneRoster 1.2, where roles.csv holds only the roles that have changed: those that it does not name are held still. */
import type { Mapping } from '../../../../nodes/SchoolPartnerRoster/reading/mapping.ts';

import { Nights } from '../night.mts';
import {
	GRADES,
	bodies,
	changed,
	extended,
	finding,
	oneRoster12,
	rosterOf,
	type Lines,
} from '../reading/support.mts';

const CHANGED = ['users', 'roles', 'enrollments', 'classes', 'demographics'];

/** An export of changes with just these rows. */
function changesOf(lines: Lines, rows: Record<string, string[]>): Lines {
	const isChanged = (line: string) => CHANGED.some((file) => line.startsWith(`file.${file},`));
	const only = CHANGED.map((file) => [`${file}.csv`, [lines[`${file}.csv`][0], ...(rows[file] ?? [])]]);
	return {
		...changed(lines, 'manifest.csv', (line) => (isChanged(line) ? line.replace('bulk', 'delta') : line)),
		...(Object.fromEntries(only) as Lines),
	};
}

const MAPPING: Mapping = { ...GRADES, roles: [{ role: 'aide', profile: 'coordinator' }] };
const LEFT_OUT: Mapping = { ...GRADES, roles: [{ role: 'aide', profile: '' }] };

/** A second school, a second class, and a teacher who is an aide too. */
function full(): Lines {
	const two = extended(oneRoster12(), 'orgs.csv', 'sch-9,,,South School,school,1009,net');
	const classes = extended(two, 'classes.csv', 'cl-2,,,"Grade 5, room B",05,co-1,5B,homeroom,,sch-1,y26,,,');
	return extended(classes, 'roles.csv', 'r4,,,te-1,secondary,aide,,,sch-1,');
}

const ofTeacher = full()['users.csv'][3].replace('te-1,,', 'te-1,active,2026-03-14');
const ofMother = full()['users.csv'][2].replace('gu-1,,', 'gu-1,active,2026-03-14');
const JOINS = 'e9,active,2026-03-14,cl-2,sch-1,te-1,teacher,,,';
const LEAVES = 'e2,tobedeleted,2026-03-14,cl-1,sch-1,te-1,teacher,true,,';

const PARTS = [
	['one that has ended', 'r4,tobedeleted,2026-03-14,te-1,secondary,aide,,,sch-1,', MAPPING],
	['one that begins later', 'r9,active,2026-03-14,te-1,secondary,teacher,2026-04-01,,sch-9,', MAPPING],
	['one that is left out on purpose', 'r9,active,2026-03-14,te-1,secondary,aide,,,sch-1,', LEFT_OUT],
	['one as mother of a child without a row', 'r9,active,2026-03-14,te-1,secondary,parent,,,net,', MAPPING],
] as const;

describe('Of the roles of a person an export of changes may name only', () => {
	test.each(PARTS)('%s: the person keeps the bonds', async (_which, role, mapping) => {
		const nights = await Nights.after(await rosterOf(full(), mapping));
		const rows = { users: [ofTeacher], roles: [role] };
		const tonight = await nights.sync(await rosterOf(changesOf(full(), rows), mapping));
		expect(tonight.told).toEqual([]);
		expect(tonight.plan.left).toEqual([]);
	});

	test.each(PARTS)('%s: the enrollments go their way', async (_which, role, mapping) => {
		const nights = await Nights.after(await rosterOf(full(), mapping));
		const rows = { users: [ofTeacher], roles: [role], enrollments: [JOINS, LEAVES] };
		const { told } = await nights.sync(await rosterOf(changesOf(full(), rows), mapping));
		expect(told).toEqual([
			'create b:sch-1|cl-2|te-1|educator applied',
			'remove b:sch-1|cl-1|te-1|educator removed',
		]);
	});

	test('the last one, where the user is deleted: the bonds go along', async () => {
		const nights = await Nights.after(await rosterOf(full(), MAPPING));
		const rows = { users: [ofTeacher.replace('active', 'tobedeleted')], roles: [PARTS[0][1]] };
		const { told } = await nights.sync(await rosterOf(changesOf(full(), rows), MAPPING));
		expect(told).toEqual(['remove b:sch-1|cl-1|te-1|educator removed']);
	});
});

describe.each(['sourcedId', 'identifier'] as const)('With the %s of users, a new pupil', (userIdFrom) => {
	const mapping: Mapping = { ...MAPPING, userIdFrom };
	const PUPIL = 'st-2,active,2026-03-14,true,leo,,Leo,Prado,,A9,,,,gu-1,05,,,,,,sch-1,';
	const OF_PUPIL = 'r8,active,2026-03-14,st-2,primary,student,,,sch-1,';
	const idOf = { sourcedId: { pupil: 'st-2', mother: 'gu-1' }, identifier: { pupil: 'A9', mother: 'A2' } };
	const { pupil, mother } = idOf[userIdFrom];
	const read = async (rows: Record<string, string[]>) => await rosterOf(changesOf(full(), rows), mapping);

	test.each([
		['of whose mother another role has changed', 'r9,active,2026-03-14,gu-1,secondary,teacher,,,sch-1,'],
		['of whose mother another role has ended', 'r9,tobedeleted,2026-03-14,gu-1,secondary,teacher,,,sch-1,'],
	])('%s is created with her', async (_what, role) => {
		const roster = await read({ users: [ofMother, PUPIL], roles: [OF_PUPIL, role] });
		expect(bodies(roster, 'user')[pupil]).toMatchObject({ responsible_external_id: [mother] });
		expect(finding(roster, 'agentNotResponsible')).toBeUndefined();
	});

	test('whom the row of the mother names is created with her', async () => {
		const role = 'r9,active,2026-03-14,gu-1,secondary,teacher,,,sch-1,';
		const users = [ofMother.replace('0123,,,', '0123,,st-2,'), PUPIL.replace('gu-1', '')];
		const roster = await read({ users, roles: [OF_PUPIL, role] });
		expect(bodies(roster, 'user')[pupil]).toMatchObject({ responsible_external_id: [mother] });
	});

	test('has no other pupil as a responsible person', async () => {
		const other = 'st-3,active,2026-03-14,true,lia,,Lia,Prado,,A8,,,,,05,,,,,,sch-1,';
		const roles = [OF_PUPIL, 'r7,active,2026-03-14,st-3,primary,student,,,sch-1,'];
		const roster = await read({ users: [PUPIL.replace('gu-1', 'st-3'), other], roles });
		expect(bodies(roster, 'user')[pupil]).not.toHaveProperty('responsible_external_id');
		expect(finding(roster, 'agentNotResponsible')).toBeDefined();
	});
});
