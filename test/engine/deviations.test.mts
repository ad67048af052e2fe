/** Answers that differ from the service's document are passed on as they came. */
import { operations } from '../support/operations/index.mts';
import { knownOf, parametersOf } from '../support/operations/row.mts';
import { CLASS_PATH, PROFILES_PATH, useWorkroom } from './workroom.mts';

const workroom = useWorkroom();

test('An entry of a list that deviates is passed on as it came', async () => {
	const ODD = { code: 'seven', name: 'Ana Odd', type: null, nickname: 'odd one' };
	const PLAIN = { code: 1, name: 'Student', type: 'student', description: 'A student' };
	await workroom.admin.addFault({ path: PROFILES_PATH }, { body: { data: [PLAIN, ODD, 'text'] } });
	const { items } = await workroom.run({ resource: 'profile', operation: 'getAll' });
	expect(items).toEqual([PLAIN, ODD, { data: 'text' }]);
});

test('The answer of a creation is passed on in the same way: the class is there', async () => {
	const row = operations.find(({ title }) => title === 'Class: Create');
	if (row === undefined) throw new Error('There is no such row');
	const answer = { id: 'class-1', external_id: 'c', name: 'Ana', status: 7 };
	await workroom.admin.addFault({ path: CLASS_PATH }, { body: { data: answer }, afterwards: true });
	const { items } = await workroom.run(parametersOf(row, await knownOf(workroom.admin)));
	expect(items).toEqual([answer]);
});
