import { asked, CALLBACK_PATH, PROFILES_PATH, STAGES_PATH, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

const profiles = { resource: 'profile', operation: 'getAll' };
const stages = { resource: 'educationalStage', operation: 'getAll', schoolExternalId: 'school-001' };
const creation = { resource: 'accountCreation', operation: 'get' };

describe('Profiles', () => {
	test('come as one item each, with the fields of the document', async () => {
		const { items, error, outputs } = await workroom.run(profiles);
		expect(error).toBeUndefined();
		expect((await workroom.received()).map(asked)).toEqual([
			{ method: 'GET', path: PROFILES_PATH, query: {}, body: null },
		]);
		expect(items.map(({ type }) => type)).toEqual(
			expect.arrayContaining(['student', 'responsible', 'educator', 'coordinator']),
		);
		expect(Object.keys(items[0])).toEqual(['code', 'name', 'type', 'description']);
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
	});

	test('are what the service sent, as one item, when Simplify is off', async () => {
		const { items } = await workroom.run({ ...profiles, simplify: false });
		expect(items).toHaveLength(1);
		expect(items[0]).toEqual({ data: (await workroom.run(profiles)).items });
	});

	test('keep fields that the document does not name', async () => {
		const entry = { code: 9, name: 'Guest', type: 'guest', description: '', color: 'blue' };
		await workroom.admin.addFault({ path: PROFILES_PATH }, { status: 200, body: { data: [entry] } });
		expect((await workroom.run(profiles)).items).toEqual([entry]);
	});
});

describe('Educational stages', () => {
	test('of a school come as one item each, with their grades', async () => {
		const { items, error } = await workroom.run(stages);
		expect(error).toBeUndefined();
		expect((await workroom.received()).map(asked)).toEqual([
			{ method: 'GET', path: STAGES_PATH, query: { school_external_id: 'school-001' }, body: null },
		]);
		expect(items.map(({ name }) => name)).toEqual(['EF1', 'EF2', 'EM']);
		expect(items[0].grades).toContainEqual({ name: '1º ano', description: '1º year' });
	});

	test('are looked up for a school id with any characters, which arrive as they are', async () => {
		const id = 'a&b=c #?/% é "+" 100%';
		await workroom.run({ ...stages, schoolExternalId: id }, undefined, { onError: 'continueRegularOutput' });
		expect((await workroom.received())[0].query).toEqual({ school_external_id: id });
	});

	test('of several schools leave in the order of the items, each paired with its own', async () => {
		const schools = ['school-003', 'school-001', 'school-002'].map((school) => ({ school }));
		const { outputs } = await workroom.run({ ...stages, schoolExternalId: '={{ $json.school }}' }, schools);
		const expected = await Promise.all(
			schools.map(async ({ school }) => (await workroom.run({ ...stages, schoolExternalId: school })).items),
		);
		expect(outputs[0].map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual(
			expected.flatMap((found, item) => found.map((json) => ({ json, pairedItem: { item } }))),
		);
	});

	test('of a school with a number for an id are looked up by its text', async () => {
		await workroom.run({ ...stages, schoolExternalId: '={{ $json.n }}' }, [{ n: 1042 }], {
			onError: 'continueRegularOutput',
		});
		expect((await workroom.received())[0].query).toEqual({ school_external_id: '1042' });
	});
});

describe('The result of an account creation', () => {
	test('is read with the query parameters of the node, in their order', async () => {
		await workroom.run({
			resource: 'user',
			operation: 'createResponsible',
			schoolExternalId: 'school-001',
			externalId: 'r-1',
			firstName: 'Elvina',
			lastName: 'Dornelo',
		});
		const [user] = (await workroom.admin.users({ externalId: 'r-1' })).items;
		await workroom.admin.clearRequests();
		const parameter = [
			{ name: 'external_id', value: '={{ $json.id }}' },
			{ name: 'school_external_id', value: 'school-001' },
		];
		const { items } = await workroom.run({ ...creation, queryParameters: { parameter } }, [{ id: 'r-1' }]);
		expect(items).toEqual([{ account_id: user.account_id, user_id: user.user_id, status: 'created' }]);
		expect((await workroom.received()).map(asked)).toEqual([
			{
				method: 'GET',
				path: CALLBACK_PATH,
				query: { external_id: 'r-1', school_external_id: 'school-001' },
				body: null,
			},
		]);
	});

	test('is read without a query when there are no parameters', async () => {
		await workroom.admin.addFault({ path: CALLBACK_PATH }, { body: { data: { status: 'created' } } });
		expect((await workroom.run(creation)).items).toEqual([{ status: 'created' }]);
		expect((await workroom.received()).map(asked)).toEqual([
			{ method: 'GET', path: CALLBACK_PATH, query: {}, body: null },
		]);
	});

	test('is asked for with a name that appears twice', async () => {
		const parameter = [1, 2].map((value) => ({ name: 'account_id', value }));
		await workroom.admin.addFault({ path: CALLBACK_PATH }, { body: { data: {} } });
		await workroom.run({ ...creation, queryParameters: { parameter } });
		expect((await workroom.received())[0].query).toEqual({ account_id: ['1', '2'] });
	});

	test('keeps the envelope of the service when Simplify is off', async () => {
		const body = { data: { account_id: 'a', user_id: 'u', status: 'created' }, trace: 7 };
		await workroom.admin.addFault({ path: CALLBACK_PATH }, { body });
		expect((await workroom.run({ ...creation, simplify: false })).items).toEqual([body]);
	});

	test('is refused before anything is sent when a query parameter has no name', async () => {
		const parameter = [
			{ name: 'a', value: '1' },
			{ name: '', value: 'r-1' },
		];
		const { message } = wordsOf(await workroom.run({ ...creation, queryParameters: { parameter } }));
		expect(message).toBe('Entry 2 of Query Parameters: Name must not be empty [Item 0]');
		expect(await workroom.received()).toEqual([]);
	});
});

describe('When nothing is found', () => {
	test('only the items without a result take the failure output', async () => {
		await workroom.admin.addFault({ path: STAGES_PATH, nth: 2 }, { body: { data: [] } });
		const { outputs } = await workroom.run(
			{
				...stages,
				schoolExternalId: '={{ $json.school }}',
				options: { whenNothingFound: 'fail', concurrency: 1 },
			},
			[{ school: 'school-001' }, { school: 'school-002' }],
			{ onError: 'continueErrorOutput' },
		);
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(Array(3).fill({ item: 0 }));
		expect(outputs[1].map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual([
			{
				json: {
					school: 'school-002',
					error:
						'The service finds nothing for this item [Item 1]\n' +
						'Check the ids of the item, or choose another setting for When Nothing Found in the options of this node.',
					failure: {
						origin: 'service',
						effect: 'none',
						next: 'Check the ids of the item, or choose another setting for When Nothing Found in the options of this node.',
					},
				},
				pairedItem: { item: 1 },
			},
		]);
	});
});
