import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { studentParameters, students, USER_PATH, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

/** A constant that is empty is refused by n8n itself, before the node is asked. */
const EMPTY = '={{ "" }}';

const NOTHING_SENT = 'Nothing was sent for this item. Correct its values and run it again.';

const classParameters: INodeParameters = {
	resource: 'class',
	operation: 'create',
	schoolExternalId: 'school-001',
	externalId: 'class-1',
	educationalStage: 'EF1',
	grade: '1º ano',
	year: 2026,
	code: '1A',
	name: 'Grade 1 A',
};

const bondParameters: INodeParameters = {
	resource: 'bond',
	operation: 'create',
	schoolExternalId: 'school-001',
	classExternalId: 'class-1',
	userExternalId: 'student-1',
	profileName: { __rl: true, mode: 'list', value: 'student' },
};

/** What is said about an item that is refused. Nothing may have been sent. */
async function saidOf(parameters: INodeParameters, item: IDataObject = {}) {
	const words = wordsOf(await workroom.run(parameters, [item]));
	expect(await workroom.received()).toEqual([]);
	expect(await workroom.tokenRequests()).toBe(0);
	return words;
}

const createUser = (change: INodeParameters): INodeParameters =>
	studentParameters({ operation: 'create', externalId: 'u-1', profiles: ['student'], ...change });
const createStudent = (change: INodeParameters): INodeParameters =>
	studentParameters({ externalId: 'u-1', ...change });

const DATE = 'must be a date that exists, written as YYYY-MM-DD, for example 2010-12-31';
const YEAR = 'must be a whole number of at most four digits, for example 2026';

describe('Refused before anything is sent, by the name that the user sees', () => {
	const createClass = (change: INodeParameters): INodeParameters => ({ ...classParameters, ...change });
	const createBond = (change: INodeParameters): INodeParameters => ({ ...bondParameters, ...change });
	const more = (additionalFields: INodeParameters): INodeParameters => createStudent({ additionalFields });
	/** A field of a list that takes a name as well. */
	const named = (value: string) => ({ __rl: true, mode: 'name', value });
	const stages = { resource: 'educationalStage', operation: 'getAll', schoolExternalId: EMPTY };
	const BLANK = 'must not be empty';

	test.each<[field: string, words: string, refused: INodeParameters[]]>([
		[
			'Birth Date',
			DATE,
			// In another order, on days that do not exist, as the number of a sheet, as a list.
			['31/12/2010', '2010-02-30', '2011-02-29', 40_543, '={{ [1] }}'].map((birthDate) =>
				createStudent({ birthDate }),
			),
		],
		[
			'Year',
			YEAR,
			['abc', 20.5, '20.5', '20260', '-2026', '={{ NaN }}', '={{ $json.nothing }}'].map((year) =>
				createClass({ year }),
			),
		],
		['External ID', BLANK, [EMPTY, '={{ "  " }}'].map((externalId) => createStudent({ externalId }))],
		[
			'External ID',
			'must be text, but is empty',
			['={{ $json.nothing }}', '={{ null }}'].map((externalId) => createStudent({ externalId })),
		],
		['External ID', 'must be text, but is a number', [createStudent({ externalId: '={{ 1.5 }}' })]],
		['External ID', 'must be text, but is true or false', [createStudent({ externalId: '={{ true }}' })]],
		['School External ID', BLANK, [createStudent({ schoolExternalId: EMPTY }), stages]],
		['First Name', BLANK, [createStudent({ firstName: EMPTY })]],
		['First Name', 'must be text, but is an object', [createStudent({ firstName: '={{ ({}) }}' })]],
		['Last Name', BLANK, [createStudent({ lastName: '={{ " " }}' })]],
		['Last Name', 'must be text, but is a list', [createStudent({ lastName: '={{ ["a"] }}' })]],
		['Email', 'must be text, but is an object', [more({ email: '={{ ({ a: 1 }) }}' })]],
		['Dialing Code (DDI)', 'must be text, but is a number', [more({ ddi: '={{ 5.5 }}' })]],
		['Profile Names or IDs', 'must name at least one profile', [createUser({ profiles: '={{ [] }}' })]],
		[
			'Profile Names or IDs',
			'must be a list of profile types, for example ["student"], but is a number',
			[createUser({ profiles: '={{ 7 }}' })],
		],
		['Entry 2 of Profile Names or IDs', BLANK, [createUser({ profiles: ['student', ''] })]],
		[
			'Entry 1 of Profile Names or IDs',
			'must be text, but is an object',
			[createUser({ profiles: '={{ [{ type: "student" }] }}' })],
		],
		[
			'Responsible External IDs',
			'must be a list of external ids of responsible users, or text with commas between them, but is an object',
			[createStudent({ responsibleExternalIds: '={{ ({ id: 1 }) }}' })],
		],
		[
			'Entry 2 of Responsible External IDs',
			BLANK,
			[createStudent({ responsibleExternalIds: '={{ ["r-1", ""] }}' })],
		],
		['Educational Stage', BLANK, [createClass({ educationalStage: named(EMPTY) })]],
		['Grade', 'must be text, but is empty', [createClass({ grade: named('={{ $json.nothing }}') })]],
		['Code', BLANK, [createClass({ code: EMPTY })]],
		['Name', BLANK, [createClass({ name: EMPTY })]],
		['Shift', 'must be text, but is a list', [createClass({ additionalFields: { shift: '={{ [] }}' } })]],
		['Class External ID', BLANK, [createBond({ classExternalId: EMPTY })]],
		['User External ID', BLANK, [createBond({ userExternalId: EMPTY })]],
		['Profile Name', BLANK, [createBond({ profileName: named(EMPTY) })]],
	])('%s %s', async (field, words, refused) => {
		for (const parameters of refused)
			expect([parameters, await saidOf(parameters)]).toEqual([
				parameters,
				{ message: `${field} ${words} [Item 0]`, description: NOTHING_SENT },
			]);
	});

	test('several at once, the first as the message and all others below it', async () => {
		expect(await saidOf(createStudent({ externalId: EMPTY, firstName: EMPTY, birthDate: 'soon' }))).toEqual({
			message: expect.stringMatching(/^(External ID|First Name|Birth Date) must /) as string,
			description: expect.stringMatching(/^(.* must .*\n){2}Nothing was sent/) as string,
		});
	});

	test.each([
		['External ID', createStudent({ externalId: '' })],
		['Profile Names or IDs', createUser({ profiles: [] })],
		['Year', { ...classParameters, year: '' }],
		['Profile Name', { ...bondParameters, profileName: { __rl: true, mode: 'list', value: '' } }],
	])('a required parameter that is left empty, by n8n itself: %s', async (label, parameters) => {
		await expect(workroom.run(parameters)).rejects.toThrow(`Parameter "${label}" is required.`);
		expect(await workroom.received()).toEqual([]);
	});

	test.each([
		['a node that does not exist', '={{ $("Nowhere").item.json.a }}'],
		['syntax that is not JavaScript', '={{ $json. }}'],
	])('an expression that fails, with the words of n8n: %s', async (_what, birthDate) => {
		const { message, description } = await saidOf(createStudent({ birthDate }));
		expect(message).toBe('The expression in Birth Date cannot be evaluated [Item 0]');
		expect(description).toMatch(/^.+\nNothing was sent for this item\.$/);
	});
});

describe("With the item's own fields", () => {
	const automatic = (operation: string, resource = 'user'): INodeParameters => ({
		resource,
		operation,
		dataMode: 'autoMapInputData',
	});
	const student = {
		school_external_id: 'school-001',
		external_id: 'u-1',
		first_name: 'Abelia',
		last_name: 'Fontela',
	};

	test.each([
		[
			'without an external id',
			{ ...student, external_id: undefined },
			'external_id',
			'must be text, but is empty',
		],
		['with an empty first name', { ...student, first_name: '' }, 'first_name', 'must not be empty'],
		[
			'with an object for a name',
			{ ...student, last_name: {} },
			'last_name',
			'must be text, but is an object',
		],
		['with a birth date in another order', { ...student, birth_date: '31/12/2010' }, 'birth_date', DATE],
	])('an item %s is refused by the name of its field', async (_what, item, field, words) => {
		expect(await saidOf(automatic('createStudent'), item as IDataObject)).toEqual({
			message: `The field "${field}" of the input item ${words} [Item 0]`,
			description: NOTHING_SENT,
		});
	});

	test('an entry of a list is named with the field that holds it', async () => {
		const { message } = await saidOf(automatic('create'), { ...student, profiles: ['student', ''] });
		expect(message).toBe('Entry 2 of the field "profiles" of the input item must not be empty [Item 0]');
	});

	test('a user without profiles is refused', async () => {
		const { message } = await saidOf(automatic('create'), student);
		expect(message).toContain('The field "profiles" of the input item must be a list of profile types');
	});
});

describe('Of several items, those that are refused', () => {
	const birthDate = '={{ $json.born }}';
	const mixed = students(6).map((item, index) => ({
		...item,
		born: index % 2 === 0 ? '2010-12-31' : 'soon',
	}));

	test('stop the run before anything is sent for any item, and the first is named', async () => {
		const { message } = wordsOf(await workroom.run(studentParameters({ birthDate }), mixed));
		expect(message).toBe(`Birth Date ${DATE} [Item 1]`);
		expect(await workroom.received()).toEqual([]);
	});

	test('leave by the failure output with their data, and the others are sent', async () => {
		const { outputs } = await workroom.run(studentParameters({ birthDate }), mixed, {
			onError: 'continueErrorOutput',
		});
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([0, 2, 4].map((item) => ({ item })));
		expect(outputs[1].map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual(
			[1, 3, 5].map((item) => ({
				json: {
					...mixed[item],
					error: `Birth Date ${DATE} [Item ${item}]\n${NOTHING_SENT}`,
					failure: { origin: 'input', effect: 'none', next: NOTHING_SENT },
				},
				pairedItem: { item },
			})),
		);
		expect(
			(await workroom.received(USER_PATH)).map(({ body }) => (body as IDataObject).external_id).sort(),
		).toEqual(['student-1', 'student-3', 'student-5']);
	});

	test('keep their place when the failed go on with the others', async () => {
		const { outputs } = await workroom.run(studentParameters({ birthDate }), mixed, {
			onError: 'continueRegularOutput',
		});
		expect(outputs[0].map(({ json }) => 'error' in json)).toEqual([false, true, false, true, false, true]);
		expect(outputs[0][1].json).toMatchObject(mixed[1]);
	});

	test('are all of them: then not even a token is asked for', async () => {
		await workroom.run(studentParameters({ birthDate: 'soon' }), students(3), {
			onError: 'continueErrorOutput',
		});
		expect(await workroom.tokenRequests()).toBe(0);
	});

	test('name the item whose expression fails, and the others are sent', async () => {
		const firstName = '={{ $json.id === "student-2" ? $("Nowhere").first() : "Abelia" }}';
		const { outputs } = await workroom.run(studentParameters({ firstName }), students(3), {
			onError: 'continueErrorOutput',
		});
		expect(outputs[0]).toHaveLength(2);
		expect(outputs[1][0].json).toMatchObject({
			id: 'student-2',
			error: expect.stringContaining('The expression in First Name cannot be evaluated [Item 1]') as string,
		});
	});
});
