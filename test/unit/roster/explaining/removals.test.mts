/** What Explain says, after nights, of somebody whose bond was to be removed, and of whom the export no longer says anything. */
import { explanationOf } from '../../../../nodes/SchoolPartnerRoster/explaining/explanation.ts';
import { factsOf } from '../../../../nodes/SchoolPartnerRoster/explaining/facts.ts';
import { Nights } from '../night.mts';
import type { Fault } from '../service.mts';
import { aBond, aClass, aUser, FAMILY, isBond } from '../world.mts';

const isBondOfStudent = (record: (typeof FAMILY)[number]) =>
	isBond(record) && record.fields.user_external_id === 's1';
const WITHOUT_BOND = FAMILY.filter((record) => !isBondOfStudent(record));
const BOND = 'b:school-1|c1|s1|student';

async function explained(nights: Nights, externalId = 's1') {
	const now = 1_800_000_000_000 + nights.time.now;
	const [facts] = factsOf([{ externalId, school: 'school-1' }], await nights.ledger(), now);
	return explanationOf(facts, new Map(), undefined);
}

/** A night that removes the bond of the student, in which the service does this to the removal. */
async function removing(fault: Fault): Promise<Nights> {
	const nights = await Nights.after(FAMILY);
	await nextNight(nights, fault);
	return nights;
}

/** Another night with the same export. */
async function nextNight(nights: Nights, fault: Fault, roster = WITHOUT_BOND): Promise<void> {
	nights.service.fault = (_action, { user_external_id: user }) => (user === 's1' ? fault : undefined);
	await nights.sync(roster);
	nights.pass();
}

test('Whose removal is approved is still in class, and no Sync has taken them out', async () => {
	const students = Array.from({ length: 30 }, (_, place) => `m${place}`);
	const users = [aClass('c1'), ...students.map((id) => aUser(id, 'student'))];
	const nights = await Nights.after([...users, ...students.map((id) => aBond(id, 'c1'))]);
	const held = await nights.sync(users);
	expect(await explained(nights, 'm1')).toMatchObject({ code: 'removalHeld' });
	await nights.approveAll(held);
	expect(await explained(nights, 'm1')).toMatchObject({
		code: 'approved',
		hold_id: expect.stringMatching(/^hold-/),
		verdict: expect.stringMatching(/^The person is still in class c1: .* is approved; no Sync has done it/),
	});
	await nights.sync(users);
	expect((await explained(nights, 'm1')).bonds).toMatchObject([{ state: 'removed' }]);
});

describe('Whose removal has an unknown end may still be in the class, and a Sync removes the bond again', () => {
	const UNKNOWN = {
		code: 'removalFailed',
		key: BOND,
		verdict: expect.stringMatching(/^The person may still be in class c1: the service did not confirm/),
		what_to_do: expect.stringMatching(/a Sync .* again.*Resolve .*notInService/),
	};

	test.each<Fault>(['answer lost', 'never arrives', 500, 404])('after %s', async (fault) => {
		const nights = await removing(fault);
		expect(await explained(nights)).toMatchObject(UNKNOWN);
		await nextNight(nights, undefined);
		// That it is gone counts when it is said on another day once more.
		await nextNight(nights, undefined);
		expect((await explained(nights)).bonds).toMatchObject([{ state: 'removed' }]);
	});

	test.each<Fault>([422, 'answer lost'])('and when the next one ends with %s', async (fault) => {
		const nights = await removing('answer lost');
		await nextNight(nights, fault);
		expect(await explained(nights)).toMatchObject(UNKNOWN);
	});

	test('when n8n was killed before the answer', async () => {
		const nights = await Nights.after(FAMILY);
		const detail = JSON.stringify({ remove: [BOND] });
		const { run_id } = nights.rows('run').slice(-1)[0];
		await nights.add({ kind: 'batch', key: 'batch', state: 'planned', run_id, sequence: '999', detail });
		expect(await explained(nights)).toMatchObject(UNKNOWN);
	});

	test('and when the last run was of another school', async () => {
		const nights = await removing('answer lost');
		await nextNight(nights, 422);
		nights.pass(30);
		await nights.sync(WITHOUT_BOND, { onlySchools: ['school-2'] });
		expect(await explained(nights)).toMatchObject(UNKNOWN);
	});

	test('and when it was never known whether it came into the class', async () => {
		const nights = await Nights.after(WITHOUT_BOND);
		await nextNight(nights, 'answer lost', FAMILY);
		expect(await explained(nights)).toMatchObject({ code: 'uncertain' });
		await nextNight(nights, 422);
		expect(await explained(nights)).toMatchObject(UNKNOWN);
	});

	test('and when somebody has said that the bond is gone, it is not removed again', async () => {
		const nights = await removing('answer lost');
		await nights.resolve(BOND, 'notInService');
		expect(await explained(nights)).toMatchObject({ code: 'notInService' });
	});
});

test('Whose removal the service has refused is still in the class', async () => {
	expect(await explained(await removing(422))).toMatchObject({
		code: 'removalFailed',
		verdict: 'The person is still in class c1: the service did not confirm the removal (status 422)',
	});
});

test('A bond that may have been removed, is in the export again, and is refused, is no removal any more', async () => {
	const nights = await removing('answer lost');
	await nextNight(nights, 422, FAMILY);
	expect(await explained(nights)).toMatchObject({ code: 'bondRefused' });
});

describe('Who is in no class any more', () => {
	const verdict =
		'The person is in no class: the export does not have the person any more, or no enrollment of the person';

	test('may stand in the export all the same', async () => {
		expect(await explained(await removing(undefined))).toMatchObject({ code: 'left', verdict });
	});

	test('may never have been in one', async () => {
		const nights = await Nights.after(FAMILY);
		await nights.sync(FAMILY.filter(({ fields }) => fields.external_id !== 'r1'));
		expect(await explained(nights, 'r1')).toMatchObject({ code: 'left', verdict });
	});
});

test('A removal of unknown end that waits for an approval may be done, too', async () => {
	const students = Array.from({ length: 30 }, (_, place) => `m${place}`);
	const users = [aClass('c1'), ...students.map((id) => aUser(id, 'student'))];
	const nights = await Nights.after([...users, ...students.map((id) => aBond(id, 'c1'))]);
	nights.service.fault = () => 'answer lost';
	const held = await nights.sync(users);
	await nights.approveAll(held);
	await nights.sync(users);
	nights.pass(30);
	await nights.sync(users);
	expect(await explained(nights, 'm1')).toMatchObject({
		code: 'removalHeld',
		verdict: expect.stringMatching(/^The person may still be in class c1: the removal waits/),
	});
});

describe('What an export no longer has, no Sync sends: what waited for an earlier run is promised under that condition', () => {
	const run = { kind: 'run', key: 'run', state: 'ended', sequence: '9' };
	const user = { kind: 'user', key: 'u:school-1|s1', school_external_id: 'school-1' };
	const there = [
		{ kind: 'class', key: 'c:school-1|c1', school_external_id: 'school-1', state: 'applied' },
		{ ...user, state: 'applied' },
	];
	const bond = { kind: 'bond', key: BOND, school_external_id: 'school-1' };

	test.each([
		['notTried', [{ ...user, state: 'not tried' }]],
		['blocked', [{ ...user, state: 'blocked' }]],
		['notTried', [...there, { ...bond, state: 'not tried' }]],
		['notTried', [...there, { ...bond, state: 'blocked' }]],
	])('%s', async (code, rows) => {
		const nights = new Nights();
		await nights.add(run, ...rows);
		const { verdict, ...item } = await explained(nights);
		expect(item).toMatchObject({ code, what_to_do: expect.stringMatching(/, if its roster still has/) });
		expect(verdict).not.toMatch(/the last run/);
	});
});

test('Whose uncertain bond waits to be removed until another one comes is explained by that one', async () => {
	const nobody = [aClass('c1'), aClass('c2'), aUser('s1', 'student')];
	const nights = await Nights.after(nobody);
	await nextNight(nights, 'answer lost', [...nobody, aBond('s1', 'c1')]);
	nights.service.requests.length = 0;
	await nextNight(nights, 422, [...nobody, aBond('s1', 'c2')]);
	expect(nights.service.requests).toEqual(['create b:school-1|c2|s1|student']);
	expect(await explained(nights)).toMatchObject({ code: 'bondRefused', key: 'b:school-1|c2|s1|student' });
});
