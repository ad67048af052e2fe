/** What a node of an example workflow is set to, as it stands in the file. */
import { readFileSync } from 'node:fs';

interface Parameters {
	jsCode?: string;
	html?: string;
	assignments?: { assignments: Array<{ value: string }> };
}

export function parametersOf(example: string, node: string): Parameters {
	const { nodes } = JSON.parse(readFileSync(`examples/${example}.json`, 'utf8')) as {
		nodes: Array<{ name: string; parameters: Parameters }>;
	};
	const found = nodes.find(({ name }) => name === node);
	if (found === undefined) throw new Error(`${example} has no node ${node}`);
	return found.parameters;
}

/** The expression of the text that "Message to a Person" of an example makes. */
export function messageOf(example: string): string {
	const text = parametersOf(example, 'Message to a Person').assignments?.assignments[1].value ?? '';
	return text.replace(/^=\{\{|\}\}$/g, '');
}
