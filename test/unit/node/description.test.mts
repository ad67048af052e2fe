import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodePropertyCollection,
} from 'n8n-workflow';

import { SchoolPartnerOidcApi } from '../../../credentials/SchoolPartnerOidcApi.credentials.ts';
import { SchoolPartner } from '../../../nodes/SchoolPartner/SchoolPartner.node.ts';
import { clientIn } from '../../../nodes/shared/signOn/client.ts';
import { allOperations, operations } from '../../support/operations/index.mts';
import type { OperationRow } from '../../support/operations/row.mts';

const { description } = new SchoolPartner();
const { properties } = description;

/** The lists of operations that n8n shows in a workflow, or in the tool of an agent. */
const operationLists = (ofTools: boolean) =>
	properties.filter(
		({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.['@tool']?.[0] === ofTools,
	);

/** What a person sees in the open node, by n8n's own rule. */
function seen(
	{ resource, operation }: { resource: string; operation: string },
	more: INodeParameters = {},
): INodeProperties[] {
	// With an expression for what chooses among fields, n8n shows all of them.
	const startedBy = '={{ $json.by }}';
	const chosen: INodeParameters = { resource, operation, dataMode: 'defineBelow', startedBy, ...more };
	const node: INode = {
		id: '1',
		name: 'n',
		type: 'schoolPartner',
		typeVersion: 1,
		position: [0, 0],
		parameters: chosen,
	};
	const filled = NodeHelpers.getNodeParameters(properties, chosen, true, false, node, description);
	const parameters = { ...filled, ...chosen };
	return properties.filter(
		(property) =>
			property.name !== 'resource' &&
			property.name !== 'operation' &&
			property.type !== 'notice' &&
			NodeHelpers.displayParameter(parameters, property, node, description),
	);
}

const namesOf = (found: INodeProperties[]): string[] => found.map(({ name }) => name).sort();
const membersOf = (property: INodeProperties | undefined): INodeProperties[] =>
	(property?.options ?? []).filter((option): option is INodeProperties => 'type' in option);
const groupsOf = ({ type, options = [] }: INodeProperties): INodePropertyCollection[] =>
	type === 'fixedCollection'
		? options.filter((option): option is INodePropertyCollection => 'values' in option)
		: [];

/** A property and everything that is nested in it. */
const withNested = (property: INodeProperties): INodeProperties[] => [
	property,
	...(property.type === 'collection' ? membersOf(property).flatMap(withNested) : []),
	...groupsOf(property).flatMap(({ values }) => values.flatMap(withNested)),
];
const everything = properties.flatMap(withNested);

const labelled = allOperations.map((one): [string, OperationRow] => [
	`${one.resource}: ${one.operation}`,
	one,
]);

test('The node has the resources and operations of the design, and no others', () => {
	const [{ options = [] }] = properties.filter(({ name }) => name === 'resource');
	const resources = (options as INodePropertyOptions[]).map(({ value }) => value);
	expect([...resources].sort()).toEqual([...new Set(allOperations.map(({ resource }) => resource))].sort());
	const found = operationLists(false).flatMap(({ options: choices = [], displayOptions }) =>
		(choices as INodePropertyOptions[]).map(
			({ value }) => `${String(displayOptions?.show?.resource?.[0])}: ${value}`,
		),
	);
	expect(found.sort()).toEqual(labelled.map(([label]) => label).sort());
});

describe.each(labelled)('%s', (_label, one) => {
	const { fields, additionalFields = {}, effect, entries = {}, options = [], inPath = [], merged } = one;

	test('shows the parameters of the design under their names, and no others', () => {
		const extras = [
			...(effect === 'write' ? ['dataMode'] : []),
			...(one.additionalFields ? ['additionalFields'] : []),
			...(effect === 'local' ? [] : ['simplify']),
		];
		const found = namesOf(seen(one).filter(({ name }) => name !== 'options'));
		expect(found).toEqual([...Object.keys(fields), ...extras].sort());
	});

	test('offers the additional fields of the design', () => {
		const collection = seen(one).find(({ name }) => name === 'additionalFields');
		expect(namesOf(membersOf(collection))).toEqual(Object.keys(additionalFields).sort());
	});

	test('offers the options of its kind', () => {
		const found = namesOf(membersOf(seen(one).find(({ name }) => name === 'options')));
		if (effect === 'local') return expect(found).toEqual(expect.arrayContaining(options));
		const always = ['concurrency', 'maxConcurrency', 'maxRetries', 'timeout', ...options];
		const ofLookups = effect === 'read' ? ['fieldsToReturn', 'whenNothingFound'] : [];
		const extra = [...ofLookups, ...(merged ? ['batchSize'] : [])];
		expect(found).toEqual([...always, ...extra].sort());
	});

	test('has the groups of entries of the design', () => {
		const found = seen(one).flatMap((property) =>
			groupsOf(property).map(({ name, values }) => [property.name, name, namesOf(values)]),
		);
		const expected = Object.entries(entries).flatMap(([property, groups]) =>
			Object.entries(groups).map(([group, labels]) => [property, group, Object.keys(labels).sort()]),
		);
		expect(found).toEqual(expected);
	});

	test('has no parameter twice', () => {
		const names = seen(one).map(({ name }) => name);
		expect(names).toEqual([...new Set(names)]);
		for (const property of seen(one)) {
			const labels = membersOf(property).map(({ displayName }) => displayName);
			expect(labels).toEqual([...new Set(labels)]);
		}
	});

	if (effect === 'write') {
		test("hides what the item's own fields give, and keeps what stands only in the path", () => {
			const left = namesOf(seen(one, { dataMode: 'autoMapInputData' }));
			expect(left).toEqual(['dataMode', 'options', 'simplify', ...inPath].sort());
		});
	}
});

test('Where the item gives the values, the panel names the fields that it has to have', () => {
	const mapped = { resource: 'class', operation: 'create', dataMode: 'autoMapInputData' };
	const node: INode = { id: '1', name: 'n', type: 't', typeVersion: 1, position: [0, 0], parameters: mapped };
	const notices = properties.filter(
		(property) =>
			property.type === 'notice' && NodeHelpers.displayParameter(mapped, property, node, description),
	);
	const names = notices.map(({ displayName }) => displayName.replace(/<[^>]+>/g, '').split(': ')[1]);
	expect(names).toEqual([
		'school_external_id, external_id, educational_stage, grade, year, code, name, course, description, shift',
	]);
});

describe('Every parameter', () => {
	test('says what it is for, in a description or by an example', () => {
		const mute = everything.filter(
			({ description: text, placeholder, type, name }) =>
				!text && !placeholder && type !== 'notice' && name !== 'resource' && name !== 'operation',
		);
		expect(mute.map(({ displayName, name }) => `${displayName} (${name})`)).toEqual([]);
	});

	test('has a default of its own kind', () => {
		const fits: Partial<
			Record<INodeProperties['type'], (value: unknown, property: INodeProperties) => boolean>
		> = {
			string: (value) => value === '' || typeof value === 'string',
			number: (value) => typeof value === 'number',
			boolean: (value) => typeof value === 'boolean',
			collection: (value) => JSON.stringify(value) === '{}',
			fixedCollection: (value) => typeof value === 'object',
			multiOptions: Array.isArray,
			options: (value, { name, options = [], typeOptions }) =>
				// A tool of a resource that only writes has none until somebody picks it.
				(name === 'operation' && value === '') ||
				typeOptions?.loadOptionsMethod !== undefined ||
				(options as INodePropertyOptions[]).some((option) => option.value === value),
			resourceLocator: (value) => JSON.stringify(value) === '{"mode":"list","value":""}',
			color: (value) => typeof value === 'string',
			notice: (value) => value === '',
		};
		const wrong = everything.filter((property) => fits[property.type]?.(property.default, property) !== true);
		expect(wrong.map(({ name, type }) => `${name}: ${type}`)).toEqual([]);
	});

	test('with limits has a default within them', () => {
		for (const { name, type, default: value, typeOptions } of everything) {
			if (type !== 'number') continue;
			const { minValue = Number.NEGATIVE_INFINITY, maxValue = Number.POSITIVE_INFINITY } = typeOptions ?? {};
			expect([name, Number(value) >= minValue && Number(value) <= maxValue]).toEqual([name, true]);
		}
	});

	test('that loads a list names one that the node has', () => {
		const { listSearch, loadOptions } = new SchoolPartner().methods;
		const named = everything.flatMap(({ typeOptions, modes = [] }) => [
			typeOptions?.loadOptionsMethod,
			...modes.map((mode) => mode.typeOptions?.searchListMethod),
		]);
		const known = Object.keys({ ...listSearch, ...loadOptions });
		expect(new Set(named.filter((name) => name !== undefined))).toEqual(new Set(known));
	});
});

test('Stages, grades and profile names are picked from a list or typed; profiles are picked several at a time', () => {
	const typesOf = (wanted: string) =>
		new Set(properties.filter(({ name }) => name === wanted).map(({ type }) => type));
	for (const name of ['educationalStage', 'grade', 'profileName']) {
		expect([name, typesOf(name)]).toEqual([name, new Set(['resourceLocator'])]);
		for (const { modes } of properties.filter((property) => property.name === name)) {
			expect(modes?.map((mode) => [mode.name, mode.displayName])).toEqual([
				['list', 'From List'],
				['name', 'By Name'],
			]);
		}
	}
	expect(typesOf('profiles')).toEqual(new Set(['multiOptions']));
});

describe('Every operation', () => {
	const choices = operationLists(false).flatMap(({ options = [] }) => options as INodePropertyOptions[]);

	test('has an action in sentence case without articles, a description and a label in title case', () => {
		for (const { name, action, description: text } of choices) {
			expect(action).toMatch(/^[A-Z][a-z]+( [a-z0-9]+)*( URL)?$/i);
			expect(action).not.toMatch(/\b(a|an|the)\b/);
			expect(text).toMatch(/^[A-Z].{10,}/);
			expect(name).toMatch(/^[A-Z]/);
		}
	});

	test('is the default of its resource, or listed beside it', () => {
		for (const property of operationLists(false)) {
			const values = (property.options as INodePropertyOptions[]).map(({ value }) => value);
			expect(values).toContain(property.default);
		}
	});
});

describe('As the tool of an agent', () => {
	/** What n8n fills in for a tool whose operation nobody has picked. */
	const unpicked = (resource: string) => {
		const ofTool = { ...description, name: 'schoolPartnerTool' };
		const node: INode = {
			...{ id: '1', name: 'n', type: 'schoolPartnerTool', typeVersion: 1 },
			...{ position: [0, 0], parameters: { resource } },
		};
		const filled = NodeHelpers.getNodeParameters(properties, { resource }, true, false, node, ofTool);
		return filled?.operation;
	};

	test('no operation is offered that gives tokens or secrets', () => {
		const [signOn] = operationLists(true).filter(
			({ displayOptions }) => displayOptions?.show?.resource?.[0] === 'signOn',
		);
		const offered = (signOn.options as INodePropertyOptions[]).map(({ value }) => value);
		expect(offered.sort()).toEqual(['getDiscovery', 'getUserInfo', 'validateToken']);
	});

	test('nothing is written unless the operation was picked, and everything that writes can be picked', () => {
		const writing = allOperations.filter(({ effect }) => effect === 'write');
		for (const { resource, operation } of writing) {
			expect([resource, unpicked(resource)]).not.toEqual([resource, operation]);
			const [list] = operationLists(true).filter(
				({ displayOptions }) => displayOptions?.show?.resource?.[0] === resource,
			);
			expect((list.options as INodePropertyOptions[]).map(({ value }) => value)).toContain(operation);
		}
		expect([unpicked('class'), unpicked('enrollment'), unpicked('account')]).toEqual([
			'',
			'getCourses',
			expect.stringMatching(/^get/),
		]);
	});
});

describe('What means nothing is not shown', () => {
	const shownOf = (parameters: INodeParameters) =>
		properties
			.filter((one) => NodeHelpers.displayParameter(parameters, one, null, description, parameters))
			.map(({ name }) => name);
	const optionsOf = (resource: string, operation: string, options: INodeParameters) => {
		const parameters = { resource, operation, dataMode: 'defineBelow', options };
		const [collection] = properties.filter(
			(one) =>
				one.name === 'options' &&
				NodeHelpers.displayParameter(parameters, one, null, description, parameters),
		);
		return membersOf(collection)
			.filter((one) => NodeHelpers.displayParameter(options, one, null, description, parameters))
			.map(({ name }) => name);
	};

	test.each([
		['thisNode', ['state', 'browserBinding']],
		['other', ['codeVerifier']],
	])('Exchange Code of a sign-on that was started by %s', (startedBy, fields) => {
		const shown = shownOf({ resource: 'signOn', operation: 'exchangeCode', startedBy });
		const ofOneWay = ['state', 'browserBinding', 'codeVerifier'];
		expect(shown.filter((name) => ofOneWay.includes(name))).toEqual(fields);
	});

	test('Max Concurrency, unless Concurrency is automatic', () => {
		expect(optionsOf('profile', 'getAll', {})).toContain('maxConcurrency');
		expect(optionsOf('profile', 'getAll', { concurrency: 0 })).toContain('maxConcurrency');
		expect(optionsOf('profile', 'getAll', { concurrency: 5 })).not.toContain('maxConcurrency');
	});

	test('Statuses That Mean It Exists, unless what exists succeeds', () => {
		expect(optionsOf('class', 'create', {})).not.toContain('existsStatuses');
		expect(optionsOf('class', 'create', { whenExists: 'succeed' })).toContain('existsStatuses');
	});

	test('Options of sending, where what comes is fetched once', () => {
		expect(shownOf({ resource: 'signOn', operation: 'getDiscovery' })).not.toContain('options');
	});
});

test('The node can be the tool of an agent, and asks for the credential that its resource needs', () => {
	expect(description.usableAsTool).toBe(true);
	const needed = (resource: string) =>
		(description.credentials ?? [])
			.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(resource))
			.filter(({ displayOptions }) => displayOptions?.show?.operation === undefined)
			.map(({ name }) => name);
	expect(needed('signOn')).toEqual(['schoolPartnerOidcApi']);
	expect(needed('clientRegistration')).toEqual([]);
	const others = [...new Set(operations.map(({ resource }) => resource))];
	for (const resource of others)
		expect([resource, needed(resource)]).toEqual([resource, ['schoolPartnerOAuth2Api']]);
});

test('The credential of the sign-on shows the scope that a login asks for, and one that was emptied asks for the same', () => {
	const shown = new SchoolPartnerOidcApi().properties.find(({ name }) => name === 'scope')?.default;
	const emptied = clientIn({ issuerUrl: 'https://login.example', clientSecret: 'secret', scope: '' });
	expect([shown, emptied.ok && emptied.value.scope]).toEqual(Array(2).fill('openid profile offline_access'));
});

test.each([
	['who is connected', { operation: 'getUserInfo', user: 'connected' }, 'schoolPartnerOidcOAuth2Api'],
	['the user of a token', { operation: 'getUserInfo', user: 'token' }, 'schoolPartnerOidcApi'],
	['a login', { operation: 'exchangeCode' }, 'schoolPartnerOidcApi'],
])('The sign-on asks for one credential: for %s', (_what, chosen, credential) => {
	const parameters = { resource: 'signOn', ...chosen };
	const node: INode = {
		...{ id: '1', name: 'n', type: 'schoolPartner', typeVersion: 1 },
		...{ position: [0, 0], parameters },
	};
	const shown = (description.credentials ?? []).filter((each) =>
		NodeHelpers.displayParameter(parameters, each, node, description),
	);
	expect(shown.map(({ name }) => name)).toEqual([credential]);
});

test('A lookup offers each field of its contract to choose what leaves the node, and nothing else does', () => {
	const offered = Object.fromEntries(
		allOperations.flatMap((one) => {
			const options = seen(one).find(({ name }) => name === 'options');
			const option = membersOf(options).find(({ name }) => name === 'fieldsToReturn');
			const values = (option?.options as INodePropertyOptions[] | undefined)?.map(({ value }) => value);
			return values === undefined ? [] : [[`${one.resource}: ${one.operation}`, values]];
		}),
	);
	const lookups = allOperations.filter(({ effect }) => effect === 'read');
	expect(Object.keys(offered).sort()).toEqual(
		lookups.map(({ resource, operation }) => `${resource}: ${operation}`).sort(),
	);
	expect(offered['tenant: get']).toEqual(['brand_name', 'external_id', 'hash', 'id', 'name']);
	expect(offered['account: getSnapshot']).toEqual(
		expect.arrayContaining(['dependents', 'dependents.documents', 'tenant.brand_name', 'classes.shift']),
	);
});
