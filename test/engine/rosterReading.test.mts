/** What a person says about how a roster is meant, night after night. */
import type { IDataObject } from 'n8n-workflow';

import { EXPORT, itemWithFiles, keysOf, MAPPING, useOffice, withoutBond, zipOf } from './rosterStage.mts';

const office = useOffice();

test('Disabled Users: who is not enabled loses the bonds where the option says that they have left', async () => {
	await office.begin();
	const roster = [
		zipOf({ 'users.csv': EXPORT['users.csv'].replace('teacher-1,,,true', 'teacher-1,,,false') }),
	];
	const kept = await office.sync({ roster });
	expect([kept.changes, kept.attention]).toMatchObject([[], [{ code: 'notEnabled' }]]);
	const { changes } = await office.sync({ roster, options: { disabledUsers: 'hasLeft' } });
	expect(keysOf(changes)).toEqual(['remove b:school-001|ros-class-1|ros-teacher-1|educator']);
});

test('Exports: with Each Item, the files of an item that cannot be used leave out themselves, and the other items go on', async () => {
	const parameters = { exports: 'eachItem', mapping: MAPPING };
	await office.begin({ parameters });
	const broken = itemWithFiles({ 'south.zip': Buffer.from('PK\u0003\u0004 cut') });
	const night = { roster: [withoutBond('e2'), broken], parameters };
	const { changes, attention, summary } = await office.sync(night);
	expect(keysOf(changes)).toEqual(['remove b:school-001|ros-class-1|ros-student-2|student']);
	expect(attention).toMatchObject([{ severity: 'error', code: 'exportNotUsed' }]);
	expect(summary.files).toContainEqual(expect.objectContaining({ name: 'roster.zip/users.csv' }));
	const words = await office.stop('sync', {
		...night,
		parameters: { exports: 'together', mapping: MAPPING },
	});
	expect(words.message).toContain('south.zip');
});

test('Mapping of a sheet: its own school code, classes with their year, responsible persons by their document', async () => {
	const person = { mae: 'Celestina Fontela', cpf: '000.000.001-91', escola: 17, turma: '5A' };
	const columns = {
		mappingMode: 'defineBelow',
		value: {
			school_external_id: '={{ $json.escola }}',
			student_external_id: '={{ $json.id }}',
			student_full_name: 'Abelia Fontela',
			class_external_id: '={{ $json.turma }}',
			class_name: '={{ $json.turma }}',
			class_grade: '05',
			responsible_1_full_name: '={{ $json.mae }}',
			responsible_1_document_type: 'CPF',
			responsible_1_document_value: '={{ $json.cpf }}',
		},
	};
	const mapping = {
		...MAPPING,
		year: '2026',
		schools: { school: [{ schoolCode: '17', schoolExternalId: 'school-001' }] },
		...{ classIdFrom: 'identifierAndYear', responsibleIds: 'document' },
	};
	const roster = ['s1', 's2'].map((id) => ({ json: { ...person, id } }));
	const night = { roster, parameters: { source: 'rows', columns, mapping } };
	const mother = expect.stringMatching(/^create u:school-001\|~[0-9a-f]{24}$/) as string;
	expect(keysOf((await office.begin(night)).changes)).toEqual([
		'create c:school-001|5A-2026',
		mother,
		...['s1', 's2'].map((id) => `create u:school-001|${id}`),
		...['s1', 's2'].map((id) => `create b:school-001|5A-2026|${id}|student`),
	]);
	const { summary, changes } = await office.sync({
		...night,
		parameters: { ...night.parameters, mapping: { ...mapping, responsibleIds: 'student' } },
	});
	// The mother would be a second user: she waits, and nothing else is different.
	expect(changes).toEqual([]);
	const codes = (summary.causes as IDataObject[]).map(({ code }) => code);
	expect(codes.sort()).toEqual(['idsChanged', 'personTwice', 'responsibleChanged']);
});
