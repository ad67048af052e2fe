/**
 * Whatever the items, the options, the answers and On Error are: every item is accounted for, and none is on the
 * success output whose request was not answered with 2xx. For every operation of the node, in n8n's own engine.
 */
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Operation, Resource } from '../../nodes/SchoolPartner/framework/operation.ts';
import { resources } from '../../nodes/SchoolPartner/operations/index.ts';
import { CredentialStore, runNode, type NodeRun, type OnError } from '../support/engine.mts';
import { AnyService, type GivenAnswer } from './anyService.mts';

/** Any other seed gives other cases. */
const SEED = 2026;
const RUNS_EACH = 60;

let service: AnyService;
beforeAll(async () => {
	service = await AnyService.start();
});
afterAll(async () => await service.stop());

/** The field that tells in a request for which item it is; the requests that an item is done with (default: one). */
const MARKED: Record<string, { field?: string; requests?: number }> = {
	'user.create': { field: 'external_id' },
	'user.createResponsible': { field: 'external_id' },
	'user.createStudent': { field: 'external_id' },
	'class.create': { field: 'external_id' },
	'bond.create': { field: 'user_external_id' },
	'bond.delete': { field: 'user_external_id' },
	'profile.getAll': {},
	'educationalStage.getAll': { field: 'school_external_id' },
	'accountCreation.get': { field: 'parameter' },
	'account.get': { field: 'account_id' },
	'account.getSponsors': { field: 'account_id' },
	'account.getDependents': { field: 'account_id' },
	'account.getSchools': { field: 'account_id' },
	'account.getClasses': { field: 'account_id' },
	'account.getSnapshot': { field: 'tenant_id', requests: 6 },
	'tenant.get': { field: 'tenant_id' },
	'enrollment.getCourses': { field: 'account_id' },
	'enrollment.updateByAccount': { field: 'account_id' },
	'enrollment.updateByUser': { field: 'user_id' },
	'enrollment.postCourseStatus': { field: 'user_id' },
	'event.get': { field: 'request_id' },
	'signOn.exchangeCode': { field: 'code' },
	'signOn.refreshToken': { field: 'refresh_token' },
	'signOn.getMachineToken': {},
	'signOn.getUserInfo': { field: 'access_token' },
	// The discovery document is fetched once for a run, keys once an hour for a whole process; the others call nobody.
	'signOn.getDiscovery': { requests: 0 },
	'signOn.validateToken': { requests: 0 },
	'signOn.getAuthorizationUrl': { requests: 0 },
	'signOn.getLogoutUrl': { requests: 0 },
	'clientRegistration.validate': { requests: 0 },
};

const operations = resources.flatMap((resource) =>
	resource.operations.map((operation): [string, Resource, Operation] => [
		`${resource.name}.${operation.name}`,
		resource,
		operation,
	]),
);

test('No operation is left out', () => {
	expect(operations.map(([name]) => name).sort()).toEqual(Object.keys(MARKED).sort());
});

/** Takes an id wherever one is asked for, in every form: a GUID. */
const markOf = (item: number) => `3f2504e0-4f89-41d3-9a0c-0305e82c330${item}`;

/** Values of the service's fields that pass its checks; any other field takes an id. */
const RIGHT: IDataObject = {
	birth_date: '2010-12-31',
	date_of_birth: '2010-12-31',
	year: 2026,
	profiles: ['student'],
	redirect_uri: 'https://app.example/back',
	post_logout_redirect_uri: 'https://app.example/bye',
	updated_at: '2026-03-09T12:30:00Z',
	started_by: 'other',
	state: '',
	browser_binding: '',
	code_verifier: 'v'.repeat(43),
	token_use: 'idToken',
	logout_from: 'client',
	clock_tolerance: 5,
	nonce: 'n',
	prompt: 'login',
	public_key_exchanged: true,
};

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const oddValue = fc.constantFrom<unknown>(
	'\ud83d',
	'a\udc00b',
	'',
	' ',
	'..',
	'a/b?c#d',
	'%',
	null,
	0,
	1e300,
	-1,
	true,
	[],
	['\ud83d'],
	{},
	{ toISO: 1 },
	JSON.parse(deep(200)),
	'x'.repeat(100_000),
);

const BODIES = [
	...[
		'',
		'null',
		'[]',
		'{}',
		'"text"',
		'[1,null,{"id":"x"}]',
		'{"data":[]}',
		'{"data":null}',
		'{"data":{}}',
		'<html>',
	],
	...[
		'{"data":[{"id":"x"},3,null]}',
		'{"error":"refused"}',
		'{"Error":{"ErrorProperties":[null,{}]}}',
		'{"Errors":[]}',
	],
	...[
		'{"id":"x","cell_phone":1,"date_of_birth":{},"addresses":[null]}',
		'{"payload":"{","status":1}',
		'{"payload":{"header":[]}}',
	],
	...[
		'{"__proto__":{"a":1},"constructor":1}',
		'{"id":"\\ud83d"}',
		'{"data":{"id":"x"}}',
		'{"access_token":"t","id_token":"a.b.c"}',
	],
	...[deep(20_000), `{"data":${deep(20_000)}}`, `{"payload":${JSON.stringify(deep(20_000))}}`],
];

const answer: fc.Arbitrary<GivenAnswer> = fc.record({
	status: fc.oneof(
		{ arbitrary: fc.constantFrom(200, 201, 204), weight: 3 },
		{ arbitrary: fc.constantFrom(302, 400, 400, 401, 403, 404, 409, 422, 429, 500, 503), weight: 2 },
	),
	body: fc.constantFrom(...BODIES),
});

const WRONG_OPTIONS: INodeParameters[] = [
	{ concurrency: -1 },
	{ maxConcurrency: 0 },
	{ concurrency: '={{ $json.odd }}' },
	{ timeout: '={{ $json.nothing.at.all }}' },
	{ batchSize: 0.5 },
	{ maxRetries: '={{ $("Nowhere").first() }}' },
	{ whenNothingFound: 'maybe' },
];
const rightOptions: fc.Arbitrary<INodeParameters> = fc.record({
	concurrency: fc.constantFrom(0, 1, 2, 50),
	batchSize: fc.constantFrom(1, 2, 50),
	whenNothingFound: fc.constantFrom('none', 'empty', 'fail'),
	maxRetries: fc.constant(0),
});

interface Case {
	/** Of each item: which of the items it looks like, and what is odd about it. */
	items: Array<{ like: number; odd: ReadonlyArray<readonly [place: number, value: unknown]> }>;
	options: INodeParameters;
	answers: GivenAnswer[];
	onError: OnError;
	mapped: boolean;
	simplify: boolean;
	credential: 'right' | 'none' | 'odd';
}

const anyCase: fc.Arbitrary<Case> = fc.record({
	items: fc.array(
		fc.record({
			like: fc.nat(3),
			odd: fc.array(fc.tuple(fc.nat(20), oddValue), { maxLength: 2, size: 'xsmall' }),
		}),
		{ minLength: 1, maxLength: 4 },
	),
	options: fc.oneof<Array<fc.WeightedArbitrary<INodeParameters>>>(
		{ arbitrary: rightOptions, weight: 6 },
		{ arbitrary: fc.constantFrom(...WRONG_OPTIONS), weight: 1 },
	),
	answers: fc.array(answer, { minLength: 1, maxLength: 6 }),
	onError: fc.constantFrom<OnError>('continueErrorOutput', 'continueRegularOutput', 'stopWorkflow'),
	mapped: fc.boolean(),
	simplify: fc.boolean(),
	credential: fc.constantFrom<Case['credential']>(
		'right',
		'right',
		'right',
		'right',
		'right',
		'right',
		'none',
		'odd',
	),
});

/** The items and parameters of a case: every field of the operation names a field of the item. */
function inputOf(operation: Operation, { items, mapped, options, simplify }: Case) {
	const fields = { ...operation.fields, ...operation.additionalFields };
	const names = Object.keys(fields);
	const rows = items.map(({ like, odd }): IDataObject => {
		const mark = markOf(like);
		const values: IDataObject = Object.fromEntries(names.map((name) => [name, RIGHT[name] ?? mark]));
		for (const [place, value] of odd) {
			const name = names[place % names.length] as string | undefined;
			if (name !== undefined) values[name] = value as IDataObject;
		}
		return { ...values, odd: odd[0]?.[1] as IDataObject };
	});
	const written = (of: Operation['fields']): INodeParameters =>
		Object.fromEntries(
			Object.entries(of).map(([field, { name, type, options = [] }]) => {
				const value = `={{ $json.${field} }}`;
				// A group is no expression as a whole: its entries are.
				return [
					name,
					type === 'fixedCollection' ? { [options[0].name]: [{ name: 'id', value, email: value }] } : value,
				];
			}),
		);
	const parameters: INodeParameters = {
		...written(operation.fields),
		additionalFields: written(operation.additionalFields ?? {}),
		options,
		simplify,
		...(mapped && operation.effect === 'write' && { dataMode: 'autoMapInputData' }),
	};
	return { rows, parameters };
}

async function credentialOf(
	{ credential }: Resource,
	kind: Case['credential'],
): Promise<CredentialStore | undefined> {
	if (credential === undefined || kind === 'none') return undefined;
	const baseUrl = kind === 'odd' ? 'http://[\ud83d' : service.address;
	const data = {
		baseUrl,
		issuerUrl: `${baseUrl}/machine`,
		clientId: 'c',
		clientSecret: 's',
		oauthTokenData: { access_token: 'machine' },
	};
	return await CredentialStore.of(
		credential,
		credential === 'schoolPartnerOAuth2Api' ? data : { ...data, issuerUrl: baseUrl },
	);
}

const pairOf = ({ pairedItem }: INodeExecutionData) => (pairedItem as { item: number }).item;
/** The words of this node; what else is called `error` is an answer. */
const isFailed = ({ json }: INodeExecutionData) =>
	typeof json.error === 'string' && /\[Item \d\]\n/.test(json.error);
const is2xx = (status: number) => status >= 200 && status < 300;

interface Ran {
	name: string;
	operation: Operation;
	given: Case;
	/** The mark of each item; undefined where something odd stands in its place. */
	marks: Array<string | undefined>;
	run: NodeRun;
}

/** The requests for an item that were answered with 2xx. */
function answeredFor(mark: string | undefined): number {
	return service.log.filter(
		({ text, status }) => is2xx(status) && (mark === undefined || text.includes(mark)),
	).length;
}

/** A run that did not stop: each item has its results, or its failure, or nothing where nothing was found. */
function expectAccounted({ name, operation, given, marks, run }: Ran): void {
	const sentAlone = operation.effect === 'write' && operation.work.kind === 'request';
	const succeeded = new Map<string, number>();
	for (const [item, mark] of marks.entries()) {
		const leaving = run.outputs.flatMap((output) => output.filter((one) => pairOf(one) === item));
		if (leaving.some(isFailed)) {
			expect(leaving).toHaveLength(1);
			continue;
		}
		expect(answeredFor(mark)).toBeGreaterThanOrEqual(MARKED[name].requests ?? 1);
		if (mark !== undefined) succeeded.set(mark, (succeeded.get(mark) ?? 0) + 1);
		if (operation.effect === 'write') expect(leaving).toHaveLength(1);
		else if (operation.effect !== 'read') expect(leaving.length).toBeGreaterThanOrEqual(1);
		else if (leaving.length === 0) expect(given.options.whenNothingFound ?? 'none').toBe('none');
	}
	if (sentAlone)
		for (const [mark, count] of succeeded) expect(answeredFor(mark)).toBeGreaterThanOrEqual(count);
	if (given.onError === 'continueErrorOutput') expect(run.outputs[0].filter(isFailed)).toEqual([]);
}

/** A run that stopped: it shows no item, and has begun nothing after what it stopped at. */
function expectStopped({ operation, given, run }: Ran): void {
	const { message = '', description = '' } = run.error ?? {};
	expect(message).not.toBe('');
	expect(run.outputs.flat()).toEqual([]);
	if (String(description).includes('Nothing was sent')) expect(service.log).toEqual([]);
	if (given.options.concurrency !== 1 || operation.effect === 'exchange') return;
	const first = service.log.findIndex(({ status }) => !is2xx(status) && status !== 401 && status !== 400);
	if (first >= 0) expect(first).toBe(service.log.length - 1);
}

test.each(operations)('%s', async (name, resource, operation) => {
	const { field } = MARKED[name];
	const holds = async (given: Case) => {
		const { rows, parameters } = inputOf(operation, given);
		service.begin(given.answers);
		const run = await runNode({
			parameters: { resource: resource.name, operation: operation.name, ...parameters },
			items: rows,
			credentials: await credentialOf(resource, given.credential),
			onError: given.onError,
		});
		const marks = given.items.map(({ like }, item) => {
			const value = field === undefined ? undefined : rows[item][field];
			return value === markOf(like) ? markOf(like) : undefined;
		});
		const ran = { name, operation, given, marks, run };
		if (given.onError !== 'stopWorkflow') {
			expect(run.error).toBeUndefined();
			expect(run.run.data.resultData.runData['School Partner'][0].error).toBeUndefined();
		}
		if (run.error === undefined) expectAccounted(ran);
		else expectStopped(ran);
		expect(() => JSON.stringify(run.outputs)).not.toThrow();
	};
	await fc.assert(fc.asyncProperty(anyCase, holds), { seed: SEED, numRuns: RUNS_EACH });
});
