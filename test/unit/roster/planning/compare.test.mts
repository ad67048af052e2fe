/** What a roster comes to: what is created, what is removed, what is only told. */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { actionsOf, Nights } from '../night.mts';
import { aBond, aClass, aSchool, aStudent, aUser, PARTIAL, FAMILY, rosterOf } from '../world.mts';

const ALL = ['class', 'user', 'bond'] as const;

/** A first night, as if it were approved. */
async function firstPlan(records: readonly RosterRecord[], more = {}) {
	const plan = await new Nights().preview(records, more);
	const findings = plan.findings.filter(({ code }) => code !== 'firstRun');
	return { ...plan, findings, changes: [...plan.changes, ...plan.held] };
}

describe('A first night', () => {
	test('creates classes, responsible persons, other users and bonds, in this order', async () => {
		expect(actionsOf(await firstPlan([...FAMILY].reverse()))).toEqual([
			'create c:school-1|c2',
			'create c:school-1|c1',
			'create u:school-1|r1',
			'create u:school-1|t1',
			'create u:school-1|s1',
			'create b:school-1|c1|t1|educator',
			'create b:school-1|c1|s1|student',
		]);
	});

	test('sends the body that the action node sends, and says where it stands', async () => {
		const { changes } = await firstPlan(FAMILY);
		expect(changes[0]).toMatchObject({
			why: 'new',
			source: FAMILY[0].source,
			send: { year: 2026, shift: null },
		});
		expect(changes.find(({ key }) => key === 'u:school-1|s1')?.send).toEqual({
			...{ school_external_id: 'school-1', external_id: 's1', first_name: 'Ana', last_name: 'Lima s1' },
			...{ profiles: ['student'], responsible_external_id: ['r1'] },
		});
	});

	test('creates whoever is somebody’s responsible person before them, whatever the profile', async () => {
		const records = [
			aStudent('child', ['young']),
			aStudent('young', ['old']),
			aUser('old', 'educator'),
			aUser('t', 'educator'),
		];
		const keys = (await firstPlan(records)).changes.map(({ key }) => key.split('|')[1]);
		expect(keys).toEqual(['old', 'young', 't', 'child']);
	});
});

test('No name and no date of birth stands in the ledger', async () => {
	const private_ = { birth_date: '1980-05-06', document_value: '123456', email: 'ana@example.org' };
	const nights = await Nights.after([aUser('r1', 'responsible', 'school-1', private_)]);
	expect(JSON.stringify(nights.table.visible())).not.toMatch(/Ana|Lima|1980|123456|example\.org/);
});

describe('What is not there any more', () => {
	const WITHOUT_TEACHER = FAMILY.slice(0, -1);

	test('is removed when it is a bond', async () => {
		const nights = await Nights.after(FAMILY);
		const { plan } = await nights.sync(WITHOUT_TEACHER);
		expect(plan.changes).toMatchObject([
			{
				...{
					action: 'remove',
					key: 'b:school-1|c1|t1|educator',
					why: expect.stringMatching(/^not in the export since/) as string,
				},
				send: {
					school_external_id: 'school-1',
					class_external_id: 'c1',
					user_external_id: 't1',
					profile_name: 'educator',
				},
			},
		]);
		expect(nights.service.all().join()).not.toContain('educator');
	});

	test('is told when it is a class or a user, as the service cannot remove them', async () => {
		const nights = await Nights.after(FAMILY);
		const left = FAMILY.filter(({ fields }) => fields.external_id !== 'c2' && fields.external_id !== 'r1');
		const { plan } = await nights.sync(left);
		expect(plan.changes).toEqual([]);
		expect(nights.telling?.attention).toMatchObject([
			{ code: 'classLeft', severity: 'information', key: 'c:school-1|c2', external_id: 'c2' },
			{ code: 'userLeft', key: 'u:school-1|r1', external_id: 'r1' },
		]);
	});

	test('stays when nothing of its school is in the export', async () => {
		const schools = [...aSchool('north', 1, 2), ...aSchool('south', 1, 2)];
		const nights = await Nights.after(schools);
		const { changes, held, findings } = await nights.preview(
			rosterOf(schools.slice(0, 7), { schools: ['north', 'south'] }),
		);
		expect([changes, held]).toEqual([[], []]);
		expect(findings).toMatchObject([{ code: 'schoolEmpty', severity: 'warning', count: 7 }]);
	});

	test('stays where the export says nothing of its kind, or not that it has all', async () => {
		const nights = await Nights.after(FAMILY);
		for (const bond of ['silent', 'partial'] as const) {
			const completeness = { class: 'whole', user: 'whole', bond } as const;
			expect((await nights.preview(rosterOf(FAMILY.slice(0, 5), { completeness }))).changes).toEqual([]);
		}
	});

	test('goes where the export says that it is gone, whole or not, and without any grace', async () => {
		const nights = await Nights.after(FAMILY);
		const roster = rosterOf([], { gone: [FAMILY[5]], completeness: PARTIAL });
		const { changes } = await nights.preview(roster, { gracePeriodDays: 5 });
		expect(changes).toMatchObject([
			{ action: 'remove', key: 'b:school-1|c1|s1|student', source: FAMILY[5].source },
		]);
	});

	test.each(['school-1', ''])(
		'goes with its user whom the export says to be gone (from school "%s")',
		async (school) => {
			const nights = await Nights.after(FAMILY);
			const { source } = FAMILY[0];
			const fields = { school_external_id: school, external_id: 's1' };
			const roster = rosterOf([], { completeness: PARTIAL, gone: [{ kind: 'user', fields, source }] });
			expect(actionsOf(await nights.preview(roster))).toEqual(['remove b:school-1|c1|s1|student']);
		},
	);

	test('stays while its record has an error, or its role is not mapped', async () => {
		const nights = await Nights.after(FAMILY);
		const { profile_name: _unmapped, ...fields } = FAMILY[6].fields;
		for (const faulty of [FAMILY[6], { ...FAMILY[6], fields }])
			expect((await nights.preview(rosterOf(WITHOUT_TEACHER, { faulty: [faulty] }))).changes).toEqual([]);
	});

	test('stays while the only bond that the roster gives its person has an error, in whatever school', async () => {
		const of = (school: string) => [
			aClass('c1', school),
			aClass('c2', school),
			aUser('7', 'educator', school),
		];
		const bonds = ['north', 'south'].map((school) => aBond('7', 'c1', 'educator', school));
		const nights = await Nights.after([...of('north'), ...of('south'), bonds[1]]);
		const roster = rosterOf([...of('north'), ...of('south')], { faulty: [bonds[0]] });
		const { changes, waitsFor } = await nights.preview(roster);
		expect([changes, waitsFor.size]).toEqual([[], 1]);
	});

	test('goes after the days of grace, counted from the first that it was missing, and not in runs', async () => {
		const nights = await Nights.after(FAMILY);
		const told: string[][] = [];
		for (const [days, records] of [
			[0, WITHOUT_TEACHER],
			[0, WITHOUT_TEACHER],
			[2, WITHOUT_TEACHER],
			[1, WITHOUT_TEACHER],
		] as const) {
			nights.pass(days);
			told.push((await nights.sync(records, { gracePeriodDays: 3 })).told);
		}
		expect(told).toEqual([
			['note b:school-1|c1|t1|educator missing'],
			[],
			[],
			['remove b:school-1|c1|t1|educator removed'],
		]);
	});

	test('begins a new grace when it was back, or had an error, in between', async () => {
		for (const between of [rosterOf(FAMILY), rosterOf(WITHOUT_TEACHER, { faulty: [FAMILY[6]] })]) {
			const nights = await Nights.after(FAMILY);
			const told: string[] = [];
			for (const roster of [rosterOf(WITHOUT_TEACHER), between, rosterOf(WITHOUT_TEACHER)]) {
				told.push(...(await nights.sync(roster, { gracePeriodDays: 3 })).told);
				nights.pass(2);
			}
			expect(told.map((text) => text.split(' ').at(-1))).toEqual(['missing', 'applied', 'missing']);
		}
	});
});

describe('Ids', () => {
	test('tell capitals apart, and are never cut at a bar or a percent sign', async () => {
		const { changes } = await firstPlan([aClass('a|b'), aClass('a%7Cb'), aClass('A|b'), aClass('a')]);
		expect(changes.map(({ key }) => key.slice('c:school-1|'.length))).toEqual([
			'a%7Cb',
			'a%257Cb',
			'A%7Cb',
			'a',
		]);
	});

	test('come back whole in the removal of a bond of which only the ledger knows', async () => {
		const nights = new Nights();
		const records = [aClass('a|b%'), aUser('t|1', 'educator'), aBond('t|1', 'a|b%', 'educator')];
		await nights.takeOver(records);
		const { changes } = await nights.preview(records.slice(0, 2));
		expect(changes).toMatchObject([{ send: { class_external_id: 'a|b%', user_external_id: 't|1' } }]);
	});

	test('twice with another year: not at all, and an error for each', async () => {
		const { changes, findings } = await firstPlan([
			aClass('c1'),
			aClass('c1', 'school-1', { year: 2025 }),
			aClass('c1'),
		]);
		expect(changes).toEqual([]);
		expect(findings).toMatchObject([{ code: 'idTwice', severity: 'error', count: 3 }]);
	});

	test('of a person in two schools are two users, and one where the option says so', async () => {
		const records = [aUser('t1', 'educator', 'north'), aUser('t1', 'educator', 'south')];
		expect(actionsOf(await firstPlan(records))).toEqual(['create u:north|t1', 'create u:south|t1']);
		const { changes, findings } = await firstPlan(records, { userIdsUniqueWithin: 'network' });
		expect(changes).toMatchObject([{ key: 'u:t1', school_external_id: 'north' }]);
		expect(findings.filter(({ severity }) => severity !== 'information')).toEqual([]);
	});

	test('called like something of JavaScript are ids like any other', async () => {
		const records = ['__proto__', 'constructor'].flatMap((name) => [
			...aSchool(name, 1, 2),
			aClass(name, name),
		]);
		const nights = await Nights.after(records);
		expect((await nights.preview(records)).changes).toEqual([]);
		const more = Array.from({ length: 60 }, (_, index) => aClass(`n${index}`, '__proto__'));
		expect((await nights.preview([...records, ...more])).held).toHaveLength(60);
	});
});

describe('A record that cannot be sent', () => {
	const broken = aUser('r1', 'responsible', 'school-1', { first_name: '' });
	const OTHERS = FAMILY.filter(({ fields }) => fields.external_id !== 'r1');

	test('is a finding that names the field, the file and the line, and what needs it waits', async () => {
		const { changes, findings } = await firstPlan([
			aClass('c1'),
			broken,
			aStudent('s1', ['r1']),
			aBond('s1', 'c1'),
		]);
		expect(actionsOf({ changes })).toEqual(['create c:school-1|c1']);
		expect(findings).toMatchObject([
			{
				code: 'fieldRefused',
				message: 'User: first_name must not be empty',
				file: 'users.csv',
				line: broken.source.line,
			},
		]);
	});

	test('does not keep what is there already from anything', async () => {
		const nights = await Nights.after(FAMILY.slice(0, 5));
		const { changes } = await nights.preview([...OTHERS, broken, aStudent('s2', ['r1'])]);
		expect(actionsOf({ changes })).toEqual([
			'create u:school-1|s2',
			'create b:school-1|c1|s1|student',
			'create b:school-1|c1|t1|educator',
		]);
	});

	test('may name what only the ledger knows: a partial roster alone', async () => {
		const nights = await Nights.after(FAMILY);
		const roster = rosterOf([aStudent('s2', ['r1']), aBond('s2', 'c1')], { completeness: PARTIAL });
		const { changes, findings } = await nights.preview(roster);
		expect(actionsOf({ changes })).toEqual(['create u:school-1|s2', 'create b:school-1|c1|s2|student']);
		expect(findings).toEqual([]);
	});

	test.each([
		[
			'nowhere',
			[aStudent('s1', ['r9']), aBond('s1', 'c9')],
			['user names a responsible person of its school', 'bond names a class'],
		],
		[
			'in another school',
			[aClass('c1'), aUser('t1', 'educator', 'school-2'), aBond('t1', 'c1')],
			['bond names a user of its school'],
		],
	])('names somebody who is %s', async (_where, records, words) => {
		const { findings } = await firstPlan(records);
		expect(findings.map(({ code, message }) => [code, message])).toEqual(
			words.map((text) => ['needsUnknown', `A ${text} that is neither in the export nor in the ledger`]),
		);
	});

	test('cannot be one’s own responsible person, nor in a circle', async () => {
		const circle = [
			aStudent('s1', ['s2']),
			aStudent('s2', ['s1']),
			aStudent('s3', ['s3']),
			aStudent('s4', []),
		];
		const { changes, findings } = await firstPlan(circle);
		expect(actionsOf({ changes })).toEqual(['create u:school-1|s4']);
		expect(findings).toMatchObject([{ code: 'responsibleCircle', count: 3 }]);
	});

	test('since it needs somebody in a circle is not told to be in it: it waits, as behind any error', async () => {
		const [s1, s2] = [aStudent('s1', ['s2']), aStudent('s2', ['s1'])];
		const behind = [aStudent('s4', ['s3']), aStudent('s3', ['s1', 't1']), aUser('t1', 'educator')];
		const { changes, findings, counts, waitsFor } = await firstPlan([...behind, s1, s2]);
		expect(actionsOf({ changes })).toEqual(['create u:school-1|t1']);
		expect(findings).toMatchObject([{ code: 'responsibleCircle', count: 2 }]);
		expect(counts.all().user).toEqual({ error: 2, waiting: 2 });
		expect([...waitsFor]).toEqual([
			['u:school-1|s3', 'u:school-1|s1'],
			['u:school-1|s4', 'u:school-1|s3'],
		]);
	});

	test('is found before anything is sent where the service is asked, once for each that is to be created', async () => {
		const refusal = { code: 'gradeNotOffered', message: 'No such grade', what_to_do: 'Map it' };
		const check = jest.fn(
			async (records: readonly RosterRecord[]) => (record: RosterRecord) =>
				record === records[0] ? refusal : undefined,
		);
		const { changes, findings } = await firstPlan(FAMILY, { check });
		expect(actionsOf({ changes })).not.toContain('create c:school-1|c1');
		expect(findings[0]).toMatchObject({ code: 'gradeNotOffered', severity: 'error', key: 'c:school-1|c1' });
		expect(check.mock.calls[0][0]).toHaveLength(FAMILY.length);
	});
});

test('Only the schools that are named are changed, or missed', async () => {
	const [north, south] = [aSchool('north', 1, 3), aSchool('south', 1, 3)];
	const nights = await Nights.after([...north, ...south]);
	const tonight = [...north, aClass('new', 'north'), aClass('new', 'south')];
	const { changes, findings } = await nights.preview(tonight, { onlySchools: ['north'] });
	expect([actionsOf({ changes }), findings]).toEqual([['create c:north|new'], []]);
	expect((await nights.preview(tonight, { onlySchools: ['east'] })).findings).toMatchObject([
		{ code: 'schoolEmpty' },
	]);
});

test('Every record of a roster is counted once, whatever becomes of it', async () => {
	const nights = await Nights.after(FAMILY);
	const tonight = [...FAMILY.slice(0, 6), aUser('t2', 'educator'), aStudent('s9', ['r9'])];
	const plan = await nights.preview(tonight);
	const counted = plan.counts.all();
	const sum = ALL.flatMap((kind) => Object.values(counted[kind])).reduce((one, other) => one + other, 0);
	expect(sum + plan.changes.filter(({ action }) => action === 'create').length).toBe(tonight.length);
});
