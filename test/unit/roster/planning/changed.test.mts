/** What has other values than it was created with. */
import type { Plan } from '../../../../nodes/SchoolPartnerRoster/planning/plan.ts';
import type { Fields } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { Nights } from '../night.mts';
import { Service } from '../service.mts';
import { aClass, aStudent, aUser, FAMILY } from '../world.mts';

const R2 = aUser('r2', 'responsible');
const SOUZA = aUser('t1', 'educator', 'school-1', { last_name: 'Souza' });
const WITHOUT = FAMILY.filter(({ fields }) => fields.external_id !== 't1');
const RENAMED = [...WITHOUT, SOUZA];

test.each([
	['another name', 'recordChanged', SOUZA],
	['another responsible person', 'responsibleChanged', aStudent('s1', ['r2'])],
	['another name of a class', 'recordChanged', aClass('c1', 'school-1', { name: 'Other' })],
])('%s is said every night, and nothing is sent', async (_what, code, record) => {
	const nights = await Nights.after([...FAMILY, R2]);
	const isSame = ({ kind, fields }: typeof record) =>
		kind === record.kind && fields.external_id === record.fields.external_id;
	const tonight = [...FAMILY.filter((one) => !isSame(one)), R2, record];
	for (let night = 0; night < 2; night++) {
		const { plan } = await nights.sync(tonight);
		expect([plan.changes, plan.findings.map((one) => [one.code, one.severity, one.count])]).toEqual([
			[],
			[[code, 'warning', 1]],
		]);
		expect(plan.findings[0].what_to_do).toContain('Resolve');
	}
});

test('Another school of a person whose id is one in the whole network is said', async () => {
	const network = { userIdsUniqueWithin: 'network' } as const;
	const nights = await Nights.after(FAMILY.slice(0, 5), network);
	const { findings } = await nights.preview(
		[...WITHOUT.slice(0, 4), aUser('t1', 'educator', 'school-2')],
		network,
	);
	expect(findings).toMatchObject([{ code: 'schoolMoved' }]);
});

test('What a person says is in the service as it is tonight is said no more, for this record alone', async () => {
	const nights = await Nights.after(FAMILY);
	const other = aClass('c1', 'school-1', { name: 'Other' });
	const tonight = [...RENAMED.filter(({ fields }) => fields.external_id !== 'c1'), other];
	await nights.resolve('u:school-1|t1', 'inService');
	const before = nights.service.requests.length;
	expect((await nights.sync(tonight)).told).toEqual(['note u:school-1|t1 applied']);
	expect(nights.service.requests).toHaveLength(before);
	expect((await nights.sync(tonight)).plan.findings).toMatchObject([
		{ code: 'recordChanged', key: 'c:school-1|c1' },
	]);
});

describe('Many at once', () => {
	const people = (count: number, more: (place: number) => Fields) =>
		Array.from({ length: count }, (_, place) => aUser(`p${place}`, 'responsible', 'north', more(place)));
	const withMail = (place: number) => ({ email: `p${place}@example.org` });
	const told = ({ findings }: Plan) => findings.map(({ code, fields, count }) => [code, fields, count]);

	test('360 other names are 360 items, each with the fields that differ', async () => {
		const nights = await Nights.after(people(360, () => ({})));
		const { findings } = await nights.preview(people(360, (place) => ({ last_name: `Souza ${place}` })));
		expect([new Set(findings.map(({ key }) => key)).size, findings.length]).toEqual([360, 360]);
		expect(new Set(findings.map(({ code, fields }) => `${code} ${fields?.join()}`))).toEqual(
			new Set(['recordChanged last_name']),
		);
	});

	test('a column that is newly mapped is one cause, although some have nothing in it; who has another name too is an item', async () => {
		const nights = await Nights.after(people(900, () => ({})));
		const mapped = people(900, (place) => ({
			...(place % 3 > 0 && withMail(place)),
			...(place === 7 && { last_name: 'Souza' }),
		}));
		for (let night = 0; night < 2; night++) {
			const { plan } = await nights.sync(mapped);
			expect([plan.changes, told(plan)]).toEqual([
				[],
				[
					['fieldMapped', ['email'], 600],
					['recordChanged', ['last_name'], 1],
				],
			]);
		}
	});

	test('a column that is mapped no longer is one cause', async () => {
		const nights = await Nights.after(people(40, withMail));
		expect(told(await nights.preview(people(40, () => ({}))))).toEqual([['fieldUnmapped', ['email'], 40]]);
	});

	test('a value that a few have got, where others had one, is an item of each', async () => {
		const nights = await Nights.after(people(100, (place) => (place < 12 ? {} : withMail(place))));
		expect(told(await nights.preview(people(100, withMail)))).toEqual(
			Array.from({ length: 12 }, () => ['recordChanged', ['email'], 1]),
		);
	});

	test('it is one cause in each of many schools, and no other school has part in it', async () => {
		const of = (school: string, more: Fields) =>
			Array.from({ length: 30 }, (_, place) => aUser(`p${place}`, 'responsible', school, more));
		const nights = await Nights.after([
			...of('a', {}),
			...of('b', {}),
			...of('c', { email: 'c@example.org' }),
		]);
		const mail = { email: 'all@example.org' };
		const plan = await nights.preview([...of('a', mail), ...of('b', mail), ...of('c', mail)]);
		const codes = plan.findings.map(({ code }) => code);
		expect([told(plan)[0], codes.filter((code) => code === 'recordChanged').length]).toEqual([
			['fieldMapped', ['email'], 60],
			30,
		]);
	});

	test('sent again where that is wanted, it is held once, goes once, and is quiet from then on', async () => {
		const again = { changedRecords: 'sendAgain' } as const;
		const nights = await Nights.after(
			people(100, () => ({})),
			again,
			new Service('accepts'),
		);
		const { plan } = await nights.sync(people(100, withMail));
		expect([plan.changes, plan.holds.length, told(plan)]).toEqual([[], 1, [['fieldMapped', ['email'], 100]]]);
		await nights.approveAll({ plan });
		expect((await nights.sync(people(100, withMail))).told).toHaveLength(100);
		expect(await nights.sync(people(100, withMail))).toMatchObject({ told: [], plan: { findings: [] } });
	});
});

describe('Where changed records are sent again', () => {
	const AGAIN = { changedRecords: 'sendAgain' } as const;

	test('they are created once more, once for each change', async () => {
		const nights = await Nights.after(FAMILY);
		nights.service.fault = () => undefined;
		nights.service.there.delete('u:school-1|t1');
		const { plan, told } = await nights.sync(RENAMED, AGAIN);
		expect([plan.changes[0].send?.last_name, told]).toEqual(['Souza', ['create u:school-1|t1 applied']]);
		expect((await nights.sync(RENAMED, AGAIN)).told).toEqual([]);
	});

	test('an answer that it exists changed nothing, and they are said again', async () => {
		const nights = await Nights.after(FAMILY);
		expect((await nights.sync(RENAMED, AGAIN)).told).toEqual(['create u:school-1|t1 failed']);
		expect((await nights.preview(RENAMED)).findings).toMatchObject([
			{ code: 'recordChanged', key: 'u:school-1|t1' },
		]);
	});

	test('an answer that was lost leaves them there: what needs them does not wait', async () => {
		const nights = await Nights.after(FAMILY);
		nights.service.fault = (_action, body) => (body.external_id === 't1' ? 'answer lost' : undefined);
		const { told } = await nights.sync([...RENAMED, aStudent('s2', ['t1'])], AGAIN);
		expect(told).toEqual(['create u:school-1|t1 uncertain', 'create u:school-1|s2 applied']);
		expect((await nights.ledger()).entries.get('u:school-1|t1')?.there).toBe('yes');
	});
});
