import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { Api, bondPayload, classPayload, userPayload, type ErrorsBody } from './support.mts';

interface Stage {
	name: string;
	grades: unknown[];
}

describe('provisioning in the sandbox', () => {
	const base = '/integration/partner/v1';
	let sandbox: Sandbox;
	let api: Api;

	beforeAll(async () => {
		sandbox = await startSandbox();
		api = await Api.open(sandbox);
	});
	afterAll(async () => await sandbox.stop());
	beforeEach(async () => await sandbox.admin.reset());

	const messages = (data: ErrorsBody): string[] => data.Errors.map(({ Message }) => Message);

	it('lists the four profile types that the document has seen', async () => {
		const { status, data } = await api.get<{ data: Array<{ type: string }> }>('/data/v1/profiles');
		expect(status).toBe(200);
		expect(data.data.map(({ type }) => type)).toEqual(['student', 'educator', 'coordinator', 'responsible']);
		expect(Object.keys(data.data[0])).toEqual(['code', 'name', 'type', 'description']);
	});

	it('lists the stages of a school with their grades, and another list for another school', async () => {
		const stagesOf = async (school_external_id: string): Promise<Stage[]> =>
			(await api.get<{ data: Stage[] }>('/data/v1/educational-stages', { school_external_id })).data.data;
		const [first, second] = [await stagesOf('school-001'), await stagesOf('school-002')];
		expect(first.map(({ name }) => name)).toEqual(['EF1', 'EF2', 'EM']);
		expect(second.map(({ name }) => name)).toEqual(['EF1', 'EF2']);
		expect(first[0].grades[0]).toEqual({ name: '1º ano', description: '1º year' });
	});

	it.each([
		['a school that is not named', {}, 400],
		['a school that does not exist', { school_external_id: 'school-999' }, 404],
	])('refuses the stages of %s', async (_what, params, status) => {
		const answer = await api.get<ErrorsBody>('/data/v1/educational-stages', params);
		expect([answer.status, answer.data.Errors.length]).toEqual([status, 1]);
	});

	it('walks the documented order: class, responsible, student, bond, creation result, unbond', async () => {
		const created = await api.post(`${base}/class`, classPayload());
		const { id } = (await sandbox.admin.classes({ externalId: 'class-new' })).items[0];
		const expected = { id, external_id: 'class-new', name: 'New class', status: 'active' };
		expect(created.data).toEqual({ data: expected });
		expect((await api.post(`${base}/user`, userPayload())).status).toBe(200);
		const student = userPayload({
			external_id: 'student-new',
			profiles: ['student'],
			responsible_external_id: ['responsible-new'],
		});
		expect((await api.post(`${base}/user`, student)).status).toBe(200);
		expect((await api.post(`${base}/bond-user-class`, bondPayload())).status).toBe(200);
		expect((await sandbox.admin.bonds({ externalId: 'student-new' })).items).toEqual([bondPayload()]);

		const { items } = await sandbox.admin.users({ externalId: 'student-new' });
		expect(items[0]).toMatchObject({ ...student, provisioned: true });
		const { account_id, user_id } = items[0];
		const result = { data: { account_id, user_id, status: 'created' } };
		for (const params of [{}, { external_id: 'student-new' }, { account_id }, { user_id }]) {
			expect((await api.get(`${base}/callback`, params)).data).toEqual(result);
		}

		expect((await api.delete(`${base}/bond-user-class`, bondPayload())).status).toBe(200);
		expect((await sandbox.admin.bonds({ externalId: 'student-new' })).count).toBe(0);
		expect((await api.delete(`${base}/bond-user-class`, bondPayload())).status).toBe(404);
	});

	it.each([
		['a field that is not known', classPayload({ colour: 'red' }), 'colour is not a known field.'],
		['a year written as text', classPayload({ year: '2026' }), 'year must be an integer.'],
		['half a year', classPayload({ year: 20.5 }), 'year must be an integer.'],
		['an empty code', classPayload({ code: ' ' }), 'code must not be empty.'],
		['a name that is null', classPayload({ name: null }), 'name is required.'],
		['a description that is null', classPayload({ description: null }), 'description must not be null.'],
		[
			'a stage of another school',
			classPayload({ school_external_id: 'school-002', educational_stage: 'EM' }),
			'educational_stage "EM" is not one of the school\'s.',
		],
		[
			'a grade of another stage',
			classPayload({ grade: '9º ano' }),
			'grade "9º ano" is not one of the stage\'s.',
		],
		[
			'a school that does not exist',
			classPayload({ school_external_id: 'x' }),
			'school_external_id: there is no school "x".',
		],
	])('refuses a class with %s', async (_what, payload, message) => {
		const { status, data } = await api.post<ErrorsBody>(`${base}/class`, payload);
		expect([status, messages(data)]).toEqual([400, [message]]);
		expect(data.Errors[0].Code).toBe('PROV-0400');
		expect((await sandbox.admin.classes({ provisioned: true })).count).toBe(0);
	});

	it.each([
		[
			'a birth date in another order',
			{ birth_date: '31/12/2010' },
			'birth_date must be a date of the shape YYYY-MM-DD.',
		],
		[
			'a day that does not exist',
			{ birth_date: '2026-02-30' },
			'birth_date must be a date of the shape YYYY-MM-DD.',
		],
		['no profiles', { profiles: [] }, 'profiles must not be empty.'],
		['a profile that does not exist', { profiles: ['pilot'] }, 'profiles: "pilot" is not a known profile.'],
		[
			'profiles as text',
			{ profiles: 'responsible' },
			'profiles must be an array of strings that are not empty.',
		],
		['a number for a telephone', { cell_phone: 11900000000 }, 'cell_phone must be a string.'],
		[
			'responsible persons of somebody who is no student',
			{ responsible_external_id: ['responsible-00001'] },
			'responsible_external_id is for students only.',
		],
		[
			'a responsible person who does not exist yet',
			{ profiles: ['student'], responsible_external_id: ['later'] },
			'responsible_external_id: there is no responsible user "later".',
		],
		[
			'a responsible person who is a student',
			{ profiles: ['student'], responsible_external_id: ['student-00001'] },
			'responsible_external_id: there is no responsible user "student-00001".',
		],
	])('refuses a user with %s', async (_what, change, message) => {
		const { status, data } = await api.post<ErrorsBody>(`${base}/user`, userPayload(change));
		expect([status, messages(data)]).toEqual([400, [message]]);
		expect((await sandbox.admin.users({ provisioned: true })).count).toBe(0);
	});

	it('takes a responsible person of another school for a student, where the document names none', async () => {
		await api.post(`${base}/user`, userPayload());
		const student = userPayload({
			school_external_id: 'school-002',
			external_id: 'student-new',
			profiles: ['student'],
			responsible_external_id: ['responsible-new'],
		});
		expect((await api.post(`${base}/user`, student)).status).toBe(200);
		expect((await sandbox.admin.users({ externalId: 'student-new' })).items).toMatchObject([
			{ school_external_id: 'school-002', responsible_external_id: ['responsible-new'] },
		]);
	});

	it('takes a class without its optional fields', async () => {
		const needed = classPayload({ shift: undefined, course: undefined, description: undefined });
		expect((await api.post(`${base}/class`, needed)).status).toBe(200);
		expect((await sandbox.admin.classes({ externalId: 'class-new' })).items[0]).toMatchObject({
			shift: null,
			course: null,
			description: '',
		});
	});

	it('names every end of a bond that is missing', async () => {
		const { status, data } = await api.post<ErrorsBody>(
			`${base}/bond-user-class`,
			bondPayload({ profile_name: 'pilot' }),
		);
		expect(status).toBe(400);
		expect(messages(data)).toEqual([
			'class_external_id: there is no class "class-new" in this school.',
			'user_external_id: there is no user "student-new" in this school.',
			'profile_name: "pilot" is not a known profile.',
		]);
	});

	it('refuses what is there already, or accepts it when told so', async () => {
		for (const [path, payload] of [
			['class', classPayload()],
			['user', userPayload()],
		] as const) {
			const first = await api.post(`${base}/${path}`, payload);
			expect((await api.post(`${base}/${path}`, payload)).status).toBe(409);
			await sandbox.admin.changeSettings({ duplicates: 'accept' });
			expect((await api.post(`${base}/${path}`, payload)).data).toEqual(first.data);
			await sandbox.admin.changeSettings({ duplicates: 'refuse' });
		}
	});

	it('takes what is there already as one more record when told so, and a deletion takes all bonds of the same ends', async () => {
		await sandbox.admin.changeSettings({ duplicates: 'double' });
		const bond = bondPayload({ user_external_id: 'responsible-new', profile_name: 'responsible' });
		for (const [path, payload] of [
			['class', classPayload()],
			['user', userPayload()],
			['bond-user-class', bond],
		] as const) {
			for (let time = 0; time < 2; time++)
				expect((await api.post(`${base}/${path}`, payload)).status).toBe(200);
		}
		const { admin } = sandbox;
		const classes = (await admin.classes({ externalId: 'class-new' })).items;
		const users = (await admin.users({ externalId: 'responsible-new' })).items;
		expect(new Set(classes.map(({ id }) => id)).size).toBe(2);
		expect(new Set(users.map(({ user_id: id }) => id)).size).toBe(2);
		expect((await admin.bonds({ externalId: 'responsible-new' })).items).toEqual([bond, bond]);
		expect((await api.delete(`${base}/bond-user-class`, bond)).status).toBe(200);
		expect((await admin.bonds({ externalId: 'responsible-new' })).count).toBe(0);
	});

	it('has no creation result before anything was created', async () => {
		expect((await api.get(`${base}/callback`)).status).toBe(404);
	});
});
