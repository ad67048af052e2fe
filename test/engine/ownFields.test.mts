/**
 * Map Automatically: whatever the item says under a name of the service's table arrives. Items are made by the tables of the service's
 * document and not by the contract, so that a field that the package forgets is a field that does not arrive.
 */
import type { IDataObject } from 'n8n-workflow';

import {
	courseStatusMessage,
	responsibleInMessage,
	statusUpdateItem,
} from '../../sandbox/document/enrollment.mts';
import type { FieldTable } from '../../sandbox/document/field-table.mts';
import { bondPayload, classCreation, userCreation } from '../../sandbox/document/provisioning.mts';
import { operations } from '../support/operations/index.mts';
import { knownOf, type Known, type OperationRow } from '../support/operations/row.mts';
import { useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom({ strict: true });

/** The table of what an operation sends, by its endpoint. */
const TABLES: Array<[target: RegExp, table: FieldTable]> = [
	[/\/class$/, classCreation],
	[/\/user$/, userCreation],
	[/\/bond-user-class$/, bondPayload],
	[/^PUT \/enrollment\//, statusUpdateItem],
	[/^POST \/enrollment\//, courseStatusMessage],
];

const writes = operations.filter(({ effect }) => effect === 'write');

/** What the service is to get of one item, as the row of the operation has it. */
function recordOf(carried: unknown): IDataObject {
	const { data = carried } = carried as { data?: unknown };
	return (Array.isArray(data) ? data[0] : data) as IDataObject;
}

const namesOf = ({ fields }: FieldTable): string[] => fields.map(({ name }) => name).sort();

/** What stands in the path stays a parameter; everything else is the item's. */
function mapped(row: OperationRow, known: Known) {
	const { values } = row.run(known);
	const ids = Object.fromEntries((row.inPath ?? []).map((name) => [name, values[name]]));
	return { resource: row.resource, operation: row.operation, dataMode: 'autoMapInputData', ...ids };
}

test.each(writes)('$title sends every field of the item that the table of the service names', async (row) => {
	const known = await knownOf(workroom.admin);
	const [[target, carried]] = row.run(known).sends;
	const table = TABLES.find(([path]) => path.test(target))?.[1];
	if (table === undefined) throw new Error(`Name the table of ${target}`);
	const kind = { createResponsible: 'responsible', createStudent: 'student' }[row.operation] ?? 'educator';
	const item: IDataObject = {
		...recordOf(carried),
		// Whoever is created may be a student too, and has responsible users then.
		...(table === userCreation && {
			profiles: [...new Set([kind, 'student', 'coordinator'])],
			responsible_external_id: known.responsibles,
		}),
	};
	expect(Object.keys(item).sort()).toEqual(namesOf(table));
	if (table === courseStatusMessage)
		expect(Object.keys((item.responsible as IDataObject[])[0]).sort()).toEqual(namesOf(responsibleInMessage));
	await workroom.admin.clearRequests();
	const { error } = await workroom.run(mapped(row, known), [{ ...item, shoe_size: 33 }]);
	expect(error).toBeUndefined();
	const requests = await workroom.received();
	expect(requests.map(({ body }) => recordOf(body))).toEqual([item]);
});

describe('An item that contradicts the operation is refused by name, and nothing is sent:', () => {
	const person = {
		school_external_id: 'school-001',
		external_id: 'u-1',
		first_name: 'Abelia',
		last_name: 'Fontela',
	};

	test.each([
		['createStudent', ['coordinator'], 'student'],
		['createStudent', 'educator, coordinator', 'student'],
		['createResponsible', ['coordinator'], 'responsible'],
		['createResponsible', 'student', 'responsible'],
	])('%s of an item with the profiles %j', async (operation, profiles, kind) => {
		const parameters = { resource: 'user', operation, dataMode: 'autoMapInputData' };
		const { message, description } = wordsOf(await workroom.run(parameters, [{ ...person, profiles }]));
		expect(message).toBe(
			`The field "profiles" of the input item must hold "${kind}", because a ${kind} is created here; other users are created with User: Create [Item 0]`,
		);
		expect(description).toBe('Nothing was sent for this item. Correct its values and run it again.');
		expect(await workroom.received()).toEqual([]);
	});

	test.each(['', null, undefined, []])(
		'but profiles that are %j mean the one that is created',
		async (profiles) => {
			const parameters = { resource: 'user', operation: 'createStudent', dataMode: 'autoMapInputData' };
			const { error } = await workroom.run(parameters, [{ ...person, profiles } as IDataObject]);
			expect(error).toBeUndefined();
			expect((await workroom.received()).map(({ body }) => body)).toEqual([
				{ ...person, profiles: ['student'] },
			]);
		},
	);
});

test('Responsible users of somebody who is no student are not dropped: the service is told, and says that they are for students only', async () => {
	const parameters = { resource: 'user', operation: 'create', dataMode: 'autoMapInputData' };
	const person = {
		school_external_id: 'school-001',
		external_id: 'u-1',
		first_name: 'Abelia',
		last_name: 'Fontela',
	};
	const item = { ...person, profiles: ['educator'], responsible_external_id: ['responsible-00001'] };
	const { message } = wordsOf(await workroom.run(parameters, [item]));
	expect(message).toContain('responsible_external_id is for students only');
	expect((await workroom.received()).map(({ body }) => body)).toEqual([item]);
});
