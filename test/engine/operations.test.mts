/** Every operation once, with every field filled: what arrives at the service, and what leaves the node. */
import { operations } from '../support/operations/index.mts';
import { expectRun, knownOf, parametersOf } from '../support/operations/row.mts';
import { useWorkroom } from './workroom.mts';

const workroom = useWorkroom();

test.each(operations)(
	'$title sends what the document says, and gives the fields of its table',
	async (row) => {
		const known = await knownOf(workroom.admin);
		await workroom.admin.clearRequests();
		const { items, error } = await workroom.run(parametersOf(row, known));
		expect(error).toBeUndefined();
		expectRun(row.run(known), await workroom.received(), items);
	},
);
