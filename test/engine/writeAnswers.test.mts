import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultAction } from '../../sandbox/admin-types.mts';
import { studentParameters, students, USER_PATH, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

/** What the service answers in the place of its own, or after the work (`afterwards`). */
type Answered = Pick<FaultAction, 'body' | 'status' | 'contentType' | 'htmlPage' | 'afterwards'>;

/** What leaves the node when the service answers a creation so. */
async function itemsFor(answer: Answered): Promise<IDataObject[]> {
	await workroom.admin.addFault({ path: USER_PATH }, answer);
	const { items, error } = await workroom.run(studentParameters(), students(1));
	expect(error).toBeUndefined();
	return items;
}

describe('A write gives exactly one item', () => {
	test.each([
		['an object', { id: 'u-1', nested: { a: [1] } }, { id: 'u-1', nested: { a: [1] } }],
		['an empty object', {}, {}],
		['a list', [{ id: 1 }, { id: 2 }], { data: [{ id: 1 }, { id: 2 }] }],
		['an empty list', [], { data: [] }],
		['a number', '17', { data: 17 }],
		['true', 'true', { data: true }],
		['text in quotes', '"u-1"', { data: 'u-1' }],
		['null', 'null', { data: null }],
	])('when the service answers %s', async (_what, body, item) => {
		expect(await itemsFor({ body })).toEqual([item]);
	});

	test.each([
		['204 without a body', { status: 204 }],
		['200 without a body', { status: 200 }],
		['200 without a body, called a page', { status: 200, contentType: 'text/html' }],
		['201 without a body', { status: 201 }],
		['nothing but blanks', { body: ' \n' }],
	])('that says success when the service answers %s', async (_what, answer) => {
		expect(await itemsFor(answer)).toEqual([{ success: true }]);
	});

	test.each<[string, Answered, string]>([
		['a word', { body: 'Created', contentType: 'text/plain' }, 'Created'],
		['a word with an end of line', { body: 'OK\r\n', contentType: 'text/plain; charset=utf-8' }, 'OK'],
		[
			'a word that is called a page, as frameworks do',
			{ body: 'Created', contentType: 'text/html' },
			'Created',
		],
		['a number with zeros before it', { body: '0042', contentType: 'text/plain' }, '0042'],
		[
			'XML',
			{ body: '<?xml version="1.0"?><ok/>', contentType: 'application/xml' },
			'<?xml version="1.0"?><ok/>',
		],
		['half of an object', { body: '{"data": {"id"' }, '{"data": {"id"'],
	])('with the text as it is when the service answers %s', async (_what, answer, data) => {
		expect(await itemsFor(answer)).toEqual([{ data }]);
	});

	test('of an object that is called a page', async () => {
		expect(await itemsFor({ body: { id: 'u-1' }, contentType: 'text/html' })).toEqual([{ id: 'u-1' }]);
	});

	test('for each input item, in its order and paired with it', async () => {
		await workroom.admin.addFault({ path: USER_PATH, nth: [1, 3] }, { delayMs: 60 });
		const { outputs } = await workroom.run(studentParameters(), students(5));
		expect(outputs[0].map(({ json, pairedItem }) => [json.external_id, pairedItem])).toEqual(
			[1, 2, 3, 4, 5].map((number) => [`student-${number}`, { item: number - 1 }]),
		);
	});
});

describe('Every write has one shape', () => {
	const classParameters: INodeParameters = {
		...{ resource: 'class', operation: 'create', schoolExternalId: 'school-001', externalId: 'c-1' },
		...{ educationalStage: 'EF1', grade: '1º ano', year: 2026, code: '1A', name: 'Grade 1 A' },
	};
	const bond: INodeParameters = {
		...{
			schoolExternalId: 'school-001',
			classExternalId: 'c-1',
			userExternalId: 'u-1',
			profileName: 'student',
		},
	};
	const update: INodeParameters = {
		...{ schoolId: '9b2e1f00-0000-4000-8000-00000000005c', courseCode: 'MATH-5', status: 'cancelled' },
	};
	const GUID = '0c7d9a10-0000-4000-8000-0000000000b3';
	const person = studentParameters({ externalId: 'u-1' });
	const writes: Array<[name: string, parameters: INodeParameters, adds: IDataObject]> = [
		['Class: Create', classParameters, {}],
		['User: Create', { ...person, operation: 'create', profiles: ['educator'] }, {}],
		['User: Create Responsible', { ...person, operation: 'createResponsible' }, {}],
		['User: Create Student', person, {}],
		['Bond: Create', { resource: 'bond', operation: 'create', ...bond }, {}],
		['Bond: Delete', { resource: 'bond', operation: 'delete', ...bond }, { deleted: true }],
		[
			'Enrollment: Update by Account',
			{ resource: 'enrollment', operation: 'updateByAccount', accountId: 'a-1', ...update },
			{},
		],
		[
			'Enrollment: Update by User',
			{ resource: 'enrollment', operation: 'updateByUser', userId: GUID, ...update },
			{},
		],
		[
			'Enrollment: Post Course Status',
			{ resource: 'enrollment', operation: 'postCourseStatus', userId: GUID, ...update },
			{},
		],
	];

	/** What the node gives for each of these answers. */
	async function givenFor(parameters: INodeParameters, answers: unknown[]): Promise<IDataObject[]> {
		const given: IDataObject[] = [];
		for (const body of answers) {
			await workroom.admin.clearFaults();
			await workroom.admin.addFault({ pathPattern: '^/(integration|enrollment)/' }, { body });
			const { items, error } = await workroom.run(parameters);
			expect(error).toBeUndefined();
			given.push(...items);
		}
		return given;
	}

	test.each(writes)(
		'%s: what stands under data is the item, whatever came',
		async (_name, parameters, adds) => {
			const answers = [
				{ data: { id: 'x-1', status: 'done' } },
				{ id: 'x-1', status: 'done' },
				{ data: { id: 'x-1' }, status: 'done', message: 'Welcome' },
				{ data: [{ id: 'x-1' }] },
				{ data: null },
				{ data: 'x-1' },
				'"x-1"',
			];
			expect(await givenFor(parameters, answers)).toEqual(
				[
					{ id: 'x-1', status: 'done' },
					{ id: 'x-1', status: 'done' },
					{ id: 'x-1', status: 'done', message: 'Welcome' },
					{ data: [{ id: 'x-1' }] },
					{ data: null },
					{ data: 'x-1' },
					{ data: 'x-1' },
				].map((item) => ({ ...adds, ...item })),
			);
		},
	);

	test.each(writes)('%s: with Simplify off, what came is the item', async (_name, parameters, adds) => {
		const answers = [{ data: { id: 'x-1' }, status: 'done' }, { id: 'x-1' }];
		expect(await givenFor({ ...parameters, simplify: false }, answers)).toEqual(
			answers.map((answer) => ({ ...adds, ...answer })),
		);
	});
});

describe('A web page in the place of an answer to a write', () => {
	test.each<[string, Answered]>([
		[
			'by its content type',
			{ body: '<center>Sign in to the network</center>', contentType: 'text/html; charset=utf-8' },
		],
		[
			'by its first word, whatever it is called',
			{ body: '\n<!DOCTYPE html><title>Proxy</title>', contentType: 'text/plain' },
		],
		['by its root', { body: '<HTML lang="en"></HTML>', contentType: 'application/json' }],
		['when the work was done', { htmlPage: true, status: 200, afterwards: true }],
	])('is told %s, and nobody can say whether the record exists', async (_how, answer) => {
		await workroom.admin.addFault({ path: USER_PATH }, answer);
		const run = await workroom.run(studentParameters(), students(1), { onError: 'continueErrorOutput' });
		const [{ error, failure }] = run.outputs[1].map(({ json }) => json);
		expect(failure).toMatchObject({ origin: 'service', effect: 'unknown', status: 200 });
		expect(error).toBe(
			[
				'A web page came in the place of an answer (200). The record may exist all the same [Item 0]',
				'Look for the record before you send it again, so that it is not created twice.',
				'Check that Base URL in the credential is the address of the service, and that no proxy answers in its place.',
			].join('\n'),
		);
		expect(await workroom.received()).toHaveLength(1);
	});
});

describe('A web page that answers what creates nothing is not told as a creation', () => {
	const bond: INodeParameters = {
		...{ resource: 'bond', operation: 'delete', schoolExternalId: 'school-001' },
		...{ classExternalId: 'c-1', userExternalId: 'u-1', profileName: 'student' },
	};
	const update: INodeParameters = {
		...{ resource: 'enrollment', operation: 'updateByAccount', accountId: 'a-1', status: 'cancelled' },
		...{ schoolId: '9b2e1f00-0000-4000-8000-00000000005c', courseCode: 'MATH-5' },
	};

	test.each([
		['Bond: Delete', bond],
		['Enrollment: Update by Account', update],
	])('%s', async (_name, parameters) => {
		await workroom.admin.addFault(
			{ pathPattern: '^/(integration|enrollment)/' },
			{ htmlPage: true, status: 200 },
		);
		const run = await workroom.run(parameters, [{}], { onError: 'continueErrorOutput' });
		const [{ error, failure }] = run.outputs[1].map(({ json }) => json);
		expect(failure).toMatchObject({ origin: 'service', effect: 'unknown', status: 200 });
		expect(error).toBe(
			[
				'A web page came in the place of an answer (200). Nobody knows whether it was done [Item 0]',
				'Check that Base URL in the credential is the address of the service, and that no proxy answers in its place.',
				'Run the item again once the address is right.',
			].join('\n'),
		);
	});
});

describe('An answer to a lookup that cannot be read points to the address', () => {
	const advice =
		'Check that Base URL in the credential is the address of the service, and that no proxy answers in its place.';

	test.each([
		['is a page', { htmlPage: true, status: 200 }, 'is not JSON (200)'],
		['is plain text', { body: 'OK', contentType: 'text/plain' }, 'is not JSON (200)'],
		['lacks data', { body: { profiles: [] } }, 'has no "data"'],
		['is a list without data', { body: [] }, 'has no "data"'],
		['is null', { body: 'null' }, 'has no "data"'],
		['has data that is no list', { body: { data: { type: 'student' } } }, 'is not a list'],
		['has data that is text', { body: { data: 'none' } }, 'is not a list'],
	])('when it %s', async (_what, answer, fact) => {
		await workroom.admin.addFault({ path: '/data/v1/profiles' }, answer);
		const { message, description } = wordsOf(
			await workroom.run({ resource: 'profile', operation: 'getAll' }),
		);
		expect(message).toBe(`The answer of the service ${fact} [Item 0]`);
		expect(description).toBe(advice);
	});

	test('and entries of a list that are no objects are passed on', async () => {
		await workroom.admin.addFault({ path: '/data/v1/profiles' }, { body: { data: ['student', null, 3] } });
		const { items } = await workroom.run({ resource: 'profile', operation: 'getAll' });
		expect(items).toEqual([{ data: 'student' }, { data: null }, { data: 3 }]);
	});
});
