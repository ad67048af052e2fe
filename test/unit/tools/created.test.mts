import { whatIsMissing } from '../../../playground/demo/created.mts';
import type { Created } from '../../../playground/demo/created.mts';
import type { ClassState, UserState } from '../../../sandbox/admin-types.mts';

const schoolClass = { external_id: 'class-1', school_external_id: 'school-1' } as ClassState;

const user = (external_id: string, profile: string, responsible_external_id: string[] = []) =>
	({
		...{ external_id, school_external_id: 'school-1' },
		...{ profiles: [profile], responsible_external_id },
	}) as UserState;

const complete: Created = {
	classes: [schoolClass],
	responsibles: [user('r1', 'responsible')],
	students: [user('s1', 'student', ['r1'])],
	bonds: [
		{
			school_external_id: 'school-1',
			class_external_id: 'class-1',
			user_external_id: 's1',
			profile_name: 'student',
		},
	],
};

describe('the demo that runs once', () => {
	it('is content when class, responsible, student and bond are in the sandbox', () => {
		expect(whatIsMissing(complete)).toEqual([]);
	});

	it('names every kind of record that is not there', () => {
		expect(whatIsMissing({ classes: [], responsibles: [], students: [], bonds: [] })).toEqual([
			'a class',
			'a responsible',
			'a student',
		]);
	});

	it('notices a student without a bond and one whose responsible does not exist', () => {
		expect(whatIsMissing({ ...complete, bonds: [] })).toEqual(['the bond of student s1 with a class']);
		expect(whatIsMissing({ ...complete, students: [user('s1', 'student', ['r9'])] })).toEqual([
			'the responsible of student s1',
		]);
		expect(whatIsMissing({ ...complete, students: [user('s1', 'student')] })).toHaveLength(1);
	});
});
