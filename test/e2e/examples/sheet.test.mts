/** "From an uploaded sheet" as the office of a school uses it: in a browser, with the sheet that lies beside the example. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import axios from 'axios';
import type { Browser, Page } from 'playwright-core';

import { createCredential, withCredential } from '../../../playground/n8n-client.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/start.mts';
import { newPage, screenshot, startBrowser } from '../../support/browser.mts';
import { until } from '../../../playground/eventually.mts';
import { machineAccess } from '../../support/stage.mts';
import { STRICT_BUT_FOR_SCOPE } from '../../support/strict.mts';
import { withLedger, withOptions } from './nights.mts';
import { useExamples } from './support.mts';

const NAME = 'from-an-uploaded-sheet';
const SHEET = readFileSync('examples/alunos.csv', 'utf8');
/** Without the two lines that are wrong on purpose. */
const CORRECTED = SHEET.replace('31/02/2014', '28/02/2014').replaceAll('Pré-escola', '4º ano');
const LEDGER = 'Uploaded sheets';
/** The pictures of docs/pt-BR/planilha.md come from here; set SCREENSHOTS=1 to take them anew. */
const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images/office' : undefined;

const workroom = useExamples({ sandbox: { empty: true } });

const WINDOW = { width: 1200, height: 900 };

let browser: Browser;
let page: Page;
let folder: string;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'school-partner-sheet-'));
	browser = await startBrowser();
	page = await newPage(browser, WINDOW);
	await workroom.publish(workroom.example(NAME));
	await isOpen(FORM);
	await beginOutage();
});
afterAll(async () => {
	await browser?.close();
	await away?.stop();
	rmSync(folder, { recursive: true, force: true });
});

const FORM = 'lista-de-alunos';
const addressOf = (form: string) => `${workroom.stage.n8n.baseUrl}/form/${form}`;

/** n8n answers 404 for a fraction of a second after a workflow was published. */
async function isOpen(form: string): Promise<void> {
	await until(
		async () =>
			(await axios.get(addressOf(form), { validateStatus: () => true, proxy: false })).status === 200,
	);
}

const WRITES = { method: 'POST', path: '/integration' };

interface Upload {
	code?: string;
	encoding?: BufferEncoding;
	form?: string;
	/** Where the form is filled in. */
	at?: Page;
}

/** Fills in the form and sends it; ends when the office sees its list. */
async function upload(text: string, { code, encoding, form = FORM, at = page }: Upload = {}): Promise<void> {
	const file = join(folder, `${form}.csv`);
	writeFileSync(file, text, encoding);
	await at.goto(addressOf(form));
	await at.locator('input[type=file]').setInputFiles(file);
	if (code !== undefined) {
		await at.getByLabel('Código de confirmação').fill(code);
		await at.getByLabel('Quem confirma').fill('Dália');
	}
	await at.getByRole('button', { name: 'Enviar' }).click();
	// A run waits for two minutes for a service that is away.
	await at.locator('main').waitFor({ timeout: 300_000 });
}

const headline = async (at = page) => await at.locator('h1').innerText();

async function picture(outcome: string, at = page): Promise<void> {
	if (PICTURES !== undefined) await screenshot(at, `${PICTURES}/${outcome}.png`);
}

const codeOnPage = async (at = page) => await at.locator('.note code').innerText();

/** A service that goes away in the middle of a sheet, another office, and what ends when that sees its list. */
let away: Sandbox | undefined;
let other: { form: string; at: Page };
let outage: Promise<void>;

/** The run waits for two minutes: it has a service, a form and a ledger of its own, so that the other tests go on meanwhile. */
async function beginOutage(): Promise<void> {
	away = await startSandbox({ strict: STRICT_BUT_FOR_SCOPE, empty: true });
	const credential = await createCredential(workroom.stage.session, {
		name: 'A service that goes away',
		type: 'schoolPartnerOAuth2Api',
		data: machineAccess(away),
	});
	const form = 'lista-de-outra-escola';
	const example = withLedger(withCredential(workroom.example(NAME), credential), 'Sheets of an outage');
	await workroom.publish(withOptions(example, 'Upload the Sheet', { path: form }));
	await isOpen(form);
	other = { form, at: await newPage(browser, WINDOW) };
	await upload(SHEET, other);
	const code = await codeOnPage(other.at);
	await away.admin.addFault({ ...WRITES, after: 4 }, { documented: 503 });
	outage = upload(SHEET, { ...other, code });
	// Its test tells what went wrong.
	outage.catch(() => undefined);
}

/** The first sheet of a school: all of it is new, so that it is confirmed with the code that the page shows. */
async function uploadFirst(text: string): Promise<void> {
	await upload(text);
	await upload(text, { code: await codeOnPage() });
}

/** The numbers at the top of the page, by what they count. */
async function numbers(at = page): Promise<Record<string, number>> {
	const tiles = await at.locator('.tiles div').allInnerTexts();
	return Object.fromEntries(
		tiles
			.map((tile) => tile.split('\n').map((part) => part.trim()))
			.map(([count, what]) => [what, Number(count)]),
	);
}

/** The rows of the list, cell by cell. */
async function list(): Promise<string[][]> {
	const rows = await page.locator('main table tr').all();
	return await Promise.all(rows.slice(1).map(async (row) => await row.locator('td').allInnerTexts()));
}

const writes = async () =>
	(await workroom.received('/integration/')).filter(({ method }) => method !== 'GET').length;
const students = async ({ admin }: Pick<Sandbox, 'admin'> = workroom) =>
	(await admin.users({ provisioned: true, profile: 'student' })).items;

/** The example is kept between tests, and each begins with an empty ledger and an empty service. */
beforeEach(async () => void (await workroom.deleteTable(LEDGER)));
afterEach(async () => await workroom.admin.clearFaults());

describe('From an uploaded sheet', () => {
	test('creates who can be created, and gives one list with the line of the file and what to do, in Portuguese', async () => {
		await uploadFirst(SHEET);
		expect(await numbers()).toEqual({
			'turmas novas': 2,
			'responsáveis novos': 7,
			'alunos novos': 7,
			'colocações em turmas': 6,
			'turmas, pessoas e colocações que já estavam cadastradas': 0,
		});
		expect(await list()).toEqual([
			[
				'7',
				'Calista Ibarrel',
				'Aluno 2036',
				'com erro',
				'Não foi possível ler a data de nascimento: a data não existe no calendário, ou não está escrita como dia/mês/ano, por exemplo 31/12/2015. Por isso esta pessoa não foi cadastrada nem entrou na turma, se ainda não estava.',
				'Corrija na planilha e envie de novo.',
			],
			[
				'9',
				'Horácio Ibarrel',
				'Turma 2026-PRE2',
				'com erro',
				'O serviço não tem nesta escola a série "Pré-escola". Por isso o aluno desta linha não entrou nesta turma, se ainda não estava nela.',
				expect.stringMatching(
					/^Se o aluno cursa uma destas, escreva-a na coluna da série: 1º ano, .*avise quem cuida do n8n/,
				),
			],
		]);
		await picture('attention');
		const abelia = (await students()).find(({ external_id: id }) => id === '2031');
		expect(abelia).toMatchObject({
			first_name: 'Abelia',
			last_name: 'Fontela',
			birth_date: '2015-12-31',
			school_external_id: 'school-001',
			responsible_external_id: ['R101', 'R102'],
		});
		const { items } = await workroom.admin.classes({ provisioned: true });
		expect(
			items
				.map(({ external_id: id, educational_stage: stage, grade, year }) => [id, stage, grade, year])
				.sort(),
		).toEqual([
			['2026-5A', 'EF1', '5º ano', 2026],
			['2026-6A', 'EF2', '6º ano', 2026],
		]);
	});

	test('names the lines as Excel shows them, and once, with empty rows between and at the end', async () => {
		const [headings = '', ...rows] = SHEET.trimEnd().split('\r\n');
		const empty = ';'.repeat(headings.split(';').length - 1);
		await upload([headings, ...rows.slice(0, 2), empty, ...rows.slice(2), empty, empty, ''].join('\r\n'));
		expect((await list()).map(([line, name]) => [line, name])).toEqual([
			['8', 'Calista Ibarrel'],
			['10', 'Horácio Ibarrel'],
		]);
		expect(await codeOnPage()).toMatch(/^hold-/);
	});

	test('changes nothing when the same file comes again, and creates what was corrected', async () => {
		await uploadFirst(SHEET);
		const before = await writes();
		await upload(SHEET);
		expect(await writes()).toBe(before);
		expect(await numbers()).toMatchObject({
			'alunos novos': 0,
			'turmas, pessoas e colocações que já estavam cadastradas': 22,
		});
		await upload(CORRECTED);
		expect(await numbers()).toMatchObject({
			'aluno novo': 1,
			'colocações em turmas': 2,
			'turma nova': 1,
		});
		expect(await headline()).toBe('Tudo certo com a planilha');
		await picture('done');
	});

	test('says in which line what the service has refused, and sends it again as soon as it was corrected', async () => {
		const ErrorProperties = [{ PropertyName: 'Email', ErrorMessage: 'Too long.' }];
		const answer = { Error: { Code: 'FLU001', Message: 'Wrong parameters.', ErrorProperties } };
		await workroom.admin.addFault(
			{ method: 'POST', bodyContains: '"R105"', times: 1 },
			{ status: 400, body: answer },
		);
		await uploadFirst(SHEET);
		const [refused] = (await list()).filter(([line]) => line === '6');
		expect(refused).toEqual([
			'6',
			'Tainá Okello',
			'Responsável R105',
			'recusado',
			expect.stringMatching(/^O serviço recusou o e-mail: "Too long" \(nas palavras do serviço\)\./),
			expect.stringMatching(/^Corrija esse dado na planilha e envie de novo\./),
		]);
		await upload(SHEET.replaceAll('giselda@familia.example', 'giselda@nova.example'));
		expect(await numbers()).toMatchObject({ 'responsável novo': 1, 'aluno novo': 1 });
	});

	test('sends nothing of a sheet that lost its accents because Excel did not save it in UTF-8, and says how to save it', async () => {
		await upload(SHEET.slice(1), { encoding: 'latin1' });
		expect(await headline()).toBe('A planilha foi lida, e nada de novo foi cadastrado');
		const lost = (await list()).filter(([, , , , reason]) =>
			reason?.startsWith('A planilha não está em UTF-8, e letras com acento se perderam'),
		);
		expect(lost.map(([line]) => line)).toEqual(expect.arrayContaining(['2', '5', '6', '9']));
		expect(lost[0]?.[5]).toMatch(/^Salve como "CSV UTF-8" no Excel e envie de novo\./);
		expect(await page.locator('.note code').count()).toBe(0);
		expect(await writes()).toBe(0);
	});

	test('asks for a confirmation before it creates anything of a first sheet, or many at once; does nothing for a code that is wrong, and takes the one that the page shows', async () => {
		await upload(SHEET);
		expect(await writes()).toBe(0);
		expect(await page.locator('.note').innerText()).toMatch(
			/^Nada de novo foi cadastrado ainda\. À espera de confirmação: 2 turmas \(2026-5A, 2026-6A\), 7 responsáveis, 7 alunos, 6 colocações em turmas\. O n8n não sabe de nenhum cadastro anterior/,
		);
		const leftOut =
			'sem o que a tabela abaixo mostra "com erro": isso fica para depois, e o resto das mesmas linhas está contado.';
		expect(await page.locator('.note').innerText()).toContain(leftOut);
		await picture('held');
		const code = await codeOnPage();
		await upload(SHEET, { code: 'h0123456789abcdef' });
		expect(await writes()).toBe(0);
		expect(await codeOnPage()).toBe(code);
		expect(await page.locator('.note').innerText()).toContain(
			'O código que você enviou não é o desta confirmação: ou foi digitado errado,',
		);
		await upload(SHEET, { code });
		const [header = '', line = ''] = SHEET.split('\r\n');
		const many = Array.from({ length: 60 }, (_, index) =>
			line.replace('2031;Abelia', `${3000 + index};Aluna${index}`),
		);
		const next = [header, ...many, ''].join('\r\n');
		const before = await writes();
		await upload(next);
		expect(await writes()).toBe(before);
		expect(await page.locator('.note').innerText()).toMatch(
			/^Nada de novo foi cadastrado ainda\. À espera de confirmação: .*É mais do que de costume\./,
		);
		expect(await page.locator('.note').innerText()).not.toContain(leftOut);
		await upload(next, { code: await codeOnPage() });
		expect(await numbers()).toMatchObject({ 'alunos novos': 60, 'colocações em turmas': 60 });
		expect(await page.locator('.note').count()).toBe(0);
	});

	test.each([
		[
			'a separator too many in one line',
			SHEET.replace('Calista Ibarrel', 'Calista; Ibarrel'),
			/^Nada foi cadastrado\. A linha 7 tem 1 coluna a mais que os títulos\./,
		],
		[
			'a quote that nothing closes',
			SHEET.replace('Calista Ibarrel', '"Calista Ibarrel'),
			/^Nada foi cadastrado\. Na linha \d+, ou antes dela, há aspas \("\) a mais\./,
		],
		[
			'only headings',
			SHEET.split('\n')[0] ?? '',
			'Nada foi cadastrado. Não há alunos nela: só a linha dos títulos, ou nada. Exporte a lista outra vez e envie de novo.',
		],
	])('says what is wrong with a file that n8n cannot read: %s', async (_what, text, words) => {
		await upload(text);
		expect(await headline()).toBe('Não foi possível ler a planilha');
		expect(await page.locator('.note').innerText()).toMatch(words);
		expect(await writes()).toBe(0);
	});

	test('says that it is not for the office to correct when the service does not let n8n in', async () => {
		await upload(CORRECTED);
		await workroom.admin.addFault(WRITES, { status: 403 });
		await upload(CORRECTED, { code: await codeOnPage() });
		expect(await headline()).toBe('O n8n ainda não está pronto para esta planilha');
		expect(await page.locator('main').innerText()).toContain('Avise quem cuida do n8n');
		expect(await page.locator('main').innerText()).not.toContain('Corrija na planilha');
		await picture('setUp');
	});

	test('tells an outage as one, in the middle or from the start, in which nothing in the sheet is wrong, and does the rest when the same sheet comes later', async () => {
		if (away === undefined) throw new Error('The service was not started');
		const { at } = other;
		await outage;
		expect(await headline(at)).toBe('O serviço parou de responder');
		expect(await at.locator('main').innerText()).toContain('Isso não é erro da planilha');
		await picture('unfinished', at);
		await away.admin.clearFaults();
		await upload(CORRECTED, other);
		expect(await headline(at)).toBe('Tudo certo com a planilha');
		expect(await students(away)).toHaveLength(8);

		const another = CORRECTED.replace('2026-5A;5A', '2026-5B;5B');
		await away.admin.addFault({ path: '/data' }, { documented: 503 });
		await upload(another, other);
		expect(await headline(at)).toBe('O serviço parou de responder');
		expect(await at.locator('main').innerText()).toContain('nada foi enviado');
		await away.admin.clearFaults();
		await upload(another, other);
		expect((await numbers(at))['turma nova']).toBe(1);
	});
});
