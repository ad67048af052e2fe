/** The examples that create students without anybody at the editor, imported into a real n8n as they stand. */
import { callWebhook } from '../../../playground/n8n-client.mts';
import { jsonOf, useExamples } from './support.mts';

const workroom = useExamples();

describe('Create a student on request', () => {
	const NAME = 'create-a-student-on-request';
	const request = {
		school_external_id: 'school-001',
		class_external_id: 'school-001-class-002',
		responsible: {
			external_id: 'guardian-1',
			first_name: 'Ilka',
			last_name: 'Sorensen',
			birth_date: '1986-05-14',
			email: 'ilka.sorensen@families.example',
		},
		student: {
			external_id: 'pupil-1',
			first_name: 'Bento',
			last_name: 'Sorensen',
			birth_date: '2016-08-02',
		},
	};

	beforeAll(async () => void (await workroom.publish(workroom.example(NAME))));

	async function enroll(data: object): Promise<[status: number, answer: unknown]> {
		const answer = await callWebhook(workroom.stage.n8n.baseUrl, NAME, { method: 'POST', data });
		return [answer.status, answer.data];
	}

	const created = async () => (await workroom.admin.users({ provisioned: true })).items;

	test('creates both, links the student to the class, and answers 201', async () => {
		expect(await enroll(request)).toEqual([201, { outcome: 'created', student: 'pupil-1' }]);
		expect(await created()).toMatchObject([
			{ ...request.responsible, profiles: ['responsible'] },
			{ ...request.student, profiles: ['student'], responsible_external_id: ['guardian-1'] },
		]);
		const { items: bonds } = await workroom.admin.bonds({ externalId: 'pupil-1' });
		expect(bonds).toMatchObject([{ class_external_id: 'school-001-class-002', profile_name: 'student' }]);
	});

	test('creates a sibling although the responsible person is there already', async () => {
		await enroll(request);
		const sibling = { ...request.student, external_id: 'pupil-2', first_name: 'Ada' };
		expect((await enroll({ ...request, student: sibling }))[0]).toBe(201);
		expect((await created()).map(({ external_id }) => external_id)).toEqual([
			'guardian-1',
			'pupil-1',
			'pupil-2',
		]);
	});

	test('answers 422 with what is there, the reason and what to do for a class that is not there; corrected, it links the student', async () => {
		const wrong = { ...request, class_external_id: 'nowhere' };
		expect(await enroll(wrong)).toEqual([
			422,
			{
				outcome: 'there, and in no class',
				student: 'pupil-1',
				reason: expect.stringMatching(/there is no class "nowhere"/) as string,
				what_to_do: expect.stringMatching(/\w/) as string,
			},
		]);
		expect((await created()).map(({ external_id }) => external_id)).toContain('pupil-1');
		expect(await enroll(request)).toEqual([201, { outcome: 'there already', student: 'pupil-1' }]);
		expect((await workroom.admin.bonds({ externalId: 'pupil-1' })).items).toHaveLength(1);
	});

	test('answers 422 for a student whom the service refuses, and of whom nothing is there', async () => {
		const student = { ...request.student, birth_date: '31/12/2016' };
		expect(await enroll({ ...request, student })).toMatchObject([422, { outcome: 'not created' }]);
		expect((await created()).map(({ external_id }) => external_id)).toEqual(['guardian-1']);
	});

	test('answers that nobody knows where the answer of the service was lost', async () => {
		await workroom.admin.addFault({ method: 'POST', bodyContains: 'pupil-1' }, { drop: 'after' });
		expect(await enroll(request)).toMatchObject([422, { outcome: 'look into the service' }]);
		await workroom.admin.clearFaults();
	});

	test('is tried out with the request that is pinned, and the second time changes nothing', async () => {
		const workflow = workroom.example(NAME);
		expect(jsonOf(await workroom.run(workflow), 'Link to the Class')).toHaveLength(1);
		expect((await created()).map(({ external_id }) => external_id)).toEqual([
			'responsible-enrolled-1',
			'student-enrolled-1',
		]);
		expect(jsonOf(await workroom.run(workflow), 'Create Student')).toEqual([{ already_there: true }]);
		expect(await created()).toHaveLength(2);
	});
});
