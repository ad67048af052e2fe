/** What a person has been told: what is new, since when it is so, and what is told once. */
import { ledgerRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { tellingRows, toldBy, toldRows } from '../../../../nodes/SchoolPartnerRoster/ledger/told.ts';
import { aBond, aClass, aSchool, aUser, PARTIAL, FAMILY, rosterOf } from '../world.mts';
import { DAY, Nights } from '../night.mts';

const SOUZA = aUser('t1', 'educator', 'school-1', { last_name: 'Souza' });
const RENAMED = FAMILY.map((record) => (record.fields.external_id === 't1' ? SOUZA : record));
const WITHOUT_R1 = FAMILY.filter(({ fields }) => fields.external_id !== 'r1');

/** Code, first day and whether it is new, of all that was told of the last run. */
const told = ({ telling }: Nights) =>
	telling?.attention.map(({ code, since, new: isNew }) => `${code} ${since} ${isNew ? 'new' : 'again'}`);

test('What is so for days is new on the first of them alone, and says since when', async () => {
	const nights = await Nights.after(FAMILY);
	const first = nights.today();
	await nights.sync(RENAMED);
	expect(told(nights)).toEqual([`recordChanged ${first} new`]);
	nights.pass(3);
	await nights.sync(RENAMED);
	expect(told(nights)).toEqual([`recordChanged ${first} again`]);
	expect(nights.telling?.causes).toMatchObject([{ code: 'recordChanged', count: 1, new: 0 }]);
});

test('What the service says exists is new on the night of its answer alone', async () => {
	const nights = await Nights.after(FAMILY);
	nights.service.fault = (_action, body) => (body.external_id === 't2' ? 409 : undefined);
	const first = nights.today();
	for (const isNew of ['new', 'again', 'again']) {
		await nights.sync([...FAMILY, aUser('t2', 'educator')]);
		expect(told(nights)).toEqual([`exists ${first} ${isNew}`]);
		nights.pass();
	}
});

test('Another field of a record that was told before is new', async () => {
	const nights = await Nights.after(FAMILY);
	await nights.sync(RENAMED);
	nights.pass();
	const withEmail = aUser('t1', 'educator', 'school-1', { last_name: 'Souza', email: 't1@example.org' });
	const tonight = RENAMED.map((record) => (record === SOUZA ? withEmail : record));
	await nights.sync(tonight);
	expect(told(nights)).toEqual([`recordChanged ${nights.today()} new`]);
	await nights.sync(tonight);
	expect(told(nights)).toEqual([`recordChanged ${nights.today()} again`]);
});

test('What was settled and comes again is new again', async () => {
	const nights = await Nights.after(FAMILY);
	for (const roster of [RENAMED, FAMILY]) await nights.sync(roster);
	nights.pass();
	await nights.sync(RENAMED);
	expect(told(nights)).toEqual([`recordChanged ${nights.today()} new`]);
});

test('The same roster twice adds one row to the ledger, that of the run, also where people are told of something', async () => {
	const nights = await Nights.after(FAMILY);
	const tonight = RENAMED.filter(({ fields }) => fields.external_id !== 'r1');
	await nights.sync(tonight);
	const before = nights.rows().length;
	await nights.sync(tonight);
	expect(
		nights
			.rows()
			.slice(before)
			.map(({ kind }) => kind),
	).toEqual(['run']);
});

describe('Who has left', () => {
	test('is told once, and counted afterwards', async () => {
		const nights = await Nights.after(FAMILY);
		await nights.sync(WITHOUT_R1);
		expect(told(nights)).toEqual([`userLeft ${nights.today()} new`]);
		nights.pass();
		await nights.sync(WITHOUT_R1);
		expect(told(nights)).toEqual([]);
		expect(nights.telling?.causes).toMatchObject([{ code: 'userLeft', count: 1, new: 0 }]);
	});

	test('is told again after having come back', async () => {
		const nights = await Nights.after(FAMILY);
		for (const roster of [WITHOUT_R1, FAMILY, WITHOUT_R1]) await nights.sync(roster);
		expect(told(nights)).toEqual([`userLeft ${nights.today()} new`]);
	});

	test('is not told again because a night of changes, or of another school, said nothing of it', async () => {
		const nights = await Nights.after([...FAMILY, aClass('k1', 'school-2')]);
		const tonight = [...WITHOUT_R1, aClass('k1', 'school-2')];
		await nights.sync(tonight);
		await nights.sync(rosterOf([], { completeness: PARTIAL }));
		await nights.sync(tonight, { onlySchools: ['school-2'] });
		await nights.sync(tonight);
		expect(told(nights)).toEqual([]);
	});

	test('is not told again because the school was empty for a night, or in no export', async () => {
		const other = [
			aClass('k1', 'school-2'),
			aUser('x', 'educator', 'school-2'),
			aBond('x', 'k1', 'educator', 'school-2'),
		];
		const nights = await Nights.after([...FAMILY, ...other]);
		const tonight = [...WITHOUT_R1, ...other];
		const whole = { class: 'whole', user: 'whole', bond: 'whole' } as const;
		const ofOther = rosterOf(other, { completenessBySchool: new Map([['school-2', whole]]) });
		await nights.sync(tonight);
		for (const night of [other, ofOther]) {
			await nights.sync(night);
			await nights.sync(tonight);
			expect(told(nights)).toEqual([]);
		}
	});

	test('is named one by one, a thousand a night, until all are told', async () => {
		const school = aSchool('north', 1, 1);
		const parents = Array.from({ length: 1_100 }, (_, index) => aUser(`p${index}`, 'responsible', 'north'));
		const nights = await Nights.after([...school, ...parents]);
		const named = async () => {
			await nights.sync(school);
			return nights.telling?.attention.flatMap(({ key = [] }) => key) ?? [];
		};
		const [first, second, third] = [await named(), await named(), await named()];
		expect([first, second, third].map(({ length }) => length)).toEqual([1_000, 100, 0]);
		expect(new Set([...first, ...second]).size).toBe(1_100);
		expect(nights.telling?.causes).toMatchObject([{ code: 'userLeft', count: 1_100, new: 0 }]);
	});
});

test('A ledger that was made small knows what was told', async () => {
	const nights = await Nights.after(FAMILY);
	const tonight = RENAMED.filter(({ fields }) => fields.external_id !== 'r1');
	const first = nights.today();
	await nights.sync(tonight);
	const old = { kind: 'run', key: 'run', run_id: 'r0-x', detail: '{}' };
	await nights.add(...Array.from({ length: 5_100 }, () => old));
	nights.time.now += DAY;
	await nights.sync(tonight);
	expect(nights.rows().length).toBeLessThan(100);
	expect(told(nights)).toEqual([`recordChanged ${first} again`]);
	await nights.sync(tonight);
	expect(told(nights)).toEqual([`recordChanged ${first} again`]);
});

describe('The rows of what was told', () => {
	/** As the ledger reads them again. */
	const read = (rows: ReturnType<typeof toldRows>) =>
		new Map(toldBy(rows.map((cells, index) => ({ ...ledgerRow(cells), id: index + 1 }))));

	test('keep what is told once apart from what is told as long as it is so', () => {
		const items = [
			{ digest: 'aaa', isOnce: false },
			{ digest: 'bbb', isOnce: true },
		];
		const rows = tellingRows(new Map(), items, '2026-03-01', true);
		const expected = [
			['aaa', { since: '2026-03-01', isOnce: false }],
			['bbb', { since: '2026-03-01', isOnce: true }],
		];
		expect([...read(rows)]).toEqual(expected);
		expect(rows.map(({ state, detail }) => `${state} ${detail}`)).toEqual([
			...['told {"told":["aaa"]}', 'once {"told":["bbb"]}'],
		]);
	});

	test('say all at once what many nights said, with the day of each', () => {
		const told = new Map([
			['aaa', { since: '2026-03-01', isOnce: false }],
			['bbb', { since: '2026-03-01', isOnce: false }],
			['ccc', { since: '2026-03-02', isOnce: false }],
			['ddd', { since: '2026-03-01', isOnce: true }],
		]);
		expect(read(toldRows(told))).toEqual(told);
		expect(toldRows(told)).toHaveLength(3);
	});
});
