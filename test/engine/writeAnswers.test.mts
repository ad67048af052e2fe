import type { IDataObject } from 'n8n-workflow';

import { studentParameters, students, USER_PATH, useBench, wordsOf } from './bench.mts';

const bench = useBench();

/** What leaves the node when the service answers a creation so. */
async function itemsFor(answer: { body?: unknown; status?: number }): Promise<IDataObject[]> {
	await bench.admin.addFault({ path: USER_PATH }, answer);
	const { items, error } = await bench.run(studentParameters(), students(1));
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
		['201 without a body', { status: 201 }],
		['nothing but blanks', { body: ' \n' }],
	])('that says success when the service answers %s', async (_what, answer) => {
		expect(await itemsFor(answer)).toEqual([{ success: true }]);
	});

	test('for each input item, in its order and paired with it', async () => {
		await bench.admin.addFault({ path: USER_PATH, nth: [1, 3] }, { delayMs: 60 });
		const { outputs } = await bench.run(studentParameters(), students(5));
		expect(
			outputs[0].map(({ json, pairedItem }) => [(json.data as IDataObject).external_id, pairedItem]),
		).toEqual([1, 2, 3, 4, 5].map((number) => [`student-${number}`, { item: number - 1 }]));
	});
});

describe('An answer to a creation that cannot be read says that the record may exist', () => {
	const advice = 'Look for the record before you send it again, so that it is not created twice.';

	test.each([
		['is a page', { htmlPage: true, status: 200 }, 'is not JSON (200)'],
		['is half of an object', { body: '{"data": {"id"' }, 'is not JSON (200)'],
	])('because it %s', async (_what, answer, fact) => {
		await bench.admin.addFault({ path: USER_PATH }, answer);
		const { message, description } = wordsOf(await bench.run(studentParameters(), students(1)));
		expect(message).toBe(
			`The answer of the service ${fact}. The service accepted the request, so the record may exist [Item 0]`,
		);
		expect(description).toBe(advice);
		expect(await bench.received()).toHaveLength(1);
	});

	test.each([
		['lacks data', { body: { id: 'c-1' } }, 'has no "data"'],
		['is a list', { body: [1] }, 'has no "data"'],
		['has data that is no object', { body: { data: 'c-1' } }, 'is not an object'],
	])('because it %s', async (_what, answer, fact) => {
		await bench.admin.addFault({ pathPattern: '/class$' }, answer);
		const { message, description } = wordsOf(
			await bench.run({
				resource: 'class',
				operation: 'create',
				schoolExternalId: 'school-001',
				externalId: 'c-1',
				educationalStage: 'EF1',
				grade: '1º ano',
				year: 2026,
				code: '1A',
				name: 'Grade 1 A',
			}),
		);
		expect(message).toBe(
			`The answer of the service ${fact}. The service accepted the request, so the record may exist [Item 0]`,
		);
		expect(description).toBe(advice);
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
		await bench.admin.addFault({ path: '/data/v1/profiles' }, answer);
		const { message, description } = wordsOf(await bench.run({ resource: 'profile', operation: 'getAll' }));
		expect(message).toBe(`The answer of the service ${fact} [Item 0]`);
		expect(description).toBe(advice);
	});

	test('and entries of a list that are no objects are passed on', async () => {
		await bench.admin.addFault({ path: '/data/v1/profiles' }, { body: { data: ['student', null, 3] } });
		const { items } = await bench.run({ resource: 'profile', operation: 'getAll' });
		expect(items).toEqual([{ data: 'student' }, { data: null }, { data: 3 }]);
	});
});
