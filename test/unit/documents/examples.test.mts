import { readdirSync, readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';

import { VERDICTS } from '../../../nodes/SchoolPartnerRoster/explaining/verdicts.ts';
import { rosterMapping } from '../../../sandbox/roster/mapping.mts';

const page = readFileSync('examples/README.md', 'utf8');
const examples = readdirSync('examples').filter((name) => name.endsWith('.json'));

test('there are at least ten examples', () => {
	expect(examples.length).toBeGreaterThanOrEqual(10);
});

test.each(examples)('the page of examples has a row, a link and a picture of %s', (file) => {
	const { name } = JSON.parse(readFileSync(`examples/${file}`, 'utf8')) as { name: string };
	const picture = file.replace(/json$/, 'png');
	expect(page).toContain(`\n## ${name}\n`);
	// GitHub leaves apostrophes and question marks out of the names of sections.
	expect(page).toContain(`\n| [${name}](#${name.toLowerCase().replace(/['?]/g, '').replaceAll(' ', '-')}) |`);
	expect(page).toContain(`[${file}](${file})`);
	expect(page).toContain(`](../docs/images/examples/${picture})`);
});

test.each(examples)('%s holds no secret, and no address of a machine', (file) => {
	const text = readFileSync(`examples/${file}`, 'utf8');
	expect(text).not.toMatch(/"(clientSecret|apiKey|access_token|refresh_token|password)"\s*:/);
	expect(text).not.toMatch(/localhost|127\.0\.0\.1|"instanceId"/);
});

interface Placed {
	name: string;
	type: string;
	position: [number, number];
	parameters: { width?: number; height?: number };
}

/** n8n draws a node 96 pixels wide, with its name below. */
const NODE = { width: 96, height: 136 };

function overlap(one: Placed, other: Placed): boolean {
	const [left, right] = [one, other].map(({ position: [x, y], parameters }) => ({
		x,
		y,
		right: x + (parameters.width ?? NODE.width),
		bottom: y + (parameters.height ?? NODE.height),
	}));
	return left.x < right.right && right.x < left.right && left.y < right.bottom && right.y < left.bottom;
}

test.each(examples)('no note of %s covers a node or another note', (file) => {
	const { nodes } = JSON.parse(readFileSync(`examples/${file}`, 'utf8')) as { nodes: Placed[] };
	const notes = nodes.filter(({ type }) => type.endsWith('.stickyNote'));
	const covered = notes.flatMap((note) =>
		nodes
			.filter((other) => other !== note && overlap(note, other))
			.map((other) => `${note.name}: ${other.name}`),
	);
	expect(covered).toEqual([]);
});

test("where an example promises no name of a person, it says that the service's own words could have one", () => {
	const texts = examples.flatMap((file) => {
		const { nodes } = JSON.parse(readFileSync(`examples/${file}`, 'utf8')) as { nodes: object[] };
		return nodes.map((node) => JSON.stringify(node));
	});
	const promises = texts.filter((text) => /name of (anybody|a person)|a person's name/i.test(text));
	expect(promises.length).toBeGreaterThan(2);
	expect(promises.filter((text) => !text.includes("only the service's own words could quote one"))).toEqual(
		[],
	);
});

test('no Data Table of an example has a name that holds the name of another: n8n looks for a part of a name, and would take the wrong one', () => {
	const text = examples.map((file) => readFileSync(`examples/${file}`, 'utf8')).join('\n');
	const tables = [
		...new Set([...text.matchAll(/"tableName": "([^"]+)"/g)].map(([, name = '']) => name.toLowerCase())),
	];
	expect(tables.length).toBeGreaterThan(3);
	expect(tables.filter((name) => tables.some((other) => other !== name && other.includes(name)))).toEqual([]);
});

interface OfRoster {
	name: string;
	type: string;
	parameters: {
		operation?: string;
		ledgerName?: string;
		jsCode?: string;
		source?: string;
		mapping?: object;
		authentication?: string;
	};
}

const nodesOf = (file: string) =>
	(JSON.parse(readFileSync(`examples/${file}`, 'utf8')) as { nodes: OfRoster[] }).nodes;
const isRoster = ({ type }: OfRoster) => /\.schoolPartnerRoster(Tool)?$/.test(type);
const ofRoster = examples.filter((file) => nodesOf(file).some(isRoster));

test('there are no more than eleven examples of the roster, and none has more than ten nodes', () => {
	const nodes = ofRoster.map(
		(file) => nodesOf(file).filter(({ type }) => !type.endsWith('.stickyNote')).length,
	);
	expect(nodes.length).toBeGreaterThan(4);
	expect(nodes.length).toBeLessThanOrEqual(11);
	expect(Math.max(...nodes)).toBeLessThanOrEqual(10);
});

/** As an expression says it, whatever it takes the part of the network from. */
const ledgerOf = ({ parameters: { ledgerName } }: OfRoster) =>
	ledgerName?.replace(/\{\{.*\}\}/, '{{ part }}');

test.each(ofRoster)(
	'all nodes of %s that know a ledger know the same one: an approval goes to the ledger that holds',
	(file) => {
		const ledgers = nodesOf(file).filter(isRoster).map(ledgerOf);
		expect(ledgers[0]).toBeTruthy();
		expect(new Set(ledgers).size).toBe(1);
	},
);

const whoApproves = ofRoster.filter((file) =>
	nodesOf(file).some(({ name }) => name === 'Approve What Is Held'),
);

test.each(whoApproves)('the form of %s that approves asks for a login', (file) => {
	const form = nodesOf(file).find(({ name }) => name === 'Approve What Is Held');
	expect(form?.parameters.authentication).toBe('basicAuth');
});

test('the examples that run by night have a form that approves', () => {
	expect(whoApproves).toEqual([
		'sync-a-sheet-every-night.json',
		'sync-every-part-side-by-side.json',
		'sync-the-roster-every-night.json',
	]);
});

const ofFiles = ofRoster.filter((file) =>
	nodesOf(file).some(({ parameters }) => parameters.source === 'files'),
);

test.each(ofFiles)('%s has the mapping that fits the rosters of the sandbox', (file) => {
	const { mapping } = nodesOf(file).find(({ parameters }) => parameters.source === 'files')?.parameters ?? {};
	const chosen: unknown = JSON.parse(JSON.stringify(mapping), (_name, value: unknown) =>
		typeof value === 'object' && value !== null && '__rl' in value && 'value' in value ? value.value : value,
	);
	expect(chosen).toEqual(rosterMapping);
});

test('who takes a network over reads what becomes of errors, and how often to start it', () => {
	const texts = readFileSync('examples/take-over-a-network.json', 'utf8');
	const roster = readFileSync('docs/roster.md', 'utf8');
	expect(texts).toMatch(/has an error is noted as `uncertain`.*\*Resolve\*.*correct it first/);
	expect(texts).toMatch(/once for an export of all schools/);
	expect(texts).not.toMatch(/wrong in the export is not taken over/);
	expect(/^\*\*Does the service have .*$/m.exec(roster)?.[0]).toMatch(
		/an error.* `uncertain`.*correct it first/,
	);
});

/** What the page of the office says of an explanation. */
function reasonOf(explanation: object): string {
	const codes = nodesOf('why-is-this-student-not-there.json').map(
		({ parameters }) => parameters.jsCode ?? '',
	);
	const code = codes.find((each) => each.includes('TEXTOS')) ?? '';
	const input = { first: () => ({ json: explanation }) };
	const asked = () => ({ first: () => ({ json: { 'Código do aluno': 's1' } }) });
	const run = compileFunction(code, ['$input', '$']) as (
		...given: unknown[]
	) => Array<{ json: { motivo: string } }>;
	return run(input, asked)[0].json.motivo;
}

test.each([
	[
		'the classes that the person is in, and none that the service refused',
		'inPlace',
		'',
		null,
		'A pessoa está na turma 5A, 5B',
	],
	[
		'the class that the verdict is about',
		'bondRefused',
		'b:5C',
		null,
		'O serviço recusa pôr a pessoa na turma 5C',
	],
	[
		'all classes that the service does not show',
		'serviceLacksClass',
		'b:5A',
		{ classes: ['5X'] },
		'O serviço não mostra a pessoa na turma 5A, 5B',
	],
	[
		'the only class there is, whatever became of it',
		'inPlace',
		'',
		null,
		'A pessoa está na turma 5C',
		['5C'],
	],
])(
	'the page of "Why is this student not there?" names %s',
	(_what, code, key, service, reason, only = ['5A', '5B', '5C', '5D']) => {
		const states: Record<string, string> = {
			'5A': 'applied',
			'5B': 'applied',
			'5C': 'failed',
			'5D': 'removed',
		};
		const bonds = only.map((name) => ({ key: `b:${name}`, class_external_id: name, state: states[name] }));
		expect(reasonOf({ code, verdict: '', what_to_do: '', key, hold_id: '', bonds, service })).toBe(reason);
	},
);

test('the page of "Why is this student not there?" has words for every verdict of Explain, and for no other', () => {
	const text = readFileSync('examples/why-is-this-student-not-there.json', 'utf8');
	const [, words = ''] = /const TEXTOS = \{(.*?)\\n\};/.exec(text) ?? [];
	const codes = [...words.matchAll(/\\n {2}(\w+): \[/g)].map(([, code]) => code);
	expect(codes).toEqual(Object.keys(VERDICTS));
});

test.each(['notCreated', 'leftWithAccess'])(
	'the page of "Why is this student not there?" tells the office of both cases of %s',
	(code) => {
		const text = readFileSync('examples/why-is-this-student-not-there.json', 'utf8');
		const [, advice = ''] = new RegExp(`\\\\n {2}${code}: \\['[^']*', '([^']*)'\\]`).exec(text) ?? [];
		expect(advice).toMatch(/^Se .*\. Se /);
	},
);

test.each([
	['unknown', /a linha é mais nova que a última noite, ou tem um erro/],
	// It may have been taken over with an error, and never sent.
	['uncertain', /'Não se sabe se a pessoa está \{onde\}'/],
	['accessUnknown', /nenhuma noite a cadastrou/],
])('the page of "Why is this student not there?" says no more of %s than the node knows', (code, words) => {
	const text = readFileSync('examples/why-is-this-student-not-there.json', 'utf8');
	const [, said = ''] = new RegExp(`\\\\n {2}${code}: \\[(.*?)\\],\\\\n`).exec(text) ?? [];
	expect(said).toMatch(words);
});

test.each([
	['the session', { sid: 's-1', sub: 'u-1', claims: { account_id: 'a-1' } }, 'sid', 's-1'],
	[
		'the account, where no session is named',
		{ sid: null, sub: 'u-1', claims: { account_id: 'a-1' } },
		'account_id',
		'a-1',
	],
	[
		'the user, where no claim says which account it is',
		{ sid: null, sub: 'u-1', claims: {} },
		'account_id',
		'u-1',
	],
])('"End our session on logout" looks for %s', (_what, json, column, value) => {
	const text = readFileSync('examples/end-our-session-on-logout.json', 'utf8');
	const [, keyName = '', keyValue = ''] =
		/"keyName": "=\{\{(.*)\}\}"[^]*?"keyValue": "=\{\{(.*)\}\}"/.exec(text) ?? [];
	const evaluated = (code: string): unknown => {
		const run = compileFunction(`return (${code})`, ['$']) as (node: () => object) => unknown;
		return run(() => ({ item: { json } }));
	};
	expect([evaluated(keyName), evaluated(keyValue)]).toEqual([column, value]);
});
