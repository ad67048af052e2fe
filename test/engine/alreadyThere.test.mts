/** Creations of what exists already, and deletions of what is gone: failed, or done where the user says so. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { knownOf } from '../support/operations/row.mts';
import {
	BOND_PATH,
	CLASS_PATH,
	studentParameters,
	students,
	TOKEN_PATH,
	useWorkroom,
	USER_PATH,
	wordsOf,
} from './workroom.mts';

const workroom = useWorkroom();

afterEach(async () => await workroom.admin.changeSettings({ variants: [] }));

const classParameters: INodeParameters = {
	...{
		resource: 'class',
		operation: 'create',
		schoolExternalId: 'school-001',
		externalId: '={{ $json.id }}',
	},
	...{ educationalStage: 'EF1', grade: '1º ano', year: 2026, code: '1A', name: 'Grade 1 A' },
};

const creations: Array<[name: string, parameters: INodeParameters]> = [
	['Class: Create', classParameters],
	['User: Create', studentParameters({ operation: 'create', profiles: ['educator'] })],
	['User: Create Responsible', studentParameters({ operation: 'createResponsible' })],
	['User: Create Student', studentParameters()],
];

async function bondOfSandbox(operation: string): Promise<INodeParameters> {
	const { bond } = await knownOf(workroom.admin);
	await workroom.admin.clearRequests();
	const { school: schoolExternalId, class: classExternalId, user: userExternalId } = bond;
	return {
		resource: 'bond',
		operation,
		schoolExternalId,
		classExternalId,
		userExternalId,
		profileName: 'student',
	};
}

const THERE = { already_there: true };
const succeed = (more: INodeParameters = {}) => ({ options: { whenExists: 'succeed', ...more } });

describe('A creation of what exists already', () => {
	test.each(creations)('%s: fails when nothing is said', async (_name, parameters) => {
		await workroom.run(parameters, [{ id: 'x-1' }]);
		const { message } = wordsOf(await workroom.run(parameters, [{ id: 'x-1' }]));
		expect(message).toMatch(/\(409\): PROV-0409: .*exists in this school\. \[Item 0\]$/);
	});

	test.each(creations)('%s: leaves as already there where it may', async (_name, parameters) => {
		await workroom.run(parameters, [{ id: 'x-1' }]);
		const { outputs, error } = await workroom.run({ ...parameters, ...succeed() }, [
			{ id: 'x-1' },
			{ id: 'x-2' },
		]);
		expect(error).toBeUndefined();
		expect(outputs[0]).toEqual([
			{ json: THERE, pairedItem: { item: 0 } },
			{ json: expect.objectContaining({ external_id: 'x-2' }) as IDataObject, pairedItem: { item: 1 } },
		]);
	});

	test('Bond: Create: fails, or leaves as already there', async () => {
		const parameters = await bondOfSandbox('create');
		expect(wordsOf(await workroom.run(parameters)).message).toContain('(409)');
		expect((await workroom.run({ ...parameters, ...succeed() })).items).toEqual([THERE]);
		expect((await workroom.run({ ...parameters, ...succeed(), simplify: false })).items).toEqual([THERE]);
	});
});

describe('Which status says that it exists', () => {
	test.each<[string, unknown]>([
		['text', '400'],
		['text with commas', '409, 400 , 422'],
		['a number', 400],
		['an expression that gives a list', '={{ [409, "400"] }}'],
	])('is the user to say: %s', async (_how, existsStatuses) => {
		await workroom.admin.changeSettings({ variants: ['doubles-as-400'] });
		await workroom.run(classParameters, [{ id: 'c-1' }]);
		const options = succeed({ existsStatuses } as INodeParameters);
		expect((await workroom.run({ ...classParameters, ...options }, [{ id: 'c-1' }])).items).toEqual([THERE]);
	});

	test('is 409 alone when nothing is said', async () => {
		await workroom.admin.changeSettings({ variants: ['doubles-as-400'] });
		await workroom.run(classParameters, [{ id: 'c-1' }]);
		const run = await workroom.run({ ...classParameters, ...succeed() }, [{ id: 'c-1' }]);
		expect(wordsOf(run).message).toContain('(400)');
	});

	test.each([
		'',
		'200',
		'409; 422',
		'conflict',
		'401',
		'403',
		'404',
		'429',
		'500',
		'={{ null }}',
		'={{ [] }}',
	])('is refused where it can say nothing of the record: %j', async (existsStatuses) => {
		const run = await workroom.run({ ...classParameters, ...succeed({ existsStatuses }) }, [{ id: 'c-1' }]);
		expect(wordsOf(run)).toEqual({
			message:
				'Statuses That Mean It Exists must be one or more statuses from 400 to 499 with commas between them, for example 409, and none of 401, 403, 404 and 429, which say nothing of the record',
			description: 'Change it under Options in this node. Nothing was sent.',
		});
		expect(await workroom.received()).toEqual([]);
	});
});

describe('Nothing else is taken for already there', () => {
	test.each([
		['a refusal for another reason', { status: 400 }, 'none'],
		['a service that breaks off', { status: 500 }, 'unknown'],
		['a lost answer', { drop: 'after' as const }, 'unknown'],
	])('%s', async (_what, fault, effect) => {
		await workroom.admin.addFault({ path: USER_PATH }, fault);
		const run = await workroom.run(studentParameters(succeed()), students(1), {
			onError: 'continueErrorOutput',
		});
		expect(run.outputs[0]).toEqual([]);
		expect(run.outputs[1][0].json.failure).toMatchObject({ effect });
	});

	test('what the sign-on refuses with the same status', async () => {
		await workroom.admin.addFault({ path: TOKEN_PATH }, { status: 400, body: { error: 'invalid_client' } });
		const run = await workroom.run(studentParameters(succeed({ existsStatuses: '400' })), students(1), {
			onError: 'continueErrorOutput',
		});
		expect(run.outputs[0]).toEqual([]);
		expect(run.outputs[1][0].json.failure).toMatchObject({ origin: 'signOn', effect: 'none' });
	});
});

describe('A deletion of what is gone', () => {
	test('fails when nothing is said, and leaves as gone where it may', async () => {
		const parameters = await bondOfSandbox('delete');
		const gone = { ...parameters, options: { whenGone: 'succeed' } };
		expect((await workroom.run(gone)).items).toEqual([
			expect.objectContaining({ deleted: true, status: 'unbonded' }),
		]);
		expect(wordsOf(await workroom.run(parameters)).message).toContain('(404)');
		expect((await workroom.run(gone)).items).toEqual([{ deleted: true, already_gone: true }]);
		expect((await workroom.received(BOND_PATH)).map(({ method }) => method)).toEqual([
			'DELETE',
			'DELETE',
			'DELETE',
		]);
	});

	test('still fails where the page of a proxy says that nothing is found', async () => {
		const parameters = await bondOfSandbox('delete');
		await workroom.admin.addFault({ path: BOND_PATH }, { htmlPage: true, status: 404 });
		const { error } = await workroom.run({ ...parameters, options: { whenGone: 'succeed' } });
		expect(error).toBeDefined();
	});

	test('still fails where the class is not known', async () => {
		const parameters = await bondOfSandbox('delete');
		const run = await workroom.run({
			...parameters,
			classExternalId: 'nowhere',
			options: { whenGone: 'succeed' },
		});
		expect(wordsOf(run).message).toContain('there is no class "nowhere" in this school');
	});
});

test('A run of hundreds that is begun again does the rest, and no record twice', async () => {
	const rows = students(300);
	await workroom.run(studentParameters(), rows.slice(0, 150));
	const { items, error } = await workroom.run(studentParameters(succeed()), rows);
	expect(error).toBeUndefined();
	expect(items.map((item) => item.already_there === true)).toEqual(rows.map((_, index) => index < 150));
	const { items: created } = await workroom.admin.users({ provisioned: true, limit: 1_000 });
	expect(created.map(({ external_id }) => external_id).sort()).toEqual(rows.map(({ id }) => id).sort());
	expect(await workroom.received(CLASS_PATH)).toEqual([]);
});
