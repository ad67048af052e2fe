/** What the service refuses with the same answer: it is tried on nights 1, 2, 4 and 8, then weekly, and at once when its values differ (rule 8). */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { Nights } from '../night.mts';
import { aBond, aClass, aSchool, aStudent, aUser, FAMILY, LIST, rosterOf } from '../world.mts';

const guardian = (more: RosterRecord['fields'] = {}) => aUser('r2', 'responsible', 'school-1', more);
const withGuardian = (more: RosterRecord['fields'] = {}) => [
	...FAMILY,
	...[guardian(more), aStudent('s2', ['r2']), aBond('s2', 'c1')],
];
const GUARDIAN = 'create u:school-1|r2';

/** Nights behind the first, of a service that refuses records of this id with this status. */
async function refusing(id: string, status: () => number | undefined = () => 422) {
	const nights = await Nights.after(FAMILY);
	nights.service.fault = (_action, body) =>
		[body.external_id, body.class_external_id].includes(id) ? status() : undefined;
	return nights;
}

/** On which nights, from 1, a request came. */
async function nightsOf(
	request: string,
	nights: Nights,
	count: number,
	roster: Parameters<Nights['sync']>[0],
) {
	const tried: number[] = [];
	for (let night = 1; night <= count; night++) {
		const before = nights.service.requests.length;
		await nights.sync(roster);
		if (nights.service.requests.slice(before).includes(request)) tried.push(night);
		nights.pass();
	}
	return tried;
}

test('A guardian who is refused for 30 nights is sent seven times, and a night without a try writes nothing but its run', async () => {
	const nights = await refusing('r2');
	const rows = nights.rows().length;
	expect(await nightsOf(GUARDIAN, nights, 30, withGuardian())).toEqual([1, 2, 4, 8, 15, 22, 29]);
	const written = nights.rows().slice(rows);
	const count = (kind: string, state: string) =>
		written.filter((row) => row.kind === kind && row.state === state).length;
	expect({
		runs: count('run', 'ended'),
		batches: count('batch', 'planned'),
		refused: count('user', 'failed'),
		blocked: count('user', 'blocked') + count('bond', 'blocked'),
		told: count('told', 'told'),
		all: written.length,
	}).toEqual({ runs: 30, batches: 7, refused: 7, blocked: 2, told: 1, all: 47 });
});

test('A bond that is refused is tried as seldom where its user is sent again, and is refused too', async () => {
	const nights = await refusing('c2');
	nights.options.changedRecords = 'sendAgain';
	nights.service.fault = (_action, body) =>
		body.class_external_id === 'c2' || body.external_id === 's1' ? 422 : undefined;
	const changed = [...FAMILY, aStudent('s1', ['r1'], 'school-1', { email: 's1@example.org' })].filter(
		(record) => record !== FAMILY[3],
	);
	const bond = 'create b:school-1|c2|s1|student';
	expect(await nightsOf(bond, nights, 8, [...changed, aBond('s1', 'c2')])).toEqual([1, 2, 4, 8]);
});

test('A run more on the same day does not try: it says so, counts it as waiting, and says when it is tried next; so does a night that tried', async () => {
	const nights = await refusing('r2');
	const first = await nights.sync(withGuardian());
	expect(first.sent.done[0].change.refused).toMatchObject({ since: '2027-01-16', last: '2027-01-16' });
	const { length } = nights.service.requests;
	const { told, plan } = await nights.sync(withGuardian());
	expect([told, nights.service.requests.length]).toEqual([[], length]);
	expect(plan.counts.all()).toMatchObject({ user: { waiting: 2 }, bond: { waiting: 1 } });
	expect(plan.findings.map(({ code }) => code)).toEqual(['refusedBefore']);
	expect(nights.attention('refusedBefore')).toMatchObject([{ key: 'u:school-1|r2', blocks: 2 }]);
	expect(plan.findings.filter(({ key }) => key === 'u:school-1|r2')).toMatchObject([
		{
			...{ severity: 'error', code: 'refusedBefore', kind: 'user', count: 1 },
			message: expect.stringContaining('status 422') as string,
			what_to_do: expect.stringContaining('2027-01-17') as string,
		},
	]);
});

test('A corrected value goes the same night, and what waited for it', async () => {
	const nights = await refusing('r2');
	await nights.sync(withGuardian());
	nights.service.fault = () => undefined;
	expect((await nights.sync(withGuardian({ email: 'r2@example.org' }))).told).toEqual([
		...[`${GUARDIAN} applied`, 'create u:school-1|s2 applied', 'create b:school-1|c1|s2|student applied'],
	]);
});

test('Other values that are refused, and another answer, begin anew', async () => {
	let status = 422;
	const nights = await refusing('r2', () => status);
	expect(await nightsOf(GUARDIAN, nights, 7, withGuardian())).toEqual([1, 2, 4]);
	const other = withGuardian({ email: 'r2@example.org' });
	expect(await nightsOf(GUARDIAN, nights, 3, other)).toEqual([1, 2]);
	status = 400;
	expect(await nightsOf(GUARDIAN, nights, 5, other)).toEqual([1, 2, 4]);
});

test('A person who has looked has it tried at once', async () => {
	const nights = await refusing('r2');
	await nights.sync(withGuardian());
	nights.service.fault = () => undefined;
	await nights.resolve('u:school-1|r2', 'notInService');
	expect((await nights.sync(withGuardian())).told[0]).toBe(`${GUARDIAN} applied`);
});

test.each([401, 429])('A service in trouble (%i) is no refusal: each night tries', async (status) => {
	const nights = await refusing('r2', () => status);
	expect(await nightsOf(GUARDIAN, nights, 5, withGuardian())).toEqual([1, 2, 3, 4, 5]);
});

test('A removal that is refused is tried as seldom, and no more when the bond is wanted again', async () => {
	const nights = await refusing('c1');
	const without = FAMILY.slice(0, -1);
	const removal = 'remove b:school-1|c1|t1|educator';
	expect(await nightsOf(removal, nights, 8, without)).toEqual([1, 2, 4, 8]);
	expect((await nights.sync(FAMILY)).told).toEqual(['note b:school-1|c1|t1|educator applied']);
	expect((await nights.sync(without)).told).toEqual([`${removal} failed`]);
});

test('A night on which the service is in trouble does not use up the word of a person', async () => {
	const nights = await refusing('s2');
	await nightsOf('create u:school-1|s2', nights, 5, withGuardian());
	await nights.resolve('u:school-1|s2', 'notInService');
	nights.service.fault = (_action, { external_id: id }) => (id === 's2' ? 429 : undefined);
	await nights.sync(withGuardian());
	nights.pass();
	nights.service.fault = () => undefined;
	expect((await nights.sync(withGuardian())).told).toContain('create u:school-1|s2 applied');
});

test('nor does one on which so many fail that the others are not tried', async () => {
	const people = Array.from({ length: 80 }, (_, place) => aUser(`n${place}`, 'student'));
	const classes = Array.from({ length: 50 }, (_, place) => aClass(`new${place}`));
	const nights = await Nights.after(FAMILY, { holdCreationsPercent: 100 });
	nights.service.fault = (_action, { external_id: id }) => (/^n\d/.test(String(id)) ? 422 : undefined);
	await nightsOf('', nights, 5, [...FAMILY, ...people]);
	for (const { fields } of people)
		await nights.resolve(`u:school-1|${String(fields.external_id)}`, 'notInService');
	nights.service.fault = () => 401;
	await nights.sync([...FAMILY, ...classes, ...people]);
	nights.pass();
	nights.service.fault = () => undefined;
	const { told } = await nights.sync([...FAMILY, ...classes, ...people]);
	expect(told.filter((text) => /^create u:school-1\|n\d+ applied$/.test(text))).toHaveLength(80);
});

test('Of a removal that is refused nobody is sent to Resolve to have it tried: what is said to be gone is never removed', async () => {
	const nights = await refusing('c1');
	await nights.sync(FAMILY.slice(0, -1));
	const [{ what_to_do }] = nights.attention('failed');
	expect(what_to_do).toContain('Only if the service does not have it any more');
	expect(what_to_do).not.toContain('at once');
	const { findings } = await nights.preview(FAMILY.slice(0, -1));
	expect(findings[0]?.what_to_do).toContain('Only if the service does not have it any more');
});

test('Who needs somebody who was refused and has left the export waits for nobody: it is an error of its own, and told as new', async () => {
	const nights = await refusing('r2');
	await nights.sync(withGuardian());
	const { plan } = await nights.sync(withGuardian().filter(({ fields }) => fields.external_id !== 'r2'));
	expect(plan.findings.map(({ code, key }) => [code, key])).toEqual([['needsUnknown', 'u:school-1|s2']]);
	expect(nights.telling?.attention[0]).toMatchObject({ code: 'needsUnknown', new: true, blocks: 1 });
});

test.each([
	['a list, after a creation that got no answer', 'answer lost', LIST, 'uncertain'],
	['a list, after one that is said to exist', 409, LIST, 'exists'],
	['an export, after one that is said to exist', 409, {}, 'exists'],
] as const)(
	'Who waits for somebody whom only the ledger has does not wait in silence: %s',
	async (_what, fault, of, code) => {
		const nights = await Nights.after(FAMILY);
		nights.service.fault = (_action, { external_id: id }) => (id === 'r2' ? fault : undefined);
		await nights.sync(rosterOf(withGuardian(), of));
		for (let night = 0; night < 2; night++) {
			nights.pass();
			const without = withGuardian().filter(({ fields }) => fields.external_id !== 'r2');
			await nights.sync(rosterOf(without, of));
			expect(nights.attention(code)).toMatchObject([{ key: 'u:school-1|r2', blocks: 2, count: 1 }]);
			expect(nights.attention('waits')).toEqual([]);
		}
	},
);

test('Who waits for somebody whose account was not seen yet sends nobody to create that one again', async () => {
	const nights = await Nights.after(FAMILY, { confirmation: 'callback' });
	nights.service.accountComesAfter = () => Infinity;
	await nights.sync(rosterOf([...FAMILY, guardian()], LIST));
	nights.pass();
	await nights.sync(rosterOf([...FAMILY, aStudent('s2', ['r2']), aBond('s2', 'c1')], LIST));
	expect(nights.attention('waits')).toMatchObject([{ count: 2 }]);
	expect(nights.attention('uncertain')).toEqual([]);
});

test('Nights on which it is not sent, since what it needs is refused, do not begin its count anew', async () => {
	const nights = await refusing('s2');
	const records = withGuardian();
	await nights.sync(records);
	nights.pass();
	await nights.sync(records);
	const before = (await nights.ledger()).entries.get('u:school-1|s2')?.row.detail;
	nights.pass(2);
	nights.service.fault = (_action, { external_id: id }) => (id === 'r2' ? 422 : undefined);
	await nights.resolve('u:school-1|r2', 'notInService');
	const { told } = await nights.sync(records);
	expect(told).toContain('create u:school-1|s2 blocked');
	const after = (await nights.ledger()).entries.get('u:school-1|s2')?.row.detail ?? '';
	expect(JSON.parse(after)).toMatchObject(JSON.parse(before ?? '') as object);
});

describe('A removal that is answered as gone (404)', () => {
	const all = aSchool('school-1', 5, 8);
	const isOfLeaver = ({ kind, fields }: RosterRecord) =>
		kind === 'bond' && String(fields.user_external_id).endsWith('-s1');
	const left = all.filter((record) => !isOfLeaver(record));
	const leaversIn = ({ there }: Nights['service']) =>
		[...there.keys()].filter((key) => key.endsWith('-s1|student'));
	const statesOf = (told: readonly string[]) => told.map((text) => text.split(' ').at(-1));

	test('by a gateway that has lost the service, all night or until it is back, is sent again: no bond stays in the service', async () => {
		for (const many of [Infinity, 3]) {
			const nights = await Nights.after(all);
			let answered = 0;
			nights.service.fault = (action) => (action === 'remove' && answered++ < many ? 404 : undefined);
			const { told } = await nights.sync(left);
			expect(statesOf(told).sort()).toEqual(
				Array.from({ length: 5 }, (_, at) => (at < many ? 'uncertain' : 'removed')).sort(),
			);
			nights.service.fault = () => undefined;
			nights.pass();
			await nights.sync(left);
			expect(leaversIn(nights.service)).toEqual([]);
			expect(await nights.sync(left)).toMatchObject({ told: [], plan: { findings: [] } });
		}
	});

	test('once, after a night that got no answer at all, is not believed either', async () => {
		const nights = await Nights.after(all);
		for (const fault of ['answer lost', 404] as const) {
			nights.service.fault = (action) => (action === 'remove' ? fault : undefined);
			if (fault === 404) for (const key of leaversIn(nights.service)) nights.service.there.delete(key);
			const { told } = await nights.sync(left);
			expect(statesOf(told)).toEqual(Array(5).fill('uncertain'));
			nights.pass();
		}
		expect(statesOf((await nights.sync(left)).told)).toEqual(Array(5).fill('removed'));
	});

	test('by a service that has said before it that it has what was to be created, is done', async () => {
		const said = async (existsStatuses: number[]) => {
			const nights = await Nights.after(all, { statuses: { existsStatuses } });
			nights.service.fault = (action) => (action === 'remove' ? 404 : 409);
			return statesOf((await nights.sync([...left, aUser('t1', 'educator')])).told);
		};
		expect(await said([409])).toEqual(['exists', ...Array(5).fill('removed')]);
		expect(await said([])).toEqual(['failed', ...Array(5).fill('uncertain')]);
	});

	test('by a service that says so on two nights, or has accepted something before it, is done', async () => {
		const nights = await Nights.after(all);
		const [first, second] = leaversIn(nights.service);
		nights.service.there.delete(first);
		const withoutOne = all.filter(
			(record) => !isOfLeaver(record) || !first.includes(String(record.fields.user_external_id)),
		);
		expect((await nights.sync(withoutOne)).told).toEqual([`remove ${first} uncertain`]);
		expect(nights.attention('uncertain')).toMatchObject([
			{
				what_to_do: expect.stringMatching(
					/accepted nothing before it in this run[^]*The next run tries it again\.$/,
				) as string,
			},
		]);
		nights.pass();
		expect((await nights.sync(withoutOne)).told).toEqual([`remove ${first} removed`]);
		nights.service.there.delete(second);
		const { told } = await nights.sync([...left, aUser('t1', 'educator')]);
		expect(statesOf(told)).toEqual(['applied', ...Array(4).fill('removed')]);
		expect(await nights.sync([...left, aUser('t1', 'educator')])).toMatchObject({
			told: [],
			plan: { findings: [] },
		});
	});
});

describe('What a list that comes once holds, the next one may not hold:', () => {
	const changed = (...records: RosterRecord[]) => rosterOf(records, LIST);
	const advice = (nights: Nights, code: string) => nights.attention(code).map(({ what_to_do }) => what_to_do);
	const SAME_ROSTER =
		/When the cause is gone, start Sync again with this same roster: the next one may not hold these changes\.$/;

	test('what the service refuses is tried each time that a roster has it, and nobody is told to wait for a day', async () => {
		const nights = await refusing('r2');
		for (let night = 1; night <= 2; night += 1) {
			const { length } = nights.service.requests;
			await nights.sync(changed(guardian()));
			expect(nights.service.requests.slice(length)).toEqual([GUARDIAN]);
			expect(advice(nights, 'failed')).toEqual([expect.stringMatching(SAME_ROSTER)]);
		}
		nights.service.fault = () => undefined;
		expect((await nights.sync(changed(guardian()))).told).toEqual([`${GUARDIAN} applied`]);
	});

	test('what the service was not able to take is not said to be tried by the next run', async () => {
		const nights = await refusing('r2', () => 429);
		await nights.sync(changed(guardian()));
		expect(advice(nights, 'failed')).toEqual([expect.stringMatching(SAME_ROSTER)]);
	});
});
