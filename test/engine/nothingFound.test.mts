/** What a lookup gives when the service finds nothing, as the user has chosen: for every operation that looks something up. */
import type { FaultAction } from '../../sandbox/admin-types.mts';
import { operations } from '../support/operations/index.mts';
import { knownOf, parametersOf, type OperationRow } from '../support/operations/row.mts';
import { useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

const NOTHING: Array<[what: string, answer: FaultAction, of: RegExp]> = [
	['204', { status: 204 }, /./],
	['an empty list', { body: [] }, /^Account: Get (Sponsors|Dependents|Schools|Classes)$/],
	['an empty list', { body: { data: [] } }, /^(Profile|Educational Stage|Enrollment): /],
	['data that is null', { body: { data: null } }, /^(Profile|Educational Stage|Enrollment): /],
];

const cases = NOTHING.flatMap(([what, answer, of]) =>
	operations
		.filter(({ effect, title }) => effect === 'read' && of.test(title))
		.map((row): [string, string, OperationRow, FaultAction] => [row.title, what, row, answer]),
);

test.each(cases)('%s, answered %s, gives no item, an empty one, or fails', async (_t, _w, row, answer) => {
	const parameters = parametersOf(row, await knownOf(workroom.admin));
	await workroom.admin.addFault({ pathPattern: '^/(data|integration|sync|enrollment|webhook)/' }, answer);
	const { items, error } = await workroom.run(parameters);
	expect([items, error]).toEqual([[], undefined]);
	const empty = await workroom.run({ ...parameters, options: { whenNothingFound: 'empty' } });
	expect(empty.outputs[0]).toEqual([{ json: {}, pairedItem: { item: 0 } }]);
	const failing = await workroom.run({ ...parameters, options: { whenNothingFound: 'fail' } });
	expect(wordsOf(failing).message).toBe('The service finds nothing for this item [Item 0]');
	if ('data' in Object(answer.body)) return;
	expect((await workroom.run({ ...parameters, simplify: false })).items).toEqual([]);
});
