/** What must not happen in the nights after: created twice, removed though it is there, let through because of an old failure. */
import type { LedgerRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import type { PlanOptions } from '../../../../nodes/SchoolPartnerRoster/planning/options.ts';
import { readRows, type Row } from '../../../../nodes/SchoolPartnerRoster/reading/readRows.ts';
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { actionsOf, applied, firstNight, night, nightOf, planned } from '../night.mts';
import { Service } from '../service.mts';
import { changed, extended, GRADES, host, oneRoster12, rosterOf as read } from '../reading/support.mts';
import { aBond, aClass, aSchool, aStudent, aUser, rosterOf } from '../world.mts';

const isBond = ({ kind }: RosterRecord) => kind === 'bond';
const NORTH = aSchool('north', 2, 60);

test('records that were to be taken as done and were left over are never created: the next plan waits', async () => {
	const done = { firstRun: true, takeAsDone: 'everything', mostChanges: 100 } as const;
	const first = await planned(nightOf(0), rosterOf(NORTH), [], done);
	const ledger = [...first.ledgerRows, ...(await applied(first.changes, new Service(), nightOf(0)))];
	const without = await planned(nightOf(1), rosterOf(NORTH), ledger);
	expect(without.changes).toEqual([]);
	expect(without.summary.held_because[0].reason).toMatch(/left \d+ records to be taken as done/);
	const again = await planned(nightOf(1), rosterOf(NORTH), ledger, {
		takeAsDone: 'everything',
		mostChanges: 1_000,
		holdCreationsPercent: 100,
	});
	expect(new Set(again.changes.map(({ action }) => action))).toEqual(new Set(['note']));
});

test.each(['changed', 'uncertain'] as const)(
	'nor are they with Take as Done set to %s, which takes nothing that is new',
	async (takeAsDone) => {
		const first = await planned(nightOf(0), rosterOf(NORTH), [], {
			firstRun: true,
			takeAsDone: 'everything',
			mostChanges: 350,
		});
		const ledger = [...first.ledgerRows, ...(await applied(first.changes, new Service(), nightOf(0)))];
		const next = await planned(nightOf(1), rosterOf(NORTH), ledger, { takeAsDone });
		expect(next.changes).toEqual([]);
		expect(next.summary.held_because[0].reason).toMatch(/left 12 records to be taken as done/);
	},
);

test('nor is what an interrupted run was to take as done', async () => {
	const first = await planned(nightOf(0), rosterOf(NORTH), [], {
		firstRun: true,
		takeAsDone: 'everything',
		batchSize: 175,
	});
	const ledger = [...first.ledgerRows, ...(await applied(first.changes, new Service(), nightOf(0), 2))];
	const goOn = { afterInterruption: 'goOn' } as const;
	const without = await planned(nightOf(1), rosterOf(NORTH), ledger, goOn);
	expect(without.changes).toEqual([]);
	expect(without.summary.held_because[0].reason).toMatch(
		/was to take 12 records as done that would be created now/,
	);
	const again = await planned(nightOf(1), rosterOf(NORTH), ledger, { ...goOn, takeAsDone: 'everything' });
	expect([again.changes.map(({ action }) => action), again.held]).toEqual([
		Array.from({ length: 12 }, () => 'note'),
		[],
	]);
});

test('a bond whose role nobody mapped any more stays: it is in the export', async () => {
	const ledger = await firstNight(rosterOf(NORTH), new Service());
	const [lost, ...bonds] = NORTH.filter(isBond);
	const { profile_name: _unmapped, ...fields } = lost.fields;
	const roster = rosterOf([...NORTH.filter((record) => !isBond(record)), ...bonds], {
		faulty: [{ ...lost, fields }],
	});
	expect((await planned(nightOf(1), roster, ledger)).changes).toEqual([]);
	const [, user = '', ofClass = ''] = [0, lost.fields.user_external_id, lost.fields.class_external_id].map(
		String,
	);
	const elsewhere = aBond(user, ofClass, 'student', 'south');
	const moved = await planned(
		nightOf(1),
		rosterOf(
			NORTH.filter((record) => record !== lost),
			{ faulty: [elsewhere] },
		),
		ledger,
	);
	expect(moved.changes).toEqual([]);
	expect(moved.findings).toMatchObject([{ code: 'waitsForFaulty', kind: 'bond' }]);
});

test('a bond comes of one sound enrollment, whatever is wrong with another of the same student in the same class', async () => {
	const files = extended(oneRoster12(), 'enrollments.csv', 'e3,,,cl-1,sch-1,st-1,student,,soon,');
	const { changes, findings } = await planned(nightOf(0), await read(files), [], { firstRun: true });
	expect(actionsOf({ changes })).toContain('create b:sch-1|cl-1|st-1|student');
	expect(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
		'dateNotRead',
	]);
});

describe('With users told apart by school, a bond with an error', () => {
	const options = { userKeys: 'school' } as const;
	const SCHOOLS = ['north', 'south'];
	const persons = SCHOOLS.flatMap((school) => [
		aClass('c1', school),
		aClass('c2', school),
		aUser('7', 'student', school),
	]);
	const bondsIn = (ofClass: string) => SCHOOLS.map((school) => aBond('7', ofClass, 'student', school));
	const nightWith = async (bonds: RosterRecord[], faulty: RosterRecord) =>
		await planned(
			nightOf(1),
			rosterOf([...persons, ...bonds], { faulty: [faulty] }),
			await firstNight(rosterOf([...persons, ...bondsIn('c1')]), new Service(), options),
			options,
		);

	test('of one school keeps nothing of another one: with the same ids, that is somebody else', async () => {
		const { changes, findings } = await nightWith([], aBond('7', 'c1', 'student', 'north'));
		expect(actionsOf({ changes })).toEqual(['remove b:south|c1|7|student']);
		expect(findings).toEqual([]);
	});

	test('that does not name its school may be of any: who moves keeps the old bond in all of them, and that is said', async () => {
		const { school_external_id: _none, ...fields } = aBond('7', 'c2').fields;
		const { changes, findings } = await nightWith([], { ...aBond('7', 'c2'), fields });
		expect(changes).toEqual([]);
		expect(findings).toMatchObject([{ code: 'waitsForFaulty', kind: 'bond', count: 2 }]);
	});
});

test.each(['network', 'school'] as const)(
	'a bond stays whose class cannot be read tonight, whatever school its enrollment names (users by %s)',
	async (userKeys) => {
		const two = extended(
			extended(oneRoster12(), 'orgs.csv', 'sch-2,,,South School,school,1002,net'),
			'roles.csv',
			'r4,,,st-1,secondary,student,,,sch-2,',
		);
		// The enrollment names the school that the student comes from; the bond is in that of its class.
		const files = changed(two, 'enrollments.csv', (line) =>
			line.replace('e1,,,cl-1,sch-1', 'e1,,,cl-1,sch-2'),
		);
		const mapping = { ...GRADES, userKeys };
		const ledger = await firstNight(await read(files, mapping), new Service(), { userKeys });
		const isOfBond = ({ key, state }: LedgerRow) =>
			key === 'b:sch-1|cl-1|st-1|student' && state === 'applied';
		expect(ledger.filter(isOfBond)).toHaveLength(1);
		const twice = extended(
			files,
			'classes.csv',
			'cl-1,,,"Grade 5, room B",05,co-1,5A,homeroom,,sch-1,y26,,,',
		);
		const without = changed(files, 'classes.csv', (line) => line.replace(/^cl-1,/, 'cl-9,'));
		for (const tonight of [twice, without])
			expect(
				(await planned(nightOf(1), await read(tonight, mapping), ledger, { userKeys })).changes.filter(
					({ action }) => action === 'remove',
				),
			).toEqual([]);
	},
);

test('removals that failed long ago do not let a broken export remove without a hold', async () => {
	const service = new Service();
	const ledger = await firstNight(rosterOf(NORTH), service);
	const without = rosterOf(NORTH.filter((record) => !isBond(record)));
	const refused = await planned(nightOf(1), without, ledger, { holdRemovalsPercent: 100 });
	const rows = refused.changes.map((change) => ({
		...change,
		sequence: String(change.sequence),
		state: 'failed',
		service_id: '',
		missing_since: '',
		detail: '400',
		at: new Date(nightOf(1)).toISOString(),
	}));
	const back = await night(
		nightOf(2),
		rosterOf(NORTH),
		[...ledger, ...refused.ledgerRows, ...rows] as never,
		service,
	);
	const broken = await planned(nightOf(3), without, back.ledger);
	expect([broken.changes.length, broken.held.length > 0]).toEqual([0, true]);
});

describe('Behind a run that was interrupted', () => {
	const goOn = { afterInterruption: 'goOn' } as const;
	const unheld = { holdCreationsPercent: 100, holdRemovalsPercent: 100 };
	const classes = (prefix: string) =>
		Array.from({ length: 100 }, (_, index) => aClass(`${prefix}-${index}`, 'north'));
	const interrupted = async (records: readonly RosterRecord[], service = new Service()) => {
		const ledger = await firstNight(rosterOf(NORTH), service);
		const { ledgerRows } = await planned(nightOf(1), rosterOf(records), ledger, unheld);
		return [...ledger, ...ledgerRows];
	};

	test('what it planned comes, and as many others are held', async () => {
		const ledger = await interrupted([...NORTH, ...classes('planned')]);
		expect(
			(
				await planned(nightOf(2), rosterOf([...NORTH, ...classes('planned')]), ledger, {
					...goOn,
					uncertainCreations: 'sendAgain',
				})
			).held,
		).toEqual([]);
		const others = await planned(nightOf(2), rosterOf([...NORTH, ...classes('other')]), ledger, goOn);
		expect([others.changes.length, others.held.length]).toEqual([0, 100]);
	});

	test('the bonds that it was to remove go, and as many others are held', async () => {
		const bonds = NORTH.filter(isBond);
		const without = (gone: readonly RosterRecord[]) => NORTH.filter((record) => !gone.includes(record));
		const ledger = await interrupted(without(bonds.slice(0, 60)));
		expect((await planned(nightOf(2), rosterOf(without(bonds.slice(0, 60))), ledger, goOn)).held).toEqual([]);
		const others = await planned(nightOf(2), rosterOf(without(bonds.slice(60))), ledger, goOn);
		expect([others.changes.length, others.held.length]).toEqual([0, 60]);
	});
});

describe('A bond whose removal nobody knows the end of', () => {
	const [lost] = NORTH.filter(isBond);
	const without = rosterOf(NORTH.filter((record) => record !== lost));

	test.each(['its answer was lost', 'n8n was killed'])(
		'and that is in the export again is told, and created again where that is asked for (%s)',
		async (what) => {
			const service = new Service();
			let ledger = await firstNight(rosterOf(NORTH), service);
			const name =
				service
					.all()
					.find(
						(one) => one.includes('"bond"') && one.includes(`"${String(lost.fields.user_external_id)}"`),
					) ?? '';
			service.fault = (action, body) => {
				if (action !== 'remove' || what === 'n8n was killed') return undefined;
				service.fault = () => undefined;
				service.remove(body);
				return 500;
			};
			({ ledger } = await night(
				nightOf(1),
				without,
				ledger,
				service,
				{},
				what === 'n8n was killed' ? 0 : Infinity,
			));
			service.fault = () => undefined;
			expect(service.has(name)).toBe(false);
			const again = await planned(nightOf(2), rosterOf(NORTH), ledger);
			expect(again.changes).toEqual([]);
			expect(again.findings[0]).toMatchObject({ code: 'uncertain', kind: 'bond', count: 1 });
			const sent = await night(nightOf(2), rosterOf(NORTH), ledger, service, {
				uncertainCreations: 'sendAgain',
				afterInterruption: 'goOn',
			});
			expect(service.has(name)).toBe(true);
			expect(await planned(nightOf(3), rosterOf(NORTH), sent.ledger)).toMatchObject({
				changes: [],
				findings: [],
			});
		},
	);

	test('and that is still not in the export is removed again', async () => {
		const service = new Service();
		let ledger = await firstNight(rosterOf(NORTH), service);
		service.fault = (action) => (action === 'remove' ? 500 : undefined);
		({ ledger } = await night(nightOf(1), without, ledger, service));
		service.fault = () => undefined;
		({ ledger } = await night(nightOf(2), without, ledger, service));
		expect(service.all().filter((name) => name.includes('"bond"'))).toHaveLength(119);
		expect(await planned(nightOf(3), without, ledger)).toMatchObject({ changes: [], findings: [] });
	});
});

test('what the service refuses every night does not keep the rest from coming', async () => {
	const service = new Service();
	service.fault = (_action, body) => (String(body.external_id).startsWith('refused') ? 422 : undefined);
	const refused = Array.from({ length: 10 }, (_, index) => aUser(`refused-${index}`, 'responsible', 'north'));
	const child = aStudent('child', ['refused-0'], 'north');
	const roster = rosterOf([...refused, child, ...NORTH]);
	let ledger: LedgerRow[] = [];
	for (let number = 0; number < 40; number++)
		({ ledger } = await night(nightOf(number), roster, ledger, service, {
			firstRun: number === 0,
			mostChanges: 10,
		}));
	expect(service.all()).toHaveLength(NORTH.length);
	service.fault = () => undefined;
	for (let number = 40; number < 43; number++)
		({ ledger } = await night(nightOf(number), roster, ledger, service, { mostChanges: 10 }));
	expect(service.all()).toHaveLength(NORTH.length + 11);
});

test('of more that was refused than Most Changes allows, what was tried longest ago comes first, and nobody before the responsible person', async () => {
	const service = new Service();
	service.fault = () => 422;
	const people = Array.from({ length: 8 }, (_, index) => aUser(`person-${index}`, 'responsible', 'north'));
	const roster = rosterOf([...people, aStudent('child', ['person-3'], 'north')]);
	let { ledger } = await night(nightOf(0), roster, [], service, { firstRun: true });
	service.fault = (_action, body) => (/person-[0-3]/.test(String(body.external_id)) ? 422 : undefined);
	const tried: string[][] = [];
	for (const number of [1, 2, 3]) {
		const { plan, ledger: after } = await night(nightOf(number), roster, ledger, service, {
			mostChanges: 5 - number,
		});
		ledger = after;
		tried.push(plan.changes.map(({ key }) => key.replace('person-', '')));
	}
	expect(tried).toEqual([
		['u:0', 'u:1', 'u:2', 'u:3'],
		['u:4', 'u:5', 'u:6'],
		['u:0', 'u:7'],
	]);
});

test('a run that did not come to its end leaves no more uncertain with a journal for each school than with one for all, and of a school read alone its next batch', async () => {
	const schools = Array.from({ length: 12 }, (_, index) => `school-${index}`);
	const roster = rosterOf(schools.flatMap((school) => aSchool(school, 2, 3)));
	const options = { userKeys: 'school', onlySchools: schools, batchSize: 10 } as const;
	const uncertainAfter = async (crash: number, ...read: string[]) => {
		const { ledger } = await night(
			nightOf(0),
			roster,
			[],
			new Service('school'),
			{ firstRun: true, ...options },
			crash,
		);
		const { counts } = (
			await planned(nightOf(1), roster, ledger, { ...options, onlySchools: read, afterInterruption: 'goOn' })
		).summary;
		return [counts.class.uncertain, counts.user.uncertain, counts.bond.uncertain];
	};
	expect(await uncertainAfter(0, ...schools)).toEqual([10, 0, 0]);
	expect(await uncertainAfter(1, ...schools)).toEqual([10, 0, 0]);
	expect(await uncertainAfter(3, ...schools)).toEqual([0, 10, 0]);
	expect(await uncertainAfter(1, 'school-11')).toEqual([2, 0, 0]);
});

test('that a bond was back counts in a school that is held, and an approved plan is the same after it', async () => {
	const service = new Service();
	const options = { removeAfter: 2 };
	const export_ = (content: string, records: readonly RosterRecord[]) =>
		rosterOf(records, { files: [{ name: 'all.zip', rows: 1, sha256: content }] });
	const [lost] = NORTH.filter(isBond);
	const without = NORTH.filter((record) => record !== lost);
	const many = Array.from({ length: 100 }, (_, index) => aClass(`new-${index}`, 'north'));
	let ledger = await firstNight(rosterOf(NORTH), service);
	const run = async (
		number: number,
		content: string,
		records: readonly RosterRecord[],
		more: Partial<PlanOptions> = {},
	) => {
		const { plan, ledger: after } = await night(nightOf(number), export_(content, records), ledger, service, {
			...options,
			...more,
		});
		ledger = after;
		return plan;
	};
	expect((await run(1, 'one', without)).changes).toMatchObject([{ action: 'note', state: 'missing' }]);
	const held = await run(2, 'two', [...NORTH, ...many]);
	expect([held.changes.map(({ state }) => state), held.held.length]).toEqual([['applied'], 100]);
	const approved = await run(3, 'two', [...NORTH, ...many], { approvedPlan: [held.summary.plan_id] });
	expect([approved.changes.length, approved.held.length]).toEqual([100, 0]);
	expect((await run(4, 'four', [...without, ...many])).changes).toMatchObject([
		{ action: 'note', state: 'missing', detail: expect.stringMatching(/^1 /) as string },
	]);
});

test('nobody gets into the class of another one who was given the same id: both bonds wait, and what is there stays', async () => {
	const row = (student: string, ofClass: string) => ({
		...{
			school_external_id: 'north',
			student_external_id: 'st-7',
			student_full_name: student,
			class_external_id: ofClass,
		},
		...{ class_name: ofClass, class_educational_stage: 'EF1', class_grade: '5º ano', class_year: 2026 },
	});
	const rows = async (...all: Row[]) => {
		const roster = await readRows(all, {}, 'whole', host);
		if (!roster.ok) throw new Error(roster.failure.message);
		return roster.value;
	};
	const ledger = await firstNight(await rows(row('Nina Prado', 'a')), new Service());
	const { changes, findings } = await planned(
		nightOf(1),
		await rows(row('Nina Prado', 'a'), row('Otto Reis', 'b')),
		ledger,
	);
	expect(actionsOf({ changes })).toEqual(['create c:north|b']);
	expect(findings).toMatchObject([
		{ code: 'idTwice', kind: 'user', count: 2 },
		{ code: 'idTwice', kind: 'bond', count: 2 },
	]);
});

test('whom a plan is for is known from the nights before, where tonight the service is not asked: its changes go nowhere else', async () => {
	const ledger = await firstNight(rosterOf(NORTH), new Service());
	const asked = await planned(nightOf(1), rosterOf(NORTH), ledger);
	const unasked = await planned(nightOf(1), rosterOf(NORTH), ledger, {}, { service: '', client: '' });
	expect(asked.marks.service).not.toBe('');
	expect(unasked.marks).toEqual(asked.marks);
});
