import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { compareInterfaces, interfaceLines, nextStepFor } from '../../../tools/interface/interface.mts';
import { currentInterface, readPublishedInterface } from '../../../tools/interface/published-interface.mts';

describe('Saved workflows', () => {
	const difference = compareInterfaces(readPublishedInterface(), currentInterface());
	const { gone, added } = difference;

	test('find every node, operation, parameter, choice and default again that was published', () => {
		expect({ gone, nextStep: nextStepFor(difference) }).toEqual({ gone: [], nextStep: '' });
	});

	test('can only hold what is written down in published-interface.txt (npm run interface adds what is new)', () => {
		expect(added).toEqual([]);
	});
});

describe('The list of what saved workflows hold', () => {
	const status: INodeProperties = {
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{ name: 'Active', value: 'active' },
			{ name: 'Cancelled', value: 'cancelled' },
		],
		default: 'active',
	};
	const people: INodeProperties = {
		displayName: 'People',
		name: 'people',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		options: [
			{
				name: 'person',
				displayName: 'Person',
				values: [{ displayName: 'Name', name: 'name', type: 'string', default: '' }],
			},
		],
	};
	const node = (change: Partial<INodeTypeDescription> = {}): INodeTypeDescription => ({
		displayName: 'Node',
		name: 'someNode',
		group: [],
		version: 1,
		description: '',
		defaults: {},
		inputs: [],
		outputs: ['main'],
		properties: [status, people],
		...change,
	});
	const linesOf = (change?: Partial<INodeTypeDescription>) => interfaceLines([node(change)], []);
	const before = linesOf();
	const lost = (change: Partial<INodeTypeDescription>) => compareInterfaces(before, linesOf(change)).gone;

	test('names outputs, parameters with type and default, choices, and members of groups', () => {
		expect(before).toEqual([
			'someNode v1: outputs: 1',
			'someNode v1: people (fixedCollection[]) = {}',
			'someNode v1: people.person[].name (string) = ""',
			'someNode v1: status (options) = "active"',
			'someNode v1: status: "active"',
			'someNode v1: status: "cancelled"',
		]);
	});

	test.each<[string, Partial<INodeTypeDescription>]>([
		['a node has another name', { name: 'otherNode' }],
		['a version of a node is no longer served', { version: 2 }],
		['an output more', { outputs: ['main', 'main'] }],
		['a parameter has another name', { properties: [{ ...status, name: 'state' }, people] }],
		['a parameter has another default', { properties: [{ ...status, default: 'cancelled' }, people] }],
		['a parameter has another type', { properties: [{ ...status, type: 'string' }, people] }],
		['a choice is gone', { properties: [{ ...status, options: status.options?.slice(0, 1) }, people] }],
		['a group holds one entry', { properties: [status, { ...people, typeOptions: {} }] }],
	])('notices that %s', (_what, change) => {
		expect(lost(change)).not.toEqual([]);
	});

	test.each<[string, Partial<INodeTypeDescription>]>([
		['a new version beside the old one', { version: [1, 2] }],
		['a new parameter', { properties: [status, people, { ...status, name: 'more' }] }],
		['another label', { properties: [{ ...status, displayName: 'State' }, people] }],
		[
			'another default in a new version only',
			{
				version: [1, 2],
				properties: [
					{ ...status, displayOptions: { show: { '@version': [1] } } },
					{
						...status,
						default: 'cancelled',
						displayOptions: { show: { '@version': [{ _cnd: { gte: 2 } }] } },
					},
					people,
				],
			},
		],
	])('lets pass %s', (_what, change) => {
		expect(lost(change)).toEqual([]);
	});
});

describe('What to do when something is gone', () => {
	const operation = (names: string[]): INodeProperties => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		displayOptions: { show: { resource: ['class'] } },
		options: names.map((name) => ({ name, value: name })),
		default: names[0] ?? '',
	});
	const linesWith = (names: string[]) =>
		interfaceLines(
			[
				{
					displayName: 'Node',
					name: 'someNode',
					group: [],
					version: 1,
					description: '',
					defaults: {},
					inputs: [],
					outputs: ['main'],
					properties: [operation(names)],
				},
			],
			[],
		);
	const nextStep = (before: string[], after: string[]) =>
		nextStepFor(compareInterfaces(linesWith(before), linesWith(after)));

	test('is to put a new operation at the end, when it came first and changed what a new node starts with', () => {
		expect(nextStep(['create', 'get'], ['archive', 'create', 'get'])).toMatch(/^Only the order differs/);
	});

	test('is to keep it or to make a new version, when an operation is not there any more', () => {
		expect(nextStep(['create', 'get'], ['get'])).toMatch(/^Keep it, or give the node a new version/);
	});

	test('is nothing, when a new operation stands at the end', () => {
		expect(nextStep(['create'], ['create', 'archive'])).toBe('');
	});
});
