/** The panel of the roster node against its design: what a person sees, and what stands around the node on the canvas. */
import {
	NodeHelpers,
	Workflow,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeType,
} from 'n8n-workflow';

import { PLAN_DEFAULTS } from '../../../nodes/SchoolPartnerRoster/planning/options.ts';
import { applySettings, planSettings } from '../../../nodes/SchoolPartnerRoster/run/settings.ts';
import { SchoolPartnerRoster } from '../../../nodes/SchoolPartnerRoster/SchoolPartnerRoster.node.ts';

const type: INodeType = new SchoolPartnerRoster();
const { description } = type;

const nodeWith = (parameters: INodeParameters): INode => ({
	id: '1',
	name: 'Roster',
	type: 'roster',
	typeVersion: 1,
	position: [0, 0],
	parameters,
});

/** The labels of its ports, as n8n works them out; '' for one without a label. */
async function portsOf(operation: string): Promise<{ inputs: string[]; outputs: string[] }> {
	const node = nodeWith({ operation });
	const byName = () => type;
	const nodeTypes = { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	await workflow.expression.acquireIsolate();
	try {
		const labels = (ports: ReadonlyArray<string | { displayName?: string }>) =>
			ports.map((port) => (typeof port === 'string' ? '' : (port.displayName ?? '')));
		return {
			inputs: labels(NodeHelpers.getNodeInputs(workflow, node, description)),
			outputs: labels(NodeHelpers.getNodeOutputs(workflow, node, description)),
		};
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

/** The names of what is shown, by n8n's own rule. */
function seen(parameters: INodeParameters, of: INodeProperties[] = description.properties): string[] {
	return of
		.filter((property) =>
			NodeHelpers.displayParameter(parameters, property, nodeWith(parameters), description, parameters),
		)
		.map(({ name }) => name);
}

const entriesOf = (parameters: INodeParameters, name: string): INodeProperties[] => {
	const shown = description.properties.find(
		(property) =>
			property.name === name &&
			NodeHelpers.displayParameter(parameters, property, nodeWith(parameters), description),
	);
	const entries = (shown?.options ?? []).filter((option): option is INodeProperties => 'type' in option);
	return entries.filter(({ name: entry }) => seen(parameters, entries).includes(entry));
};
const namesOf = (parameters: INodeParameters, name: string) =>
	entriesOf(parameters, name).map((entry) => entry.name);

test.each([
	['readFiles', [''], ['Records', 'Findings']],
	['plan', ['Roster', 'Ledger'], ['Changes', 'Ledger Rows', 'Held', 'Findings', 'Summary']],
	['apply', [''], ['Ledger Rows', 'Failed']],
	['compact', [''], ['']],
])('%s has the inputs and outputs of the design, in their order', async (operation, inputs, outputs) => {
	expect(await portsOf(operation)).toEqual({ inputs, outputs });
});

test('A new node plans', () => {
	const operation = description.properties.find(({ name }) => name === 'operation');
	expect(operation?.default).toBe('plan');
	expect((operation?.options as INodePropertyOptions[]).map(({ value }) => value).sort()).toEqual([
		'apply',
		'compact',
		'plan',
		'readFiles',
	]);
});

describe('What is shown follows operation and source', () => {
	test.each<[INodeParameters, string[]]>([
		[
			{ operation: 'plan', source: 'files' },
			['operation', 'planNotice', 'source', 'format', 'mapping', 'options'],
		],
		[
			{ operation: 'plan', source: 'rows' },
			['operation', 'planNotice', 'source', 'columns', 'fullNameNotice', 'mapping', 'options'],
		],
		[{ operation: 'plan', source: 'records' }, ['operation', 'planNotice', 'source', 'options']],
		[{ operation: 'readFiles', source: 'files' }, ['operation', 'source', 'format', 'mapping', 'options']],
		[{ operation: 'apply' }, ['operation', 'applyNotice', 'options']],
		[{ operation: 'compact' }, ['operation', 'compactNotice']],
	])('%o', (parameters, names) => {
		expect(seen(parameters)).toEqual(names);
	});

	test('Read Files takes files and rows, and Plan Changes records too', () => {
		const sources = (operation: string) =>
			description.properties
				.filter(
					({ name, displayOptions }) =>
						name === 'source' && displayOptions?.show?.operation?.includes(operation),
				)
				.flatMap(({ options = [] }) => (options as INodePropertyOptions[]).map(({ value }) => value));
		expect(sources('plan')).toEqual(['files', 'records', 'rows']);
		expect(sources('readFiles')).toEqual(['files', 'rows']);
	});

	test('What says something of files only is not offered for a sheet', () => {
		expect(namesOf({ operation: 'plan', source: 'files' }, 'mapping')).toEqual([
			...[
				'asOf',
				'classIdFrom',
				'classTypes',
				'dateFormat',
				'documentFrom',
				'documentType',
				'grades',
				'roles',
				'schoolIdFrom',
			],
			...['userIdFrom', 'year', 'yearFrom'],
		]);
		expect(namesOf({ operation: 'plan', source: 'rows' }, 'mapping')).toEqual([
			'dateFormat',
			'grades',
			'year',
		]);
	});

	test('Plan Changes has the options of the design', () => {
		const ofFiles = namesOf({ operation: 'plan', source: 'files' }, 'options');
		expect([...ofFiles].sort()).toEqual(
			[...Object.keys(PLAN_DEFAULTS), 'checkWithService', 'fileFields'].sort(),
		);
		const ofRows = namesOf({ operation: 'plan', source: 'rows' }, 'options');
		expect([...ofRows].sort()).toEqual(
			[...Object.keys(PLAN_DEFAULTS), 'checkWithService', 'completeness'].sort(),
		);
	});

	test('Apply Changes has the options of the design', () => {
		expect(namesOf({ operation: 'apply' }, 'options').sort()).toEqual(
			[
				'concurrency',
				'existsStatuses',
				'maxConcurrency',
				'maxRetries',
				'stopAfterTroubles',
				'timeout',
			].sort(),
		);
	});
});

describe('A run takes what the panel shows', () => {
	/** A node in which nothing is filled in, or every option as it is when it is added. */
	const contextWith = (options: INodeParameters) => ({
		getNodeParameter: ((name: string) => (name === 'options' ? options : {})) as never,
		evaluateExpression: () => undefined as never,
	});
	const settingsOf = (operation: 'plan' | 'apply', options: INodeParameters) => {
		const read = (operation === 'plan' ? planSettings : applySettings)(contextWith(options), [{ json: {} }]);
		if (!read.ok) throw new Error(read.failure.message);
		return read.value;
	};

	test.each(['plan', 'apply'] as const)('in every option of %s that is left alone', (operation) => {
		for (const source of ['files', 'rows']) {
			const asAdded = Object.fromEntries(
				entriesOf({ operation, source }, 'options').map(({ name, default: value }) => [name, value]),
			);
			expect(settingsOf(operation, asAdded as INodeParameters)).toEqual(settingsOf(operation, {}));
		}
	});

	test.each(['plan', 'apply'] as const)(
		'in every number of %s, from its least to its greatest',
		(operation) => {
			const numbers = entriesOf({ operation, source: 'files' }, 'options').filter(
				(entry) => entry.type === 'number',
			);
			expect(numbers).not.toEqual([]);
			for (const { name, displayName, typeOptions: { minValue, maxValue } = {} } of numbers) {
				const least = Number(minValue);
				expect(settingsOf(operation, { [name]: least })).toMatchObject({ [name]: least });
				expect(() => settingsOf(operation, { [name]: least - 1 })).toThrow(displayName);
				if (maxValue === undefined) continue;
				expect(settingsOf(operation, { [name]: maxValue })).toMatchObject({ [name]: maxValue });
				expect(() => settingsOf(operation, { [name]: maxValue + 1 })).toThrow(displayName);
			}
		},
	);
});

describe('A credential', () => {
	const isAsked = (parameters: INodeParameters) =>
		(description.credentials ?? []).some((credential) =>
			NodeHelpers.displayParameter(parameters, credential, nodeWith(parameters), description, parameters),
		);

	test.each<[INodeParameters, boolean]>([
		[{ operation: 'plan', options: {} }, true],
		[{ operation: 'plan', options: { checkWithService: true } }, true],
		[{ operation: 'plan', options: { checkWithService: false } }, false],
		[{ operation: 'apply', options: {} }, true],
		[{ operation: 'readFiles', options: {} }, false],
		[{ operation: 'compact' }, false],
	])('for %o is asked for: %s', (parameters, asked) => {
		expect(isAsked(parameters)).toBe(asked);
	});
});

test('The columns of a sheet can be everything that a row may say, the common ones first in sight', async () => {
	const { fields } = (await type.methods?.resourceMapping?.getRosterColumns.call({} as never)) ?? {
		fields: [],
	};
	expect(fields.map(({ id }) => id)).toEqual(
		expect.arrayContaining([
			'school_external_id',
			'student_external_id',
			'student_full_name',
			'class_external_id',
			'responsible_1_external_id',
			'responsible_3_full_name',
		]),
	);
	expect(fields.find(({ id }) => id === 'responsible_1_external_id')?.displayName).toBe(
		'Responsible 1 External ID',
	);
	const inSight = fields.filter(({ removed }) => removed !== true).map(({ id }) => id);
	expect(inSight.length).toBeLessThan(15);
	expect(inSight).toContain('student_external_id');
});

test('An agent is not offered a tool that would be without its inputs', () => {
	expect(description.usableAsTool).not.toBe(true);
});
