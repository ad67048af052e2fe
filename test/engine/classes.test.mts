import type { INodeParameters } from 'n8n-workflow';

import { CLASS_PATH, useWorkroom } from './workroom.mts';

const workroom = useWorkroom();

const filled: INodeParameters = {
	resource: 'class',
	operation: 'create',
	schoolExternalId: 'school-001',
	externalId: 'class-5a',
	educationalStage: { __rl: true, mode: 'list', value: 'EF1' },
	grade: { __rl: true, mode: 'name', value: '5º ano' },
	year: '2026',
	code: '5A',
	name: 'Grade 5 A',
};

const body = {
	school_external_id: 'school-001',
	external_id: 'class-5a',
	educational_stage: 'EF1',
	grade: '5º ano',
	shift: null,
	year: 2026,
	code: '5A',
	name: 'Grade 5 A',
	description: '',
	course: null,
};

/** The one body that was sent. */
async function sentBody(): Promise<unknown> {
	const requests = await workroom.received();
	expect(requests.map(({ method, path, query }) => ({ method, path, query }))).toEqual([
		{ method: 'POST', path: CLASS_PATH, query: {} },
	]);
	return requests[0].body;
}

test('A class is created with shift and course null and description blank where they are empty', async () => {
	const { outputs, error } = await workroom.run(filled);
	expect(error).toBeUndefined();
	expect(await sentBody()).toEqual(body);
	const [{ id }] = (await workroom.admin.classes({ externalId: 'class-5a' })).items;
	expect(outputs[0]).toEqual([
		{ json: { id, external_id: 'class-5a', name: 'Grade 5 A', status: 'active' }, pairedItem: { item: 0 } },
	]);
});

test('Every field of the class payload can be sent', async () => {
	const additionalFields = { course: 'MATH-5', description: 'Morning group', shift: 'Morning' };
	await workroom.run({ ...filled, additionalFields });
	expect(await sentBody()).toEqual({ ...body, ...additionalFields });
});

test.each([
	['blank text', '   '],
	['an expression that gives nothing', '={{ $json.nothing }}'],
	['an expression that gives null', '={{ null }}'],
])('Additional fields that hold %s count as empty', async (_what, empty) => {
	await workroom.run({ ...filled, additionalFields: { course: empty, description: empty, shift: empty } });
	expect(await sentBody()).toEqual(body);
});

describe('Stage and grade can be given', () => {
	test.each([
		['as plain text', 'EF1', '5º ano'],
		['as expressions', '={{ $json.stage }}', "={{ $json['the grade'] }}"],
		[
			'as locators that hold expressions',
			{ __rl: true, mode: 'name', value: '={{ $json.stage }}' },
			{ __rl: true, mode: 'list', value: '={{ "5º " + "ano" }}' },
		],
	])('%s', async (_how, educationalStage, grade) => {
		const item = { stage: 'EF1', 'the grade': '5º ano' };
		const { error } = await workroom.run({ ...filled, educationalStage, grade }, [item]);
		expect(error).toBeUndefined();
		expect(await sentBody()).toEqual(body);
	});
});

test.each([
	['a number', 2026],
	['text', '2026'],
	['text with spaces', ' 2026 '],
	['an expression that gives a number', '={{ $json.year }}'],
	['an expression that gives text', '={{ String($json.year) }}'],
])('The year may be %s and is sent as a number', async (_how, year) => {
	await workroom.run({ ...filled, year }, [{ year: 2026 }]);
	expect(await sentBody()).toEqual(body);
});

test('Numbers where text is expected are sent as text', async () => {
	await workroom.run({ ...filled, externalId: '={{ $json.id }}', code: 5, name: 7 }, [{ id: 1042 }]);
	expect(await sentBody()).toEqual({ ...body, external_id: '1042', code: '5', name: '7' });
});

test('The whole answer of the service comes when Simplify is off', async () => {
	const { items } = await workroom.run({ ...filled, simplify: false });
	expect(items).toEqual([
		{
			data: {
				id: expect.any(String) as string,
				external_id: 'class-5a',
				name: 'Grade 5 A',
				status: 'active',
			},
		},
	]);
});

describe("With the item's own fields", () => {
	const mapped = { resource: 'class', operation: 'create', dataMode: 'autoMapInputData' };

	test('those of the payload are sent and all others are left out', async () => {
		const fields = { ...body, shift: 'Morning', course: 'MATH-5', description: 'Morning group' };
		await workroom.run(mapped, [
			{ ...fields, id: 17, status: 'active', notes: 'private', schoolExternalId: 'x' },
		]);
		expect(await sentBody()).toEqual(fields);
	});

	test('parameters that are still filled in from before are not sent', async () => {
		const { error } = await workroom.run({ ...filled, ...mapped, additionalFields: { shift: 'Night' } }, [
			body,
		]);
		expect(error).toBeUndefined();
		expect(await sentBody()).toEqual(body);
	});

	test('fields that are absent or empty are completed as below', async () => {
		const { school_external_id, external_id, educational_stage, grade, code, name } = body;
		const item = { school_external_id, external_id, educational_stage, grade, code, name };
		await workroom.run(mapped, [{ ...item, year: '2026', shift: '' }]);
		expect(await sentBody()).toEqual(body);
	});
});
