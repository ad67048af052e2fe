/**
 * The service's document is written down twice: as the contract of the nodes, and as the tables of the sandbox, by
 * other hands. Both must name the same fields.
 */
import type { FieldTable } from '../../../sandbox/document/field-table.mts';
import * as document from '../../../sandbox/document/provisioning.mts';
import * as contract from '../../../nodes/shared/contract/provisioning.ts';

interface Shaped {
	shape: object;
}

const namesOf = ({ fields }: FieldTable): string[] => fields.map(({ name }) => name).sort();
const fieldsOf = ({ shape }: Shaped): string[] => Object.keys(shape).sort();

describe('The contract and the tables of the document name the same fields:', () => {
	test.each<[string, FieldTable, Shaped]>([
		['profile', document.profileResource, contract.profile],
		['educational stage', document.educationalStageResource, contract.educationalStage],
		['grade', document.gradeResource, contract.grade],
		['class creation', document.classCreation, contract.classCreation],
		['class creation result', document.classCreationResult, contract.classCreated],
		['bond', document.bondPayload, contract.bond],
		['callback result', document.callbackResult, contract.accountCreation],
	])('%s', (_what, table, schema) => {
		expect(fieldsOf(schema)).toEqual(namesOf(table));
	});

	test('user creation, in its three forms', () => {
		const all = namesOf(document.userCreation);
		const without = (...left: string[]) => all.filter((name) => !left.includes(name));
		expect(fieldsOf(contract.userCreation)).toEqual(without('responsible_external_id'));
		expect(fieldsOf(contract.responsibleCreation)).toEqual(without('responsible_external_id', 'profiles'));
		expect(fieldsOf(contract.studentCreation)).toEqual(without('profiles'));
	});

	test('and the sandbox has no table of provisioning that is not compared here', () => {
		expect(Object.keys(document).sort()).toEqual(
			[
				'bondPayload',
				'callbackResult',
				'classCreation',
				'classCreationResult',
				'educationalStageResource',
				'gradeResource',
				'profileResource',
				'userCreation',
			].sort(),
		);
	});
});
