import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { USER_PATH, useWorkroom } from './workroom.mts';

const workroom = useWorkroom();

const person: INodeParameters = {
	resource: 'user',
	schoolExternalId: 'school-001',
	externalId: 'user-1',
	firstName: 'Çelina',
	lastName: "D'Sorval",
	birthDate: '2010-12-31',
	documentType: 'TAX_ID',
	documentValue: '00000000191',
	additionalFields: { cellPhone: '11900000000', ddi: '+55', email: 'celina@families.example' },
};

const personBody = {
	school_external_id: 'school-001',
	external_id: 'user-1',
	first_name: 'Çelina',
	last_name: "D'Sorval",
	birth_date: '2010-12-31',
	document_type: 'TAX_ID',
	document_value: '00000000191',
	ddi: '55',
	cell_phone: '11900000000',
	email: 'celina@families.example',
};

const named: INodeParameters = {
	resource: 'user',
	schoolExternalId: 'school-001',
	externalId: 'user-1',
	firstName: 'Abelia',
	lastName: 'Fontela',
};

const namedBody = {
	school_external_id: 'school-001',
	external_id: 'user-1',
	first_name: 'Abelia',
	last_name: 'Fontela',
};

/** The one body that was sent to create a user. */
async function sentBody(): Promise<unknown> {
	const requests = await workroom.received();
	expect(requests.map(({ method, path, query }) => ({ method, path, query }))).toEqual([
		{ method: 'POST', path: USER_PATH, query: {} },
	]);
	return requests[0].body;
}

async function createResponsibles(...ids: string[]): Promise<void> {
	const operation = { ...named, operation: 'createResponsible', externalId: '={{ $json.id }}' };
	const { error } = await workroom.run(
		operation,
		ids.map((id) => ({ id })),
	);
	expect(error).toBeUndefined();
	await workroom.admin.clearRequests();
}

describe('A user', () => {
	const create = { ...person, operation: 'create' };

	test.each([
		['picked in the list', ['educator', 'coordinator'], {}],
		['as an expression that gives a list', '={{ $json.roles }}', { roles: ['educator', 'coordinator'] }],
		['as a list of expressions', ['={{ $json.first }}', 'coordinator'], { first: 'educator' }],
	])('is created with its profiles %s', async (_how, profiles, item: IDataObject) => {
		const { error } = await workroom.run({ ...create, profiles }, [item]);
		expect(error).toBeUndefined();
		expect(await sentBody()).toEqual({ ...personBody, profiles: ['educator', 'coordinator'] });
	});

	test('gives the item that the service answers', async () => {
		const { outputs } = await workroom.run({ ...create, profiles: ['educator'] });
		const [{ user_id }] = (await workroom.admin.users({ externalId: 'user-1' })).items;
		expect(outputs[0]).toEqual([
			{ json: { id: user_id, external_id: 'user-1', status: 'created' }, pairedItem: { item: 0 } },
		]);
	});

	test('that is a student among other things is linked to its responsibles', async () => {
		await createResponsibles('r-1', 'r-2');
		const profiles = ['student', 'coordinator'];
		const additionalFields = { responsibleExternalIds: 'r-1, r-2' };
		const { error } = await workroom.run({ ...named, operation: 'create', profiles, additionalFields });
		expect(error).toBeUndefined();
		expect(await sentBody()).toEqual({ ...namedBody, profiles, responsible_external_id: ['r-1', 'r-2'] });
	});

	test('is created without its empty fields', async () => {
		await workroom.run({
			...named,
			operation: 'create',
			profiles: ['educator'],
			birthDate: '',
			documentType: '={{ null }}',
			documentValue: '={{ $json.nothing }}',
			additionalFields: { cellPhone: '', ddi: ' ', email: '={{ "" }}' },
		});
		expect(await sentBody()).toEqual({ ...namedBody, profiles: ['educator'] });
	});

	test("is created from the item's own fields", async () => {
		const item = { ...personBody, profiles: ['educator'] };
		const automatic = { resource: 'user', operation: 'create', dataMode: 'autoMapInputData' };
		await workroom.run(automatic, [{ ...item, ddi: '+55', role: 'x' }]);
		expect(await sentBody()).toEqual(item);
	});
});

describe('A responsible', () => {
	test('is created with the profile of a responsible, whatever the item says', async () => {
		await workroom.run({ ...person, operation: 'createResponsible', profiles: ['coordinator'] });
		expect(await sentBody()).toEqual({ ...personBody, profiles: ['responsible'] });
	});

	test("is created from the item's own fields with the profile of a responsible, where they name none", async () => {
		const automatic = { resource: 'user', operation: 'createResponsible', dataMode: 'autoMapInputData' };
		await workroom.run(automatic, [personBody]);
		expect(await sentBody()).toEqual({ ...personBody, profiles: ['responsible'] });
	});
});

describe('A student', () => {
	const create = { ...person, operation: 'createStudent' };

	test.each([
		['as text with commas', 'r-1, r-2', {}],
		['as text with a comma too many', ' r-1 ,, r-2,', {}],
		['as an expression that gives text', '={{ $json.parents.join(",") }}', { parents: ['r-1', 'r-2'] }],
		['as an expression that gives a list', '={{ $json.parents }}', { parents: ['r-1', 'r-2'] }],
		['as a list that stands in the workflow', ['r-1', 'r-2'], {}],
	])('is linked to its responsibles, given %s', async (_how, responsibleExternalIds, item: IDataObject) => {
		await createResponsibles('r-1', 'r-2');
		const { error } = await workroom.run({ ...create, responsibleExternalIds }, [item]);
		expect(error).toBeUndefined();
		const expected = { ...personBody, profiles: ['student'], responsible_external_id: ['r-1', 'r-2'] };
		expect(await sentBody()).toEqual(expected);
		const [{ responsible_external_id }] = (await workroom.admin.users({ externalId: 'user-1' })).items;
		expect(responsible_external_id).toEqual(['r-1', 'r-2']);
	});

	test('may have responsibles whose ids are numbers in a list', async () => {
		await createResponsibles('77', '78');
		await workroom.run({ ...create, responsibleExternalIds: '={{ $json.ids }}' }, [{ ids: [77, 78] }]);
		expect(await sentBody()).toMatchObject({ responsible_external_id: ['77', '78'] });
	});

	test.each([
		['nothing', ''],
		['blank text', '  '],
		['nothing but an expression without a value', '={{ $json.nothing }}'],
	])('is created without the field when its responsibles hold %s', async (_what, responsibleExternalIds) => {
		await workroom.run({ ...named, operation: 'createStudent', responsibleExternalIds });
		expect(await sentBody()).toEqual({ ...namedBody, profiles: ['student'] });
	});

	test.each([
		['picked in the list', ['coordinator', 'educator'], ['student', 'coordinator', 'educator']],
		['text with commas', 'coordinator,educator', ['student', 'coordinator', 'educator']],
		['an expression that gives a list', '={{ $json.roles }}', ['student', 'monitor']],
		['its own and another', ['student', 'coordinator'], ['student', 'coordinator']],
		['none', [], ['student']],
		['an expression without a value', '={{ $json.nothing }}', ['student']],
	])('has the Other Profiles of the panel beside its own: %s', async (_what, otherProfiles, profiles) => {
		await workroom.admin.addFault({ path: USER_PATH }, { status: 200 });
		await workroom.run({ ...named, operation: 'createStudent', additionalFields: { otherProfiles } }, [
			{ roles: ['monitor'] },
		]);
		expect(await sentBody()).toEqual({ ...namedBody, profiles });
	});

	test.each([
		['a list', ['r-1', 'r-2']],
		['text with commas', 'r-1,r-2'],
	])("is created from the item's own fields, its responsibles being %s", async (_what, ids) => {
		await createResponsibles('r-1', 'r-2');
		const automatic = { resource: 'user', operation: 'createStudent', dataMode: 'autoMapInputData' };
		await workroom.run(automatic, [
			{ ...namedBody, profiles: 'coordinator, student', responsible_external_id: ids },
		]);
		const expected = {
			...namedBody,
			profiles: ['coordinator', 'student'],
			responsible_external_id: ['r-1', 'r-2'],
		};
		expect(await sentBody()).toEqual(expected);
	});
});

describe('The birth date', () => {
	const birthDate = async (value: string, item: IDataObject = {}): Promise<unknown> => {
		const { error } = await workroom.run({ ...named, operation: 'createStudent', birthDate: value }, [item]);
		expect(error).toBeUndefined();
		return ((await sentBody()) as IDataObject).birth_date;
	};

	test.each([
		['a day', '2010-12-31'],
		['a moment', '2010-12-31T23:30:00.000-03:00'],
		['a moment of a database', '2010-12-31 00:00:00'],
		["n8n's own date", '={{ DateTime.fromISO("2010-12-31") }}'],
		["JavaScript's date", '={{ new Date(Date.UTC(2010, 11, 31)) }}'],
		['a leap day', '2012-02-29'],
	])('may be %s and is sent as YYYY-MM-DD', async (what, value) => {
		expect(await birthDate(value)).toBe(what === 'a leap day' ? '2012-02-29' : '2010-12-31');
	});

	test('may be a date that stands in the item as such', async () => {
		expect(await birthDate('={{ $json.born }}', { born: new Date(Date.UTC(2010, 11, 31)) as never })).toBe(
			'2010-12-31',
		);
	});

	test("may be a date in the item's own fields", async () => {
		const automatic = { resource: 'user', operation: 'createStudent', dataMode: 'autoMapInputData' };
		const { error } = await workroom.run(automatic, [
			{ ...namedBody, birth_date: new Date(Date.UTC(2010, 11, 31)) as never },
		]);
		expect(error).toBeUndefined();
		expect(await sentBody()).toMatchObject({ birth_date: '2010-12-31' });
	});
});

test.each([
	['+55', '55'],
	[' +55', '55'],
	['55', '55'],
	[55, '55'],
	['+1-684', '1-684'],
])('The dialing code %p is sent as %p', async (ddi, sent) => {
	await workroom.run({ ...named, operation: 'createStudent', additionalFields: { ddi } });
	expect(await sentBody()).toMatchObject({ ddi: sent });
});
