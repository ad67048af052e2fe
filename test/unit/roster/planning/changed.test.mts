/** What has other values than it was created with. */
import { Nights } from '../night.mts';
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
	const nights = await Nights.after(FAMILY, {}, undefined);
	const network = { userIdsUniqueWithin: 'network' } as const;
	const others = await Nights.after(FAMILY.slice(0, 5), network);
	const { findings } = await others.preview(
		[...WITHOUT.slice(0, 4), aUser('t1', 'educator', 'school-2')],
		network,
	);
	expect(findings).toMatchObject([{ code: 'schoolMoved' }]);
	expect((await nights.preview(FAMILY)).findings).toEqual([]);
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

	test('a hundred at once are held like creations', async () => {
		const classes = (name: string) =>
			Array.from({ length: 100 }, (_, index) => aClass(`k${index}`, 'north', { name }));
		const nights = await Nights.after(classes('One'));
		expect((await nights.preview(classes('Two'), AGAIN)).held).toHaveLength(100);
	});
});
