import type { INodeParameters } from 'n8n-workflow';

import { asked, BOND_PATH, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

const bond = {
	school_external_id: 'school-001',
	class_external_id: 'class-1',
	user_external_id: 'student-1',
	profile_name: 'student',
};

const parameters: INodeParameters = {
	resource: 'bond',
	schoolExternalId: bond.school_external_id,
	classExternalId: bond.class_external_id,
	userExternalId: bond.user_external_id,
	profileName: { __rl: true, mode: 'list', value: 'student' },
};
const create = { ...parameters, operation: 'create' };
const remove = { ...parameters, operation: 'delete' };

beforeEach(async () => {
	const school = { schoolExternalId: bond.school_external_id };
	await workroom.run({
		...school,
		resource: 'class',
		operation: 'create',
		externalId: bond.class_external_id,
		educationalStage: 'EF1',
		grade: '1º ano',
		year: 2026,
		code: '1A',
		name: 'Grade 1 A',
	});
	const student = { externalId: bond.user_external_id, firstName: 'Abelia', lastName: 'Fontela' };
	await workroom.run({ ...school, resource: 'user', operation: 'createStudent', ...student });
	await workroom.admin.clearRequests();
});

async function bonds(): Promise<unknown[]> {
	return (await workroom.admin.bonds({ externalId: bond.user_external_id })).items;
}

test('Creating a bond sends its four fields, and the service has it', async () => {
	const { outputs } = await workroom.run(create);
	expect((await workroom.received()).map(asked)).toEqual([
		{ method: 'POST', path: BOND_PATH, query: {}, body: bond },
	]);
	expect(await bonds()).toEqual([bond]);
	expect(outputs[0]).toEqual([{ json: { ...bond, status: 'bonded' }, pairedItem: { item: 0 } }]);
});

test('Deleting a bond sends the same four fields in the body, and the service has it no more', async () => {
	await workroom.run(create);
	await workroom.admin.clearRequests();
	const { outputs } = await workroom.run(remove);
	expect((await workroom.received()).map(asked)).toEqual([
		{ method: 'DELETE', path: BOND_PATH, query: {}, body: bond },
	]);
	expect(await bonds()).toEqual([]);
	expect(outputs[0]).toEqual([
		{ json: { deleted: true, ...bond, status: 'unbonded' }, pairedItem: { item: 0 } },
	]);
});

test.each([
	['an object', { body: { id: 'b-1' } }, { deleted: true, id: 'b-1' }],
	['a list', { body: [1, 2] }, { deleted: true, data: [1, 2] }],
	['nothing', { status: 204 }, { deleted: true }],
])(
	'A deletion that the service answers with %s says that the bond is deleted',
	async (_what, answer, item) => {
		await workroom.admin.addFault({ path: BOND_PATH, method: 'DELETE' }, answer);
		expect((await workroom.run(remove)).items).toEqual([item]);
	},
);

test('What a flow does with the item of one deletion is not done to another, when the service answers with nothing', async () => {
	await workroom.admin.addFault({ path: BOND_PATH, method: 'DELETE' }, { status: 204 });
	const { items } = await workroom.run(remove, [{}, {}]);
	items[0].mark = 'seen';
	expect(items[1]).toEqual({ deleted: true });
	expect((await workroom.run(remove)).items).toEqual([{ deleted: true }]);
});

test.each([
	['plain text', 'student'],
	['a locator with a typed name', { __rl: true, mode: 'name', value: 'student' }],
	['an expression', '={{ $json.profile }}'],
	['a locator with an expression', { __rl: true, mode: 'name', value: '={{ $json.profile.toLowerCase() }}' }],
])('The profile can be given as %s', async (_how, profileName) => {
	await workroom.run({ ...create, profileName }, [{ profile: 'student' }]);
	expect((await workroom.received())[0].body).toEqual(bond);
});

test.each(['create', 'delete'])(
	"A bond can be taken from the item's own fields to %s it",
	async (operation) => {
		const item = { ...bond, class_name: 'left out' };
		await workroom.run({ resource: 'bond', operation, dataMode: 'autoMapInputData' }, [item]);
		expect((await workroom.received())[0].body).toEqual(bond);
	},
);

test('Deleting a bond that was never there fails and says so', async () => {
	const { message, description } = wordsOf(await workroom.run(remove));
	expect(message).toBe(
		'The service does not know this address or record (404): PROV-0404: The user has no such bond. [Item 0]',
	);
	expect(description).toBe('Check the ids, and Base URL in the credential.');
	expect(await workroom.received()).toHaveLength(1);
});

describe('A deletion whose answer is lost', () => {
	const lost = { path: BOND_PATH, method: 'DELETE', nth: 1 };

	test.each([
		['the connection breaks', { drop: 'after' as const }],
		['a gateway answers 504 in its place', { status: 504, afterwards: true }],
		['a gateway answers 502 in its place', { htmlPage: true, afterwards: true }],
	])('is sent again, and the 404 of the second counts as deleted: %s', async (_how, fault) => {
		await workroom.run(create);
		await workroom.admin.addFault(lost, fault);
		const { items, error } = await workroom.run(remove);
		expect(error).toBeUndefined();
		expect(items).toEqual([{ deleted: true }]);
		expect((await workroom.received()).filter(({ method }) => method === 'DELETE')).toHaveLength(2);
		expect(await bonds()).toEqual([]);
	});

	test('is not deleted when the service was busy before it answered 404', async () => {
		await workroom.admin.addFault(lost, { status: 503, retryAfter: 0 });
		expect(wordsOf(await workroom.run(remove)).message).toContain('(404)');
	});
});
