import type { INodeParameters } from 'n8n-workflow';

import { PROFILES_PATH, STAGES_PATH, TOKEN_PATH, useWorkroom } from './workroom.mts';
import { choicesOf, type List } from './editor.mts';

const workroom = useWorkroom();

const creatingClass = (change: INodeParameters = {}): INodeParameters => ({
	resource: 'class',
	operation: 'create',
	schoolExternalId: 'school-001',
	...change,
});
const creatingBond: INodeParameters = { resource: 'bond', operation: 'create' };
const picked = (value: string) => ({ __rl: true, mode: 'list', value });

const choices = async (list: List, parameters: INodeParameters, filter?: string) =>
	await choicesOf(list, { parameters, credentials: workroom.credentials }, filter);
const valuesOf = async (list: List, parameters: INodeParameters, filter?: string) =>
	(await choices(list, parameters, filter)).map(({ value }) => value);

/** A list in the mapping tables of the roster node. */
const inTable = async (list: List, grades: INodeParameters[], row: number) => {
	const parameters = { operation: 'sync', mapping: { grades: { grade: grades } } };
	const path = `parameters.mapping.grades.grade[${row}].${list === 'searchGrades' ? 'gradeName' : 'educationalStage'}`;
	const open = { parameters, credentials: workroom.credentials, node: 'schoolPartnerRoster', path };
	return (await choicesOf(list, open)).map(({ value }) => value);
};

describe('The lists in a mapping table', () => {
	const rows = [
		{ gradeCode: '05', schoolExternalId: 'school-001', educationalStage: picked('EF1') },
		{ gradeCode: '06', schoolExternalId: 'school-002', educationalStage: picked('EF2') },
		{ gradeCode: '07', schoolExternalId: '' },
	];

	test('hold what the school of the same row has, whatever stands in the others', async () => {
		expect(await inTable('searchEducationalStages', rows, 0)).toEqual(['EF1', 'EF2', 'EM']);
		expect(await inTable('searchEducationalStages', rows, 1)).toEqual(['EF1', 'EF2']);
		expect(await inTable('searchGrades', rows, 1)).toEqual(['6º ano', '7º ano', '8º ano', '9º ano']);
	});

	test('hold the profiles of the service, for a role', async () => {
		const parameters = {
			operation: 'sync',
			mapping: { roles: { role: [{ role: 'teacher', profile: picked('') }] } },
		};
		const open = {
			parameters,
			credentials: workroom.credentials,
			node: 'schoolPartnerRoster',
			path: 'parameters.mapping.roles.role[0].profile',
		};
		const found = (await choicesOf('searchProfiles', open)).map(({ value }) => value);
		expect(found).toEqual(expect.arrayContaining(['student', 'responsible', 'educator', 'coordinator']));
		expect((await workroom.received()).map(({ path }) => path)).toEqual([PROFILES_PATH]);
	});

	test('say what to do where the row is for every school', async () => {
		await expect(inTable('searchEducationalStages', rows, 2)).rejects.toMatchObject({
			message: 'Fill in School External ID first',
			description: expect.stringContaining('fill it in while you pick') as string,
		});
	});
});

describe('The list of profiles', () => {
	test.each(['getProfiles', 'searchProfiles'] as const)(
		'comes from the service, with its types as values (%s)',
		async (list) => {
			const found = await choices(list, creatingBond);
			expect(found.map(({ value }) => value)).toEqual(
				expect.arrayContaining(['student', 'responsible', 'educator', 'coordinator']),
			);
			expect(found.find(({ value }) => value === 'student')?.name).toMatch(/student/i);
			expect(await workroom.received()).toHaveLength(1);
		},
	);

	test('is narrowed by what is typed, in any case and wherever it stands', async () => {
		expect(await valuesOf('searchProfiles', creatingBond, ' EDUC')).toContain('educator');
		expect(await valuesOf('searchProfiles', creatingBond, 'no such thing')).toEqual([]);
	});
});

describe('The list of stages', () => {
	test('holds those of the school that is filled in', async () => {
		expect(await valuesOf('searchEducationalStages', creatingClass())).toEqual(['EF1', 'EF2', 'EM']);
		expect((await workroom.received(STAGES_PATH))[0].query).toEqual({ school_external_id: 'school-001' });
		const other = creatingClass({ schoolExternalId: 'school-002' });
		expect(await valuesOf('searchEducationalStages', other)).toEqual(['EF1', 'EF2']);
	});

	test('says what each means, and finds by that too', async () => {
		const [first] = await choices('searchEducationalStages', creatingClass());
		expect(first).toEqual({ name: 'EF1: Elementary school, first years', value: 'EF1' });
		expect(await valuesOf('searchEducationalStages', creatingClass(), 'high school')).toEqual(['EM']);
	});

	test.each([
		['nothing', ''],
		['blanks', '  '],
		['an expression without data', '={{ $json.school }}'],
	])('asks for the school first when it holds %s', async (_what, schoolExternalId) => {
		await expect(
			choices('searchEducationalStages', creatingClass({ schoolExternalId })),
		).rejects.toMatchObject({
			message: 'Fill in School External ID first',
			description: expect.stringContaining('choose By Name') as string,
		});
		expect(await workroom.received()).toEqual([]);
	});

	test('shows the words of the service for a school that it does not know, and leaves the status to n8n', async () => {
		const unknown = creatingClass({ schoolExternalId: 'nowhere' });
		await expect(choices('searchEducationalStages', unknown)).rejects.toMatchObject({
			message:
				'The service does not know this address or record: PROV‑0404: school_external_id: there is no school "nowhere".',
			httpCode: '404',
			description: 'Check School External ID, and Base URL in the credential.',
		});
	});

	test('has no hyphen in what it says, of which n8n would make a space', async () => {
		const unknown = creatingClass({ schoolExternalId: 'school-of-nobody' });
		await expect(choices('searchEducationalStages', unknown)).rejects.toMatchObject({
			message: expect.stringMatching(/"school‑of‑nobody"/) as string,
		});
		await expect(choices('searchEducationalStages', unknown)).rejects.toMatchObject({
			message: expect.not.stringMatching(/[-–—]/) as string,
		});
	});
});

describe('The list of grades', () => {
	test.each([
		['from the list', picked('EF2')],
		['by name', { __rl: true, mode: 'name', value: 'EF2' }],
		['as plain text', 'EF2'],
	])('holds those of the stage that is picked %s', async (_how, educationalStage) => {
		expect(await valuesOf('searchGrades', creatingClass({ educationalStage }))).toEqual([
			'6º ano',
			'7º ano',
			'8º ano',
			'9º ano',
		]);
	});

	test('holds those of all stages, each with its own, while none is picked', async () => {
		const found = await choices('searchGrades', creatingClass({ educationalStage: picked('') }));
		expect(found).toHaveLength(12);
		expect(found.map(({ name }) => name)).toContainEqual(expect.stringContaining('(EM)'));
	});

	test('is narrowed by what is typed', async () => {
		expect(await valuesOf('searchGrades', creatingClass({ educationalStage: picked('EF1') }), '3')).toEqual([
			'3º ano',
		]);
	});
});

describe('A list that cannot be loaded says why', () => {
	const NOBODY = 'http://127.0.0.1:9';

	test.each([
		[
			'the secret is wrong',
			{ clientSecret: 'wrong' },
			'The sign‑on area gives no token: invalid_client',
			'Check Client ID and Client Secret in the credential.',
		],
		[
			'nobody answers',
			{ baseUrl: NOBODY },
			`Nothing answers at ${NOBODY}`,
			expect.stringContaining('Check Base URL in the credential') as string,
		],
		[
			'no sign-on answers',
			{ issuerUrl: NOBODY },
			expect.stringContaining('cannot be reached') as string,
			'Check Issuer URL in the credential, and that n8n can reach it (the connection was refused).',
		],
	])('when %s', async (_what, change, message, description) => {
		const credentials = await workroom.credentialWith(change);
		await expect(choicesOf('getProfiles', { parameters: creatingBond, credentials })).rejects.toMatchObject({
			message,
			description,
		});
	});

	test('when the service is down, after one more try', async () => {
		await workroom.admin.addFault({ path: PROFILES_PATH }, { status: 503 });
		await expect(choices('getProfiles', creatingBond)).rejects.toMatchObject({
			message: 'The service is not available at the moment',
			httpCode: '503',
		});
		expect(await workroom.received(PROFILES_PATH)).toHaveLength(2);
	});

	test('when there is no token address: it is not School External ID that is wrong', async () => {
		await workroom.admin.expireTokens();
		await workroom.admin.addFault({ path: TOKEN_PATH }, { status: 404 });
		await expect(choices('searchEducationalStages', creatingClass({}))).rejects.toMatchObject({
			description: expect.stringContaining('Issuer URL') as string,
		});
	});

	test('when a page of a proxy answers that nothing is there: it is not School External ID that is wrong', async () => {
		await workroom.admin.addFault({ path: STAGES_PATH }, { htmlPage: true, status: 404 });
		await expect(choices('searchEducationalStages', creatingClass({}))).rejects.toMatchObject({
			description: expect.not.stringContaining('School External ID') as string,
		});
	});

	test('in the words of the service, whatever words of n8n are in them', async () => {
		const body = { Error: { Code: 'USR001', Message: 'Perfil preexistente' } };
		await workroom.admin.addFault({ path: PROFILES_PATH }, { status: 400, body });
		await expect(choices('getProfiles', creatingBond)).rejects.toMatchObject({
			message: expect.stringContaining('USR001: Perfil preexistente') as string,
		});
	});

	test('when something else answers', async () => {
		await workroom.admin.addFault({ path: PROFILES_PATH }, { htmlPage: true, status: 200 });
		await expect(choices('getProfiles', creatingBond)).rejects.toMatchObject({
			message: 'The answer of the service is not JSON',
		});
	});

	test('and an expired token is renewed for it as in a run', async () => {
		await choices('getProfiles', creatingBond);
		await workroom.admin.expireTokens();
		expect(await valuesOf('getProfiles', creatingBond)).toContain('student');
		expect(await workroom.admin.countRequests({ path: TOKEN_PATH })).toBe(2);
	});
});
