/** The examples that write to the service, imported into a real n8n as they stand and run against the sandbox. */
import type { IDataObject } from 'n8n-workflow';

import {
	callWebhook,
	createWorkflow,
	itemsOf,
	runAndWait,
	type Execution,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { jsonOf, useExamples } from './support.mts';

const workroom = useExamples();

describe('Provision a school', () => {
	test('creates the class, the responsible persons, the students and their bonds, and reads the results', async () => {
		const { admin } = workroom;
		const execution = await workroom.run(workroom.example('provision-a-school'));
		const { items: classes } = await admin.classes({ provisioned: true });
		const { items: users } = await admin.users({ provisioned: true });
		expect(classes.map(({ code, school_external_id }) => [code, school_external_id])).toEqual([
			['5A', 'school-001'],
		]);
		// Those of one step travel side by side and may arrive in any order.
		expect(users.map(({ first_name, profiles }) => `${first_name}: ${profiles.join()}`).sort()).toEqual([
			'Caio: student',
			'Marina: responsible',
			'Nina: student',
			'Otto: responsible',
		]);
		const [caio, marina, nina, otto] = ['Caio', 'Marina', 'Nina', 'Otto']
			.map((name) => users.filter(({ first_name }) => first_name === name))
			.flat();
		expect(nina.responsible_external_id).toEqual([marina.external_id]);
		expect(caio.responsible_external_id).toEqual([marina.external_id, otto.external_id]);
		const { items: bonds } = await admin.bonds({ externalId: classes[0].external_id });
		const bonded = bonds.map(({ user_external_id, profile_name }) => `${user_external_id}: ${profile_name}`);
		expect(bonded.sort()).toEqual([nina, caio].map(({ external_id }) => `${external_id}: student`).sort());
		expect(jsonOf(execution, 'Get Creation Results')).toEqual(
			[nina, caio].map(({ account_id, user_id }) => ({ account_id, user_id, status: 'created' })),
		);
	});
});

describe('Cancel enrollments from a sheet', () => {
	const PATH = '/enrollment/v1/accounts/';
	const UPDATES = 'Set Enrollment Status';

	/** The example with another sheet. */
	function withSheet(csv: string): WorkflowInput {
		const workflow = workroom.example('cancel-enrollments-from-a-sheet');
		const nodes = workflow.nodes.map((node) =>
			node.name === 'Sheet'
				? {
						...node,
						parameters: { mode: 'raw', jsonOutput: JSON.stringify({ csv }), options: {} },
					}
				: node,
		);
		return { ...workflow, nodes };
	}

	const columnsOf = (rows: IDataObject[], ...columns: string[]) =>
		rows.map((row) => columns.map((column) => row[column]));

	test('writes every right row, merged by account, and reports the two wrong ones', async () => {
		const execution = await workroom.run(workroom.example('cancel-enrollments-from-a-sheet'));
		const done = columnsOf(jsonOf(execution, 'Done'), 'student', 'course_code', 'outcome');
		expect(done).toEqual([
			['Palmiro Ibarrel', 'ROBOTICS', 'done'],
			['Palmiro Ibarrel', 'ENGLISH', 'done'],
			['Melvira Castrello', 'ROBOTICS', 'done'],
			['Calista Norvelle', 'CHESS', 'done'],
		]);
		expect(jsonOf(execution, 'Not Done')).toEqual([
			{
				student: 'Palmiro Ibarrel',
				account_id: workroom.facts.students[2].accountId,
				course_code: 'HARP',
				status: 'CANCELLED',
				outcome: 'not done',
				reason:
					'The service refuses the data (400): ENRL-0400: data[0]: ' +
					'there is no enrollment in course "HARP" of this school. [Item 1]',
				what_to_do: 'Correct the values that the service names and run the item again.',
			},
			{
				student: 'Melvira Castrello',
				account_id: workroom.facts.students[3].accountId,
				course_code: 'CODING',
				status: null,
				outcome: 'not done',
				reason: 'The field "status" of the input item must be text, but is empty [Item 4]',
				what_to_do: 'Nothing was sent for this item. Correct its values and run it again.',
			},
		]);
	});

	test('changes the enrollments of the right rows, and no others', async () => {
		const { items: before } = await workroom.admin.courses();
		const execution = await workroom.run(workroom.example('cancel-enrollments-from-a-sheet'));
		const { items: after } = await workroom.admin.courses();
		const changed = after.filter(({ status }, index) => status !== before[index].status);
		expect(changed.map(({ account_id, code, status }) => [account_id, code, status])).toEqual(
			columnsOf(jsonOf(execution, 'Done'), 'account_id', 'course_code', 'status'),
		);
		const notes = changed.find(({ code }) => code === 'CHESS')?.last_update;
		expect(notes).toMatchObject({
			operator: 'Front office',
			notes: 'Moves to another city, at the end of the term',
		});
	});

	test('sends one request for each account, and halves the one that is refused', async () => {
		await workroom.run(workroom.example('cancel-enrollments-from-a-sheet'));
		const sent = (await workroom.received(PATH)).map(({ method, path, body, status }) => ({
			account: path.slice(PATH.length),
			is: `${method} ${status}`,
			courses: (body as { data: IDataObject[] }).data.map(({ course_code }) => course_code),
		}));
		const [, , palmiro, melvira, calista] = workroom.facts.students.map(({ accountId }) => accountId);
		expect(sent.filter(({ account }) => account === palmiro)).toEqual([
			{ account: palmiro, is: 'PUT 400', courses: ['ROBOTICS', 'HARP', 'ENGLISH'] },
			{ account: palmiro, is: 'PUT 400', courses: ['ROBOTICS', 'HARP'] },
			{ account: palmiro, is: 'PUT 200', courses: ['ROBOTICS'] },
			{ account: palmiro, is: 'PUT 400', courses: ['HARP'] },
			{ account: palmiro, is: 'PUT 200', courses: ['ENGLISH'] },
		]);
		expect(sent.filter(({ account }) => account !== palmiro)).toEqual(
			expect.arrayContaining([
				{ account: melvira, is: 'PUT 200', courses: ['ROBOTICS'] },
				{ account: calista, is: 'PUT 200', courses: ['CHESS'] },
			]),
		);
		expect(sent).toHaveLength(7);
	});

	test('tells to look at the enrollment of whom an answer was lost for: it may be changed', async () => {
		await workroom.admin.addFault({ path: PATH }, { drop: 'after' });
		const [{ accountId, schoolId, code }] = workroom.facts.courses;
		const execution = await workroom.run(
			withSheet(
				`student,account_id,school_id,course_code,status\nMelvira,${accountId},${schoolId},${code},CANCELLED\n`,
			),
		);
		await workroom.admin.clearFaults();
		expect(jsonOf(execution, 'Not Done').map(({ outcome }) => outcome)).toEqual(['look at the enrollment']);
	});

	test('gives the report as a sheet', async () => {
		// The workflow stays until the file has been read: n8n removes the files of a workflow with it.
		const stored = await createWorkflow(
			workroom.stage.session,
			workroom.example('cancel-enrollments-from-a-sheet'),
		);
		const execution = await runAndWait(workroom.stage.session, stored.id, {
			trigger: 'When Clicking Execute',
		});
		const file = itemsOf(execution, 'Report')[0].binary?.data;
		expect(file).toMatchObject({ fileName: 'report.csv', mimeType: 'text/csv' });
		const id = encodeURIComponent(file?.id ?? '');
		const lines = (await workroom.stage.session.request<string>('GET', `/binary-data?id=${id}&action=view`))
			.trim()
			.split('\n');
		expect(lines[0]).toBe('student,account_id,course_code,status,outcome,reason,what_to_do');
		expect(lines.slice(1).map((line) => line.split(',').slice(2, 5))).toEqual([
			['ROBOTICS', 'CANCELLED', 'done'],
			['ENGLISH', 'CANCELLED', 'done'],
			['ROBOTICS', 'CANCELLED', 'done'],
			['CHESS', 'CANCELLED', 'done'],
			['HARP', 'CANCELLED', 'not done'],
			['CODING', '', 'not done'],
		]);
		expect(lines[5]).toContain('Correct the values that the service names and run the item again.');
	});

	test('gives a report as well when every row is right', async () => {
		const [{ accountId, schoolId, code }] = workroom.facts.courses;
		const execution = await workroom.run(
			withSheet(
				`student,account_id,school_id,course_code,status\nMelvira,${accountId},${schoolId},${code},CANCELLED\n`,
			),
		);
		expect(itemsOf(execution, UPDATES, 1)).toEqual([]);
		expect(columnsOf(jsonOf(execution, 'All Rows'), 'student', 'outcome')).toEqual([['Melvira', 'done']]);
		expect(itemsOf(execution, 'Report')).toHaveLength(1);
	});

	test('gives a report as well when no row is right', async () => {
		const execution = await workroom.run(
			withSheet('student,account_id,school_id,course_code,status\nMelvira,..,x,,\n'),
		);
		expect(columnsOf(jsonOf(execution, 'All Rows'), 'student', 'outcome')).toEqual([['Melvira', 'not done']]);
		expect(await workroom.received(PATH)).toEqual([]);
	});
});

describe('Move students to the next class', () => {
	const NAME = 'move-students-to-the-next-class';

	async function classesOf(student: string): Promise<string[]> {
		const { items } = await workroom.admin.bonds({ externalId: student });
		return items.map(({ class_external_id }) => class_external_id);
	}

	const outcomes = (execution: Execution) =>
		jsonOf(execution, 'Report').map(({ student_external_id: student, outcome }) => [student, outcome]);

	test('moves the students whose new class is there, and leaves the others where they are', async () => {
		const execution = await workroom.run(workroom.example(NAME));
		expect(outcomes(execution)).toEqual([
			['student-00001', 'moved'],
			['student-00007', 'moved'],
			['student-00004', 'not moved'],
		]);
		expect(await classesOf('student-00001')).toEqual(['school-001-class-004']);
		expect(await classesOf('student-00007')).toEqual(['school-001-class-002']);
		expect(await classesOf('student-00004')).toEqual(['school-001-class-002']);
		const [refused] = jsonOf(execution, 'Not Moved');
		expect(refused.reason).toContain('there is no class "there-is-no-such-class"');
	});

	test('bonds every student to the new class before it releases one from the old', async () => {
		await workroom.run(workroom.example(NAME));
		const sent = (await workroom.received('/integration/partner/v1/bond-user-class')).map(
			({ method }) => method,
		);
		expect(sent).toEqual(['POST', 'POST', 'POST', 'DELETE', 'DELETE']);
	});

	test('says who is in both classes, because the old one could not be left', async () => {
		await workroom.admin.addFault({ method: 'DELETE' }, { documented: 400 });
		expect(outcomes(await workroom.run(workroom.example(NAME)))).toEqual([
			['student-00001', 'in both classes'],
			['student-00007', 'in both classes'],
			['student-00004', 'not moved'],
		]);
		expect(await classesOf('student-00001')).toEqual(['school-001-class-001', 'school-001-class-004']);
	});

	test('finishes what was left when it is run again, and counts what is done already as done', async () => {
		await workroom.admin.addFault({ method: 'DELETE' }, { documented: 400 });
		await workroom.run(workroom.example(NAME));
		await workroom.admin.clearFaults();
		const done = [
			['student-00001', 'moved'],
			['student-00007', 'moved'],
			['student-00004', 'not moved'],
		];
		expect(outcomes(await workroom.run(workroom.example(NAME)))).toEqual(done);
		expect(await classesOf('student-00001')).toEqual(['school-001-class-004']);
		expect(outcomes(await workroom.run(workroom.example(NAME)))).toEqual(done);
		expect(await classesOf('student-00001')).toEqual(['school-001-class-004']);
	});

	test('leaves a student whose two classes are the same where they are', async () => {
		const stays = JSON.parse(
			JSON.stringify(workroom.example(NAME)).replace('school-001-class-004', 'school-001-class-001'),
		) as WorkflowInput;
		expect(outcomes(await workroom.run(stays))).toEqual([
			['student-00007', 'moved'],
			['student-00004', 'not moved'],
		]);
		expect(await classesOf('student-00001')).toEqual(['school-001-class-001']);
	});

	test('tells to look at the classes of whom an answer was lost for: the bond may be there', async () => {
		await workroom.admin.addFault(
			{ method: 'POST', path: '/integration/partner/v1/bond-user-class' },
			{ drop: 'after' },
		);
		const { outcome, reason } = jsonOf(await workroom.run(workroom.example(NAME)), 'Not Moved')[0];
		expect(outcome).toBe('look at the classes');
		expect(reason).toContain('The record may exist all the same');
		expect(await classesOf('student-00001')).toEqual(['school-001-class-001', 'school-001-class-004']);
	});
});

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
