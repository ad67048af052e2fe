/** Rows of a sheet about people: their names, their documents, and rows that say more of the same person. */
import type { Row } from '../../../../nodes/SchoolPartnerRoster/reading/readRows.ts';

import { bodies, finding, rows } from './support.mts';

const pupil = (id: string, more: Row = {}): Row => ({
	school_external_id: 'sch-1',
	student_external_id: id,
	student_full_name: `Nina ${id}`,
	...more,
});
const ROSA = { responsible_1_external_id: 'gu-1', responsible_1_full_name: 'Rosa Prado' };

test.each([
	['García López, Ana', 'Ana', 'García López'],
	['Prado,Nina Maria', 'Nina Maria', 'Prado'],
	['Nina Maria Prado', 'Nina', 'Maria Prado'],
	['Robert Smith, Jr.', 'Robert', 'Smith, Jr.'],
	['Souza, Junior', 'Junior', 'Souza'],
	['da Silva, Neto', 'Neto', 'da Silva'],
	['Ana Souza, mãe', 'Ana', 'Souza, mãe'],
])('The name "%s" has %s for a first name and %s for a last name', async (name, first, last) => {
	const { 's-1': user } = bodies(await rows([pupil('s-1', { student_full_name: name })]), 'user');
	expect(user).toMatchObject({ first_name: first, last_name: last });
});

test.each([
	['Ana Maria Souza', 'Souza', 'Ana Maria'],
	['Ana Maria de Souza', 'de souza', 'Ana Maria'],
	['Ana María', 'García López', 'Ana María'],
	['Ana García López', 'García', 'Ana'],
	['José Gonçalves', 'GONCALVES', 'José'],
	['Souza, Ana Maria', 'Souza', 'Ana Maria'],
])('Beside a last name the first name is all else of "%s" (%s): %s', async (name, last, first) => {
	const row = pupil('s-1', { student_full_name: name, student_last_name: last });
	const { 's-1': user } = bodies(await rows([row]), 'user');
	expect(user).toMatchObject({ first_name: first, last_name: last });
});

test('Quotes and dashes of windows-1252 that were read as Latin1 are what they were; UTF-8 that was read so has lost its accents', async () => {
	const named = (student_full_name: string) => pupil('s-1', { student_full_name });
	const { 's-1': user } = bodies(await rows([named('Ana D\x92\u00C1vila \x96 Sá')]), 'user');
	expect(user).toMatchObject({ first_name: 'Ana', last_name: 'D\u2019\u00C1vila \u2013 Sá' });
	for (const name of ['Ana \u00C3\x89vora', 'Ana D\u00E2\x80\x99Avila', 'Ana \x81vora'])
		expect(finding(await rows([named(name)]), 'charactersLost')).toBeDefined();
});

test.each(['Prado,', ', Nina'])('The name "%s" is an error: half of it is not there', async (name) => {
	const roster = await rows([pupil('s-1', { student_full_name: name })]);
	expect([roster.records, finding(roster, 'fieldRefused')?.severity]).toEqual([[], 'error']);
});

test.each(['1,23E+10', '1.23E+10'])(
	'A document that a sheet has rounded (%s) is nobody’s: who has it is left out, and told',
	async (value) => {
		const document = { student_document_type: 'RG', student_document_value: value };
		const roster = await rows([pupil('s-1', document), pupil('s-2')]);
		expect(Object.keys(bodies(roster, 'user'))).toEqual(['s-2']);
		expect(finding(roster, 'idRounded')).toMatchObject({
			...{ severity: 'error', kind: 'user', fields: ['document_value'], key: 'u:sch-1|s-1', line: 1 },
		});
	},
);

test('A dialing code or a kind of document is never put to the number of another row', async () => {
	const [phone, dialled] = [
		{ ...ROSA, responsible_1_cell_phone: '11 90000-0106', responsible_1_document_value: '12' },
		{
			...{ ...ROSA, responsible_1_ddi: '351', responsible_1_cell_phone: '912 345 678' },
			...{ responsible_1_document_type: 'RG', responsible_1_document_value: '34' },
		},
	];
	const { 'gu-1': first } = bodies(await rows([pupil('s-1', phone), pupil('s-2', dialled)]), 'user');
	expect([first.ddi, first.cell_phone]).toEqual([undefined, '11 90000-0106']);
	expect([first.document_type, first.document_value]).toEqual([undefined, '12']);
	const same = { ...ROSA, responsible_1_cell_phone: '912345678', responsible_1_document_value: '34' };
	for (const both of [
		[same, dialled],
		[dialled, same],
	]) {
		const all = both.map((row, place) => pupil(`s-${place}`, row));
		const { 'gu-1': one } = bodies(await rows(all), 'user');
		expect([one.ddi, one.document_type]).toEqual(['351', 'RG']);
	}
	const { 'gu-1': filled } = bodies(await rows([pupil('s-1', ROSA), pupil('s-2', dialled)]), 'user');
	expect([filled.ddi, filled.cell_phone]).toEqual(['351', '912 345 678']);
	expect([filled.document_type, filled.document_value]).toEqual(['RG', '34']);
});

test('Of a user of two schools that are one network the school is the same, whatever the order of the rows', async () => {
	const both = ['sch-2', 'sch-1'].map((school) => pupil('s-1', { ...ROSA, school_external_id: school }));
	for (const all of [both, both.toReversed()]) {
		const users = bodies(await rows(all, { userKeys: 'network' }), 'user');
		expect([users['s-1'].school_external_id, users['gu-1'].school_external_id]).toEqual(['sch-1', 'sch-1']);
	}
});

test('A code of a student and of a responsible person is told: in a sheet it is seldom one person', async () => {
	const roster = await rows([pupil('s-1'), pupil('s-2', { ...ROSA, responsible_1_external_id: 's-1' })]);
	const named = { responsible_1_external_id: 's-1', responsible_1_full_name: 'Nina s-1' };
	const same = await rows([pupil('s-1'), pupil('s-2', named)]);
	expect(finding(roster, 'idTwice')).toMatchObject({ kind: 'user', count: 2 });
	expect(finding(same, 'rowsDiffer')?.fields).toEqual(['profiles']);
	expect(bodies(same, 'user')['s-1'].profiles).toEqual(['student']);
});
