/** The examples, as their workflows say: what each does, what starts it, which credentials it needs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { table } from './table.mts';

const FOLDER = 'examples';

interface Workflow {
	name: string;
	nodes: Array<{ type: string; parameters: { content?: string }; credentials?: Record<string, unknown> }>;
}

/** What starts a workflow, by the last part of the node's type. */
const STARTERS: Record<string, string> = {
	formTrigger: 'a form',
	manualTrigger: 'by hand',
	scheduleTrigger: 'a schedule',
	schoolPartnerLogoutTrigger: 'a logout',
	schoolPartnerTrigger: 'an access event',
	webhook: 'a request',
};

const CREDENTIALS: Record<string, string> = {
	httpBasicAuth: 'Basic Auth',
	openAiApi: 'a chat model',
	schoolPartnerOAuth2Api: 'School Partner OAuth2 API',
	schoolPartnerOidcApi: 'School Partner OIDC API',
	schoolPartnerWebhookApi: 'School Partner Webhook API',
};

const workflowIn = (file: string) => JSON.parse(readFileSync(`${FOLDER}/${file}.json`, 'utf8')) as Workflow;

/** GitHub leaves apostrophes and question marks out of the names of sections. */
const sectionOf = (name: string) => name.toLowerCase().replace(/['?]/g, '').replaceAll(' ', '-');

const known = (words: Record<string, string>, names: string[]) => [
	...new Set(names.flatMap((name) => words[name] ?? [])),
];

/** A row for each example, by name. */
export function galleryTable(): string {
	const workflows = readdirSync(FOLDER)
		.filter((file) => file.endsWith('.json'))
		.map((file) => workflowIn(file.replace(/\.json$/, '')))
		.sort((one, other) => one.name.localeCompare(other.name));
	const rows = workflows.map(({ name, nodes }) => [
		`[${name}](#${sectionOf(name)})`,
		known(
			STARTERS,
			nodes.map(({ type }) => type.split('.').at(-1) ?? ''),
		).join(', '),
		known(
			CREDENTIALS,
			nodes.flatMap(({ credentials }) => Object.keys(credentials ?? {})),
		).join(', '),
	]);
	return table(['Example', 'Starts with', 'Credentials'], rows);
}

/** What the note of the workflow says it does, its file, and its canvas. */
export function galleryEntry(file: string): string {
	const { name, nodes } = workflowIn(file);
	const note = nodes.find(({ parameters }) => parameters.content?.startsWith(`## ${name}\n`));
	const picture = `docs/images/examples/${file}.png`;
	if (note?.parameters.content === undefined || !existsSync(picture))
		throw new Error(`The example "${file}" has no note with its name, or no picture`);
	const [what] = note.parameters.content.slice(`## ${name}\n`.length).split('\n\n');
	return `${what}\n\n[${file}.json](${file}.json)\n\n![The canvas of "${name}"](../${picture})`;
}
