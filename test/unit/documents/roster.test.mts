/** docs/roster.md tells every word that a workflow may branch on, and docs/roster-messages.md every code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, INodeProperties } from 'n8n-workflow';

import { COLUMNS, OUTCOMES, OWN_KINDS, PLANNED } from '../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { applyOptions } from '../../../nodes/SchoolPartnerRoster/panel/applyOptions.ts';
import { mapping } from '../../../nodes/SchoolPartnerRoster/panel/mapping.ts';
import { planOptions } from '../../../nodes/SchoolPartnerRoster/panel/planOptions.ts';
import { PLAN_DEFAULTS } from '../../../nodes/SchoolPartnerRoster/planning/options.ts';
import { COUNTED } from '../../../nodes/SchoolPartnerRoster/planning/counts.ts';
import { KINDS } from '../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { rosterMapping } from '../../../sandbox/roster/mapping.mts';
import { everythingSaid } from '../../../tools/generated/roster.mts';
import { textOf } from './markdown.mts';

const page = textOf('docs/roster.md');
const messages = textOf('docs/roster-messages.md');

const codes = [...new Set(everythingSaid().map(({ code }) => code))];

test('the code says more than a hundred things', () => {
	expect(everythingSaid().length).toBeGreaterThan(100);
});

test.each(codes)('what can be said has its row or its word: %s', (code) => {
	expect(page + messages).toContain(`\`${code}\``);
});

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
	expect(expected.filter((code) => !(page + messages).includes(`\`${code}\``))).toEqual([]);
});

const labels = [planOptions, mapping, applyOptions].flatMap(({ options = [] }) =>
	(options as INodeProperties[]).map(({ displayName }) => displayName),
);

test.each(labels)('what is said names an option as the panel does: %s', (label) => {
	const spelt = new RegExp(`\\b${label}\\b`, 'gi');
	const named = everythingSaid().flatMap(({ message, whatToDo }) =>
		[...`${message} ${whatToDo}`.matchAll(spelt)].map(([name]) => name),
	);
	// All in small letters it is a word of the sentence.
	expect(named.filter((name) => name !== label && name !== label.toLowerCase())).toEqual([]);
});

test.each(COLUMNS)('the ledger needs the column %s, in a Data Table and in PostgreSQL', (column) => {
	expect(page).toContain(`\n| \`${column}\` | `);
	expect(/CREATE TABLE[\s\S]*?\);/.exec(page)?.[0]).toContain(` ${column} text`);
});

test.each([...OUTCOMES, PLANNED, ...KINDS, ...OWN_KINDS])('a row of the ledger may say %s', (word) => {
	expect(page).toContain(`\`${word}\``);
});

test.each(COUNTED)('the summary counts %s', (counted) => {
	const [, summary] = page.split('\n## Summary\n');
	expect(summary).toContain(`\`${counted}\``);
});

test('the page says from when on something is held, as the options are by default', () => {
	const {
		holdCreationsPercent,
		holdCreationsFrom,
		holdRemovalsPercent,
		holdRemovalsFrom,
		batchSize,
		unfinishedAfter,
	} = PLAN_DEFAULTS;
	expect(page).toContain(
		`\n| Creations, and what is taken as done | in a school more than ${holdCreationsPercent} % of what is there of that kind (classes, users, bonds), and at least ${holdCreationsFrom};`,
	);
	expect(page).toContain(
		`\n| Removals | in a school more than ${holdRemovalsPercent} % of the bonds that are there, and at least ${holdRemovalsFrom} |`,
	);
	expect(page).toContain(`the *Batch Size* of the plan (${batchSize})`);
	expect([unfinishedAfter, page.includes('Wait until an hour has passed')]).toEqual([60, true]);
});

const OF_THE_SANDBOX = [
	'plan-tonights-roster',
	'sync-the-roster-every-night',
	'ask-before-a-large-change',
	'take-over-a-network',
];

test.each(OF_THE_SANDBOX)('the example has the mapping that fits the rosters of the sandbox: %s', (name) => {
	const { nodes } = JSON.parse(textOf(`examples/${name}.json`)) as {
		nodes: Array<{ name: string; parameters: { mapping?: object } }>;
	};
	const { mapping: chosen } = nodes.find(({ name }) => name === 'Plan Changes')?.parameters ?? {};
	const asText: unknown = JSON.parse(JSON.stringify(chosen), (_name, value: unknown) =>
		typeof value === 'object' && value !== null && '__rl' in value && 'value' in value ? value.value : value,
	);
	expect(asText).toEqual(rosterMapping);
});

test('the example goes on with the rest as the page says', () => {
	const { nodes } = JSON.parse(textOf('examples/sync-the-roster-every-night.json')) as { nodes: INode[] };
	const again = nodes.find(({ name }) => name === 'Go On with the Rest');
	expect(again).toMatchObject({
		type: 'n8n-nodes-base.executeWorkflow',
		parameters: { options: { waitForSubWorkflow: false } },
	});
	// n8n does not save a default: this is Stop Workflow.
	expect(again).not.toHaveProperty('onError');
	expect(page).toContain('*Wait For\n   Sub-Workflow Completion* off, and *On Error* on *Stop Workflow*');
});
