/** What the roster says, in Portuguese: as true as the words of the node. */
import { runInNewContext } from 'node:vm';

import { gradeNotMapped } from '../../../nodes/SchoolPartnerRoster/reading/classFindings.ts';
import { everythingSaid, PORTUGUESE } from '../../../tools/generated/roster.mts';
import { textOf } from './markdown.mts';
import { pageOf, warning } from './officePage.mts';

const said = everythingSaid();

test('what is always an error is never nothing to do', () => {
	const severities = (code: string) =>
		new Set(said.flatMap((one) => (one.code === code && one.severity !== 'stop' ? one.severity : [])));
	const errors = Object.keys(PORTUGUESE).filter((code) => [...severities(code)].join() === 'error');
	expect(errors.length).toBeGreaterThan(30);
	expect(errors.filter((code) => /nada a fazer/i.test(PORTUGUESE[code].what_to_do))).toEqual([]);
});

test('what is refused alike keeps others back too: of classes the users, and for some answers all', () => {
	expect(PORTUGUESE.refusedAlike.what_to_do).toMatch(/^Por isso outros também não foram enviados\./);
});

describe('The node Code of the page', () => {
	const [, recipe = ''] = /```js\n([^]*?)```/.exec(textOf('docs/pt-BR/mensagens.md')) ?? [];
	const code = recipe.replace('/* mensagens.json */', () => JSON.stringify(PORTUGUESE));

	function inPortuguese(item: object): Record<string, string> {
		const run = runInNewContext(`($input) => {${code}}`) as (from: object) => Array<{ json: object }>;
		const [{ json }] = run({ all: () => [{ json: item }] });
		return json as Record<string, string>;
	}

	test('says it in Portuguese, and keeps what only the words in English name', () => {
		const { message, what_to_do } = gradeNotMapped('Jardim II');
		const offered = `${what_to_do}\nThe service has here: "EI": "Pré"`;
		const item = inPortuguese({ code: 'gradeNotMapped', message, what_to_do: offered });
		expect(item).toMatchObject(PORTUGUESE.gradeNotMapped);
		expect(item.original).toContain('Jardim II');
		expect(item.original).toContain('"Pré"');
	});

	test('keeps the refusal of the service too, which has a code of its own', () => {
		const item = inPortuguese({ code: 'FLU001', message: 'The service refused it', what_to_do: '' });
		expect(item).toMatchObject({ ...PORTUGUESE.failed, original: 'The service refused it' });
	});

	test('calls it by the name by which the words in Portuguese send there', () => {
		const sent = Object.values(PORTUGUESE).filter(({ what_to_do }) => /\bmensagem\b/.test(what_to_do));
		expect(sent.length).toBeGreaterThan(2);
		expect(sent.filter(({ what_to_do }) => !what_to_do.includes('mensagem original'))).toEqual([]);
	});
});

test.each([
	['columnMissing', 'A Field and B Field', 'A Field e B Field'],
	['expressionGivesNothing', 'A Field', 'A Field'],
	['profileNotOffered', '"tutor"', '"tutor"'],
	['schoolEmpty', 'school-001', 'school-001'],
])('The page for an office names what only the words in English name: %s', (code, name, named) => {
	const messages = said.flatMap((one) =>
		one.code === code && one.severity !== 'stop' ? one.message.replace('…', name) : [],
	);
	expect(messages.length).toBeGreaterThan(0);
	for (const message of messages) {
		const [{ motivo }] = pageOf('attention', [{ ...warning, code, message }]).lista;
		expect(motivo).toContain(`(mensagem original: ${named})`);
	}
});

test.each(['fieldMapped', 'fieldUnmapped'])('The page for an office names the field: %s', (code) => {
	const [{ motivo }] = pageOf('attention', [{ ...warning, code, fields: ['birth_date'] }]).lista;
	expect(motivo).toContain('(a data de nascimento)');
});
