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
import { settingsOf } from '../../../nodes/SchoolPartnerRoster/run/settings.ts';
import { ThrownFailure, type Failure } from '../../../nodes/shared/failure.ts';
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

const OF_A_NIGHT = ['Summary', 'Needs Attention', 'Changes'];

test.each([
	['sync', OF_A_NIGHT],
	['preview', OF_A_NIGHT],
	['takeOver', OF_A_NIGHT],
	['approve', ['']],
	['explain', ['']],
	['resolve', ['']],
	['recordAccess', ['']],
	['verify', ['Summary', 'Differences']],
	['readFiles', ['Records', 'Findings']],
])('%s has one input and the outputs of the design, in their order', async (operation, outputs) => {
	expect(await portsOf(operation)).toEqual({ inputs: [''], outputs });
});

test('A new node syncs', () => {
	const operation = description.properties.find(({ name }) => name === 'operation');
	expect(operation?.default).toBe('sync');
	expect((operation?.options as INodePropertyOptions[]).map(({ value }) => value).sort()).toEqual(
		[
			'approve',
			'explain',
			'preview',
			'readFiles',
			'recordAccess',
			'resolve',
			'sync',
			'takeOver',
			'verify',
		].sort(),
	);
});

describe('What is shown follows operation and source', () => {
	test.each<[INodeParameters, string[]]>([
		[
			{ operation: 'sync', source: 'files' },
			[
				...['operation', 'syncNotice', 'source', 'format', 'exports'],
				...['ledger', 'ledgerName', 'mapping', 'options'],
			],
		],
		[
			{ operation: 'preview', source: 'rows' },
			['operation', 'source', 'columns', 'fullNameNotice', 'ledger', 'ledgerName', 'mapping', 'options'],
		],
		[
			{ operation: 'takeOver', source: 'records' },
			['operation', 'source', 'ledger', 'ledgerName', 'options'],
		],
		[
			{ operation: 'readFiles', source: 'files' },
			['operation', 'source', 'format', 'exports', 'mapping', 'options'],
		],
		[{ operation: 'approve' }, ['operation', 'approveNotice', 'ledger', 'ledgerName']],
		[
			{ operation: 'explain' },
			['operation', 'externalId', 'schoolExternalId', 'askService', 'ledger', 'ledgerName'],
		],
		[{ operation: 'recordAccess' }, ['operation', 'recordAccessNotice', 'ledger', 'ledgerName']],
		[{ operation: 'resolve' }, ['operation', 'resolveNotice', 'ledger', 'ledgerName']],
	])('%o', (parameters, names) => {
		expect(seen(parameters)).toEqual(names);
	});

	test('Read Files takes files and rows, and what has a ledger records too', () => {
		const sources = (operation: string) =>
			description.properties
				.filter(
					({ name, displayOptions }) =>
						name === 'source' && displayOptions?.show?.operation?.includes(operation),
				)
				.flatMap(({ options = [] }) => (options as INodePropertyOptions[]).map(({ value }) => value));
		for (const operation of ['sync', 'preview', 'takeOver'])
			expect(sources(operation)).toEqual(['files', 'records', 'rows']);
		expect(sources('readFiles')).toEqual(['files', 'rows']);
	});

	test('What says something of files only is not offered for a sheet', () => {
		expect(namesOf({ operation: 'sync', source: 'files' }, 'mapping')).toEqual([
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
				'schools',
			],
			...['userIdFrom', 'year', 'yearFrom'],
		]);
		expect(namesOf({ operation: 'sync', source: 'rows' }, 'mapping')).toEqual([
			...['classIdFrom', 'dateFormat', 'grades', 'responsibleIds', 'schools', 'year'],
		]);
	});

	const OF_SENDING = ['concurrency', 'maxConcurrency', 'maxRetries', 'timeout'];
	const OF_ANSWERS = [
		...['checkWithService', 'confirmationQuery', 'confirmedStatuses', 'creationsAgainOn503'],
		...['existsStatuses', 'goneStatuses'],
	];

	test.each(['sync', 'preview'])('%s has the options of the design', (operation) => {
		const always = [...Object.keys(PLAN_DEFAULTS), ...OF_SENDING, ...OF_ANSWERS];
		const ofFiles = namesOf({ operation, source: 'files' }, 'options');
		expect([...ofFiles].sort()).toEqual([...always, 'disabledUsers', 'fileFields'].sort());
		const ofRows = namesOf({ operation, source: 'rows' }, 'options');
		expect([...ofRows].sort()).toEqual([...always, 'missingRowsMean'].sort());
	});

	test.each([
		['takeOver', ['fileFields', 'onlySchools', 'userIdsUniqueWithin']],
		['readFiles', ['fileFields', 'userIdsUniqueWithin']],
	])('%s has those of them that say what is read', (operation, names) => {
		expect([...namesOf({ operation, source: 'files' }, 'options')].sort()).toEqual(names);
	});
});

/** Why something throws; undefined where it does not. */
function thrownBy(work: () => unknown): Failure | undefined {
	try {
		work();
		return undefined;
	} catch (thrown) {
		if (thrown instanceof ThrownFailure) return thrown.failure;
		throw thrown;
	}
}

describe('A run takes what the panel shows', () => {
	/** A node in which nothing is filled in, or every option as it is when it is added. */
	const contextWith = (options: INodeParameters) => ({
		getNodeParameter: ((name: string) => (name === 'options' ? options : {})) as never,
		evaluateExpression: (expression: string) => (expression === '' ? '' : undefined) as never,
		isTool: false,
	});
	const NAMES = { sync: 'night', takeOver: 'takeOver', readFiles: 'readFiles' } as const;
	const OPERATIONS = ['sync', 'takeOver', 'readFiles'] as const;
	const settingsWith = (operation: keyof typeof NAMES, options: INodeParameters) => {
		return settingsOf(NAMES[operation], contextWith(options), [{ json: {} }]);
	};

	test.each(OPERATIONS)('in every option of %s that is left alone', (operation) => {
		for (const source of ['files', 'rows']) {
			const asAdded = Object.fromEntries(
				entriesOf({ operation, source }, 'options').map(({ name, default: value }) => [name, value]),
			);
			expect(settingsWith(operation, asAdded as INodeParameters)).toEqual(settingsWith(operation, {}));
		}
	});

	test('so that a node in which nothing is filled in plans as the planner does by itself', () => {
		expect(settingsWith('sync', {})).toMatchObject(PLAN_DEFAULTS);
	});

	test.each(['sync', 'takeOver'] as const)(
		'but for schools alone in %s where one user may be in several of them',
		(operation) => {
			const options = { onlySchools: 'school-001', userIdsUniqueWithin: 'network' };
			expect(() => settingsWith(operation, options)).toThrow(/Only Schools .* Unique Within .* Network/);
			for (const each of ['onlySchools', 'userIdsUniqueWithin'] as const)
				expect(settingsWith(operation, { [each]: options[each] })).toHaveProperty(each);
		},
	);

	describe('and no expression that gives nothing', () => {
		const messageFor = (name: 'night' | 'mapping', entries: INodeParameters) => {
			const context = { ...contextWith(entries), getNodeParameter: (() => entries) as never };
			const failure = thrownBy(() => settingsOf(name, context, [{ json: { empty: '', none: null } }]));
			return failure?.message;
		};

		test.each(['={{ $json.a?.b }}', '={{ $json.absent }}', '={{ $json.none }}', '={{ $json.empty }}'])(
			'in place of a default: %s',
			(expression) => {
				const entries = entriesOf({ operation: 'sync', source: 'files' }, 'options');
				const withDefault = entries.filter(
					({ default: value, type }) => value !== '' && type !== 'fixedCollection',
				);
				expect(withDefault.map(({ name }) => name)).toEqual(
					expect.arrayContaining(['gracePeriodDays', 'keepPastYears', 'confirmation']),
				);
				for (const { name, displayName } of withDefault)
					expect(messageFor('night', { [name]: expression })).toBe(
						`The expression in ${displayName} gives nothing`,
					);
				expect(messageFor('night', { onlySchools: expression })).toContain('Only Schools names no school');
			},
		);

		test.each(['={{ $vars.TEACHER?.name }}', '={{ $json.absent }}'])(
			'in place of what is left out on purpose: %s',
			(value) => {
				const profile = { __rl: true, mode: 'name', value };
				const roles = {
					role: [
						{ role: 'aide', profile: '' },
						{ role: 'teacher', profile },
					],
				};
				expect(messageFor('mapping', { roles })).toBe(
					'The expression in Row 2 of Roles: Profile gives nothing',
				);
			},
		);

		test('but for a text that may be empty, and names a field that is', () => {
			const options = { existsStatuses: '={{ $json.empty }}', fileFields: '={{ $json.absent }}' };
			expect(messageFor('night', { ...options, gracePeriodDays: '=', confirmation: '' })).toBeUndefined();
			const role = [{ role: 'aide', profile: { __rl: true, mode: 'list', value: '' } }];
			expect(messageFor('mapping', { roles: { role }, year: '={{ $json.absent }}' })).toBeUndefined();
		});
	});

	describe('and a mapping', () => {
		const mappingWith = (entries: INodeParameters) => {
			const context = { ...contextWith({}), getNodeParameter: (() => entries) as never };
			return settingsOf('mapping', context, [{ json: {} }]);
		};
		const failureWith = (entries: INodeParameters) => thrownBy(() => mappingWith(entries));
		const NO_DAY = 'As Of must be a date that exists, written as YYYY-MM-DD';
		const NO_COLUMN =
			'Document From must be identifier, userIds or an extension column such as metadata.document';

		test.each<[INodeParameters, string]>([
			[{ asOf: '31/12/2026' }, NO_DAY],
			[{ asOf: '2026-02-30' }, NO_DAY],
			[{ documentType: 'CPF', documentFrom: 'password' }, NO_COLUMN],
			[{ documentType: 'CPF' }, NO_COLUMN],
			[{ documentFrom: 'metadata.' }, NO_COLUMN],
		])('that cannot be meant is refused before anything is read: %o', (entries, message) => {
			expect(failureWith(entries)).toMatchObject({
				...{ origin: 'input', effect: 'none' },
				message: expect.stringContaining(message) as string,
				next: expect.stringContaining('Mapping') as string,
			});
		});

		test.each<[INodeParameters, object]>([
			[{}, { asOf: '', documentType: '', documentFrom: '' }],
			[{ asOf: ' 2026-02-01T00:00:00.000-03:00 ' }, { asOf: '2026-02-01' }],
			[
				{ documentType: ' CPF ', documentFrom: ' userids ' },
				{ documentType: 'CPF', documentFrom: 'userIds' },
			],
			[{ documentFrom: 'Identifier' }, { documentFrom: 'identifier' }],
			[{ documentFrom: 'Metadata.Tax' }, { documentFrom: 'Metadata.Tax' }],
		])('in which blanks, capitals and times do not count: %o', (entries, meant) => {
			expect(mappingWith(entries)).toMatchObject(meant);
		});
	});

	test('in every number, from its least to its greatest', () => {
		const numbers = entriesOf({ operation: 'sync', source: 'files' }, 'options').filter(
			(entry) => entry.type === 'number',
		);
		expect(numbers).not.toEqual([]);
		for (const { name, displayName, typeOptions: { minValue, maxValue } = {} } of numbers) {
			const least = Number(minValue);
			expect(settingsWith('sync', { [name]: least })).toMatchObject({ [name]: least });
			expect(() => settingsWith('sync', { [name]: least - 1 })).toThrow(displayName);
			if (maxValue === undefined) continue;
			expect(settingsWith('sync', { [name]: maxValue })).toMatchObject({ [name]: maxValue });
			expect(() => settingsWith('sync', { [name]: maxValue + 1 })).toThrow(displayName);
		}
	});
});

describe('A credential', () => {
	const asked = (parameters: INodeParameters) =>
		(description.credentials ?? [])
			.filter((credential) =>
				NodeHelpers.displayParameter(parameters, credential, nodeWith(parameters), description, parameters),
			)
			.map(({ name }) => name);
	const [SERVICE, DATABASE] = ['schoolPartnerOAuth2Api', 'postgres'];

	test.each<[INodeParameters, string[]]>([
		[{ operation: 'sync', ledger: 'dataTable' }, [SERVICE]],
		[{ operation: 'preview', ledger: 'dataTable' }, [SERVICE]],
		[{ operation: 'takeOver', ledger: 'postgres' }, [SERVICE, DATABASE]],
		[{ operation: 'sync', ledger: 'postgres' }, [SERVICE, DATABASE]],
		[{ operation: 'approve', ledger: 'dataTable' }, []],
		[{ operation: 'approve', ledger: 'postgres' }, [DATABASE]],
		[{ operation: 'resolve', ledger: 'postgres' }, [DATABASE]],
		[{ operation: 'readFiles' }, []],
	])('for %o is asked for: %s', (parameters, names) => {
		expect(asked(parameters)).toEqual(names);
	});
});

describe('An option says what it does, and no more', () => {
	const sync: INodeParameters = { operation: 'sync', source: 'files' };

	test.each([
		['options', 'checkWithService', /When it is off, every grade needs a row under 'Grades'/],
		['options', 'holdCreationsFrom', /held for their percent only when.*Where ids have changed.*fewer/],
		['options', 'holdRemovalsFrom', /held for their percent only when.*half of a school.*fewer/],
		['options', 'gracePeriodDays', /What the export itself says is gone is removed at once/],
		['mapping', 'classIdFrom', /only at the turn of a year/],
	])('%s: %s', (collection, name, words) => {
		const option = entriesOf(sync, collection).find((entry) => entry.name === name);
		expect(option?.description).toMatch(words);
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

test('An agent can be given the node as a tool: it looks, and sends nothing (test/engine/rosterStops)', () => {
	expect(description.usableAsTool).toBe(true);
});
