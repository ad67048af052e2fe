import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import type { Roster } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';
import { aBond, aClass, aSchool, aStudent, aUser, FAMILY, rosterOf } from '../world.mts';
import { Service } from '../service.mts';
import { actionsOf, firstNight, night, nightOf, planned } from '../night.mts';

describe('The first run', () => {
	test('creates classes, responsible persons, other users and bonds, in this order', async () => {
		const { changes, summary, held } = await planned(nightOf(0), rosterOf([...FAMILY].reverse()), [], {
			firstRun: true,
		});
		expect(actionsOf({ changes })).toEqual([
			'create c:school-1|c2',
			'create c:school-1|c1',
			'create u:r1',
			'create u:t1',
			'create u:s1',
			'create b:school-1|c1|t1|educator',
			'create b:school-1|c1|s1|student',
		]);
		expect(changes.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
		expect(held).toEqual([]);
		expect(summary).toMatchObject({
			held: false,
			held_because: [],
			first_run: true,
			left: 0,
			batches: 1,
			ledger_rows: 0,
		});
		expect(summary.counts).toMatchObject({ class: { create: 2 }, user: { create: 3 }, bond: { create: 2 } });
	});

	test('sends the body that the action node sends', async () => {
		const { changes } = await planned(nightOf(0), rosterOf(FAMILY), [], { firstRun: true });
		expect(changes.find(({ key }) => key === 'u:s1')?.send).toEqual({
			school_external_id: 'school-1',
			external_id: 's1',
			first_name: 'Ana',
			last_name: 'Lima s1',
			profiles: ['student'],
			responsible_external_id: ['r1'],
		});
		expect(changes[0].send).toMatchObject({ shift: null, course: null, description: '', year: 2026 });
	});

	test('names the file and the line of each record, and says why', async () => {
		const [one] = (await planned(nightOf(0), rosterOf([FAMILY[0]]), [], { firstRun: true })).changes;
		expect(one).toMatchObject({ action: 'create', why: 'new', source: FAMILY[0].source });
		expect(one.hash).toMatch(/^h/);
	});
});

test('The same roster twice gives nothing: no change, and no row', async () => {
	const service = new Service();
	const ledger = await firstNight(rosterOf(FAMILY), service);
	const second = await planned(nightOf(1), rosterOf(FAMILY), ledger);
	expect(second).toMatchObject({ changes: [], ledgerRows: [], held: [] });
	expect(second.summary.counts).toMatchObject({ class: { same: 2 }, user: { same: 3 }, bond: { same: 2 } });
});

test('No name and no date of birth stands in the ledger', async () => {
	const roster = rosterOf([
		aUser('r1', 'responsible', 'school-1', {
			birth_date: '1980-05-06',
			document_value: '123456',
			email: 'ana@example.org',
		}),
	]);
	const ledger = await firstNight(roster, new Service());
	expect(JSON.stringify(ledger)).not.toMatch(/Ana|Lima|1980|123456|example\.org/);
});

describe('What is not there any more', () => {
	test('a bond is removed', async () => {
		const service = new Service();
		const ledger = await firstNight(rosterOf(FAMILY), service);
		const { plan } = await night(nightOf(1), rosterOf(FAMILY.slice(0, -1)), ledger, service);
		expect(plan.changes).toMatchObject([
			{
				action: 'remove',
				key: 'b:school-1|c1|t1|educator',
				why: 'not in the export',
				send: {
					school_external_id: 'school-1',
					class_external_id: 'c1',
					user_external_id: 't1',
					profile_name: 'educator',
				},
			},
		]);
		expect(service.all().join()).not.toContain('educator');
	});

	test('a class and a user are a finding, as the service cannot remove them', async () => {
		const ledger = await firstNight(rosterOf(FAMILY), new Service());
		const { changes, findings, summary } = await planned(
			nightOf(1),
			rosterOf(FAMILY.filter(({ fields }) => fields.external_id !== 'c2' && fields.external_id !== 'r1')),
			ledger,
		);
		expect(changes).toEqual([]);
		expect(findings).toMatchObject([
			{ code: 'classLeft', severity: 'information', key: 'c:school-1|c2', count: 1 },
			{ code: 'userLeft', key: 'u:r1' },
		]);
		expect(summary.counts).toMatchObject({ class: { orphan: 1 }, user: { orphan: 1 } });
	});

	test('a school without anything in the export loses nothing', async () => {
		const schools = [...aSchool('north', 1, 2), ...aSchool('south', 1, 2)];
		const ledger = await firstNight(rosterOf(schools), new Service());
		const { changes, held, findings } = await planned(
			nightOf(1),
			rosterOf(schools.slice(0, 7), { schools: ['north', 'south'] }),
			ledger,
		);
		expect([changes, held]).toEqual([[], []]);
		expect(findings).toMatchObject([{ code: 'schoolEmpty', severity: 'warning', count: 7 }]);
		expect(findings[0].message).toContain('south');
	});

	test('stays where the export says nothing of its kind, or only what has changed', async () => {
		const ledger = await firstNight(rosterOf(FAMILY), new Service());
		for (const bond of ['silent', 'changes'] as const) {
			const { changes } = await planned(
				nightOf(1),
				rosterOf(FAMILY.slice(0, 5), { completeness: { class: 'whole', user: 'whole', bond } }),
				ledger,
			);
			expect(changes).toEqual([]);
		}
	});

	test('goes where the export says that it is gone, whole or not', async () => {
		const ledger = await firstNight(rosterOf(FAMILY), new Service());
		const gone = [FAMILY[5]];
		const completeness = { class: 'changes', user: 'changes', bond: 'changes' } as const;
		const { changes } = await planned(nightOf(1), rosterOf([], { gone, completeness }), ledger, {
			removeAfter: 5,
		});
		expect(changes).toMatchObject([
			{ action: 'remove', key: 'b:school-1|c1|s1|student', source: FAMILY[5].source },
		]);
	});

	test('stays while its record has an error', async () => {
		const ledger = await firstNight(rosterOf(FAMILY), new Service());
		const { changes, summary } = await planned(
			nightOf(1),
			rosterOf(FAMILY.slice(0, -1), { faulty: [FAMILY[6]] }),
			ledger,
		);
		expect(changes).toEqual([]);
		expect(summary.counts.bond.error).toBe(1);
	});

	test('is not missing in a row where its record had an error in between', async () => {
		const service = new Service();
		let ledger = await firstNight(rosterOf(FAMILY), service);
		const told: unknown[] = [];
		for (const [number, faulty] of [[], [FAMILY[6]], []].entries()) {
			const roster = rosterOf(FAMILY.slice(0, -1), {
				faulty,
				files: [{ name: 'all.zip', rows: 1, sha256: `night ${number}` }],
			});
			const one = await night(nightOf(number + 1), roster, ledger, service, { removeAfter: 2 });
			({ ledger } = one);
			told.push(one.plan.changes.map(({ action, state, detail }) => [action, state, detail?.split(' ')[0]]));
		}
		expect(told).toEqual([[['note', 'missing', '1']], [['note', 'applied', '']], [['note', 'missing', '1']]]);
	});

	test('goes only after so many exports with other content, in a row', async () => {
		const service = new Service();
		const options = { removeAfter: 3 };
		let ledger = await firstNight(rosterOf(FAMILY), service);
		const export_ = (content: string, records = FAMILY.slice(0, -1)) =>
			rosterOf(records, { files: [{ name: 'all.zip', rows: 1, sha256: content }] });
		const run = async (number: number, content: string, records?: typeof FAMILY) => {
			const { plan, ledger: after } = await night(
				nightOf(number),
				export_(content, records),
				ledger,
				service,
				options,
			);
			ledger = after;
			return plan.changes.map(({ action, state, missing_since: since, detail }) => [
				action,
				state,
				since,
				detail?.split(' ')[0],
			]);
		};
		expect(await run(1, 'one')).toEqual([['note', 'missing', '2026-03-03', '1']]);
		expect(await run(2, 'one')).toEqual([]);
		expect(await run(3, 'two')).toEqual([['note', 'missing', '2026-03-03', '2']]);
		expect(await run(4, 'all there', FAMILY)).toEqual([['note', 'applied', '', '']]);
		expect(await run(5, 'four')).toEqual([['note', 'missing', '2026-03-07', '1']]);
		expect(await run(6, 'five')).toEqual([['note', 'missing', '2026-03-07', '2']]);
		expect(await run(7, 'six')).toEqual([['remove', undefined, undefined, undefined]]);
		expect(await run(8, 'seven')).toEqual([]);
		expect(service.all().join()).not.toContain('educator');
	});
});

describe('A student who moves', () => {
	const WITHOUT = FAMILY.filter((record) => record !== FAMILY[5]);
	const OLD = 'remove b:school-1|c1|s1|student';

	test('gets the new bond before the old one goes', async () => {
		const ledger = await firstNight(rosterOf(FAMILY), new Service());
		const moved = [...WITHOUT, aBond('s1', 'c2')];
		expect(actionsOf(await planned(nightOf(1), rosterOf(moved), ledger))).toEqual([
			'create b:school-1|c2|s1|student',
			OLD,
		]);
	});

	const broken = aClass('c3', 'school-1', { name: '' });
	test.each<[string, RosterRecord[], Partial<Roster>]>([
		['has an error', [broken, aBond('s1', 'c3')], {}],
		['is nowhere', [aBond('s1', 'c9')], {}],
		['has an error, as its bond says', [], { faulty: [aBond('s1', 'c3')] }],
		[
			'is known, and the role is not',
			[],
			{
				faulty: [
					{
						kind: 'bond',
						fields: { school_external_id: 'school-1', class_external_id: 'c2', user_external_id: 's1' },
						source: { file: 'enrollments.csv', line: 2 },
					},
				],
			},
		],
	])('keeps the old bond while the new class %s', async (_what, records, more) => {
		const ledger = await firstNight(rosterOf(FAMILY), new Service());
		const { changes, findings, summary } = await planned(
			nightOf(1),
			rosterOf([...WITHOUT, ...records], more),
			ledger,
		);
		expect(actionsOf({ changes })).not.toContain(OLD);
		expect(findings).toContainEqual(
			expect.objectContaining({
				code: 'waitsForFaulty',
				message: 'The removal of a bond needs another bond of its user that has an error, and waits for it',
				key: 'b:school-1|c1|s1|student',
			}),
		);
		expect(summary.counts.bond).toMatchObject({ remove: 0 });
	});

	test('keeps the old bond while the new school is held', async () => {
		const ledger = await firstNight(rosterOf(FAMILY), new Service());
		const moved = rosterOf([
			...WITHOUT,
			...aSchool('school-2', 1, 60),
			aBond('s1', 'school-2-c1', 'student', 'school-2'),
		]);
		const { changes, findings, summary } = await planned(nightOf(1), moved, ledger);
		expect(changes).toEqual([]);
		expect(findings).toContainEqual(
			expect.objectContaining({
				code: 'waitsForHeld',
				message: 'The removal of a bond needs another bond of its user that is held, and waits for it',
			}),
		);
		const approved = await planned(nightOf(1), moved, ledger, { approvedPlan: [summary.plan_id] });
		expect(actionsOf(approved).slice(-2)).toEqual(['create b:school-2|school-2-c1|s1|student', OLD]);
	});

	test('keeps the old bond while nobody knows whether the new one is there', async () => {
		const service = new Service();
		let ledger = await firstNight(rosterOf(FAMILY), service);
		const moved = rosterOf([...WITHOUT, aBond('s1', 'c2')]);
		service.fault = (_action, { class_external_id: id }) => (id === 'c2' ? 500 : undefined);
		({ ledger } = await night(nightOf(1), moved, ledger, service));
		expect(ledger.slice(-2)).toMatchObject([{ state: 'uncertain' }, { state: 'blocked' }]);
		service.fault = () => undefined;
		const { changes, findings, summary } = await planned(nightOf(2), moved, ledger);
		expect(changes).toEqual([]);
		expect(findings).toContainEqual(
			expect.objectContaining({
				code: 'waitsForUncertain',
				message: 'The removal of a bond needs another bond of its user that is uncertain, and waits for it',
				key: 'b:school-1|c1|s1|student',
			}),
		);
		expect(summary.counts.bond).toMatchObject({ uncertain: 1, remove: 0, waiting: 1 });
		expect(actionsOf(await planned(nightOf(2), moved, ledger, { takeAsDone: 'uncertain' }))).toEqual([
			OLD,
			'note b:school-1|c2|s1|student',
		]);
		expect(actionsOf(await planned(nightOf(2), moved, ledger, { uncertainCreations: 'sendAgain' }))).toEqual([
			'create b:school-1|c2|s1|student',
			OLD,
		]);
	});

	test('keeps the old bond, in the same class too, while the service does not offer the new profile', async () => {
		const ledger = await firstNight(rosterOf(FAMILY), new Service());
		const check = async (records: readonly RosterRecord[]) =>
			new Map(
				records
					.filter(({ fields }) => fields.profile_name === 'teacher')
					.map((record) => [
						record,
						{ code: 'profileNotOffered', message: 'No such profile', what_to_do: 'Map it' },
					]),
			);
		const mapped = rosterOf([...FAMILY.slice(0, -1), aBond('t1', 'c1', 'teacher')]);
		const { changes, findings } = await planned(nightOf(1), mapped, ledger, {}, { check });
		expect(changes).toEqual([]);
		expect(findings).toContainEqual(
			expect.objectContaining({ code: 'waitsForFaulty', key: 'b:school-1|c1|t1|educator' }),
		);
		expect(actionsOf(await planned(nightOf(1), mapped, ledger))).toEqual([
			'create b:school-1|c1|t1|teacher',
			'remove b:school-1|c1|t1|educator',
		]);
	});

	test('waits for nobody else: a bond with an error of another one, or one that is there already', async () => {
		const ledger = await firstNight(rosterOf([...FAMILY, aBond('s1', 'c2')]), new Service());
		const faulty = [aBond('t1', 'c9', 'educator'), aBond('s1', 'c2')];
		expect(actionsOf(await planned(nightOf(1), rosterOf(WITHOUT, { faulty }), ledger))).toEqual([OLD]);
	});
});

describe('A network that the service has already', () => {
	test('is taken up without a request, and the next night goes on from there', async () => {
		const service = new Service();
		const { plan, ledger } = await night(nightOf(0), rosterOf(FAMILY), [], service, {
			firstRun: true,
			takeAsDone: 'everything',
		});
		expect(plan.changes.every(({ action, state }) => action === 'note' && state === 'applied')).toBe(true);
		expect(plan.changes).toHaveLength(7);
		expect(service.requests).toBe(0);
		expect(await planned(nightOf(1), rosterOf(FAMILY), ledger)).toMatchObject({ changes: [], findings: [] });
	});

	test('is never taken for gone while it is taken up', async () => {
		const ledger = await firstNight(rosterOf(FAMILY), new Service());
		const { changes } = await planned(nightOf(1), rosterOf(FAMILY.slice(0, 5)), ledger, {
			takeAsDone: 'everything',
		});
		expect(changes).toEqual([]);
	});
});

describe('Ids', () => {
	test('tell capitals apart, and are never cut at a bar or a percent sign', async () => {
		const records = [aClass('a|b'), aClass('a%7Cb'), aClass('A|b'), aClass('a')];
		const { changes } = await planned(nightOf(0), rosterOf(records), [], { firstRun: true });
		expect(changes.map(({ key }) => key)).toEqual([
			'c:school-1|a%7Cb',
			'c:school-1|a%257Cb',
			'c:school-1|A%7Cb',
			'c:school-1|a',
		]);
	});

	test('come back whole in the removal of a bond', async () => {
		const records = [aClass('a|b%'), aUser('t|1', 'educator'), aBond('t|1', 'a|b%', 'educator')];
		const ledger = await firstNight(rosterOf(records), new Service());
		const { changes } = await planned(nightOf(1), rosterOf(records.slice(0, 2)), ledger);
		expect(changes).toMatchObject([{ send: { class_external_id: 'a|b%', user_external_id: 't|1' } }]);
	});

	test('twice with the same content: once, and a warning', async () => {
		const { changes, findings } = await planned(nightOf(0), rosterOf([aClass('c1'), aClass('c1')]), [], {
			firstRun: true,
		});
		expect(changes).toHaveLength(1);
		expect(findings).toMatchObject([{ code: 'sameTwice', severity: 'warning' }]);
	});

	test('twice with other content: not at all, and an error for each', async () => {
		const twice = [aClass('c1'), aClass('c1', 'school-1', { name: 'Other' }), aClass('c1')];
		const { changes, findings, summary } = await planned(nightOf(0), rosterOf(twice), [], { firstRun: true });
		expect(changes).toEqual([]);
		expect(findings).toMatchObject([{ code: 'idTwice', severity: 'error', count: 3 }]);
		expect(summary.counts.class.error).toBe(1);
	});

	test('of a person in two schools are two users where the option says so', async () => {
		const records = [aUser('t1', 'educator', 'north'), aUser('t1', 'educator', 'south')];
		expect(
			actionsOf(await planned(nightOf(0), rosterOf(records), [], { firstRun: true, userKeys: 'school' })),
		).toEqual(['create u:north|t1', 'create u:south|t1']);
		const { changes, findings } = await planned(nightOf(0), rosterOf(records), [], { firstRun: true });
		expect(changes).toEqual([]);
		expect(findings[0].what_to_do).toContain('User Keys');
	});
});

describe('A record that cannot be sent', () => {
	test('is a finding that names the field, the file and the line, and what needs it waits', async () => {
		const broken = aUser('r1', 'responsible', 'school-1', { first_name: '' });
		const { changes, findings, summary } = await planned(
			nightOf(0),
			rosterOf([aClass('c1'), broken, aStudent('s1', ['r1']), aBond('s1', 'c1')]),
			[],
			{ firstRun: true },
		);
		expect(actionsOf({ changes })).toEqual(['create c:school-1|c1']);
		expect(findings[0]).toMatchObject({
			code: 'fieldRefused',
			severity: 'error',
			message: 'User: first_name must not be empty',
			file: 'users.csv',
			line: broken.source.line,
		});
		expect(findings.slice(1)).toMatchObject([
			{ code: 'waitsForFaulty', kind: 'user', key: 'u:s1' },
			{ code: 'waitsForFaulty', kind: 'bond' },
		]);
		expect(summary.counts).toMatchObject({
			class: { create: 1 },
			user: { error: 1, waiting: 1 },
			bond: { waiting: 1 },
		});
	});

	test.each(['half of a character \uD83D', 'a NUL \0'])(
		'has %s in its id: no table would give it back as it was',
		async (id) => {
			const { changes, findings } = await planned(nightOf(0), rosterOf([aUser(id, 'educator')]), [], {
				firstRun: true,
			});
			expect(changes).toEqual([]);
			expect(findings[0]).toMatchObject({
				code: 'fieldRefused',
				message: 'User: external_id must be whole characters, but holds one half of a character or a NUL',
			});
		},
	);

	test('does not keep what is there already from anything', async () => {
		const ledger = await firstNight(rosterOf(FAMILY.slice(0, 5)), new Service());
		const broken = aUser('r1', 'responsible', 'school-1', { first_name: '' });
		const { changes } = await planned(
			nightOf(1),
			rosterOf([...FAMILY.filter(({ fields }) => fields.external_id !== 'r1'), broken]),
			ledger,
		);
		expect(actionsOf({ changes })).toEqual([
			'create b:school-1|c1|s1|student',
			'create b:school-1|c1|t1|educator',
		]);
		const sibling = await planned(
			nightOf(1),
			rosterOf([
				...FAMILY.filter(({ fields }) => fields.external_id !== 'r1'),
				broken,
				aStudent('s2', ['r1']),
			]),
			ledger,
		);
		expect(actionsOf(sibling)).toContain('create u:s2');
	});

	test('may name what only the ledger knows: an export of changes alone', async () => {
		const ledger = await firstNight(rosterOf(FAMILY), new Service());
		const completeness = { class: 'changes', user: 'changes', bond: 'changes' } as const;
		const { changes, findings } = await planned(
			nightOf(1),
			rosterOf([aStudent('s2', ['r1']), aBond('s2', 'c1')], { completeness }),
			ledger,
		);
		expect(actionsOf({ changes })).toEqual(['create u:s2', 'create b:school-1|c1|s2|student']);
		expect(findings).toEqual([]);
	});

	test('names somebody who is nowhere', async () => {
		const { changes, findings } = await planned(
			nightOf(0),
			rosterOf([aStudent('s1', ['r9']), aBond('s1', 'c9')]),
			[],
			{ firstRun: true },
		);
		expect(changes).toEqual([]);
		expect(findings).toMatchObject([
			{
				code: 'needsUnknown',
				message: 'A user names a responsible person that is neither in the export nor in the ledger',
			},
			{
				code: 'needsUnknown',
				message: 'A bond names a class that is neither in the export nor in the ledger',
			},
		]);
	});

	test('names somebody who is in another school only, where that is somebody else', async () => {
		const { findings } = await planned(
			nightOf(0),
			rosterOf([aClass('c1'), aUser('t1', 'educator', 'school-2'), aBond('t1', 'c1', 'educator')]),
			[],
			{ firstRun: true, userKeys: 'school' },
		);
		expect(findings).toMatchObject([
			{
				code: 'needsUnknown',
				message: 'A bond names a user of its school that is neither in the export nor in the ledger',
			},
		]);
	});

	test('cannot be one’s own responsible person, nor in a circle', async () => {
		const { changes, findings } = await planned(
			nightOf(0),
			rosterOf([aStudent('s1', ['s2']), aStudent('s2', ['s1']), aStudent('s3', ['s3']), aStudent('s4', [])]),
			[],
			{ firstRun: true },
		);
		expect(actionsOf({ changes })).toEqual(['create u:s4']);
		expect(findings).toMatchObject([{ code: 'responsibleCircle', count: 3 }]);
	});

	test('is found before anything is sent where the service is asked', async () => {
		const check = jest.fn(
			async (records: readonly (typeof FAMILY)[number][]) =>
				new Map([[records[0], { code: 'gradeNotOffered', message: 'No such grade', what_to_do: 'Map it' }]]),
		);
		const { changes, findings } = await planned(
			nightOf(0),
			rosterOf(FAMILY),
			[],
			{ firstRun: true },
			{ check },
		);
		expect(actionsOf({ changes })).not.toContain('create c:school-1|c1');
		expect(findings[0]).toMatchObject({
			code: 'gradeNotOffered',
			severity: 'error',
			kind: 'class',
			key: 'c:school-1|c1',
		});
		expect(check.mock.calls[0][0]).toHaveLength(7);
	});
});

test('Whoever is somebody’s responsible person comes before them, whatever the profile', async () => {
	const records = [
		aStudent('child', ['young']),
		aStudent('young', ['old']),
		aUser('old', 'educator'),
		aUser('other', 'educator'),
	];
	expect(actionsOf(await planned(nightOf(0), rosterOf(records), [], { firstRun: true }))).toEqual([
		'create u:old',
		'create u:young',
		'create u:other',
		'create u:child',
	]);
});
