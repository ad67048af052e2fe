/** More than half of the first hundred creations of a kind are refused alike (rule 6, the canary): what is sent all the same, and what a person is told. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { runFindings } from '../../../../nodes/SchoolPartnerRoster/run/runFindings.ts';
import type { Roster } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';
import type { Failure } from '../../../../nodes/shared/failure.ts';
import { Nights, type Ended } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aClass, aStudent, aUser, isBond, LIST, rosterOf } from '../world.mts';

const several = <Record,>(count: number, make: (place: number) => Record) =>
	Array.from({ length: count }, (_, place) => make(place));

const PUPILS = several(60, (n) => [aUser(`p${n}`, 'student'), aBond(`p${n}`, 'c1')]).flat();
const BEFORE = [aClass('c1'), aClass('c2'), ...PUPILS];
const MOVES = 'b:school-1|c2|p1|student';
const MOVED = 'b:school-1|c1|p1|student';
const LEAVES = 'b:school-1|c1|p2|student';

/** One pupil moves, one leaves, and more comes, of which the service answers everything with a status. */
async function night(
	more: readonly RosterRecord[],
	status: number,
	isRefused = (body: object) => JSON.stringify(body).includes('new'),
) {
	const nights = await Nights.after(BEFORE, { holdCreationsFrom: 1_000 }, new Service('accepts'));
	nights.service.fault = (_action, body) => (isRefused(body) ? status : undefined);
	const gone = ['p1', 'p2'];
	const stay = BEFORE.filter((one) => !isBond(one) || !gone.includes(String(one.fields.user_external_id)));
	nights.service.requests.length = 0;
	const ended = await nights.sync([...stay, ...more, aBond('p1', 'c2')]);
	return { ...ended, requests: nights.service.requests };
}

function told({ plan, sent }: Ended) {
	const context = { getNodeParameter: () => 'postgres' } as unknown as IExecuteFunctions;
	const found = runFindings(context, plan, sent, { roster: rosterOf([]), rows: 1, runBytes: 1, now: 1 });
	return found.filter(({ code }) => code === 'refusedAlike');
}

const UNREACHABLE: Failure = {
	...({ origin: 'network', effect: 'none', code: 'ECONNREFUSED' } as const),
	...{ message: 'Nobody answers', next: '' },
};

const newUsers = (count: number) => several(count, (n) => aUser(`new${n}`, 'student'));
const newClasses = (count: number) => several(count, (n) => aClass(`new${n}`));

test('Of users: bonds and removals go, and the others of the kind are said to be left only where there are others', async () => {
	const [all, some] = [await night(newUsers(60), 422), await night(newUsers(130), 422)];
	for (const { told: done } of [all, some])
		expect(done).toEqual(
			expect.arrayContaining([
				`create ${MOVES} applied`,
				`remove ${MOVED} removed`,
				`remove ${LEAVES} removed`,
			]),
		);
	const mixed = await night([...newUsers(60), ...several(60, (n) => aUser(`z${n}`, 'student'))], 422);
	expect(mixed.sent.refusedAlike).toMatchObject([{ refused: 60, of: 100 }]);
	expect(told(all)).toMatchObject([{ kind: 'user', count: 60, what_to_do: ' Then start Sync again.' }]);
	expect(told(some)[0].what_to_do).toMatch(
		/^Nothing more of this kind was sent: .* goes on with the rest\.$/,
	);
	expect(some.requests.filter((request) => request.includes('new'))).toHaveLength(100);
});

test('Of classes: no user is created either, who may be there already when a ledger was lost; the rest goes', async () => {
	const more = [...newClasses(60), aUser('zoe', 'student'), aBond('zoe', 'c1')];
	const ended = await night(more, 422);
	expect(ended.requests.filter((request) => request.includes('zoe'))).toEqual([]);
	expect(ended.told).toEqual(expect.arrayContaining([`remove ${MOVED} removed`, `remove ${LEAVES} removed`]));
	expect(told(ended)[0].what_to_do).toMatch(/^Nothing more of this kind, and no user, was sent: /);
});

test.each([409, 422])(
	'Of classes (%i), on the nights that follow no user of theirs is created',
	async (status) => {
		const nights = new Nights(new Service('refuses'));
		nights.service.fault = (_action, body) => ('educational_stage' in body ? status : undefined);
		const school = [...newClasses(60), ...newUsers(60)];
		await nights.approveAll(await nights.sync(school));
		for (let day = 0; day < 6; day++) {
			await nights.sync(school);
			nights.pass();
		}
		expect(nights.service.requests.filter((request) => request.startsWith('create u:'))).toEqual([]);
		nights.service.fault = () => undefined;
		for (const { fields } of newClasses(60))
			await nights.resolve(`c:school-1|${String(fields.external_id)}`, 'notInService');
		await nights.approveAll(await nights.sync(school));
		await nights.sync(school);
		expect(nights.service.all()).toHaveLength(120);
	},
);

describe('All forty classes of a school that the ledger does not know', () => {
	const school = [...newClasses(40), ...newUsers(30)];
	const usersSent = ({ service }: Nights) =>
		service.requests.filter((request) => request.startsWith('create u:')).length;
	async function refused(status = 409) {
		const nights = new Nights(new Service('refuses'));
		nights.service.fault = (_action, body) => ('educational_stage' in body ? status : undefined);
		await nights.approveAll(await nights.sync(school));
		return { nights, ended: await nights.sync(school) };
	}

	test('are refused: its users wait from the first night on, and it is told', async () => {
		const { nights, ended } = await refused();
		expect(usersSent(nights)).toBe(0);
		expect(ended.sent.done).toHaveLength(ended.plan.changes.length);
		expect(told(ended)).toMatchObject([
			{ message: expect.stringMatching(/^So many classes .* of school school-1: its new users wait$/) },
		]);
	});

	test('are refused again after a person has said of each that the service does not have it: its users come', async () => {
		const { nights } = await refused(422);
		for (const { fields } of newClasses(40))
			await nights.resolve(`c:school-1|${String(fields.external_id)}`, 'notInService');
		nights.pass();
		await nights.approveAll(await nights.sync(school));
		await nights.sync(school);
		expect(usersSent(nights)).toBeGreaterThan(0);
	});

	test('are refused, and on the next night the service is in trouble: its users wait on the night that follows too', async () => {
		const { nights } = await refused(422);
		nights.pass();
		let classes = 0;
		nights.service.fault = (_action, body) =>
			'educational_stage' in body ? (++classes > 15 ? 429 : 422) : undefined;
		await nights.sync(school);
		nights.pass();
		await nights.sync(school);
		expect(usersSent(nights)).toBe(0);
	});

	test('are refused, and refused again when they are due: their users wait for them, and all is done that was to be done', async () => {
		const { nights } = await refused(422);
		nights.pass();
		const { plan, sent, told: done } = await nights.sync(school);
		expect(sent.done).toHaveLength(plan.changes.length);
		expect(done).toContain('create u:school-1|new0 blocked');
		expect(usersSent(nights)).toBe(0);
		expect(told({ plan, sent } as Ended)).toMatchObject([{ count: 30 }]);
	});

	test('are refused, and corrected: all comes, and nobody is said to wait', async () => {
		const { nights } = await refused();
		nights.pass();
		nights.service.fault = () => undefined;
		const corrected = newClasses(40).map((one) => ({ ...one, fields: { ...one.fields, name: 'Corrected' } }));
		const ended = await nights.sync([...corrected, ...newUsers(30)]);
		expect([nights.service.all().length, told(ended), nights.attention('refusedAlike')]).toEqual([
			70,
			[],
			[],
		]);
	});
});

test('Of classes of several schools, no user of a school that the ledger does not know is created on the nights that follow either', async () => {
	const ofSchools = ['a', 'b', 'c', 'd', 'e'].map((school) => [
		...several(30, (n) => aClass(`c${n}`, school)),
		...several(20, (n) => aUser(`u${n}`, 'student', school)),
	]);
	const nights = new Nights(new Service('refuses'));
	nights.service.fault = (_action, body) => ('educational_stage' in body ? 409 : undefined);
	await nights.approveAll(await nights.sync(ofSchools.flat()));
	for (let day = 0; day < 4; day++) {
		await nights.sync(ofSchools.flat());
		nights.pass();
	}
	expect(nights.service.requests.filter((request) => request.startsWith('create u:'))).toEqual([]);
	await nights.sync(ofSchools.flat(), { onlySchools: ['e'] });
	expect(nights.service.requests.filter((request) => request.startsWith('create u:'))).toEqual([]);
	nights.pass();
	const { fault } = nights.service;
	nights.service.fault = (action, body) => (body.school_external_id === 'e' ? 429 : fault(action, body));
	await nights.sync(ofSchools.flat());
	expect(nights.service.requests.filter((request) => request.startsWith('create u:'))).toEqual([]);
	expect(nights.attention('refusedAlike').map(({ message }) => message)).toContain(
		'So many classes were refused, or are said to exist, that the service may have all of school a: its new users wait',
	);
});

test('Of small schools that were all refused, a run with Only Schools creates no user either, nor does a list of one of them', async () => {
	const ofSchools = ['a', 'b', 'c'].map((school) => [
		...several(3, (n) => aClass(`c${n}`, school)),
		aUser('zoe', 'student', school),
	]);
	const nights = new Nights(new Service('refuses'));
	nights.service.fault = (_action, body) => ('educational_stage' in body ? 409 : undefined);
	await nights.approveAll(await nights.sync(ofSchools.flat()));
	await nights.sync(ofSchools.flat());
	for (const [place, school] of ['a', 'b', 'c'].entries()) {
		nights.pass();
		await nights.sync(ofSchools.flat(), { onlySchools: [school] });
		await nights.sync(rosterOf(ofSchools[place], LIST));
	}
	expect(nights.service.requests.filter((request) => request.startsWith('create u:'))).toEqual([]);
});

test('Of users who wait for their classes nobody counts among the first hundred of those who are sent', async () => {
	const waiting = [
		...several(6, (n) => aClass(`c${n}`, 'a')),
		...several(60, (n) => aUser(`p${n}`, 'student', 'a')),
	];
	const others = [aClass('c', 'b'), ...several(500, (n) => aUser(`q${n}`, 'student', 'b'))];
	const nights = new Nights(new Service('refuses'));
	nights.service.fault = (_action, body) =>
		body.school_external_id === 'a' ? 409 : 'educational_stage' in body ? undefined : 422;
	await nights.approveAll(await nights.sync([...waiting, ...others]));
	await nights.sync([...waiting, ...others]);
	const tried = nights.service.requests.filter((request) => request.startsWith('create u:'));
	expect([tried.length, tried.every((request) => request.startsWith('create u:b|'))]).toEqual([100, true]);
});

test('One school whose classes are refused keeps nobody out of another one, new as that may be', async () => {
	const known = [...BEFORE, ...several(8, (n) => aClass(`k${n}`))];
	const nights = await Nights.after(known, {}, new Service('accepts'));
	nights.service.fault = (_action, body) => (JSON.stringify(body).includes('wrong') ? 422 : undefined);
	const wrong = several(6, (n) => aClass(`wrong${n}`, 'other'));
	await nights.sync([...known, ...wrong]);
	nights.pass();
	const young = [aClass('right', 'young'), aUser('zoe', 'educator', 'young')];
	const alike = [aClass('wrong', 'alike'), aUser('ivo', 'educator', 'alike')];
	await nights.sync([...known, ...wrong, ...young, ...alike, aUser('ada', 'educator', 'other')]);
	expect(nights.service.requests.filter((request) => /zoe|ada|ivo/.test(request))).toEqual([
		'create u:young|zoe',
	]);
});

test('A ledger of last year keeps everybody out whose classes of this year are refused', async () => {
	const years = [2025, 2026].map((year) => several(8, (n) => aClass(`${year}-${n}`, 'school-1', { year })));
	const nights = await Nights.after(years[0], {}, new Service('accepts'));
	nights.service.fault = (_action, body) => ('educational_stage' in body ? 409 : undefined);
	nights.pass(60);
	for (let night = 0; night < 3; night++) {
		await nights.approveAll(await nights.sync([...years[1], ...(night > 0 ? newUsers(3) : [])]));
		nights.pass();
	}
	expect(nights.service.requests.filter((request) => request.startsWith('create u:'))).toEqual([]);
});

test('Classes that are refused beside others that are there let the new users of their school come', async () => {
	const nights = await Nights.after(BEFORE, {}, new Service('accepts'));
	nights.service.fault = (_action, body) => (JSON.stringify(body).includes('"new') ? 422 : undefined);
	const more = several(8, (n) => aClass(`c${n + 3}`));
	await nights.sync([...BEFORE, ...more]);
	for (const days of [1, 1, 8]) {
		nights.pass(days);
		const id = `zoe${nights.time.now}`;
		const list = rosterOf([...newClasses(6), aUser(id, 'student'), aBond(id, 'c1')], LIST);
		expect((await nights.sync(list)).told).toContain(`create b:school-1|c1|${id}|student applied`);
	}
});

test('Of ten classes that were refused all but the first are corrected: their users come with them', async () => {
	const pupils = several(30, (n) => [aUser(`p${n}`, 'student'), aBond(`p${n}`, `c${(n % 9) + 1}`)]).flat();
	const classes = several(10, (n) => aClass(`c${n}`));
	const nights = new Nights(new Service('refuses'));
	nights.service.fault = (_action, body) => ('educational_stage' in body ? 422 : undefined);
	await nights.approveAll(await nights.sync([...classes, ...pupils]));
	await nights.sync([...classes, ...pupils]);
	nights.pass();
	nights.service.fault = (_action, body) =>
		'educational_stage' in body && JSON.stringify(body).includes('"c0"') ? 422 : undefined;
	const { told } = await nights.sync([...classes, ...pupils]);
	expect(told.filter((one) => /create u:.*blocked/.test(one))).toEqual([]);
});

test('Some classes were refused before and are not due, others are refused tonight: the night is done all the same', async () => {
	const before = [...several(4, (n) => aClass(`c${n}`))];
	const nights = new Nights(new Service('refuses'));
	nights.service.fault = (_action, body) =>
		'educational_stage' in body && /"[cd]\d/.test(JSON.stringify(body)) ? 422 : undefined;
	await nights.approveAll(await nights.sync(before));
	await nights.sync(before);
	nights.pass();
	await nights.sync(before);
	nights.pass();
	const tonight = [
		...before,
		...several(5, (n) => aClass(`d${n}`)),
		aClass('x'),
		aUser('zoe', 'student'),
		aBond('zoe', 'x'),
	];
	const { plan, sent, told } = await nights.sync(tonight);
	expect([told.filter((one) => /zoe/.test(one)), sent.done.length]).toEqual([
		['create u:school-1|zoe blocked', 'create b:school-1|x|zoe|student blocked'],
		plan.changes.length,
	]);
});

test('Known classes whose rows have an error tonight are still there: five new ones that are refused keep nobody out', async () => {
	const known = several(20, (n) => aClass(`k${n}`));
	const nights = await Nights.after(known, {}, new Service('accepts'));
	nights.service.fault = (_action, body) => (JSON.stringify(body).includes('"new') ? 422 : undefined);
	const fresh = several(5, (n) => aClass(`new${n}`));
	await nights.sync([...known, ...fresh]);
	nights.pass(2);
	const roster = rosterOf([...known.slice(0, 4), ...fresh, aUser('zoe', 'student'), aBond('zoe', 'k0')], {
		faulty: known.slice(4),
	});
	expect((await nights.sync(roster)).told).toContain('create u:school-1|zoe applied');
});

test('Who waits is told of the own school, and counted once', async () => {
	// Of a lost ledger: all six classes of a are refused; of b one of three, the others have no answer.
	const school = [
		...several(6, (n) => aClass(`c${n}`, 'a')),
		...several(3, (n) => aClass(`c${n}`, 'b')),
		...several(4, (n) => aUser(`p${n}`, 'student', 'b')),
	];
	const nights = new Nights(new Service('accepts'));
	nights.service.fault = (_action, body) =>
		!('educational_stage' in body)
			? undefined
			: body.school_external_id === 'a' || body.external_id === 'c0'
				? 422
				: 504;
	await nights.approveAll(await nights.sync(school));
	await nights.sync(school);
	await nights.sync(school);
	expect(nights.attention('refusedAlike').map(({ message, count }) => [message, count])).toEqual([
		[expect.stringMatching(/school b/), 4],
	]);
});

test('Of bonds: who moves keeps the old class, and who leaves loses it', async () => {
	const bonds = several(110, (n) => aBond(`p${3 + (n % 55)}`, n < 55 ? 'c2' : 'c3', 'educator'));
	const isNewBond = (body: object) => 'user_external_id' in body && !JSON.stringify(body).includes('"c1"');
	const ended = await night([aClass('c3'), ...bonds], 422, isNewBond);
	for (const left of [`create ${MOVES}`, `remove ${MOVED}`]) expect(ended.requests).not.toContain(left);
	expect(ended.told).toContain(`remove ${LEAVES} removed`);
	expect(told(ended)).toMatchObject([{ kind: 'bond', count: 100 }]);
});

test('Of users and then of bonds: each is told, and removals still go', async () => {
	const bonds = several(55, (n) => aBond(`p${n + 3}`, 'c2', 'educator'));
	const ended = await night([...newUsers(60), ...bonds], 422, (body) =>
		/new|educator/.test(JSON.stringify(body)),
	);
	expect(told(ended).map(({ kind }) => kind)).toEqual(['user', 'bond']);
	expect(ended.told).toContain(`remove ${LEAVES} removed`);
});

test.each([
	['nobody knows what came of them', 303],
	['something sends elsewhere', 302],
	['a gateway may have lost the service', 404],
])('Where %s (%i), nothing else is sent, whatever was accepted before', async (_what, status) => {
	const ended = await night([aClass('c3'), ...newUsers(60)], status);
	expect(ended.requests).toHaveLength(61);
	expect(told(ended)[0].what_to_do).toMatch(/^Nothing more was sent: /);
});

test('Where the first of a kind go in two steps, a hundred are looked at before the others go', async () => {
	const guardians = several(45, (n) => aUser(`g${n}`, 'responsible'));
	const students = several(400, (n) => aStudent(`new${n}`, [`g${n % 45}`]));
	const ended = await night([...guardians, ...students], 422);
	expect(ended.requests.filter((request) => request.includes('new'))).toHaveLength(55);
});

describe('A hundred pupils whom the service refuses on every night', () => {
	const REFUSED = newUsers(120);
	const isThere = (nights: Nights, id: string) => nights.service.there.has(`u:school-1|${id}`);

	async function afterFirst(of: Partial<Roster>): Promise<Nights> {
		const nights = await Nights.after(BEFORE, { holdCreationsFrom: 1_000 }, new Service('accepts'));
		nights.service.fault = (_action, body) => (JSON.stringify(body).includes('new') ? 422 : undefined);
		for (let night = 0; night < 2; night++) {
			await nights.sync(rosterOf([...BEFORE, ...REFUSED], of));
			nights.pass();
		}
		return nights;
	}

	test.each([
		['an export', {}],
		['a list', LIST],
	])('keep nobody out who comes after them in %s, also weeks later', async (_what, of) => {
		const nights = await afterFirst(of);
		const more: RosterRecord[] = [];
		for (const id of ['zoe', 'ada', 'ivo']) {
			more.push(aUser(id, 'student'), aBond(id, 'c1'));
			await nights.sync(rosterOf([...BEFORE, ...REFUSED, ...more], of));
			expect(isThere(nights, id)).toBe(true);
			nights.pass(8);
		}
	});

	test.each([401, UNREACHABLE])(
		'keep nobody out who comes after them, also when a night of trouble (%j) lies between',
		async (trouble) => {
			const nights = await afterFirst({});
			nights.pass(8);
			const { fault } = nights.service;
			nights.service.fault = () => trouble;
			await nights.sync([...BEFORE, ...REFUSED]);
			nights.pass(8);
			nights.service.fault = fault;
			await nights.sync([...BEFORE, ...REFUSED, aUser('zoe', 'student'), aBond('zoe', 'c1')]);
			expect(isThere(nights, 'zoe')).toBe(true);
		},
	);

	test('and are no more than a hundred who are sent when the answer is another one', async () => {
		const nights = await afterFirst({});
		nights.pass(8);
		nights.service.fault = (_action, body) => (JSON.stringify(body).includes('new') ? 303 : undefined);
		nights.service.requests.length = 0;
		const { sent } = await nights.sync([...BEFORE, ...REFUSED]);
		expect([sent.refusedAlike.length, nights.service.requests.length]).toEqual([1, 100]);
	});

	test('and of others who are refused so, no more than a hundred are tried', async () => {
		const nights = await afterFirst({});
		const others = several(230, (n) => aUser(`newer${n}`, 'student'));
		nights.service.requests.length = 0;
		await nights.sync([...BEFORE, ...REFUSED, ...others]);
		const tried = nights.service.requests.filter((request) => request.includes('newer'));
		expect(tried.length).toBeLessThanOrEqual(100);
	});
});

test('After a run that was killed, the bonds of those whom nobody knows to be there are refused, and keep no other bond back', async () => {
	const nights = await Nights.after(
		[aClass('c1'), aClass('c2')],
		{ holdCreationsPercent: 100 },
		new Service('accepts'),
	);
	const run_id = `r${nights.table.visible().find(({ kind }) => kind === 'lease')?.sequence}-20260101T000000Z-killed`;
	const killed = several(300, (n) => `a${n}`);
	const detail = JSON.stringify({ create: killed.map((id) => `u:school-1|${id}`), remove: [] });
	await nights.add({ run_id, sequence: '0', kind: 'batch', key: 'batch', state: 'planned', detail });
	const others = several(200, (n) => `z${n}`);
	const inClass = (ids: string[], of: string) => ids.flatMap((id) => [aUser(id, 'student'), aBond(id, of)]);
	await nights.sync([aClass('c1'), aClass('c2'), ...inClass(killed, 'c1'), ...inClass(others, 'c2')]);
	const bonded = others.filter((id) => nights.service.there.has(`b:school-1|c2|${id}|student`));
	expect(bonded).toHaveLength(200);
});
