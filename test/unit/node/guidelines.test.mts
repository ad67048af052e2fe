/**
 * What n8n asks of the texts and lists of a verified node (its UX guidelines for community nodes, and its page on the
 * design of a node's interface), held for every node and credential of the package.
 */
import {
	Workflow,
	type INode,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeType,
} from 'n8n-workflow';

import { SchoolPartnerOAuth2Api } from '../../../credentials/SchoolPartnerOAuth2Api.credentials.ts';
import { SchoolPartnerOidcApi } from '../../../credentials/SchoolPartnerOidcApi.credentials.ts';
import { SchoolPartnerOidcOAuth2Api } from '../../../credentials/SchoolPartnerOidcOAuth2Api.credentials.ts';
import { SchoolPartnerWebhookApi } from '../../../credentials/SchoolPartnerWebhookApi.credentials.ts';
import { SchoolPartner } from '../../../nodes/SchoolPartner/SchoolPartner.node.ts';
import { SchoolPartnerLogoutTrigger } from '../../../nodes/SchoolPartnerLogoutTrigger/SchoolPartnerLogoutTrigger.node.ts';
import { SchoolPartnerRoster } from '../../../nodes/SchoolPartnerRoster/SchoolPartnerRoster.node.ts';
import { SchoolPartnerTrigger } from '../../../nodes/SchoolPartnerTrigger/SchoolPartnerTrigger.node.ts';
import { textOf } from '../documents/markdown.mts';

const action = new SchoolPartner().description;
const triggers = [new SchoolPartnerTrigger(), new SchoolPartnerLogoutTrigger()].map(
	({ description }) => description,
);
const roster = new SchoolPartnerRoster().description;
const nodes = [action, roster, ...triggers];
const credentials = [
	new SchoolPartnerOAuth2Api(),
	new SchoolPartnerOidcApi(),
	new SchoolPartnerOidcOAuth2Api(),
	new SchoolPartnerWebhookApi(),
];

type Member = NonNullable<INodeProperties['options']>[number];
const isParameter = (member: Member): member is INodeProperties => 'type' in member;
const isGroup = (member: Member): member is INodePropertyCollection => 'values' in member;
const isChoice = (member: Member): member is INodePropertyOptions => !isParameter(member) && !isGroup(member);

/** A parameter and all that are nested in it; fields that nobody sees are left out. */
function withNested(property: INodeProperties): INodeProperties[] {
	if (property.type === 'hidden') return [];
	const { options = [] } = property;
	const inGroups = options.filter(isGroup).flatMap(({ values }) => values);
	return [property, ...[...options.filter(isParameter), ...inGroups].flatMap(withNested)];
}

/** Each node and each credential: what it is called, and all of its parameters. */
const panels = [...nodes, ...credentials].map(({ displayName, properties }) => ({
	displayName,
	parameters: properties.flatMap(withNested),
}));
const parameters = panels.flatMap((each) => each.parameters);
const fields = parameters.filter(({ type }) => type !== 'notice');
const choices = parameters.flatMap(({ options = [] }) => options.filter(isChoice));
const groups = parameters.flatMap(({ options = [] }) => options.filter(isGroup));
const operations = [...action.properties, ...roster.properties]
	.filter(({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.['@tool']?.[0] !== true)
	.flatMap(({ options = [] }) => options.filter(isChoice));

/** Everything that explains: descriptions, hints and notices. */
function explanations(of: INodeProperties[]): string[] {
	const all = of.flatMap(({ type, displayName, description, hint, options = [] }) => [
		type === 'notice' ? displayName : undefined,
		description,
		hint,
		...options.filter(isChoice).map((choice) => choice.description),
	]);
	return [...new Set(all.filter((text) => text !== undefined && text !== ''))] as string[];
}
const texts = [...nodes.map(({ description }) => description), ...explanations(parameters)];

const SMALL_WORDS = /^(a|an|and|as|at|by|for|from|in|of|on|or|the|to|with)$/;
const isTitleCase = (label: string): boolean =>
	label
		.split(/[ -]/)
		.every((word, index) => /^[(]?[A-Z0-9]/.test(word) || (index > 0 && SMALL_WORDS.test(word)));

describe('Labels', () => {
	test('of nodes, credentials, parameters and choices are in title case', () => {
		const labels = [
			...panels.map(({ displayName }) => displayName),
			...fields.map(({ displayName }) => displayName),
			...groups.map(({ displayName }) => displayName),
			...choices.map(({ name }) => name),
			...fields.flatMap(({ modes = [] }) => modes.map(({ displayName }) => displayName)),
		];
		expect(labels.filter((label) => !isTitleCase(label))).toEqual([]);
	});

	test('spell ID, URL and URI in capitals', () => {
		expect(fields.filter(({ displayName }) => /\b(Ids?|Urls?|Uris?)\b/.test(displayName))).toEqual([]);
	});

	test('of triggers end in Trigger, and their choice of events is called Trigger On and has no tooltip', () => {
		for (const { displayName } of triggers) expect(displayName).toMatch(/ Trigger$/);
		expect(fields.find(({ name }) => name === 'events')).toMatchObject({ displayName: 'Trigger On' });
		expect(fields.find(({ name }) => name === 'events')).not.toHaveProperty('description');
	});

	test('on the canvas, below a trigger, are in title case', () => {
		const written = triggers.flatMap(({ subtitle = '' }) => [...subtitle.matchAll(/[?:] "([^"]+)"/g)]);
		expect(written.length).toBeGreaterThan(2);
		expect(written.map(([, text = '']) => text).filter((text) => !isTitleCase(text))).toEqual([]);
	});
});

describe('Descriptions, hints and notices', () => {
	test('begin with a capital letter', () => {
		expect(texts.filter((text) => !/^(<[^>]+>)?[A-Z]/.test(text))).toEqual([]);
	});

	test('end with a full stop when they have several sentences, and only then', () => {
		const wrong = texts.filter((text) => {
			const isOneSentence = !/[.!?] +['"A-Z<]/.test(text);
			return text.endsWith('.') === isOneSentence;
		});
		expect(wrong).toEqual([]);
	});

	test.each(panels)('of $displayName name parameters in single quotation marks', ({ parameters: own }) => {
		const operationLabels = operations.map(({ name }) => name).filter((name) => name.includes(' '));
		const labels = [...new Set(own.filter(({ type }) => type !== 'notice').map((one) => one.displayName))];
		const unquoted = explanations(own).filter((text) => {
			// "as Exchange Code returned it" names an operation, not the parameter Code.
			const rest = operationLabels.reduce((left, label) => left.replaceAll(label, '…'), text);
			return labels.some((label) =>
				// A single word may begin a sentence.
				new RegExp(label.includes(' ') ? `(?<!')\\b${escaped(label)}` : `[a-z,:] ${escaped(label)}\\b`).test(
					rest.replaceAll(/'[^']*'/g, "''"),
				),
			);
		});
		expect(unquoted).toEqual([]);
	});

	test('of booleans begin with Whether', () => {
		const booleans = fields.filter(({ type }) => type === 'boolean');
		expect(booleans.length).toBeGreaterThan(3);
		for (const { description } of booleans) expect(description).toMatch(/^Whether /);
	});

	test('of Simplify are those of n8n', () => {
		const simplify = fields.filter(({ name }) => name === 'simplify');
		expect(simplify.length).toBeGreaterThan(0);
		for (const one of simplify) {
			expect(one).toMatchObject({
				displayName: 'Simplify',
				type: 'boolean',
				description: 'Whether to return a simplified version of the response instead of the raw data',
			});
		}
	});

	test('never speak of an error, a problem, a failure or a mistake', () => {
		expect(texts.filter((text) => /\b(error|problem|failure|mistake)s?\b/i.test(text))).toEqual([]);
	});
});

const escaped = (label: string): string => label.replace(/[()]/g, '\\$&');

test('Examples in fields begin with "e.g."', () => {
	const examples = [
		...fields.filter(({ type }) => type === 'string').map(({ placeholder }) => placeholder),
		...fields.flatMap(({ modes = [] }) =>
			modes.filter(({ type }) => type === 'string').map(({ placeholder }) => placeholder),
		),
	].filter((example) => example !== undefined);
	expect(examples.length).toBeGreaterThan(20);
	expect(examples.filter((example) => !/^e\.g\. \S/.test(example))).toEqual([]);
});

test('Keys, secrets and tokens are password fields, in nodes and in credentials', () => {
	const secret = fields.filter(
		({ name, type }) => type === 'string' && /(apiKey|secret|token|tokenHint|verifier|binding)$/i.test(name),
	);
	expect(secret.length).toBeGreaterThan(7);
	expect(secret.filter(({ typeOptions }) => typeOptions?.password !== true)).toEqual([]);
});

test('Lists, additional fields and options are in alphabetical order', () => {
	const lists = parameters
		.filter(({ type }) => ['options', 'multiOptions', 'collection'].includes(type))
		.map(({ options = [] }) => options.map((one) => ('displayName' in one ? one.displayName : one.name)));
	expect(lists.length).toBeGreaterThan(20);
	for (const list of lists) expect(list).toEqual([...list].sort((one, other) => one.localeCompare(other)));
});

test('What has to be filled in comes before what may stay empty', () => {
	const isEmpty = ({ type, default: value }: INodeProperties): boolean =>
		['string', 'multiOptions', 'resourceLocator'].includes(type) &&
		['""', '[]', '{"mode":"list","value":""}'].includes(JSON.stringify(value));
	const late = operations.flatMap(({ value }) =>
		action.properties
			.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes(value))
			// The order of a registration is that of the service's own table.
			.filter(({ displayOptions }) => !displayOptions?.show?.resource?.includes('clientRegistration'))
			.filter(isEmpty)
			.map((field, index, all) => ({ field, before: all[index - 1] }))
			.filter(({ field, before }) => isOfOne(field, before) && field.required && !before?.required)
			.map(({ field }) => `${String(value)}: ${field.displayName}`),
	);
	expect(late).toEqual([]);
});

/** True when both are shown by the same resource. */
function isOfOne(field: INodeProperties, other: INodeProperties | undefined): boolean {
	return field.displayOptions?.show?.resource?.[0] === other?.displayOptions?.show?.resource?.[0];
}

test('No two operations have the same action, by which they are found', () => {
	const actions = operations.map((one) => one.action);
	expect(actions).toEqual([...new Set(actions)]);
});

test('The canvas says below the node what its operation does, as the search for nodes does', async () => {
	const type: INodeType = new SchoolPartner();
	const byName = () => type;
	const nodeTypes = { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) };
	const shownFor = async (resource: string, operation: unknown): Promise<unknown> => {
		const parameters = { resource, operation: String(operation) };
		const node: INode = { id: '1', name: 'n', type: 'n', typeVersion: 1, position: [0, 0], parameters };
		const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
		await workflow.expression.acquireIsolate();
		try {
			return workflow.expression.getSimpleParameterValue(node, action.subtitle, 'internal', {});
		} finally {
			await workflow.expression.releaseIsolate();
		}
	};
	const listed = action.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options
				.filter(isChoice)
				.map((one) => ({ ...one, resource: String(displayOptions?.show?.resource?.[0]) })),
		);
	expect(listed.length).toBeGreaterThan(20);
	for (const { resource, value, action: does } of listed) expect(await shownFor(resource, value)).toBe(does);
});

test.each([
	['SchoolPartner', ['access', 'oidc', 'validate token', 'login']],
	['SchoolPartnerTrigger', ['access']],
	['SchoolPartnerRoster', ['access']],
	['SchoolPartnerLogoutTrigger', ['oidc', 'login']],
])('%s is found by what it does', (node, searched) => {
	expect(aliasesOf(node)).toEqual(expect.arrayContaining(searched));
});

test.each(['SchoolPartner', 'SchoolPartnerTrigger', 'SchoolPartnerRoster'])(
	'%s is found by the words of a Brazilian school, with and without accents',
	(node) => {
		const words = ['escola', 'aluno', 'turma', 'matrícula', 'matricula', 'responsável', 'responsavel'];
		expect(aliasesOf(node)).toEqual(expect.arrayContaining(words));
	},
);

/** What n8n's search for nodes takes for a name of the node, in any case. */
function aliasesOf(node: string): string[] {
	const { alias } = JSON.parse(textOf(`nodes/${node}/${node}.node.json`)) as { alias: string[] };
	return alias.map((one) => one.toLowerCase());
}

test('Every node and credential says where its documents are', () => {
	for (const { documentationUrl } of credentials) expect(documentationUrl).toMatch(/^https:\/\/.*\/docs\//);
});
