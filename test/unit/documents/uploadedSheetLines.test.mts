/** The page of "From an uploaded sheet": what it says of a line is true of that line, and of those whom it is about. */
import { textOf } from './markdown.mts';
import { applied, BEFORE, error, pageFrom, pageOf, warning } from './officePage.mts';

const linesOf = (...lines: number[]) => lines.map((line) => ({ file: 'Row', line }));

describe('Where no column is the id of a class', () => {
	const missing = { ...warning, code: 'columnMissing', count: 1 };
	const lacks = { ...error, message: 'A row has values of a class, but not its external id' };
	const items = [
		missing,
		{ ...lacks, code: 'idMissing', kind: 'class', count: 2, places: linesOf(1, 2) },
		{ ...error, code: 'dateNotRead', kind: 'user', key: 'u:s|2', line: 2 },
	];

	test('not all is done, however many were created, and what else is wrong is said', () => {
		for (const changes of [[applied('user', 'u:s|1')], []]) {
			const { titulo, aviso, lista } = pageOf('attention', items, changes);
			expect(titulo).toBe('O n8n ainda não está pronto para esta planilha');
			expect(aviso).toMatch(changes.length > 0 ? /^Só uma parte/ : /^Nada de novo foi cadastrado/);
			expect(lista.map(({ linha }) => linha)).toEqual([3, '']);
		}
	});

	test('nothing is to be confirmed', () => {
		expect(pageOf('held', items, [{ state: 'held', kind: 'user', key: 'u:s|1' }])).toMatchObject({
			titulo: 'O n8n ainda não está pronto para esta planilha',
			codigo: '',
		});
	});
});

test('Where the service refuses all alike it has not stopped answering: who looks after n8n is asked', () => {
	const failure = { origin: 'service', status: 422 };
	const attention = [
		{ ...error, code: 'refusedAlike', count: 51 },
		{ ...warning, code: 'notTried', count: 40 },
		{ ...error, code: 'PROV-1', kind: 'user', key: 'u:s|1', line: 1 },
	];
	const refused = { state: 'failed', kind: 'user', key: 'u:s|1', failure };
	const { titulo, aviso, lista } = pageOf('unfinished', attention, [refused]);
	expect(titulo).toBe('O n8n ainda não está pronto para esta planilha');
	expect(aviso).not.toContain('daqui a uma hora');
	expect(lista.map(({ situacao }) => situacao)).toEqual(['recusado', 'com erro', 'espera']);
});

describe('Of a phone that is none in several lines', () => {
	const told = { ...warning, code: 'contactUnusable', kind: 'user', fields: ['cell_phone'] };
	const many = { ...told, key: 'u:s|R1', count: 2, places: linesOf(1, 2) };
	const sheet = [
		{ codigo_escola: 's', matricula: '1', nome_completo: 'Abelia', responsavel_1_codigo: 'R1' },
		{ codigo_escola: 's', matricula: '2', nome_completo: 'Bento', responsavel_1_codigo: 'R2' },
		{ codigo_escola: 's2', matricula: '3', responsavel_1_codigo: 'R2' },
	];
	const stepsOf = (changes: object[]) =>
		pageOf('attention', [many], changes, BEFORE, '', { sheet }).lista.map(({ linha, passo }) => [
			linha,
			passo,
		]);
	const [MENDED, DONE] = [/^Corrija antes do cadastro, /, /^O cadastro foi feito sem ele/];
	const UNKNOWN = /^Corrija, .* Se o aviso volta, o cadastro foi feito sem ele: peça/;

	test.each<[string, object[], RegExp, RegExp]>([
		['both are created', [applied('user', 'u:s|R1'), applied('user', 'u:s|R2')], DONE, DONE],
		[
			'one waits',
			[applied('user', 'u:s|R1'), { state: 'held', kind: 'user', key: 'u:s|R2' }],
			...([DONE, MENDED] as const),
		],
		['nobody is new', [], UNKNOWN, UNKNOWN],
		[
			'one may be there',
			[{ state: 'uncertain', kind: 'user', key: 'u:s|R1' }, applied('user', 'u:s|R2')],
			...([UNKNOWN, DONE] as const),
		],
		[
			'one is there without its account',
			[{ state: 'unconfirmed', kind: 'user', key: 'u:s|R1' }, applied('user', 'u:s|R2')],
			...([DONE, DONE] as const),
		],
		[
			'one has the code of another school, where it waits',
			[applied('user', 'u:s|R1'), { state: 'held', kind: 'user', key: 'u:s2|R2', source: { line: 3 } }],
			...([DONE, UNKNOWN] as const),
		],
	])('each has its own step: %s', (_what, changes, first, second) => {
		expect(stepsOf(changes)).toEqual([
			[2, expect.stringMatching(first)],
			[3, expect.stringMatching(second)],
		]);
	});

	test('all stay in the list when the first of them was refused, which is an item of its own', () => {
		const [kind, key] = ['user', 'u:s|R1'];
		const failure = { origin: 'service', status: 422 };
		const refused = { ...error, code: 'failed', kind, key, line: 1 };
		const { lista } = pageOf('attention', [refused, many], [{ state: 'failed', kind, key, failure }]);
		expect(lista.map(({ linha, situacao, passo }) => [linha, situacao, passo])).toEqual([
			[2, 'recusado', expect.stringMatching(/^Confira/)],
			[2, 'conferir', expect.stringMatching(MENDED)],
			[3, 'conferir', expect.stringMatching(MENDED)],
		]);
	});
});

test('What is only to be looked at keeps nobody waiting: what is wrong with the same person does', () => {
	const ofGuardian = { kind: 'user', key: 'u:s|R1', line: 1, places: linesOf(1), count: 1, blocks: 2 };
	const wrong = { ...error, code: 'dateNotRead', ...ofGuardian };
	const look = { ...warning, code: 'contactUnusable', fields: ['email'], ...ofGuardian };
	const { lista } = pageOf('attention', [wrong, look]);
	expect(lista.map(({ situacao, motivo }) => [situacao, /Por isso/.test(String(motivo))])).toEqual([
		['com erro', true],
		['conferir', false],
	]);
});

test('A code that is of a student in one line, and of a responsible person in another, is said to be so', () => {
	const differ = {
		...warning,
		code: 'rowsDiffer',
		kind: 'user',
		key: 'u:s|1',
		fields: ['profiles'],
		line: 2,
	};
	expect(pageOf('attention', [differ]).lista).toMatchObject([
		{ motivo: expect.stringContaining('de um aluno em uma linha, e de um responsável em outra') },
	]);
});

test('A bond is not said to have names that differ', () => {
	const twice = { ...error, code: 'idTwice', kind: 'bond', key: 'b:s|5A|1|student', line: 1 };
	const [{ registro, motivo }] = pageOf('attention', [twice]).lista;
	expect(registro).toBe('Aluno 1 na turma 5A');
	expect(motivo).not.toMatch(/nome|nascimento/);
});

test('Each line says its own grade; where there are several schools, not all grades are of this one', () => {
	const sheet = [
		{ matricula: '1', serie: 'EJA', codigo_escola: 's1' },
		{ matricula: '2', serie: 'Multisseriada', codigo_escola: 's2' },
		{ matricula: '3', codigo_escola: 's2' },
	];
	const grade = { ...error, code: 'gradeNotMapped', kind: 'class', places: linesOf(1, 2, 3), count: 3 };
	const what_to_do = 'Add a row.\nThe service has here: "EF1": "1º ano", "2º ano"';
	const { lista } = pageOf('attention', [{ ...grade, what_to_do }], [], BEFORE, '', { sheet });
	expect(lista.map(({ motivo }) => motivo)).toEqual([
		'O serviço não tem nesta escola a série "EJA".',
		'O serviço não tem nesta escola a série "Multisseriada".',
		'O serviço não tem nesta escola a série desta linha.',
	]);
	expect(lista[0]?.passo).toContain(
		'uma destas, e ela é desta escola, escreva-a na coluna da série: 1º ano, 2º ano.',
	);
});

test('Whose code is that of another person in the service has the name of that record, not that of the student of the line', () => {
	const another = { ...error, code: 'anotherPerson', kind: 'user', key: 'u:s|R1', line: 1 };
	const stepOf = (more: object) => pageOf('attention', [{ ...another, ...more }]).lista[0]?.passo;
	expect(stepOf({ name: 'Celestina Fontela' })).toMatch(/^Se Celestina Fontela é uma pessoa nova/);
	expect(stepOf({})).toMatch(/^Se esta pessoa é uma pessoa nova/);
});

const otherIds = [
	...textOf('nodes/SchoolPartnerRoster/planning/changedIds.ts').matchAll(
		/`([^`]*(?:look like|none of)[^`]*)`/g,
	),
].map(([, reason = '']) => reason);

test.each(otherIds)('The office gets no code where the ids are others than before: %s', (reason) => {
	const held = [{ state: 'held', kind: 'user', key: 'u:s|1' }];
	const { titulo, aviso, codigo, retidos } = pageOf('held', [], held, BEFORE, reason);
	expect([titulo, codigo, retidos]).toEqual(['A planilha foi lida, e nada de novo foi cadastrado', '', []]);
	expect(aviso).toContain('não são os de antes');
});

test('there are two such reasons', () => expect(otherIds).toHaveLength(2));

test('Whose grade is left out on purpose is counted in every upload, though it is told once', () => {
	const { fora } = pageOf('nothing', [], [], BEFORE, '', { causes: [{ code: 'gradeLeftOut', count: 4 }] });
	expect(fora).toBe('4 linhas ficam de fora: quem cuida do n8n escolheu não cadastrar a série delas.');
});

test('Ids that are those of the whole network have no school, and are read as well', () => {
	const sheet = [{ matricula: '2031', nome_completo: 'Abelia', responsavel_1_codigo: 'R1' }];
	const bond = { ...applied('bond', 'b:s|5A|2031|student'), why: 'new', source: { file: 'Row', line: 1 } };
	const isNew = (id: string) => ({ ...applied('user', `u:${id}`), action: 'create' });
	const wrong = { ...error, code: 'dateNotRead', kind: 'user', key: 'u:2031', line: 1 };
	const { lista, numeros } = pageOf('attention', [wrong], [isNew('R1'), isNew('2031'), bond], {}, '', {
		sheet,
	});
	expect(lista).toMatchObject([{ registro: 'Aluno 2031' }]);
	expect(numeros.map(({ numero }) => numero)).toEqual([0, 1, 1, 1, 0]);
});

test('What somebody has said of a record is none that was created', () => {
	const note = { ...applied('user', 'u:s|1'), action: 'note' };
	expect(pageOf('nothing', [], [note]).titulo).toBe('Nada a fazer: tudo já estava cadastrado');
});

test('Titles that have lost their accents are no matter for who looks after n8n: the office saves the sheet in another way', () => {
	const { titulo, aviso } = pageFrom(() => ({
		isExecuted: false,
		first: () => ({ json: { 'Matr\uFFFDcula': '1' } }),
	}));
	expect(titulo).toBe('Não foi possível ler a planilha');
	expect(aviso).toContain('Salve a planilha como "CSV UTF-8"');
});

test('A line without a school is said to lack it, and nothing is said of its grade, of which nobody was asked', () => {
	const sheet = [{ codigo_escola: 's1', serie: '5º ano' }, { serie: '5º ano' }];
	const grade = { ...error, code: 'gradeNotMapped', kind: 'class', places: linesOf(2) };
	const school = {
		...error,
		code: 'fieldRefused',
		message: 'Class: school_external_id must be text',
		line: 2,
	};
	const { lista } = pageOf('attention', [grade, school], [], BEFORE, '', { sheet });
	expect(lista).toMatchObject([{ linha: 3, motivo: 'Falta o código da escola, ou o valor não é aceito.' }]);
});

test('Two people of one line whose e-mail is none are two, and none of them is named for the other', () => {
	const told = { ...warning, code: 'contactUnusable', kind: 'user', fields: ['email'], key: 'u:s|R1' };
	const { lista } = pageOf('attention', [{ ...told, count: 3, places: linesOf(1, 1, 2) }]);
	expect(lista.map(({ linha, registro }) => [linha, registro])).toEqual([
		[2, ''],
		[3, ''],
	]);
	expect(lista[0]?.motivo).toContain('Nesta linha há 2 assim: confira o de cada pessoa.');
});

test('A grade that the service has twice in the school is not to be written in another way', () => {
	const what_to_do = 'Add a row.\nThe service has here: "EF1": "1º ano", "2º ano"; "EM": "1º ano"';
	const grade = { ...error, code: 'gradeNotMapped', kind: 'class', what_to_do };
	const of = (serie: string) =>
		pageOf('attention', [{ ...grade, places: linesOf(1) }], [], BEFORE, '', { sheet: [{ serie }] }).lista[0];
	expect(of('1o Ano')).toMatchObject({
		motivo: 'O serviço tem nesta escola mais de uma série com o nome "1o Ano".',
		passo: expect.stringMatching(/^Não mude a série/),
	});
	const sheet = [{ serie: '1º ano', codigo_escola: 's' }, { serie: '1º ano' }];
	const [only, ...others] = pageOf('attention', [{ ...grade, places: linesOf(1, 2) }], [], BEFORE, '', {
		sheet,
	}).lista;
	expect([only?.passo, others]).toEqual([expect.stringMatching(/^Não mude a série/), []]);
	expect(of('3º ano')?.passo).toContain('uma destas, escreva-a na coluna da série: 1º ano, 2º ano.');
});

test('Guardians are known by what is sent, whatever the columns are called; and the page says what is to be set up', () => {
	const send = (profile: string) => ({ send: { profiles: [profile] } });
	const changes = ['R1', 'R2', '1'].map((id) => ({
		...applied('user', `u:s|${id}`),
		...{ state: 'held', action: 'create', ...send(id === '1' ? 'student' : 'responsible') },
	}));
	const sheet = [{ Matrícula: '1', 'Código do responsável': 'R1' }];
	const { retidos, fora } = pageOf('held', [], changes, BEFORE, '', { sheet });
	expect(retidos).toEqual(['2 responsáveis', '1 aluno']);
	expect(fora).toContain('COLUNAS');
});

describe('Where the code of a student of one school is that of a guardian of another', () => {
	const sheet = [
		{ codigo_escola: 's1', matricula: '101', nome_completo: 'Abelia', responsavel_1_codigo: 'R1' },
		{ codigo_escola: 's2', matricula: '7', nome_completo: 'Bento', responsavel_1_codigo: '101' },
	];

	test('each is counted as what is sent', () => {
		const held = (key: string, profile: string) => ({
			...{ state: 'held', action: 'create', kind: 'user', key },
			send: { profiles: [profile] },
		});
		const changes = [
			...[held('u:s1|R1', 'responsible'), held('u:s2|101', 'responsible')],
			...[held('u:s1|101', 'student'), held('u:s2|7', 'student')],
		];
		const { retidos } = pageOf('held', [], changes, BEFORE, '', { sheet });
		expect(retidos).toEqual(['2 responsáveis', '2 alunos']);
	});

	test.each([
		[1, 'u:s1|101', 'Aluno 101', 'Por isso esta pessoa não foi cadastrada nem entrou na turma'],
		[2, 'u:s2|101', 'Responsável 101', 'Por isso o aluno desta linha'],
	])('what is wrong in line %d is said of who stands there', (line, key, registro, waits) => {
		const wrong = { ...error, code: 'dateNotRead', kind: 'user', key, line, blocks: 1 };
		expect(pageOf('attention', [wrong], [], BEFORE, '', { sheet }).lista).toMatchObject([
			{ registro, motivo: expect.stringContaining(waits) },
		]);
	});
});

test('A list without numbers of guardians is not corrected line by line', () => {
	const without = { ...error, code: 'responsibleWithoutId', kind: 'user', key: 'u:s|1', line: 1 };
	const message = 'A row has values of a responsible person, but not its external id';
	const items = [
		without,
		{ ...without, key: 'u:s|2', line: 2 },
		{ ...error, code: 'idMissing', kind: 'user', message, count: 2, places: linesOf(1, 2) },
	];
	const { titulo, codigo, lista } = pageOf('held', items);
	expect([titulo, codigo]).toEqual(['O n8n ainda não está pronto para esta planilha', '']);
	expect(lista).toMatchObject([{ passo: expect.stringContaining('Mapping > Responsible IDs') }]);
	const sheet = Array.from({ length: 5 }, (_, index) => ({ matricula: String(index) }));
	const one = pageOf('attention', [without], [], BEFORE, '', { sheet }).lista;
	expect(one).toMatchObject([
		{ linha: 2, passo: expect.stringMatching(/^Preencha o código do responsável/) },
	]);
});

const WRONG = { ...error, code: 'dateNotRead', kind: 'user', key: 'u:s|1', line: 1 };
const AWAY = { ...error, code: 'failed', kind: 'user', key: 'u:s|1', line: 1 };

test('Who was there and enters one more class is in the list also while the service is away: no later upload says it again', () => {
	const bond = { ...applied('bond', 'b:s|5B|2|student'), why: 'new', source: { line: 2 } };
	const failed = { state: 'failed', kind: 'user', key: 'u:s|1', failure: { status: 503 } };
	const { titulo, cabecalho, lista } = pageOf('unfinished', [AWAY, WRONG], [bond, failed]);
	expect([titulo, cabecalho]).toEqual(['O serviço parou de responder', 'O que precisa de atenção']);
	expect(lista.map(({ linha, situacao }) => [linha, situacao])).toEqual([
		[2, 'sem resposta'],
		[3, 'conferir'],
	]);
});

test('Who was there is told of though somebody of another school with the same code is new', () => {
	const bond = { ...applied('bond', 'b:s2|5B|2|student'), why: 'new', source: { line: 2 } };
	const isNew = { ...applied('user', 'u:s1|2'), action: 'create' };
	expect(pageOf('done', [], [isNew, bond]).lista).toMatchObject([{ linha: 3, situacao: 'conferir' }]);
	const entered = { ...bond, why: 'was not done the last time' };
	expect(pageOf('done', [], [isNew, entered]).aviso).toMatch(/^1 aluno que já estava cadastrado entrou/);
});

test.each([
	['a class that is new today', [{ ...applied('class', 'c:s|5C'), action: 'create' }], 'new'],
	['one that an earlier sheet could not reach', [], 'was not done the last time'],
])(
	'Who was there and comes into %s may have left another class, which the sheet does not end',
	(_what, more, why) => {
		const bond = { ...applied('bond', 'b:s|5C|2|student'), why, source: { line: 2 } };
		const entered =
			/1 aluno que já estava cadastrado entrou em uma turma \(linha 3: 5C\)\. Se trocou de turma/;
		expect(pageOf('done', [], [...more, bond]).aviso).toMatch(new RegExp(`^${entered.source}`));
		// The next upload finds the bond there, and says nothing of it.
		for (const outcome of ['attention', 'unfinished', 'held'])
			expect(pageOf(outcome, [WRONG], [...more, bond]).aviso).toMatch(entered);
		const notReady = pageOf('attention', [{ ...warning, code: 'columnMissing' }], [...more, bond]);
		expect(notReady).toMatchObject({
			titulo: 'O n8n ainda não está pronto para esta planilha',
			aviso: expect.stringMatching(entered),
		});
		const isNew = { ...applied('user', 'u:s|2'), action: 'create' };
		const { aviso } = pageOf('done', [], [...more, isNew, bond]);
		expect(aviso).toMatch(more.length > 0 ? /^Turma nova: 5C\. Se ela não existe na escola, / : /^$/);
		expect(pageOf('done', [], [isNew, { ...bond, action: 'note' }]).aviso).toBe('');
	},
);

test('Who was there and comes into several new classes is one student', () => {
	const into = (school: string, code: string, id: string, line: number) => [
		{ ...applied('class', `c:${school}|${code}`), action: 'create' },
		{ ...applied('bond', `b:${school}|${code}|${id}|student`), why: 'new', source: { line } },
	];
	const twice = [...into('s', '5C', '2', 2), ...into('s', '5D', '2', 3)];
	const noteOf = (changes: object[]) => pageOf('done', [], changes).aviso;
	expect(noteOf(twice)).toMatch(
		/^1 aluno que já estava cadastrado entrou em turmas \(linhas 3 a 4: 5C, 5D\)\. Se /,
	);
	expect(noteOf([...twice, ...into('s', '5C', '1', 1)])).toMatch(/^2 alunos .* \(linhas 2 a 4: 5C, 5D\)\./);
	// The student of another school with the same code is another one.
	expect(noteOf([...twice, ...into('s2', '5C', '2', 1)])).toMatch(/^2 alunos /);
});

test.each([
	['u:s|1~1', /foi apagado, preencha-o de novo/, /^Esta pessoa parece já estar cadastrada\.$/],
	['u:s|~0123456789abcdef01234567', /tire-o da planilha/, /^Esta pessoa parece já estar cadastrada\.$/],
	['u:s|R9', /^Use o código de antes \(R101\)/, /com outro código/],
])('Who may be there already is told by what the id was made of: %s', (key, step, reason) => {
	const message = 'A new user has the name of a known one (R101) of the school';
	const [{ motivo, passo }] = pageOf('attention', [
		{ ...error, code: 'personTwice', kind: 'user', key, message, line: 1 },
	]).lista;
	expect(motivo).toMatch(reason);
	expect(passo).toMatch(step);
});

describe('Where who is not in the sheet leaves the class', () => {
	const removals = (state: string, many: number) =>
		Array.from({ length: many }, (_, place) => ({
			...{
				state,
				kind: 'bond',
				action: 'remove',
				why: 'missing',
				key: `b:s|5A|${place}|student`,
				source: null,
			},
		}));

	test('what waits for a confirmation are leavers, and no placements', () => {
		expect(pageOf('held', [], removals('held', 30)).retidos).toEqual(['30 saídas de turmas']);
	});

	test('leavers alone are something that was done', () => {
		const { titulo, numeros } = pageOf('done', [], removals('removed', 1));
		expect([titulo, numeros]).toEqual([
			'Tudo certo com a planilha',
			expect.arrayContaining([
				{ numero: 1, de: 'saída de turma' },
				{ numero: 0, de: 'colocações em turmas' },
			]),
		]);
	});

	test('a refused one is no registration that was refused', () => {
		const failure = { status: 422, origin: 'service', properties: [] };
		const failed = removals('failed', 1).map((one) => ({ ...one, failure }));
		const attention = [{ ...error, code: 'failed', kind: 'bond', action: 'remove', key: failed[0].key }];
		const { lista } = pageOf('attention', attention, failed);
		expect(lista).toMatchObject([{ motivo: 'O serviço não confirmou a saída da turma.' }]);
	});
});

test('A code that two lines give to different people is named in both', () => {
	const row = (matricula: string, ...codes: string[]) => ({
		...{ matricula, responsavel_1_codigo: codes[0], responsavel_2_codigo: codes[1] },
	});
	const twice = { ...error, code: 'idTwice', kind: 'user', key: 'u:s|R1', places: linesOf(1, 2), count: 2 };
	const namedOf = (...sheet: object[]) =>
		pageOf('attention', [twice], [], BEFORE, '', { sheet }).lista.map(({ registro }) => registro);
	expect(namedOf(row('1', 'R1'), row('2', 'R1'))).toEqual(['Responsável R1', 'Responsável R1']);
	// Which of the two it is stands in no line.
	expect(namedOf(row('1', 'R1', 'R2'), row('2', 'R1', 'R2'))).toEqual(['Responsável R1', '']);
});
