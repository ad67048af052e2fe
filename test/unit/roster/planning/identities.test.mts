/** Who is who: ids that are written otherwise, ids that come again, people who come twice (rules 3 and 5). */
import type { Fields, RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { Nights } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aClass, aSchool, aStudent, aUser, FAMILY, rosterOf } from '../world.mts';

const ANA = { first_name: 'Ana', last_name: 'Lima', birth_date: '2016-05-04' };
const RUI = { first_name: 'Rui', last_name: 'Prado', birth_date: '2015-01-30' };

/** A class, and a pupil in it. */
const pupil = (id: string, person: Fields = ANA) => [
	aClass('c1'),
	aStudent(id, [], 'school-1', person),
	aBond(id, 'c1'),
];

const codes = ({ plan }: Awaited<ReturnType<Nights['sync']>>) => plan.findings.map(({ code }) => code);

describe('An id that is written otherwise than a known one', () => {
	test.each([
		['without the zeros in front', '00123', '123'],
		['with zeros in front', '123', '00123'],
		['in capitals', 'ab-1', 'AB-1'],
		['with the accent as a character of its own', 'Jos\u00e9', 'Jose\u0301'],
		['with a blank that nobody sees', 'p1', 'p\u200b1'],
	])('%s is not created: nobody leaves, and an office is told both', async (_what, known, written) => {
		const nights = await Nights.after(pupil(known, RUI));
		const night = await nights.sync(pupil(written, RUI));
		expect(night.told).toEqual([]);
		expect(codes(night)).toContain('looksLikeKnown');
		const [finding] = night.plan.findings.filter(
			({ code, kind }) => code === 'looksLikeKnown' && kind === 'user',
		);
		expect([finding.key, finding.message]).toEqual([
			`u:school-1|${written}`,
			expect.stringContaining(`(${known})`),
		]);
	});

	test.each([
		['a pupil', [aStudent('p1', [], 'school-1', ANA), aStudent('P1', [], 'school-1', ANA)], 'u:school-1|'],
		[
			'a class',
			[aClass('x1', 'school-1', { name: 'X' }), aClass('X1', 'school-1', { name: 'X' })],
			'c:school-1|',
		],
	])(
		'%s that is new tonight under both is created under neither, until a person says which',
		async (_what, both, start) => {
			const nights = await Nights.after(FAMILY);
			const night = await nights.sync([...FAMILY, ...both]);
			const [one, other] = both.map(({ fields }) => String(fields.external_id));
			expect([night.told, codes(night)]).toEqual([[], ['newTwice', 'newTwice']]);
			expect(night.plan.findings.map(({ message }) => /\((.*)\)/.exec(message)?.[1])).toEqual([other, one]);
			await nights.resolve(`${start}${one}`, 'notInService');
			expect((await nights.sync([...FAMILY, ...both])).told).toEqual([`create ${start}${one} applied`]);
			await nights.resolve(`${start}${other}`, 'notInService');
			expect((await nights.sync([...FAMILY, ...both])).told).toEqual([`create ${start}${other} applied`]);
		},
	);

	test.each([429, 422])(
		'is created on a later night where its word was taken up, and the service answered %i',
		async (status) => {
			const both = ['P1', 'p1'].map((id) => aStudent(id, [], 'school-1', ANA));
			const nights = await Nights.after(FAMILY, {}, new Service('accepts'));
			await nights.sync([...FAMILY, ...both]);
			for (const { fields } of both)
				await nights.resolve(`u:school-1|${String(fields.external_id)}`, 'notInService');
			nights.service.fault = (_action, { external_id: id }) => (id === 'p1' ? status : undefined);
			expect((await nights.sync([...FAMILY, ...both])).told).toContain('create u:school-1|P1 applied');
			nights.service.fault = () => undefined;
			nights.pass();
			expect((await nights.sync([...FAMILY, ...both])).told).toEqual(['create u:school-1|p1 applied']);
		},
	);

	test('nor is a pupil of whom a list has nothing but the name', async () => {
		const both = ['0123', '123'].map((id) => aStudent(id, [], 'school-1', { last_name: 'Lima' }));
		const nights = await Nights.after(FAMILY);
		const night = await nights.sync([...FAMILY, ...both]);
		expect([night.told, codes(night)]).toEqual([[], ['newTwice', 'newTwice']]);
		const twins = both.map((one, index) => ({
			...one,
			fields: { ...one.fields, birth_date: `2016-05-0${index + 1}` },
		}));
		expect((await nights.sync([...FAMILY, ...twins])).told).toHaveLength(2);
	});

	test.each([
		['without its zeros', '00101', '101'],
		['in other capitals', '9F-AB1', '9f-ab1'],
	])(
		'%s, in the file of bonds alone, is left out, and nobody leaves a class because of it',
		async (_what, id, written) => {
			const nights = await Nights.after([...pupil(id), aClass('c2')]);
			const users = [aClass('c1'), aClass('c2'), aStudent(id, [], 'school-1', ANA)];
			for (const ofClass of ['c1', 'c2']) {
				const night = await nights.sync(rosterOf(users, { faulty: [aBond(written, ofClass)] }));
				expect(night.told.filter((told) => told.startsWith('remove'))).toEqual([]);
			}
			expect((await nights.sync([...users, aBond(id, 'c2')])).told).toEqual([
				...[`create b:school-1|c2|${id}|student applied`, `remove b:school-1|c1|${id}|student removed`],
			]);
		},
	);

	test('is there meanwhile: the days of Grace Period begin anew when it is missing again', async () => {
		const others = [aClass('c1'), aStudent('p9', [], 'school-1', RUI), aBond('p9', 'c1')];
		const nights = await Nights.after([...others, ...pupil('p1')], { gracePeriodDays: 7 });
		await nights.sync(others);
		for (let night = 0; night < 8; night++) {
			nights.pass();
			await nights.sync([...others, ...pupil('P1')]);
		}
		nights.pass();
		expect((await nights.sync(others)).told).toEqual([
			expect.stringMatching(/^note b:.*p1\|student missing$/),
		]);
	});

	test('nor is a guardian of a made id, of whom nothing but the name is known', async () => {
		const nights = await Nights.after(FAMILY);
		const both = ['012~1', '12~1'].map((id) => aUser(id, 'responsible', 'school-1', { last_name: 'Lima' }));
		expect((await nights.sync([...FAMILY, ...both])).told).toEqual([]);
	});

	test('in a tenth of a network, one night: nobody is doubled, and the next night is as ever', async () => {
		const school = aSchool('s', 5, 40);
		const zeros = (records: readonly RosterRecord[], isLost: boolean) =>
			JSON.parse(
				JSON.stringify(records).replaceAll(
					/s-c1-s(\d+)/g,
					(_all, number: string) => `${isLost ? '' : '0'}0s-c1-s${number}`,
				),
			) as RosterRecord[];
		const nights = await Nights.after(zeros(school, false));
		const before = nights.service.all();
		expect((await nights.sync(zeros(school, true))).told).toEqual([]);
		expect((await nights.sync(zeros(school, false))).told).toEqual([]);
		expect(nights.service.all()).toEqual(before);
	});
});

describe('A person’s word that the service does not have an id', () => {
	const SCHOOL = aSchool('school-1', 3, 10);
	const ana = (id: string) => [...SCHOOL, aStudent(id, [], 'school-1', ANA), aBond(id, 'school-1-c1')];
	const [USER, BOND] = ['u:school-1|12', 'b:school-1|school-1-c1|12|student'];
	const AGAIN = [`create ${USER} applied`, `create ${BOND} applied`];

	/** She is removed under 12 by hand, and corrected in the school system. */
	async function corrected(): Promise<Nights> {
		const nights = await Nights.after(ana('12'), {}, new Service('accepts'));
		for (const key of [USER, BOND]) nights.service.there.delete(key);
		await nights.resolve(USER, 'notInService');
		await nights.sync(ana('0012'));
		nights.pass();
		return nights;
	}

	/** Her creation under 12 got no answer, and never arrived; then the school system was corrected. */
	async function uncertain(): Promise<Nights> {
		const nights = await Nights.after(SCHOOL, {}, new Service('accepts'));
		nights.service.fault = (_action, { external_id: id }) => (id === '12' ? 'never arrives' : undefined);
		await nights.sync(ana('12'));
		nights.service.fault = () => undefined;
		await nights.resolve(USER, 'notInService');
		await nights.sync(ana('0012'));
		nights.pass();
		return nights;
	}

	test.each([
		['which was removed there by hand', corrected],
		['whose creation never came', uncertain],
	])('%s, says nothing of one who came later: both ids are told', async (_what, story) => {
		const nights = await story();
		const before = nights.service.all();
		const night = await nights.sync(ana('12'));
		expect([night.told, nights.service.all()]).toEqual([[], before]);
		expect(codes(night)).toContain('looksLikeKnown');
		await nights.resolve(USER, 'notInService');
		expect((await nights.sync([...ana('12'), ...ana('0012').slice(-2)])).told).toEqual(AGAIN);
	});

	test('says nothing of a person who came later under another id, either', async () => {
		const nights = await corrected();
		await nights.resolve('u:school-1|0012', 'notInService');
		await nights.sync(ana('77'));
		const night = await nights.sync(ana('0012'));
		expect([night.told, codes(night)]).toEqual([[], expect.arrayContaining(['personTwice'])]);
	});

	test('is not asked again of whom it has let in, when the known one changes', async () => {
		const options = { changedRecords: 'sendAgain' } as const;
		const nights = await Nights.after(pupil('p1', RUI), options, new Service('accepts'));
		const both = (person: Fields) => [...pupil('p1', person), aStudent('P1', [], 'school-1', ANA)];
		await nights.sync(both(RUI));
		await nights.resolve('u:school-1|P1', 'notInService');
		expect((await nights.sync(both(RUI))).told).toEqual(['create u:school-1|P1 applied']);
		const changed = both({ ...RUI, email: 'rui@example.org' });
		expect((await nights.sync(changed)).told).toEqual(['create u:school-1|p1 applied']);
		expect(await nights.sync(changed)).toMatchObject({ told: [], plan: { findings: [] } });
	});
});

test('Two people whose ids differ in their writing, and who are both known, may come into one class', async () => {
	const both = [...pupil('p1'), aStudent('P1', [], 'school-1', RUI), aClass('c2'), aBond('P1', 'c2')];
	const nights = await Nights.after(both);
	expect((await nights.sync([...both, aBond('p1', 'c2'), aBond('P1', 'c1')])).told).toEqual([
		'create b:school-1|c2|p1|student applied',
		'create b:school-1|c1|P1|student applied',
	]);
});

test('A blank within an id is no mistake of writing: "1 1" and "11" are two', async () => {
	const nights = await Nights.after(pupil('1 1'));
	const other = aStudent('11', [], 'school-1', RUI);
	expect((await nights.sync([...pupil('1 1'), other])).told).toEqual(['create u:school-1|11 applied']);
});

test('Bonds of who only looks like a known one wait with them, and are counted with them', async () => {
	const nights = await Nights.after(pupil('p1', RUI));
	const night = await nights.sync(pupil('P1', RUI));
	const ofBonds = night.plan.findings.filter(({ kind }) => kind === 'bond');
	expect(ofBonds).toEqual([]);
	expect(nights.attention('looksLikeKnown')).toMatchObject([{ key: 'u:school-1|P1', blocks: 1 }]);
});

describe('Somebody who comes with another id', () => {
	test.each([
		['beside the known one', pupil('p1')],
		['while the known one, who stays in class, is gone from the export', [aClass('c1')]],
	])('under the same name and birth date waits, %s: nobody could remove the second one', async (_, known) => {
		const nights = await Nights.after(pupil('p1'));
		const night = await nights.sync([...known, aStudent('p2', [], 'school-1', ANA), aBond('p2', 'c1')]);
		expect(night.told).toEqual([]);
		expect(codes(night)).toEqual(expect.arrayContaining(['personTwice']));
	});

	test('under the same document and first name too', async () => {
		const document = { document_type: 'CPF', document_value: '529.982.247-25', first_name: 'Ana' };
		const nights = await Nights.after(pupil('p1', document));
		const night = await nights.sync([
			...pupil('p1', document),
			aStudent('p2', [], 'school-1', { ...document, last_name: 'Lima Reis' }),
		]);
		expect([night.told, codes(night)]).toEqual([[], ['personTwice']]);
	});

	test('twins are two, and so is the same name with another birth date', async () => {
		const nights = await Nights.after(pupil('p1'));
		const others = [
			aStudent('p2', [], 'school-1', { ...ANA, first_name: 'Eva' }),
			aStudent('p3', [], 'school-1', { ...ANA, birth_date: '2012-05-04' }),
		];
		expect((await nights.sync([...pupil('p1'), ...others])).told).toHaveLength(2);
	});
});

describe('An id that comes again for another child', () => {
	test('nobody gets a bond on the old child’s account', async () => {
		const nights = await Nights.after(pupil('1001'));
		const night = await nights.sync([...pupil('1001', RUI), aClass('c2'), aBond('1001', 'c2')]);
		expect(night.told).toEqual(['create c:school-1|c2 applied']);
		const [finding] = night.plan.findings.filter(({ code }) => code === 'anotherPerson');
		expect([finding.severity, finding.key, finding.fields]).toEqual([
			'error',
			'u:school-1|1001',
			['first_name', 'last_name', 'birth_date'],
		]);
	});

	test('a corrected name is the same child, and so is a birth date that comes', async () => {
		const nights = await Nights.after(pupil('1001', { first_name: 'Ana', last_name: 'Lima' }));
		const corrected = pupil('1001', { first_name: 'Anna', last_name: 'Lima', birth_date: '2016-05-04' });
		const night = await nights.sync(corrected);
		expect(codes(night)).toEqual(['recordChanged']);
		expect(night.plan.findings[0].fields).toEqual(['first_name', 'birth_date']);
	});

	test('a person who says that it is the same one lets the bonds go', async () => {
		const nights = await Nights.after(pupil('1001'));
		const roster = [...pupil('1001', RUI), aClass('c2'), aBond('1001', 'c2')];
		await nights.sync(roster);
		await nights.resolve('u:school-1|1001', 'inService');
		expect((await nights.sync(roster)).told).toContain('create b:school-1|c2|1001|student applied');
	});
});

test('A class id that comes again with the next year: nobody is put into last year’s class', async () => {
	const nights = await Nights.after(FAMILY);
	const next = [
		...FAMILY.filter(({ kind }) => kind === 'user'),
		aClass('c1', 'school-1', { year: 2027 }),
		aBond('t1', 'c1'),
	];
	const night = await nights.sync(next);
	expect(night.told.filter((one) => one.startsWith('create'))).toEqual([]);
	expect(codes(night)).toContain('anotherYear');
});

test('Whoever puts the year into the ids then approves once: classes and bonds are new, and the people stay', async () => {
	const nights = await Nights.after(FAMILY);
	const next = [
		...FAMILY.filter(({ kind }) => kind === 'user'),
		aClass('c1-2027', 'school-1', { year: 2027 }),
		aBond('s1', 'c1-2027'),
	];
	const otherIds = { marks: { ids: 'hother' } };
	const { plan } = await nights.sync(next, otherIds);
	expect(plan.holds.map(({ what_to_do }) => what_to_do)).toEqual([
		expect.stringMatching(/only Class ID From.*classes and bonds are new: right at the turn of a year/),
	]);
	await nights.approveAll({ plan });
	expect((await nights.sync(next, otherIds)).told).toEqual([
		'create c:school-1|c1-2027 applied',
		'create b:school-1|c1-2027|s1|student applied',
		'remove b:school-1|c1|s1|student removed',
		'remove b:school-1|c1|t1|educator removed',
	]);
	expect((await nights.preview(next, otherIds)).holds).toEqual([]);
});

test('The same value has another digest in another ledger', async () => {
	const rowOf = async (salt: string) => {
		const nights = new Nights();
		nights.newSalt = salt;
		await nights.approveAll(await nights.sync(FAMILY));
		await nights.sync(FAMILY);
		return (await nights.ledger()).entries.get('u:school-1|s1')?.fields;
	};
	expect(await rowOf('one')).not.toBe(await rowOf('another'));
	expect(await rowOf('one')).toBe(await rowOf('one'));
});

test('A user who is no student has what it needs to be told apart, too', async () => {
	const nights = await Nights.after([aUser('t1', 'educator', 'school-1', ANA)]);
	expect(codes(await nights.sync([aUser('t1', 'educator', 'school-1', RUI)]))).toEqual(['anotherPerson']);
});

test.each([
	[
		'a class of another year, of which the row has an error, too',
		aClass('c1', 'school-1', { year: 2027, educational_stage: '' }),
	],
	[
		'another person, of whom the row has an error, too',
		aStudent('p1', [], 'school-1', { ...RUI, email: '=A1' }),
	],
])('No bond is made to %s: it may be the one of before', async (_who, faulty) => {
	const nights = await Nights.after([...pupil('p1'), aClass('c2')]);
	const others = [...pupil('p1'), aClass('c2')].filter(
		({ kind, fields }) => kind !== faulty.kind || fields.external_id !== faulty.fields.external_id,
	);
	const fresh = faulty.kind === 'class' ? [aStudent('p2', []), aBond('p2', 'c1')] : [aBond('p1', 'c2')];
	const { told } = await nights.sync([...others, faulty, ...fresh]);
	expect(told.filter((text) => text.includes(' b:'))).toEqual([]);
});
