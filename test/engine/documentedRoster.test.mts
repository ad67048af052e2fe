/** What docs/roster.md shows of its example is what the node gives for it. */
import { readFileSync } from 'node:fs';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useWorkroom } from './workroom.mts';
import { itemWithFiles, outputsOf, plan } from './rosterStage.mts';
import { runNode } from '../support/engine.mts';

const page = readFileSync('docs/roster.md', 'utf8');

/** The block after such a fence. */
function shown(fence: string): string {
	const [, text] = new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
	if (text === undefined) throw new Error(`docs/roster.md shows no ${fence}`);
	return text.trim();
}

const example = JSON.parse(readFileSync('examples/plan-tonights-roster.json', 'utf8')) as {
	nodes: Array<{ name: string; parameters: INodeParameters }>;
};
const parametersOf = (node: string) => example.nodes.find(({ name }) => name === node)?.parameters ?? {};

const { files } = JSON.parse(String(parametersOf('Export of One Night').jsonOutput)) as {
	files: Array<{ name: string; text: string }>;
};
const roster = [
	itemWithFiles(Object.fromEntries(files.map(({ name, text }) => [name, new TextEncoder().encode(text)]))),
];
const { mapping } = parametersOf('Plan Changes') as { mapping: INodeParameters };

const workroom = useWorkroom();

test('The row of the file becomes the record', async () => {
	expect(files.find(({ name }) => name === 'users.csv')?.text).toContain(`\n${shown('csv')}\n`);
	const { outputs, error } = await runNode({
		node: 'schoolPartnerRoster',
		inputs: roster,
		parameters: { operation: 'readFiles', mapping },
	});
	expect(error).toBeUndefined();
	const record = outputs[0].map(({ json }) => json).find(({ external_id: id }) => id === 'night-student-1');
	expect(record).toEqual(JSON.parse(shown('json record')));
});

test('The record becomes the change, and the summary has the fields of the table and no others', async () => {
	const planned = await plan(workroom, { roster, parameters: { mapping }, options: { firstRun: true } });
	const { changes, summary } = outputsOf(planned);
	const change = changes.find(({ key }) => key === 'u:night-student-1');
	const { send, ...told } = JSON.parse(shown('json change')) as IDataObject;
	expect(send).toBeUndefined();
	expect(change).toMatchObject(told);
	const { kind: _kind, source, ...body } = JSON.parse(shown('json record')) as IDataObject;
	expect(change).toMatchObject({ send: body, source });
	const [, table] = page.split('\n## Summary\n');
	expect(Object.keys(summary[0]).filter((field) => !table.includes(`\`${field}\``))).toEqual([]);
});
