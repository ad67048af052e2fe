/** The page of "From an uploaded sheet": its numbers can be compared with the sheet. */
import { error, pageOf } from './officePage.mts';

test('What the sheet tells otherwise now is there too, and is counted as such', () => {
	const counts = { user: { same: 3, changed: 2 }, bond: { same: 1 } };
	expect(pageOf('nothing', [], [], counts).numeros.at(-1)).toMatchObject({ numero: 6 });
});

test('New classes are named before and after, so that one that was typed wrongly is seen', () => {
	const classOf = (code: string, state: string) => ({
		state,
		kind: 'class',
		key: `c:s|${code}`,
		action: 'create',
	});
	const all = (codes: string[], state: string) => codes.map((code) => classOf(code, state));
	const codes = Array.from({ length: 11 }, (_, index) => `5${index}`);
	const aNew = (few: string[]) => pageOf('done', [], all(few, 'applied')).aviso;
	expect(pageOf('held', [], all(['5A', '5<B'], 'held')).retidos).toEqual(['2 turmas (5A, 5&#60;B)']);
	expect(pageOf('held', [], all(codes, 'held')).retidos).toEqual(['11 turmas']);
	expect(aNew(['5A', '5B'])).toMatch(/^Turmas novas: 5A, 5B\. Se uma delas não existe na escola, avise/);
	expect(aNew(codes)).toBe('');
});

test('Who has no class in the sheet is counted, so that the numbers can be compared with it', () => {
	const row = (matricula: string, codigo_turma: string) => ({ matricula, codigo_turma });
	const foraOf = (...sheet: object[]) => pageOf('held', [], [], {}, '', { sheet }).fora;
	expect(foraOf(row('1', '5A'), row('2', ''))).toBe(
		'1 aluno não tem turma na planilha (linha 3): se já tem uma, preencha-a e envie de novo.',
	);
	expect(foraOf(row('1', ''), row('2', ''), row('3', '5A'), row('4', ''))).toContain('(linhas 2 a 3, 5)');
	expect(foraOf(row('1', '5A'), row('', ''))).toBe('');
	// One that the list names already is not said twice.
	const told = { ...error, code: 'idMissing', kind: 'class', line: 2, message: 'values of a class' };
	const sheet = [row('1', '5A'), row('2', '')];
	expect(pageOf('attention', [told], [], {}, '', { sheet }).fora).toBe('');
});
