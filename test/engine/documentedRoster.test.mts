/** What docs/roster.md shows of its example is what the node gives for it. */
import { readFileSync } from 'node:fs';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { itemWithFiles, Office } from './rosterStage.mts';
import { useWorkroom } from './workroom.mts';

const page = readFileSync('docs/roster.md', 'utf8');

/** The block after such a fence. */
function shown(fence: string): IDataObject {
	const [, text] = new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
	if (text === undefined) throw new Error(`docs/roster.md shows no ${fence}`);
	return JSON.parse(text) as IDataObject;
}

/** What stands in code style in the paragraph or table that begins so. */
function named(begin: string): string[] {
	const [, paragraph] = new RegExp(`\\n${begin}([\\s\\S]*?)\\n\\n`).exec(page) ?? [];
	return [...(paragraph ?? '').matchAll(/`([^`]+)`/g)].map(([, word]) => word);
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

const workroom = useWorkroom();

test('A row of the files becomes the record', async () => {
	const { outputs, error } = await new Office(workroom).run('readFiles', { roster, parameters: { mapping } });
	expect(error).toBeUndefined();
	const record = outputs[0].map(({ json }) => json).find(({ external_id: id }) => id === 'night-student-1');
	expect(record).toEqual(shown('json record'));
});

test('The record is sent, and the outputs have the fields that the page names, and no others', async () => {
	const { summary, attention, changes } = await new Office(workroom).sync({
		roster,
		parameters: { mapping },
	});
	const { kind: _kind, source, ...body } = shown('json record');
	const change = changes.find(({ key }) => key === `u:school-001|night-student-1`);
	expect(change).toMatchObject({ send: body, source });

	expect(Object.keys(summary).filter((field) => !named('\\*\\*Summary').includes(field))).toEqual([]);
	const ofAttention = [...new Set(attention.flatMap((item) => Object.keys(item)))];
	expect(ofAttention.filter((field) => !named('\\*\\*Needs Attention').includes(field))).toEqual([]);
	const ofChanges = [...new Set(changes.flatMap((item) => Object.keys(item)))];
	expect(ofChanges.filter((field) => !named('\\*\\*Changes').includes(field))).toEqual([]);
});
