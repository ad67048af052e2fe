/**
 * What saved workflows and saved credentials hold of this package, one fact a line: types, versions, outputs, webhook paths,
 * resources, operations, parameters, choices and defaults. Defaults count, because n8n saves only what differs from them.
 */
import type {
	ICredentialType,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

/** A case in which a person sees other parameters: nothing but the version, or a resource and an operation too. */
interface Situation {
	label: string;
	values: Record<string, string | number | boolean>;
}

type Member = NonNullable<INodeProperties['options']>[number];

const isParameter = (member: Member): member is INodeProperties => 'type' in member;
const isGroup = (member: Member): member is INodePropertyCollection => 'values' in member;
const isChoice = (member: Member): member is INodePropertyOptions => !isParameter(member) && !isGroup(member);

/** Whether a parameter belongs to a situation; conditions on other parameters are left aside. */
function isIn({ values }: Situation, { displayOptions = {} }: INodeProperties): boolean {
	const { show = {}, hide = {} } = displayOptions;
	return Object.entries(values).every(([name, value]) => {
		const matches = (conditions?: unknown[]) => conditions?.some((one) => fits(one, value));
		// `/name` is the parameter of that name at the top.
		return matches(show[name] ?? show[`/${name}`]) !== false && matches(hide[name]) !== true;
	});
}

/** n8n's conditions are values or, for versions, comparisons such as `{ _cnd: { gte: 2 } }`. */
function fits(condition: unknown, value: string | number | boolean): boolean {
	if (typeof condition !== 'object' || condition === null) return condition === value;
	const { gte = -Infinity, lte = Infinity } =
		(condition as { _cnd?: { gte?: number; lte?: number } })._cnd ?? {};
	return Number(value) >= gte && Number(value) <= lte;
}

function parameterLines(path: string, property: INodeProperties): string[] {
	const { name, type, typeOptions, options = [] } = property;
	const own = `${path}${name}`;
	const list = typeOptions?.multipleValues === true ? '[]' : '';
	return [
		`${own} (${type}${list}) = ${JSON.stringify(property.default)}`,
		...options.filter(isChoice).map(({ value }) => `${own}: ${JSON.stringify(value)}`),
		...options.filter(isParameter).flatMap((member) => parameterLines(`${own}.`, member)),
		...options
			.filter(isGroup)
			.flatMap((group) =>
				group.values.flatMap((member) => parameterLines(`${own}.${group.name}${list}.`, member)),
			),
	];
}

function operationsOf(properties: INodeProperties[], version: number): Situation[] {
	return (
		properties
			// The list of tools has no operation that the other has not.
			.filter(
				({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.['@tool']?.[0] !== true,
			)
			.flatMap(({ displayOptions, options = [] }) =>
				// A node about one thing has operations and no resources.
				(displayOptions?.show?.resource ?? [undefined])
					.filter((resource) => resource === undefined || typeof resource === 'string')
					.flatMap((resource) =>
						options.filter(isChoice).map(({ value }) => ({
							label: `${[resource, value].filter((one) => one !== undefined).join(' ')}: `,
							values: {
								'@version': version,
								'@tool': false,
								...(resource !== undefined && { resource }),
								operation: String(value),
							},
						})),
					),
			)
	);
}

function situationsOf({ properties }: INodeTypeDescription, version: number): Situation[] {
	const operations = operationsOf(properties, version);
	return operations.length > 0 ? operations : [{ label: '', values: { '@version': version } }];
}

/** Their choices are the situations themselves; only their defaults are facts of their own. */
function isNavigation({ name }: INodeProperties): boolean {
	return name === 'resource' || name === 'operation';
}

function nodeLines(description: INodeTypeDescription): string[] {
	const { name, outputs, webhooks = [], credentials = [], properties } = description;
	return [description.version].flat().flatMap((version) =>
		[
			`outputs: ${typeof outputs === 'string' ? 'by the parameters' : outputs.length}`,
			...webhooks.map((webhook) => `webhook: ${String(webhook.httpMethod)} ${webhook.path}`),
			...credentials.map((credential) => `credential: ${credential.name}`),
			...situationsOf(description, version).flatMap((situation) =>
				properties
					.filter((property) => isIn(situation, property) && property.type !== 'notice')
					.flatMap((property) =>
						parameterLines('', property).slice(0, isNavigation(property) ? 1 : undefined),
					)
					.map((line) => situation.label + line),
			),
		].map((line) => `${name} v${version}: ${line}`),
	);
}

function credentialLines({ name, properties }: ICredentialType): string[] {
	return properties
		.filter(({ type }) => type !== 'notice' && type !== 'hidden')
		.flatMap((property) => parameterLines('', property))
		.map((line) => `credential ${name}: ${line}`);
}

/** All facts, sorted, each once. */
export function interfaceLines(nodes: INodeTypeDescription[], credentials: ICredentialType[]): string[] {
	return [...new Set([...nodes.flatMap(nodeLines), ...credentials.flatMap(credentialLines)])].sort();
}

/** What was published and is gone or has changed, and what has not been written down yet. */
export function compareInterfaces(
	published: string[],
	current: string[],
): { gone: string[]; added: string[] } {
	return {
		gone: published.filter((line) => !current.includes(line)),
		added: current.filter((line) => !published.includes(line)),
	};
}

/**
 * What to do when something is gone. Another operation or resource at the head of its list is the most frequent case, and the one
 * in which the lines alone do not show what happened: the first one is the default of every operation beside it.
 */
export function nextStepFor({ gone, added }: ReturnType<typeof compareInterfaces>): string {
	if (gone.length === 0) return '';
	const START = / (resource|operation) \(options\) = /;
	const isOrderOnly = gone.every((line) => {
		const [untilDefault = ''] = START.exec(line) ?? [];
		const fact = line.slice(0, line.indexOf(untilDefault) + untilDefault.length);
		return untilDefault !== '' && added.some((other) => other.startsWith(fact));
	});
	return isOrderOnly
		? 'Only the order differs: a new node starts with the first of the list. Put what you added at the end of its list.'
		: 'Keep it, or give the node a new version (docs/maintainers/publishing.md).';
}
