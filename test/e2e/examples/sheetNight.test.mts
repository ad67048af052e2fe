/** The example that keeps the service in step with the sheet of an office every night, imported into a real n8n as it stands. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import axios from 'axios';
import { parse } from 'csv-parse/sync';

import { errorOf, type StoredCredential } from '../../../playground/n8n-client.mts';
import { holdsOf, keysOf, loginOfApprovers, Nights, summaryOf } from './nights.mts';
import { jsonOf, useExamples } from './support.mts';

const NAME = 'sync-a-sheet-every-night';
const SYNC = 'Sync the Sheet';
const STUDENTS = 60;

const workroom = useExamples({ sandbox: { empty: true, students: STUDENTS, schools: 3 } });
let login: StoredCredential;

beforeAll(async () => void (login = await loginOfApprovers(workroom.stage.session)));

const sheetOf = (tonight: number) => `${workroom.stage.sandbox.adminUrl}roster/sheet?tonight=${tonight}`;

/** Who is in which class: by the sheet of a night, and in the service. */
async function bondsOf(tonight: number): Promise<string[]> {
	const { data } = await axios.get<string>(sheetOf(tonight), { proxy: false });
	const rows: Array<Record<string, string>> = parse(data, { columns: true });
	return rows.map((row) => `${row.codigo_escola} ${row.codigo_turma} ${row.matricula}`).sort();
}

async function bondsHeld(): Promise<string[]> {
	const { items } = await workroom.admin.bonds({ limit: 10_000 });
	return items
		.map((bond) => `${bond.school_external_id} ${bond.class_external_id} ${bond.user_external_id}`)
		.sort();
}

test('a first night is held, and a person approves it; the same sheet sends nothing; another night sends what is new and who left', async () => {
	const nights = await Nights.of(workroom, workroom.example(NAME, login), sheetOf(0));
	const first = await nights.run(sheetOf(0));
	expect([first.writes, summaryOf(first.execution, SYNC).outcome]).toEqual([[], 'held']);
	const [message] = jsonOf(first.execution, 'Message to a Person');
	expect(message).toMatchObject({ subject: 'The sheet of tonight: please decide' });
	const [hold] = holdsOf(first.execution, SYNC);
	expect(message?.text).toContain(`/form/${nights.form}?Hold%20ID=${hold?.hold_id}`);

	const approved = await nights.decide(hold);
	expect(summaryOf(approved.execution, SYNC).outcome).toBe('done');
	expect(await bondsHeld()).toEqual(await bondsOf(0));

	const again = await nights.run(sheetOf(0));
	expect([again.writes, summaryOf(again.execution, SYNC).outcome]).toEqual([[], 'nothing']);

	const changed = await nights.run(sheetOf(10));
	expect(keysOf(changed.writes, 'POST').length).toBeGreaterThan(0);
	expect(keysOf(changed.writes, 'DELETE').length).toBeGreaterThan(0);
	expect(await bondsHeld()).toEqual(await bondsOf(10));
});

test('a sheet with nothing but headings stops the night: nobody takes it for a night without changes', async () => {
	const server = createServer((_request, response) =>
		response.setHeader('content-type', 'text/csv').end('codigo_escola;matricula;nome_completo\n'),
	);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/alunos.csv`;
	const nights = await Nights.of(workroom, workroom.example(NAME, login), sheetOf(0));
	const { execution, writes } = await nights.run(url);
	server.close();
	expect([execution.status, writes]).toEqual(['error', []]);
	expect(errorOf(execution)?.message).toContain('Map Automatically');
});

test('a sheet that is no sheet stops the night, and nothing is sent', async () => {
	const nights = await Nights.of(workroom, workroom.example(NAME, login), sheetOf(0));
	const { execution, writes } = await nights.run(`${workroom.stage.sandbox.adminUrl}roster/mapping`);
	expect([execution.status, writes]).toEqual(['error', []]);
	expect(errorOf(execution)?.message).toContain('is not in csv format');
});
