/** The page of "From an uploaded sheet", by what came of the sheet: the office reads what was done and what to do, line by line. */
import { runInNewContext } from 'node:vm';

import { PORTUGUESE } from '../../../tools/generated/roster.mts';
import { textOf } from './markdown.mts';

const { nodes } = JSON.parse(textOf('examples/from-an-uploaded-sheet.json')) as {
	nodes: Array<{ name: string; parameters: { jsCode?: string } }>;
};
const code = nodes.find(({ name }) => name === "List in the Office's Words")?.parameters.jsCode ?? '';

interface Told {
	titulo: string;
	aviso: string;
	numeros: Record<string, number>;
	retidos: number;
	codigo: string;
	lista: Array<Record<string, string | number>>;
}

const SHEET = [
	{ matricula: '1', nome_completo: 'Abelia', codigo_turma: '5A', responsavel_1_codigo: 'R1' },
	{ matricula: '2', nome_completo: 'Bento', codigo_turma: '5A', responsavel_1_codigo: 'R1' },
];
const BEFORE = { user: { same: 3 } };

/** What the page says of a run that gave these items. */
function pageOf(
	outcome: string,
	attention: object[] = [],
	changes: object[] = [],
	counts: object = BEFORE,
): Told {
	const holds = outcome === 'held' ? [{ hold_id: 'hold-1' }] : [];
	const outputs = [[{ outcome, counts, holds, causes: attention }], attention, changes];
	const items = (all: object[]) => all.map((json) => ({ json }));
	const $ = (node: string) => ({
		all: (output = 0) => items(node === 'Rows of the Sheet' ? SHEET : (outputs[output] ?? [])),
	});
	const list = runInNewContext(`($) => {${code}}`) as (from: typeof $) => [{ json: Told }];
	const [{ json }] = list($);
	return JSON.parse(JSON.stringify(json)) as Told;
}

const applied = (kind: string, key: string) => ({ state: 'applied', kind, key });
const error = { severity: 'error', message: 'Said in English', what_to_do: 'Do it.' };

test('All done: it says so, and counts by role what was new', () => {
	const changes = [
		applied('class', 'c:s|5A'),
		...[applied('user', 'u:s|R1'), applied('user', 'u:s|1'), applied('user', 'u:s|2')],
		applied('bond', 'b:s|5A|1|student'),
	];
	const { titulo, lista, numeros } = pageOf('done', [], changes);
	expect([titulo, lista]).toEqual(['Tudo certo com a planilha', []]);
	expect(numeros).toEqual({
		...{ 'turmas novas': 1, 'responsáveis novos': 1, 'alunos novos': 2 },
		...{ 'alunos postos em turmas': 1, 'já estavam': 3 },
	});
});

test.each([
	['held', 'A planilha espera uma confirmação'],
	['unfinished', 'O serviço não respondia'],
	['busy', 'Outra planilha está sendo processada'],
])('A run that ends as %s has a title of its own', (outcome, titulo) => {
	expect(pageOf(outcome).titulo).toBe(titulo);
});

test('What waits for approval shows how many, and the code', () => {
	expect(pageOf('held', [], [{ state: 'held', key: 'c:s|5A', kind: 'class' }])).toMatchObject({
		retidos: 1,
		codigo: 'hold-1',
	});
});

test('Where something is set up wrongly and nothing was done, the office is sent to who looks after n8n', () => {
	const unknown = { ...error, code: 'schoolNotKnown', kind: 'class', key: 'c:s|5A', places: [{ line: 1 }] };
	const { titulo, aviso } = pageOf('attention', [unknown], [], {});
	expect(titulo).toBe('O n8n ainda não está pronto para esta planilha');
	expect(aviso).toContain('Avise quem cuida do n8n');
	expect(pageOf('attention', [unknown]).titulo).toBe('A planilha foi lida. Falta pouco');
});

test('Of a cause of many rows every line is in the list', () => {
	const places = Array.from({ length: 200 }, (_, index) => ({ file: 'Row', line: index + 1 }));
	const { lista } = pageOf('attention', [{ ...error, code: 'idMissing', kind: 'user', count: 200, places }]);
	expect(lista.map(({ linha }) => linha)).toEqual(places.map(({ line }) => line + 1));
});

test.each(Object.keys(PORTUGUESE))('No word of English in the list: %s', (each) => {
	const { lista } = pageOf('attention', [{ ...error, code: each, key: 'u:s|1', line: 1 }]);
	expect(lista).toHaveLength(1);
	expect(JSON.stringify(lista)).not.toContain(error.message);
});
