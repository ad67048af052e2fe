/** What docs/roster.md shows of its example is what the node gives for it. */
import { readFileSync } from 'node:fs';

import type { INodeParameters } from 'n8n-workflow';

import { itemWithFiles, useOffice } from './rosterStage.mts';

const page = readFileSync('docs/roster.md', 'utf8');

/** The record of the page. */
function shownRecord(): Record<string, unknown> {
	const [, text] = /```json record\n([\s\S]*?)```/.exec(page) ?? [];
	if (text === undefined) throw new Error('docs/roster.md shows no record');
	return JSON.parse(text) as Record<string, unknown>;
}

const example = JSON.parse(readFileSync('examples/preview-tonights-roster.json', 'utf8')) as {
	nodes: Array<{ name: string; parameters: INodeParameters }>;
};
const parametersOf = (node: string) => example.nodes.find(({ name }) => name === node)?.parameters ?? {};

const { files } = JSON.parse(String(parametersOf('Export of One Night').jsonOutput)) as {
	files: Array<{ name: string; text: string }>;
};
const roster = [
	itemWithFiles(Object.fromEntries(files.map(({ name, text }) => [name, new TextEncoder().encode(text)]))),
];
const { mapping } = parametersOf('Preview') as { mapping: INodeParameters };

const office = useOffice();

test('The record of the page is what Read Files gives, and the change of Preview sends it', async () => {
	const { items } = await office.run('readFiles', { roster, parameters: { mapping } });
	const { kind, source, ...send } = shownRecord();
	expect(items).toContainEqual({ kind, source, ...send });
	const { changes } = await office.preview({ roster, parameters: { mapping } });
	expect(changes).toContainEqual(expect.objectContaining({ kind, source, send }));
});

test('Summary, Needs Attention and Changes have the fields that the page names, and no others', async () => {
	const { summary, attention, changes } = await office.preview({ roster, parameters: { mapping } });
	const [, told] = page.split('\n### What comes out\n');
	const [section] = told.split('\n## ');
	const fields = [summary, ...attention, ...changes].flatMap((item) => Object.keys(item));
	expect([...new Set(fields)].filter((field) => !section.includes(`\`${field}\``))).toEqual([]);
});
