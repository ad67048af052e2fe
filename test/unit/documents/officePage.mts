/** The page of "From an uploaded sheet" of a run that gave certain items, as the workflow's own code makes it. */
import { runInNewContext } from 'node:vm';

import { parametersOf } from '../exampleNode.mts';

const { jsCode: code = '' } = parametersOf('from-an-uploaded-sheet', "List in the Office's Words");

interface Told {
	titulo: string;
	aviso: string;
	numeros: Array<{ numero: number; de: string }>;
	fora: string;
	antes: string;
	cabecalho: string;
	retidos: string[];
	porque: string;
	codigo: string;
	lista: Array<Record<string, string | number>>;
}

const SHEET: object[] = [
	{
		matricula: '1',
		nome_completo: 'Abelia',
		codigo_turma: '5A',
		serie: 'Jardim',
		responsavel_1_codigo: 'R1',
	},
	{ matricula: '2', nome_completo: 'Bento', codigo_turma: '5A', responsavel_1_codigo: 'R1' },
];
export const BEFORE = { user: { same: 3 } };

/**
 * What the page says of a run that gave these items.
 * @param more `sheet`: rows of the sheet; `causes`: those of Summary, where they are not those of Needs Attention; `codigo`: what the office
 * typed in
 */
export function pageOf(
	outcome: string,
	attention: object[] = [],
	changes: object[] = [],
	counts: object = BEFORE,
	reason = 'Many are new',
	{
		sheet = SHEET,
		causes = attention,
		codigo = '',
	}: { sheet?: object[]; causes?: object[]; codigo?: string } = {},
): Told {
	const holds = outcome === 'held' ? [{ hold_id: 'hold-1', reason }] : [];
	const outputs = [[{ outcome, counts, holds, causes }], attention, changes];
	const items = (all: object[]) => all.map((json) => ({ json }));
	return pageFrom((node) => ({
		isExecuted: true,
		first: () => ({ json: { 'Código de confirmação': codigo } }),
		all: (output = 0) => items(node === 'Rows of the Sheet' ? sheet : (outputs[output] ?? [])),
	}));
}

/** @param $ n8n's `$`: what another node of the workflow gave */
export function pageFrom($: (node: string) => object): Told {
	const list = runInNewContext(`($) => {${code}}`) as (from: typeof $) => [{ json: Told }];
	const [{ json }] = list($);
	return JSON.parse(JSON.stringify(json)) as Told;
}

export const applied = (kind: string, key: string) => ({ state: 'applied', kind, key });
export const error = { severity: 'error', message: 'Said in English', what_to_do: 'Do it.' };
export const warning = { ...error, severity: 'warning' };
