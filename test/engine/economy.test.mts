/** What a run does not ask for. Identical lookups: sharing.test.mts. */
import { STAGES_PATH, studentParameters, students, useWorkroom } from './workroom.mts';

const workroom = useWorkroom();

const stages = { resource: 'educationalStage', operation: 'getAll', schoolExternalId: '={{ $json.school }}' };

beforeEach(async () => await workroom.storeToken());

test('A run without items sends nothing and reads no credential', async () => {
	const { outputs } = await workroom.run(studentParameters(), []);
	expect(outputs.flat()).toEqual([]);
	expect(workroom.credentials.reads).toBe(0);
	expect(await workroom.received()).toEqual([]);
});

test('A run of lookups reads the credential once for all of its items', async () => {
	const schools = Array.from({ length: 50 }, (_, index) => ({ school: `s-${index}` }));
	await workroom.run(stages, schools, { onError: 'continueRegularOutput' });
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
