/** The lookups about accounts: what is asked, and how the answers look. Answers are built from the document's words. */
import type { IDataObject } from 'n8n-workflow';

import type { Facts } from '../../sandbox/admin-types.mts';
import * as contract from '../../nodes/shared/contract/synchronization.ts';
import { asked, useWorkroom } from './workroom.mts';

const workroom = useWorkroom();

let facts: Facts;
beforeAll(async () => {
	facts = await workroom.admin.facts();
});

const ACCOUNT = '6f1c2d3e-0000-4000-8000-0000000000a1';
const TENANT = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const documents = [{ type: 'TAX_ID', value: '00000000191' }];

/** A record as the tables have it: every field, canonical. */
const person = {
	hash: 'hash-of-person',
	id: 'user-1',
	account_id: ACCOUNT,
	external_id: 'external-1',
	name: 'Nina Torres',
	date_of_birth: '2010-05-03',
	cell_phone: { ddi: '55', value: '11955550101' },
	email: 'nina.torres@students.example',
	documents,
};
const account = { ...person, academic_email: 'nina@school-001.example', login: 'nina' };
const address = {
	zip: '01000-000',
	city: 'Aurora',
	state: 'SP',
	address: 'Rua das Palmeiras',
	number: '10',
	neighborhood: 'Centro',
	complement: '',
};
const school = {
	hash: 'hash-of-school',
	id: 'school-1',
	name: 'Colégio Aurora',
	cnpj: '11.222.333/0001-81',
	external_id: 'school-001',
	addresses: [address],
	email: 'office@school-001.example',
};
const named = { id: 'id-1', name: 'Name' };
const schoolClass = {
	hash: 'hash-of-class',
	id: 'class-1',
	name: 'Grade 5 A',
	school_id: 'school-1',
	external_id: 'class-001',
	course_code: 'MATH-5',
	description: '',
	year: 2026,
	educational_stage: named,
	grade: named,
	profiles: [named],
	subjects: [named],
	shift: named,
};
const tenant = {
	hash: 'hash-of-tenant',
	id: TENANT,
	name: 'Rede',
	external_id: 'tenant-001',
	brand_name: 'Rede',
};

function without(record: IDataObject, field: string): IDataObject {
	return Object.fromEntries(Object.entries(record).filter(([name]) => name !== field));
}

const { zip, city, state, ...restOfAddress } = address;

/** "Known deviations in the samples, to be tolerated by consumers", each in the answer of its lookup. */
const deviations = [
	[
		'the account sample uses user_id where the table says id',
		'get',
		{ user_id: 'user-1', ...without(account, 'id') },
		account,
	],
	[
		'one dependent sample carries a single phone string instead of cell_phone',
		'getDependents',
		{ ...without(account, 'cell_phone'), phone: '11955550101' },
		{ ...account, cell_phone: { ddi: null, value: '11955550101' } },
	],
	[
		'one sponsor sample gives date_of_birth with a time part',
		'getSponsors',
		{ ...person, date_of_birth: '2010-05-03T00:00:00' },
		person,
	],
	[
		'the sample of the dialing code has a leading plus sign',
		'getSponsors',
		{ ...person, cell_phone: { ddi: '+55', value: '11955550101' } },
		person,
	],
	[
		'the school sample capitalizes Zip, City and State',
		'getSchools',
		{ ...school, addresses: [{ Zip: zip, City: city, State: state, ...restOfAddress }] },
		school,
	],
	[
		'the school sample spells the tax id cpnj',
		'getSchools',
		{ ...without(school, 'cnpj'), cpnj: school.cnpj },
		school,
	],
	[
		'the class sample names the shift identifier tagId',
		'getClasses',
		{ ...schoolClass, shift: { tagId: named.id, name: named.name } },
		schoolClass,
	],
] as const;

const parametersOf = (operation: string) => ({
	resource: 'account',
	operation,
	accountId: ACCOUNT,
	tenantId: TENANT,
});

async function answerWith(body: unknown): Promise<void> {
	await workroom.admin.addFault({ path: '/sync/v1/' }, { body });
}

const isList = (operation: string) => operation !== 'get';

describe('A documented deviation', () => {
	test.each(deviations)('%s (%s): the item is canonical', async (_words, operation, sample, canonical) => {
		await answerWith(isList(operation) ? [sample] : sample);
		expect((await workroom.run(parametersOf(operation))).items).toEqual([canonical]);
	});

	test.each(deviations)(
		'%s (%s): the item is what the service sent when Simplify is off',
		async (_words, operation, sample) => {
			await answerWith(isList(operation) ? [sample] : sample);
			const { items } = await workroom.run({ ...parametersOf(operation), simplify: false });
			expect(items).toEqual([sample]);
			expect(Object.keys(items[0])).toEqual(Object.keys(sample));
		},
	);

	test('in one record of a list leaves its neighbours alone', async () => {
		const other = { ...account, phone: 'kept', account_id: 'a-2' };
		await answerWith([
			{ ...without(account, 'cell_phone'), phone: '1' },
			other,
			{ ...account, cell_phone: null },
		]);
		const { items } = await workroom.run(parametersOf('getDependents'));
		expect(items).toEqual([
			{ ...account, cell_phone: { ddi: null, value: '1' } },
			other,
			{ ...account, cell_phone: null },
		]);
	});
});

const records = [
	['get', account],
	['getSponsors', person],
	['getDependents', account],
	['getSchools', school],
	['getClasses', schoolClass],
] as const;

describe('A record', () => {
	test.each(records)('of the tables comes out of %s as it is', async (operation, record) => {
		await answerWith(isList(operation) ? [record, record] : record);
		const { items } = await workroom.run(parametersOf(operation));
		expect(items).toEqual(isList(operation) ? [record, record] : [record]);
	});

	test.each(records)('keeps, in %s, fields that the document does not name', async (operation, record) => {
		const more = { ...record, since: '2026-01-01', tags: [{ name: 'new' }], extra: null };
		await answerWith(isList(operation) ? [more] : more);
		expect((await workroom.run(parametersOf(operation))).items).toEqual([more]);
	});

	test('of a tenant keeps them too', async () => {
		await answerWith({ ...tenant, region: 'south' });
		const { items } = await workroom.run({ resource: 'tenant', operation: 'get', tenantId: TENANT });
		expect(items).toEqual([{ ...tenant, region: 'south' }]);
	});

	test.each([
		['without optional fields', { id: 'u', name: 'Nina' }],
		[
			'with fields of unexpected types',
			{ ...account, cell_phone: 'none', date_of_birth: 20100503, documents: {} },
		],
		['that is longer than its table says', { ...account, name: 'n'.repeat(500) }],
	])('%s is passed on: reading is tolerant', async (_what, record) => {
		await answerWith(record);
		expect((await workroom.run(parametersOf('get'))).items).toEqual([record]);
	});
});

describe('What the sandbox answers, deviations included, leaves the node as the contract has it', () => {
	const promises = [
		['get', contract.accountUser],
		['getSponsors', contract.sponsor],
		['getDependents', contract.dependent],
		['getSchools', contract.school],
		['getClasses', contract.classOfUser],
	] as const;

	test.each(promises)('%s', async (operation, promised) => {
		const people = operation === 'getDependents' ? facts.responsibles : facts.students;
		const { items, error } = await workroom.run(
			{ ...parametersOf(operation), tenantId: facts.tenantId, accountId: '={{ $json.accountId }}' },
			people.map(({ accountId }) => ({ accountId })),
		);
		expect(error).toBeUndefined();
		expect(items.length).toBeGreaterThanOrEqual(people.length);
		for (const item of items) expect(promised.safeParse(item).error?.issues ?? []).toEqual([]);
	});

	test('tenant', async () => {
		const { items } = await workroom.run({ resource: 'tenant', operation: 'get', tenantId: facts.tenantId });
		expect(items.map((item) => contract.tenant.safeParse(item).success)).toEqual([true]);
	});

	test('and is the same whether the service deviates or not', async () => {
		const [{ accountId }] = facts.students;
		const snapshot = { ...parametersOf('getSnapshot'), tenantId: facts.tenantId, accountId };
		const { items: deviating } = await workroom.run(snapshot);
		await workroom.admin.changeSettings({ deviations: false });
		expect((await workroom.run(snapshot)).items).toEqual(deviating);
	});
});

describe('Lookups of several items', () => {
	test('leave in the order of the items, each record paired with its own', async () => {
		await workroom.admin.changeSettings({ latencyMs: 5 });
		await workroom.admin.addFault({ path: '/sync/v1/', nth: [1, 4] }, { delayMs: 100 });
		const people = facts.students.slice(0, 10);
		const { outputs } = await workroom.run(
			{ ...parametersOf('getSponsors'), tenantId: facts.tenantId, accountId: '={{ $json.accountId }}' },
			people.map(({ accountId }) => ({ accountId })),
		);
		const expected = await Promise.all(
			people.map(
				async ({ externalId }) =>
					(await workroom.admin.users({ externalId })).items[0].responsible_external_id,
			),
		);
		expect(outputs[0].map(({ json, pairedItem }) => [json.external_id, pairedItem])).toEqual(
			expected.flatMap((sponsors, item) => sponsors.map((sponsor) => [sponsor, { item }])),
		);
	});

	test('send each id as one segment of the path, with the tenant in the query', async () => {
		const ids = ['a b', 'é', 'a?b=c&d#e', '100%', "o'neil", '+1', 'a;b', '...'];
		await workroom.run(
			{ ...parametersOf('getClasses'), accountId: '={{ $json.id }}', options: { concurrency: 1 } },
			ids.map((id) => ({ id })),
		);
		expect((await workroom.received()).map(asked)).toEqual(
			ids.map((id) => ({
				method: 'GET',
				path: `/sync/v1/accounts/${encodeURIComponent(id)}/classes`,
				query: { tenant_id: TENANT },
				body: null,
			})),
		);
	});
});
