/** docs/roster.md and docs/ledger.md tell every word that a workflow may branch on, and docs/roster-messages.md every code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import {
	LEDGER_COLUMNS,
	LEASE,
	NOTE_KINDS,
	OUTCOMES,
	RUN_KINDS,
} from '../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { ledgerProperties } from '../../../nodes/SchoolPartnerRoster/panel/ledger.ts';
import { mapping } from '../../../nodes/SchoolPartnerRoster/panel/mapping.ts';
import { options } from '../../../nodes/SchoolPartnerRoster/panel/options.ts';
import { operation } from '../../../nodes/SchoolPartnerRoster/panel/operation.ts';
import { PLAN_DEFAULTS } from '../../../nodes/SchoolPartnerRoster/planning/options.ts';
import { KINDS } from '../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { verifyFindings } from '../../../nodes/SchoolPartnerRoster/verifying/findings.ts';
import {
	everythingSaid,
	findingsTable,
	PORTUGUESE,
	stopsTable,
	verdictsTable,
} from '../../../tools/generated/roster.mts';
import { textOf } from './markdown.mts';

const page = textOf('docs/roster.md');
const ledger = textOf('docs/ledger.md');
const messages = textOf('docs/roster-messages.md');

const codes = [...new Set(everythingSaid().map(({ code }) => code))];

test('the code says more than a hundred things', () => {
	expect(everythingSaid().length).toBeGreaterThan(100);
});

test.each(codes)('what can be said has its row or its word: %s', (code) => {
	expect(page + messages).toContain(`\`${code}\``);
});

const ofAccess = ['accessUnknown', 'grantLost', 'neverAccessed', 'notRevoked'];

test.each([...Object.keys(verifyFindings), ...ofAccess])(
	'what Summary of Verify tells has its row, apart from Needs Attention: %s',
	(code) => {
		const [attention, verify = ''] = messages.split('\n## Verify\n');
		expect(verify).toContain(`| \`${code}\` | `);
		expect(attention).not.toContain(`| \`${code}\` | `);
	},
);

test.each([
	['verify', ['differences', 'unknown_people', 'unknown_classes', 'of', 'turn']],
	['explain', ['class_state', 'missing_since']],
	['roster', ['busy_with']],
])('the page %s names the fields %s', (name, fields) => {
	const text = textOf(`docs/${name}.md`);
	expect(fields.filter((field) => !text.includes(`\`${field}\``))).toEqual([]);
});

/** Rows of a table, as their cells. */
const rowsOf = (table: string) => table.split('\n').map((row) => row.split(' | '));

test('no code stands in a table twice with the same words', () => {
	for (const rows of [findingsTable(), stopsTable()].map(rowsOf)) {
		const said = rows.map(([code, ...words]) => `${code} ${words.at(-2)}`);
		expect(said.length).toBeGreaterThan(50);
		expect(said.filter((one, index) => said.indexOf(one) !== index)).toEqual([]);
	}
});

// The removal of a bond has a warning of its own.
test.each([
	['uncertain', ['error', 'warning', 'warning']],
	['exists', ['error', 'warning']],
	['mostUnconfirmed', ['error', 'warning']],
])(
	'%s is an error in the run in which it arises, or when it is overdue, and a warning otherwise',
	(code, expected) => {
		const severities = rowsOf(findingsTable()).filter(([cell]) => cell === `| \`${code}\``);
		expect(severities.map(([, severity]) => severity)).toEqual(expected);
	},
);

test('what comes of one change is no stop', () => {
	const stops = rowsOf(stopsTable()).map(([code]) => code);
	expect(stops.filter((code) => /`(gone|notOfContract|saysNo)`/.test(code))).toEqual([]);
	expect(findingsTable()).toMatch(/^\| `notOfContract` \| error /m);
});

test.each([
	['manifest', 'manifest.csv says that … is absent, but it is there', 'The file is not read'],
	['serviceMoved', 'The ledger was written for another client', 'approved in a Sync first'],
	['idsChanged', 'The ledger was written with other options', 'approved in a Sync first'],
])('the table of stops has %s in the words of the finding: %s', (code, message, next) => {
	const rows = rowsOf(stopsTable()).map((row) => row.join(' '));
	const found = rows.filter((row) => row.includes(`\`${code}\``) && row.includes(message));
	expect(found).toEqual([expect.stringContaining(next)]);
});

const attentionCodes = new Set(
	everythingSaid().flatMap(({ code, severity }) => (severity === 'stop' ? [] : code)),
);

test('every code of Needs Attention has its words in Portuguese, and those have no other', () => {
	// `failed`: what the service has refused, with a code of its own.
	expect(Object.keys(PORTUGUESE).sort()).toEqual([...attentionCodes, 'failed'].sort());
	const empty = Object.values(PORTUGUESE)
		.flatMap(Object.values)
		.filter((words) => words === '');
	expect(empty).toEqual([]);
});

test('a list that comes only once is started again itself, in Portuguese too', () => {
	const codes = ['waits', 'serviceAway', 'notTried', 'held', 'failed', 'refusedAlike'];
	const without = codes.filter(
		(code) => !/Se a lista vem uma vez só, comece .*com ela mesma/.test(PORTUGUESE[code].what_to_do),
	);
	expect(without).toEqual([]);
});

test('what leaves or is known already is settled in Portuguese under the same conditions as in English', () => {
	for (const code of ['userLeft', 'classLeft'])
		expect(PORTUGUESE[code].what_to_do).toMatch(
			/^Nada enquanto algo está retido\. Depois, se ela não deve ficar, tire-a à mão no serviço\.$/,
		);
	expect(PORTUGUESE.schoolKnown.what_to_do).toMatch(/Existing Records = Adopt/);
});

describe('The example for an office', () => {
	const { nodes } = JSON.parse(textOf('examples/from-an-uploaded-sheet.json')) as {
		nodes: Array<{ parameters: { jsCode?: string } }>;
	};
	const code = nodes.map(({ parameters }) => parameters.jsCode ?? '').join('\n');

	test('has these words of every code', () => {
		const [, words = ''] = /const MENSAGENS = (\{[^]*?\n\});/.exec(code) ?? [];
		expect(JSON.parse(words)).toEqual(PORTUGUESE);
	});

	test('answers with the headlines that its page in Portuguese explains, and with no other', () => {
		const [, outcomes = ''] = /const DESFECHOS = \{([^]*?)\n\};/.exec(code) ?? [];
		const headlines = [...outcomes.matchAll(/^ {2}\w+: \['([^']+)'/gm)].map(([, headline]) => headline);
		const office = textOf('docs/pt-BR/planilha.md');
		const explained = [
			...[...office.matchAll(/^\*\*(A planilha|Cadastrado|Tudo|O serviço|O n8n)([^*]*)\.\*\*/gm)].map(
				([, begin, rest]) => `${begin}${rest}`,
			),
			...[...office.matchAll(/^\| (?!Outros|---)([^|]+) \|/gm)].map(([, headline]) => headline),
		];
		expect(explained.sort()).toEqual(headlines.sort());
	});
});

const verdicts = readFileSync('docs/explain.md', 'utf8');

test('whatever the tests of the node expect to be said is on the pages', () => {
	const folders = ['test/unit/roster', 'test/engine'];
	const tests = folders.flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.mts') && (folder.endsWith('roster') || name.startsWith('roster')))
			.map((name) => readFileSync(join(folder, name), 'utf8')),
	);
	const expected = tests.flatMap((text) =>
		[...text.matchAll(/\bcode: '([a-z]+[A-Z]\w+)'/g)].map(([, code]) => code),
	);
	expect(expected.length).toBeGreaterThan(20);
	expect(expected.filter((code) => !(page + messages + verdicts).includes(`\`${code}\``))).toEqual([]);
});

const labels = [options.night, mapping].flatMap((collection) =>
	(collection.options as INodeProperties[]).map(({ displayName }) => displayName),
);

test.each(labels)('what is said names an option as the panel does: %s', (label) => {
	const spelt = new RegExp(`\\b${label.replace(/[()]/g, '\\$&')}`, 'gi');
	const named = everythingSaid().flatMap(({ message, whatToDo }) =>
		[...`${message} ${whatToDo}`.matchAll(spelt)].map(([name]) => name),
	);
	// All in small letters it is a word of the sentence.
	expect(named.filter((name) => name !== label && name !== label.toLowerCase())).toEqual([]);
});

test.each([
	...(operation.options ?? []).map(({ name }) => name),
	...ledgerProperties.map(({ displayName }) => displayName),
])('the pages name %s of the panel', (name) => {
	expect(page + ledger).toMatch(new RegExp(`\\*${name}\\*`));
});

test('a bold or slanted name on the pages that looks like an option is one', () => {
	const known = new Set(labels);
	const named = [
		...`${page}${ledger}`.matchAll(/\*((?:Statuses|Existing|Changed|Missing|Only|User IDs|Hold) [^*>]+?)\*/g),
	];
	expect(named.length).toBeGreaterThan(4);
	expect(named.map(([, name]) => name.trim()).filter((name) => !known.has(name))).toEqual([]);
});

test.each(LEDGER_COLUMNS)('the page of the ledger has the column %s', (column) => {
	expect(ledger).toMatch(new RegExp(`^\\| .*\`${column}\`.* \\| `, 'm'));
});

// No operation writes `access` yet.
const kinds = [...KINDS, ...RUN_KINDS, ...NOTE_KINDS, LEASE].filter((kind) => kind !== 'access');

test.each([...OUTCOMES, ...kinds])('a row of the ledger may say %s', (word) => {
	expect(ledger).toContain(`\`${word}\``);
});

test('the page says from when on something is held, as the options are by default', () => {
	const { holdCreationsPercent, holdCreationsFrom, holdRemovalsPercent, holdRemovalsFrom } = PLAN_DEFAULTS;
	expect(page).toContain(
		`what is new | more than ${holdCreationsPercent} % of its classes, users or bonds of a profile, and at least ${holdCreationsFrom} |`,
	);
	expect(page).toContain(
		`who leaves | more than ${holdRemovalsPercent} % of its bonds of a profile, and at least ${holdRemovalsFrom};`,
	);
});

test('the table of what Explain says lacks no word in any place of its sentences', () => {
	expect(verdictsTable()).not.toContain('undefined');
});
