import { PROFILES_PATH, studentParameters, students, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

const profiles = { resource: 'profile', operation: 'getAll' };

describe('An option that makes no sense fails the run before anything is sent', () => {
	test.each([
		[{ concurrency: -1 }, 'Concurrency must be a whole number from 0 to 200'],
		[{ concurrency: 201 }, 'Concurrency must be a whole number from 0 to 200'],
		[{ maxConcurrency: 0 }, 'Max Concurrency must be a whole number from 1 to 200'],
		[{ maxConcurrency: 201 }, 'Max Concurrency must be a whole number from 1 to 200'],
		[{ concurrency: 2.5 }, 'Concurrency must be a whole number from 0 to 200'],
		[{ concurrency: '={{ "many" }}' }, 'Concurrency must be a whole number from 0 to 200'],
		[{ concurrency: '={{ null }}' }, 'Concurrency must be a whole number from 0 to 200'],
		[{ concurrency: '={{ $json.nothing }}' }, 'Concurrency must be a whole number from 0 to 200'],
		[{ maxRetries: '={{ $json.a?.b }}' }, 'Max Retries must be a whole number from 0 to 20'],
		[{ timeout: 0 }, 'Timeout must be a whole number from 1 to 3600000'],
		[{ timeout: -1 }, 'Timeout must be a whole number from 1 to 3600000'],
		[{ maxRetries: -1 }, 'Max Retries must be a whole number from 0 to 20'],
		[{ maxRetries: 1_000 }, 'Max Retries must be a whole number from 0 to 20'],
		[{ whenNothingFound: '={{ "maybe" }}' }, 'When Nothing Found must be none, empty or fail'],
	])('%p', async (options, message) => {
		expect(wordsOf(await workroom.run({ ...profiles, options }))).toEqual({
			message,
			description: 'Change it under Options in this node. Nothing was sent.',
		});
		expect(await workroom.received()).toEqual([]);
	});
});

describe('An option of a creation whose expression gives nothing fails the run, and is not its default', () => {
	const nothing = '={{ $json.nothing }}';

	test.each([
		[{ retryCreationsOn503: nothing }, 'Send Creations Again on 503 must be on or off'],
		[{ whenExists: nothing }, 'When It Exists Already must be fail or succeed'],
		[{ whenExists: 'succeed', existsStatuses: nothing }, 'Statuses That Mean It Exists must '],
	])('%p', async (options, message) => {
		const { message: said } = wordsOf(await workroom.run(studentParameters({ options }), students(1)));
		expect(said).toContain(message);
		expect(await workroom.received()).toEqual([]);
	});
});

test('Options may be expressions', async () => {
	await workroom.admin.addFault({ path: PROFILES_PATH }, { status: 503 });
	await workroom.run({ ...profiles, options: { maxRetries: '={{ 1 }}' } });
	expect(await workroom.received(PROFILES_PATH)).toHaveLength(2);
});

describe('Simplify by an expression', () => {
	const keysWith = async (simplify: string) => {
		const { items } = await workroom.run({ ...profiles, simplify });
		return Object.keys(items[0]);
	};

	test('is on for true and for nothing, which is the default, and off for false', async () => {
		const [on, nothing, off] = ['={{ true }}', '={{ $json.nothing }}', '={{ false }}'];
		expect(await keysWith(on)).toEqual(['code', 'name', 'type', 'description']);
		expect(await keysWith(nothing)).toEqual(await keysWith(on));
		expect(await keysWith(off)).toEqual(['data']);
	});

	test.each(['={{ "true" }}', '={{ null }}', '={{ 1 }}', '={{ "" }}'])(
		'is refused by its name for anything else: %s',
		async (simplify) => {
			expect(wordsOf(await workroom.run({ ...profiles, simplify }))).toEqual({
				message: 'Simplify must be on or off',
				description: 'Change it in this node. Nothing was sent.',
			});
			expect(await workroom.received()).toEqual([]);
		},
	);
});

test('The timeout ends a request that gets no answer, and says what to change', async () => {
	await workroom.admin.addFault({ path: PROFILES_PATH }, { delayMs: 60_000 });
	const begin = Date.now();
	const failing = await workroom.run({ ...profiles, options: { timeout: 200, maxRetries: 0 } });
	// Without the option it would be the 30 seconds of the default.
	expect(Date.now() - begin).toBeLessThan(20_000);
	expect(wordsOf(failing)).toEqual({
		message: 'The service did not answer in time [Item 0]',
		description: 'Raise the timeout in the options of this node, or lower the concurrency.',
	});
});

test('An operation that this version does not have is named', async () => {
	const { message, description } = wordsOf(await workroom.run({ resource: 'user', operation: 'obliterate' }));
	expect(message).toBe('There is no operation "obliterate" of "user" in this version of the package');
	expect(description).toContain('install the version');
});
