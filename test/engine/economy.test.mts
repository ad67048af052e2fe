import {
	PROFILES_PATH,
	STAGES_PATH,
	studentParameters,
	students,
	USER_PATH,
	useWorkroom,
} from './workroom.mts';

const workroom = useWorkroom();

const stages = {
	resource: 'educationalStage',
	operation: 'getAll',
	schoolExternalId: '={{ $json.school }}',
};

beforeEach(async () => await workroom.storeToken());

describe('Identical lookups of a run', () => {
	test('are sent once, and every item gets the answer paired with itself', async () => {
		const schools = Array.from({ length: 30 }, (_, index) => ({ school: `school-00${(index % 2) + 1}` }));
		const { outputs } = await workroom.run(stages, schools);
		expect(
			(await workroom.received(STAGES_PATH)).map(({ query }) => query.school_external_id).sort(),
		).toEqual(['school-001', 'school-002']);
		const perItem = schools.map((_, item) =>
			outputs[0].filter(({ pairedItem }) => (pairedItem as { item: number }).item === item),
		);
		expect(perItem.map((found) => found.length)).toEqual(
			schools.map(({ school }) => (school.endsWith('1') ? 3 : 2)),
		);
	});

	test('give each item data of its own: changing one changes no other', async () => {
		const { outputs } = await workroom.run(stages, [{ school: 'school-001' }, { school: 'school-001' }]);
		const [first, , , second] = outputs[0];
		expect(second.json).toEqual(first.json);
		expect(second.json).not.toBe(first.json);
		expect(second.json.grades).not.toBe(first.json.grades);
	});

	test('that fail are asked once and fail for all items', async () => {
		await workroom.admin.addFault({ path: PROFILES_PATH }, { status: 400 });
		const { outputs } = await workroom.run(
			{ resource: 'profile', operation: 'getAll' },
			[{ a: 1 }, { a: 2 }],
			{
				onError: 'continueErrorOutput',
			},
		);
		expect(outputs[1].map(({ json, pairedItem }) => [json.a, pairedItem])).toEqual([
			[1, { item: 0 }],
			[2, { item: 1 }],
		]);
		expect(await workroom.received(PROFILES_PATH)).toHaveLength(1);
	});

	test('are asked anew by the next run', async () => {
		await workroom.run({ resource: 'profile', operation: 'getAll' });
		await workroom.run({ resource: 'profile', operation: 'getAll' });
		expect(await workroom.received(PROFILES_PATH)).toHaveLength(2);
	});
});

test('Identical creations are all sent: the service decides what a repeated one means', async () => {
	await workroom.admin.changeSettings({ duplicates: 'accept' });
	await workroom.run(studentParameters(), [{ id: 'student-1' }, { id: 'student-1' }]);
	expect(await workroom.received(USER_PATH)).toHaveLength(2);
});

test('A run without items sends nothing and reads no credential', async () => {
	const { outputs } = await workroom.run(studentParameters(), []);
	expect(outputs.flat()).toEqual([]);
	expect(workroom.credentials.reads).toBe(0);
	expect(await workroom.received()).toEqual([]);
});

test('A run of lookups reads the credential once for all of its items', async () => {
	await workroom.run(
		stages,
		Array.from({ length: 50 }, (_, index) => ({ school: `s-${index}` })),
		{
			onError: 'continueRegularOutput',
		},
	);
	expect(await workroom.received(STAGES_PATH)).toHaveLength(50);
	expect(workroom.credentials.reads).toBe(1);
});

test('Requests say that they want JSON and send it', async () => {
	await workroom.run(studentParameters(), students(1));
	expect((await workroom.received())[0].headers).toMatchObject({
		accept: 'application/json',
		'content-type': 'application/json',
	});
});
