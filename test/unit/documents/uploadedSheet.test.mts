/** The page of "From an uploaded sheet", by what came of the sheet: the office reads what was done and what to do, line by line. */
import { PORTUGUESE } from '../../../tools/generated/roster.mts';
import { textOf } from './markdown.mts';
import { applied, BEFORE, error, pageFrom, pageOf, warning } from './officePage.mts';

test('All done: it says so, and counts by role what was new', () => {
	const changes = [
		applied('class', 'c:s|5A'),
		...[applied('user', 'u:s|R1'), applied('user', 'u:s|1'), applied('user', 'u:s|2')],
		applied('bond', 'b:s|5A|1|student'),
	];
	const { titulo, lista, numeros } = pageOf('done', [], changes);
	expect([titulo, lista]).toEqual(['Tudo certo com a planilha', []]);
	expect(numeros.map(({ numero, de }) => `${numero} ${de}`)).toEqual([
		...['1 turma nova', '1 responsável novo', '2 alunos novos'],
		...['1 colocação em turma', '3 turmas, pessoas e colocações que já estavam cadastradas'],
	]);
});

test('A sheet that comes by a schedule, and not by the form, has its list too', () => {
	const summary = { outcome: 'done', counts: BEFORE, holds: [], causes: [] };
	const { titulo } = pageFrom((node) =>
		node === 'Upload the Sheet'
			? {
					isExecuted: false,
					first: () => {
						throw new Error(`Node '${node}' hasn't been executed`);
					},
				}
			: {
					isExecuted: true,
					all: (output = 0) => (node === 'Rows of the Sheet' || output > 0 ? [] : [{ json: summary }]),
				},
	);
	expect(titulo).toBe('Nada a fazer: tudo já estava cadastrado');
});

test.each([
	['held', 'A planilha espera uma confirmação'],
	['unfinished', 'O serviço parou de responder'],
	['busy', 'Outra planilha, ou esta mesma, está sendo processada'],
])('A run that ends as %s has a title of its own', (outcome, titulo) => {
	expect(pageOf(outcome).titulo).toBe(titulo);
});

test.each([
	[
		'Invalid Record Length: columns length is 34, got 36 on line 7',
		/A linha 7 tem 2 colunas a mais .* exclua ali/,
	],
	[
		'Invalid Record Length: columns length is 34, got 33 on line 7',
		/A linha 7 tem 1 coluna a menos .* insira ali/,
	],
	[
		'Invalid Opening Quote: a quote is found on field 2 at line 5, value is "Segredo"',
		/na linha 5, .* aspas/i,
	],
	// What n8n says of every fault of a CSV that was sent from Windows with Excel.
	[
		"The file selected in 'Input Binary Field' is not in csv format",
		/linha tem colunas a mais ou a menos .* aspas .* não é um CSV\./,
	],
	['Segredo', /^Nada foi cadastrado\. Salve a lista como "CSV UTF-8"/],
	[undefined, /Não há alunos nela/],
])(
	'Of a file that n8n could not read (%s) it says what to do, and nothing that stood in it',
	(message, words) => {
		const { titulo, aviso } = pageFrom(() => ({
			isExecuted: false,
			first: () => ({ json: { error: message } }),
		}));
		expect(titulo).toBe('Não foi possível ler a planilha');
		expect(aviso).toMatch(words);
		expect(aviso).not.toContain('Segredo');
	},
);

test('A new school year that waits says which year it is', () => {
	const reason =
		'A new school year (2027) in 3 schools: 10 new classes, 162 people go on, 0 leave, 0 are new';
	const changes = [{ state: 'held', key: 'c:s|5A', kind: 'class' }];
	expect(pageOf('held', [], changes, BEFORE, reason).porque).toMatch(/^É o começo do ano letivo de 2027:/);
});

test('Whose grade is left out on purpose is named above the list, and nothing is wrong', () => {
	const item = {
		severity: 'information',
		code: 'gradeLeftOut',
		kind: 'class',
		count: 2,
		places: [{ line: 1 }],
	};
	const { fora, titulo, lista } = pageOf('nothing', [item]);
	expect([titulo, lista]).toEqual(['Nada a fazer: tudo já estava cadastrado', []]);
	expect(fora).toBe('2 linhas ficam de fora: quem cuida do n8n escolheu não cadastrar a série "Jardim".');
});

test('Who waits is said in the words of the list: a line that is only to be looked at keeps nobody waiting', () => {
	const lacks = {
		...error,
		message: 'A row has values of a class, but not its external id',
		code: 'idMissing',
	};
	const look = {
		severity: 'warning',
		code: 'contactUnusable',
		kind: 'user',
		key: 'u:s|R1',
		fields: ['email'],
	};
	const items = [
		{ ...lacks, kind: 'class', line: 2 },
		{ ...look, line: 1 },
	];
	const { aviso, lista } = pageOf('attention', items, [applied('user', 'u:s|R1')]);
	const [, waiting = ''] =
		/O que está (.*) não entrou, se ainda não estava, e quem depende dele espera/.exec(aviso) ?? [];
	const named = [...waiting.matchAll(/"([^"]+)"/g)].map(([, situacao]) => situacao);
	expect(named).toEqual(['com erro', 'recusado']);
	expect(lista.map(({ situacao }) => situacao)).toEqual(['conferir', 'sem turma']);
});

test.each([
	['uncertain', 'incerto'],
	['exists', 'com erro'],
])(
	'Who is %s since an earlier sheet keeps others waiting: not all is done, and it is no line to be looked at',
	(known, situacao) => {
		const guardian = { severity: 'warning', code: known, kind: 'user', key: 'u:s|R1', line: 1, blocks: 2 };
		const { titulo, lista } = pageOf('attention', [guardian]);
		expect(titulo).toBe('A planilha foi lida, e nada de novo foi cadastrado');
		expect(lista).toMatchObject([{ linha: 2, registro: 'Responsável R1', situacao }]);
		expect(lista[0]?.motivo).toContain(
			'Por isso o aluno desta linha, se ainda não estava cadastrado, também não foi.',
		);
	},
);

test('Who lacks the id of a class is told as without a class, not as left out', () => {
	const message = 'A row has values of a class, but not its external id';
	const { lista } = pageOf('attention', [{ ...error, message, code: 'idMissing', kind: 'class', line: 2 }]);
	expect(lista).toMatchObject([
		{
			linha: 3,
			situacao: 'sem turma',
			motivo: 'Falta o código da turma, e o aluno desta linha fica sem turma.',
		},
	]);
});

test.each([
	['held', 'held', /^Corrija antes do cadastro, .* envie de novo: depois não há como mudar por aqui/],
	['attention', 'blocked', /^Corrija antes do cadastro, .* envie de novo: depois não há como mudar por aqui/],
	['attention', 'applied', /^O cadastro foi feito sem ele/],
])('What is no phone number is corrected where it still can be (%s, %s)', (outcome, state, step) => {
	const [kind, key] = ['user', 'u:s|R1'];
	const told = { severity: 'warning', code: 'contactUnusable', kind, key, fields: ['cell_phone'], line: 1 };
	const [{ motivo, passo }] = pageOf(outcome, [told], [{ state, kind, key }]).lista;
	expect(motivo).toBe('O celular não é um número, e fica de fora.');
	expect(passo).toMatch(step);
});

test('What waits for approval shows how many, the code, and that nothing is there yet', () => {
	const held = [{ state: 'held', key: 'c:s|5A', kind: 'class' }];
	const waiting = {
		antes: 'Nada de novo foi cadastrado ainda. ',
		retidos: ['1 turma (5A)'],
		porque:
			'É mais do que de costume. Se você não sabe por que são tantos, não confirme: avise quem cuida do n8n.',
		codigo: 'hold-1',
	};
	expect(pageOf('held', [], held)).toMatchObject(waiting);
	const after = (codigo: string) => pageOf('held', [], held, BEFORE, 'Many are new', { codigo }).antes;
	expect(after('hold-0')).toBe(
		`O código que você enviou não é o desta confirmação: ou foi digitado errado, ou a planilha não é a mesma. ${waiting.antes}`,
	);
	// It had ended, and is asked for anew.
	expect(after('hold-1')).toMatch(/^O código tinha passado do prazo, e vale outra vez/);
});

test('What the service refuses is named as the field of the sheet that it is, with the words of the service', () => {
	const properties = [{ property: 'BirthDate', message: 'In the future.' }];
	const failure = { origin: 'service', status: 400, properties };
	const item = { ...error, code: 'FLU001', kind: 'user', key: 'u:s|1', line: 1 };
	const { lista } = pageOf('attention', [item], [{ state: 'failed', kind: 'user', key: 'u:s|1', failure }]);
	expect(lista).toMatchObject([
		{ motivo: 'O serviço recusou a data de nascimento: "In the future" (nas palavras do serviço).' },
	]);
	const ofNoField = {
		...failure,
		properties: [
			{ property: '', message: 'No' },
			{ property: 'Name', message: 'No' },
		],
	};
	const changes = [{ state: 'failed', kind: 'user', key: 'u:s|1', failure: ofNoField }];
	expect(pageOf('attention', [item], changes).lista).toMatchObject([
		{ motivo: 'O serviço recusou este cadastro: "No"; Name: "No" (nas palavras do serviço).' },
	]);
});

test('A sheet that has lost accents in one line, and was sent in another, does not say that nothing was sent', () => {
	const lost = { ...error, code: 'charactersLost', kind: 'user', key: 'u:s|2', line: 2 };
	const unsure = { ...warning, code: 'PROV-9', kind: 'user', key: 'u:s|R1', line: 1 };
	const changes = [{ state: 'uncertain', kind: 'user', key: 'u:s|R1' }];
	const { aviso, lista } = pageOf('attention', [lost, unsure], changes);
	expect(aviso).not.toContain('nada da planilha foi enviado');
	expect(lista.map(({ situacao }) => situacao)).toEqual(['incerto', 'com erro']);
});

test('A proxy that wants to know who asks is no fault of the sheet', () => {
	const failure = { origin: 'network', status: 407 };
	const item = { ...error, code: 'failed', kind: 'user', key: 'u:s|1', line: 1 };
	const { titulo, aviso } = pageOf(
		'attention',
		[item],
		[{ state: 'failed', kind: 'user', key: 'u:s|1', failure }],
	);
	expect(titulo).toBe('O n8n ainda não está pronto para esta planilha');
	expect(aviso).toContain('Não é erro da planilha');
});

test('The first sheet says not to confirm it where there was one before, since a ledger that was lost looks the same', () => {
	const { porque, codigo } = pageOf('held', [], [], {}, 'The ledger is empty: this is a first run');
	expect([porque, codigo]).toEqual([expect.stringContaining('não confirme'), 'hold-1']);
});

const ledgerTroubles = [
	...textOf('nodes/SchoolPartnerRoster/planning/conditions.ts').matchAll(
		/reason:\s+[`']([^`']*\bledger\b[^`']*)/g,
	),
].flatMap(([, reason = '']) => (reason.startsWith('The ledger is empty') ? [] : reason));

test.each(ledgerTroubles)(
	'The office gets no code to confirm what is wrong with the ledger: %s',
	(reason) => {
		const held = [{ state: 'held', key: 'c:s|5A', kind: 'class' }];
		const { titulo, aviso, codigo, retidos } = pageOf('held', [], held, BEFORE, reason);
		expect([titulo, codigo, retidos]).toEqual(['O n8n ainda não está pronto para esta planilha', '', []]);
		expect(aviso).toMatch(/^Nada de novo foi cadastrado\. Avise quem cuida do n8n/);
	},
);

test('there is more than one such trouble', () => expect(ledgerTroubles.length).toBeGreaterThan(3));

test('Where the access ends in the middle, the page does not say that nothing was done', () => {
	const failure = { origin: 'service', status: 401 };
	const item = { ...error, code: 'PROV-1', kind: 'user', key: 'u:s|1', line: 1 };
	const changes = [applied('user', 'u:s|2'), { state: 'failed', kind: 'user', key: 'u:s|1', failure }];
	expect(pageOf('attention', [item], changes).aviso).toMatch(/^Só uma parte foi cadastrada\./);
});

test('A sheet that has lost its accents is not confirmed, but saved in another way', () => {
	const lost = { ...error, code: 'charactersLost', kind: 'class', key: 'c:s|5A', line: 1 };
	const held = [{ state: 'held', kind: 'user', key: 'u:s|1' }];
	const { titulo, codigo, retidos, lista } = pageOf('held', [lost], held, BEFORE, 'The ledger is empty');
	expect([titulo, codigo, retidos]).toEqual(['A planilha foi lida, e nada de novo foi cadastrado', '', []]);
	expect(lista).toMatchObject([{ linha: 2, passo: expect.stringContaining('CSV UTF-8') }]);
});

test('A sheet that has lost accents in one school, while many of another wait, says that a confirmation will be asked for', () => {
	const lost = { ...error, code: 'charactersLost', kind: 'user', key: 'u:s2|2', line: 2 };
	const changes = [applied('user', 'u:s2|1'), { state: 'held', kind: 'user', key: 'u:s1|1' }];
	const { titulo, aviso, codigo } = pageOf('held', [lost], changes);
	expect([titulo, codigo]).toEqual(['Cadastrado em parte. Veja o que falta', '']);
	expect(aviso).toContain('Outros cadastros esperam uma confirmação: com a planilha corrigida,');
	expect(pageOf('attention', [lost], changes).aviso).not.toContain('confirmação');
	// Whose id is corrected is a known one: of these nobody may be left to be confirmed.
	const reason = '9 users of school s1 have ids that look like known ones';
	expect(pageOf('held', [lost], changes, BEFORE, reason).aviso).not.toContain('confirmação');
});

test('While the service is away, the list has only what met it: the rest of the sheet can wait', () => {
	const wrong = { ...error, code: 'dateNotRead', kind: 'user', key: 'u:s|2', line: 2 };
	const key = 'u:s|1';
	const failed = { ...error, code: 'failed', kind: 'user', key, line: 1 };
	const failure = { origin: 'service', status: 503 };
	const { titulo, aviso, lista } = pageOf(
		'unfinished',
		[wrong, failed],
		[{ state: 'failed', kind: 'user', key, failure }],
	);
	expect(titulo).toBe('O serviço parou de responder');
	expect(aviso).toMatch(/^Nada de novo foi cadastrado\. Isso não é erro da planilha\./);
	expect(lista).toMatchObject([{ linha: 2, situacao: 'sem resposta' }]);
});

test('Two years under one id of a class are told as years', () => {
	const { lista } = pageOf('attention', [
		{ ...error, code: 'idTwice', kind: 'class', key: 'c:s|5A', line: 1 },
	]);
	expect(lista[0]?.motivo).toContain('anos letivos diferentes');
});

test('Where something is set up wrongly and nothing was done, the office is sent to who looks after n8n', () => {
	const unknown = { ...error, code: 'stageNotOffered', kind: 'class', key: 'c:s|5A', places: [{ line: 1 }] };
	const { titulo, aviso } = pageOf('attention', [unknown], [], {});
	expect(titulo).toBe('O n8n ainda não está pronto para esta planilha');
	expect(aviso).toContain('Avise quem cuida do n8n');
});

test('Where the sheet is wrong, the title says whether anything was done', () => {
	const unknown = { ...error, code: 'schoolNotKnown', kind: 'user', places: [{ line: 1 }, { line: 2 }] };
	expect(pageOf('attention', [unknown]).titulo).toBe('A planilha foi lida, e nada de novo foi cadastrado');
	const done = [applied('user', 'u:s|2')];
	expect(pageOf('attention', [unknown], done).titulo).toBe('Cadastrado em parte. Veja o que falta');
});

test('What is the same of several records of a line is said once', () => {
	const places = [{ file: 'Row', line: 1 }];
	const ofKind = (kind: string, key: string) => ({ ...error, code: 'schoolNotKnown', kind, key, places });
	const { lista } = pageOf('attention', [ofKind('class', 'c:s|5A'), ofKind('user', 'u:s|1')]);
	expect(lista).toMatchObject([{ linha: 2, registro: 'Turma 5A, Aluno 1' }]);
});

test('Where nothing was new, it says that nothing was to do', () => {
	expect(pageOf('nothing').titulo).toBe('Nada a fazer: tudo já estava cadastrado');
});

test.each([
	['the service', { origin: 'service', status: 503 }, 'O serviço parou de responder', 'Nada a corrigir'],
	['the network', { origin: 'network' }, 'O serviço parou de responder', 'Nada a corrigir'],
	['the access', { origin: 'service', status: 401 }, 'O n8n ainda não está pronto', 'Avise quem cuida'],
	['a record', { origin: 'service', status: 422 }, 'A planilha foi lida', 'Se estão certos, não mude nada'],
	[
		'a value',
		{ origin: 'service', status: 422, properties: [{ property: 'Email', message: 'Too long.' }] },
		...(['A planilha foi lida', 'Corrija esse dado na planilha'] as const),
	],
])('What fails because of %s is told so, and what to do with the sheet', (_what, failure, title, step) => {
	const key = 'u:s|1';
	const item = { ...error, code: 'PROV-1', kind: 'user', key, line: 1, blocks: 2 };
	const { titulo, lista } = pageOf('attention', [item], [{ state: 'failed', kind: 'user', key, failure }]);
	expect(titulo).toContain(title);
	expect(lista).toMatchObject([{ linha: 2, aluno: 'Abelia', passo: expect.stringContaining(step) }]);
	expect(lista[0]?.motivo).toContain(
		'Por isso esta pessoa não foi cadastrada nem entrou na turma, se ainda não estava.',
	);
});

test('Who was there and enters one more class is to be looked at: the sheet takes nobody out of the other', () => {
	const bond = { ...applied('bond', 'b:s|5B|2|student'), why: 'new', source: { file: 'Row', line: 2 } };
	const { titulo, lista } = pageOf('done', [], [bond]);
	expect(titulo).toBe('Tudo feito. Confira o que está abaixo');
	expect(lista).toMatchObject([
		{ linha: 3, situacao: 'conferir', passo: expect.stringContaining('não sai da outra') },
	]);
	const isNew = { ...applied('user', 'u:s|2'), action: 'create' };
	expect(pageOf('done', [], [isNew, bond]).lista).toEqual([]);
});

test('Who has an id that was made is a responsible person, and the office does not read the id', () => {
	const [made, ofDocument] = ['u:s|1~1', 'u:s|~0123456789abcdef01234567'];
	const changes = [applied('user', made), applied('user', ofDocument), applied('user', 'u:s|1')];
	const differ = { ...error, severity: 'warning', code: 'rowsDiffer', kind: 'user', key: ofDocument };
	const { numeros, lista } = pageOf('attention', [{ ...differ, fields: ['email'], line: 1 }], changes);
	expect(numeros.map(({ numero, de }) => `${numero} ${de}`)).toEqual(
		expect.arrayContaining(['2 responsáveis novos', '1 aluno novo']),
	);
	expect(lista).toMatchObject([
		{
			linha: 2,
			registro: 'Responsável',
			motivo: expect.stringContaining('dados diferentes (o e-mail): vale'),
		},
	]);
});

test('A service that was away from the start is told as one that stopped answering: the same sheet comes again later', () => {
	const { titulo, lista } = pageOf(
		'unfinished',
		[{ ...error, code: 'serviceAway', count: 1, places: [] }],
		[],
		{},
	);
	expect(titulo).toBe('O serviço parou de responder');
	expect(lista).toMatchObject([{ linha: '', motivo: 'O serviço não respondeu, e nada foi enviado.' }]);
	expect(lista[0]?.passo).toContain('Envie a mesma planilha daqui a uma hora');
});

test('Who has an id that was made of a document, and is there without one, keeps the first: the document goes', () => {
	const twice = (key: string) =>
		pageOf('attention', [{ ...error, code: 'personTwice', kind: 'user', key, line: 1 }]);
	expect(twice('u:s|~0123456789abcdef01234567').lista[0]?.passo).toContain('tire-o da planilha');
	expect(twice('u:s|R9').lista[0]?.passo).toContain('Use o código de antes');
});

test('Where no column of the sheet is an id, the office reads one line, and whom to ask', () => {
	const places = [{ line: 1 }, { line: 2 }];
	const missing = { ...error, severity: 'warning', code: 'columnMissing', count: 1 };
	const { titulo, lista } = pageOf(
		'attention',
		[{ ...error, code: 'idMissing', kind: 'class', count: 2, places }, missing],
		[],
		{},
	);
	expect(titulo).toBe('O n8n ainda não está pronto para esta planilha');
	expect(lista).toMatchObject([{ linha: '', motivo: expect.stringContaining('não encontra o código') }]);
});

test('A grade that the service does not have comes with those that it has', () => {
	const what_to_do = 'Add a row.\nThe service has here: "EF1": "1º ano", "2º ano"';
	const { lista } = pageOf('attention', [{ ...error, code: 'gradeNotMapped', what_to_do, line: 1 }]);
	expect(lista[0]?.passo).toContain('uma destas, escreva-a na coluna da série: 1º ano, 2º ano.');
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
