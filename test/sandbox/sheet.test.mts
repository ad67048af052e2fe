/** The sheet of an office: the same students, classes and responsible persons as the roster of that night, row by row. */
import axios from 'axios';
import { parse } from 'csv-parse/sync';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';

const ALL = { limit: 100_000 };

let sandbox: Sandbox;

beforeAll(async () => void (sandbox = await startSandbox({ students: 60, schools: 3 })));
afterAll(async () => await sandbox.stop());

type Row = Record<string, string>;

async function sheet(tonight = 0): Promise<Row[]> {
	const { data, headers } = await axios.get<string>(`${sandbox.adminUrl}roster/sheet?tonight=${tonight}`);
	expect(headers['content-disposition']).toContain('alunos.csv');
	return parse(data, { columns: true });
}

test('Each bond of a student that the service holds is a row, with class, grade and responsible persons', async () => {
	const { admin } = sandbox;
	const [classes, users, bonds] = [await admin.classes(ALL), await admin.users(ALL), await admin.bonds(ALL)];
	const expected = bonds.items
		.filter(({ profile_name: profile }) => profile === 'student')
		.map((bond) => {
			const isOfBond = (one: { school_external_id: string; external_id: string }, id: string) =>
				one.school_external_id === bond.school_external_id && one.external_id === id;
			const ofClass = classes.items.find((one) => isOfBond(one, bond.class_external_id));
			const student = users.items.find((one) => isOfBond(one, bond.user_external_id));
			const [responsible] = users.items.filter(({ external_id: id }) =>
				student?.responsible_external_id.includes(id),
			);
			return {
				codigo_escola: bond.school_external_id,
				matricula: bond.user_external_id,
				nome_completo: `${student?.first_name} ${student?.last_name}`,
				data_nascimento: student?.birth_date?.split('-').reverse().join('/'),
				codigo_turma: bond.class_external_id,
				turma: ofClass?.name,
				serie: ofClass?.grade,
				ano_letivo: String(ofClass?.year),
				responsavel_1_celular: `+${responsible?.ddi}${responsible?.cell_phone}`,
			};
		});
	const rows = await sheet();
	expect(rows).toHaveLength(expected.length);
	for (const one of expected) {
		const row = rows.find(
			({ matricula, codigo_turma: classId }) => matricula === one.matricula && classId === one.codigo_turma,
		);
		const { responsavel_1_celular: phone, ...plain } = one;
		expect(row).toMatchObject(plain);
		const phones = [1, 2, 3].map((place) => row?.[`responsavel_${place}_celular`]);
		expect(phones).toContain(phone);
	}
});

test('A night of ten changes has other rows, and the same night the same', async () => {
	const changed = await sheet(10);
	expect(changed).not.toEqual(await sheet());
	expect(changed).toEqual(await sheet(10));
});
