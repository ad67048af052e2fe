/**
 * Every operation of the service's API, in the strict sandbox, under every variant that it can meet: it succeeds, or fails with an effect
 * and words that are true by what the sandbox has done. The three variants of events are the trigger's too (triggerDeviations.test.mts),
 * those of logouts only the logout trigger's (triggerLogoutSandbox.test.mts), and what the sign-on's operations make of token responses
 * stands in tokenAnswers.test.mts.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultAction, LoggedRequest } from '../../sandbox/admin-types.mts';
import type { Variant } from '../../sandbox/variants.mts';
import type { NodeRun } from '../support/engine.mts';
import { operations } from '../support/operations/index.mts';
import {
	knownOf,
	parametersOf,
	received,
	type Known,
	type OperationRow,
} from '../support/operations/row.mts';
import { useWorkroom } from './workroom.mts';
import { choicesOf, type List } from './editor.mts';

const workroom = useWorkroom();

type Part = 'answers' | 'errors' | 'tokens' | 'events' | 'logouts';

/** What a variant changes. A new one does not compile before it stands here. */
const CHANGES: Record<Variant, Part> = {
	'plain-text-answers': 'answers',
	'empty-bodies': 'answers',
	'location-headers': 'answers',
	'numbers-as-text': 'answers',
	'digits-as-numbers': 'answers',
	'doubles-as-400': 'errors',
	'bare-errors': 'errors',
	'null-refresh-token': 'tokens',
	'null-id-token': 'tokens',
	'text-expires-in': 'tokens',
	'extra-token-members': 'tokens',
	'empty-event-texts': 'events',
	'long-event-values': 'events',
	'wrong-event-kinds': 'events',
	'logout-extra-claims': 'logouts',
	'logout-without-exp': 'logouts',
	'logout-without-jti': 'logouts',
	'logout-without-events': 'logouts',
	'logout-without-sub-and-sid': 'logouts',
};
const variantsOf = (...parts: Part[]) =>
	(Object.keys(CHANGES) as Variant[]).filter((variant) => parts.includes(CHANGES[variant]));

/** One by one, and all that do not exclude one another. */
const CELLS: Variant[][] = [
	...variantsOf('answers', 'errors', 'tokens').map((variant) => [variant]),
	variantsOf('answers', 'errors', 'tokens'),
	variantsOf('answers', 'errors', 'tokens').filter((variant) => variant !== 'plain-text-answers'),
];
const cellsOf = (...parts: Part[]) =>
	CELLS.filter((variants) => variants.some((variant) => parts.includes(CHANGES[variant])));

const creates = ({ resource, operation }: OperationRow) =>
	['class', 'user', 'bond'].includes(resource) && operation.startsWith('create');
const isClass = ({ resource }: OperationRow) => resource === 'class';

/** What is there to be asked about. It is made before the variants are switched on, and not counted. */
async function prepare(variants: Variant[], first: Variant[] = []): Promise<Known> {
	await workroom.admin.changeSettings({ variants: first });
	const known = await knownOf(workroom.admin);
	await workroom.admin.changeSettings({ variants });
	await workroom.admin.clearRequests();
	return known;
}

async function runOf(row: OperationRow, known: Known, change: INodeParameters = {}): Promise<NodeRun> {
	return await workroom.run({ ...parametersOf(row, known), ...change }, undefined, {
		onError: 'continueErrorOutput',
	});
}

/** Members that are text or a number, as text: what is told is the same, whatever its kind. */
function asTexts(value: unknown): unknown {
	if (typeof value === 'number') return String(value);
	if (Array.isArray(value)) return value.map(asTexts);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asTexts(member)]));
}

/** What leaves a write whose answer the document does not show; undefined where it is the sandbox's usual object. */
function unusualItem(row: OperationRow, variants: Variant[]): IDataObject | undefined {
	if (isClass(row)) return undefined;
	const adds = row.operation === 'delete' ? { deleted: true } : undefined;
	if (variants.includes('plain-text-answers')) return { ...adds, data: creates(row) ? 'Created' : 'OK' };
	return variants.includes('empty-bodies') ? (adds ?? { success: true }) : undefined;
}

/** The item says that it is done, and so it is. */
function expectDone({ outputs, error }: NodeRun, requests: LoggedRequest[]): IDataObject[] {
	expect([error, outputs[1] ?? []]).toEqual([undefined, []]);
	expect(requests.at(-1)?.status).toBeLessThan(300);
	return outputs[0].map(({ json }) => json);
}

/** The item says that it failed, and what it says is true. */
function expectRefused({ outputs }: NodeRun, requests: LoggedRequest[], row: OperationRow): IDataObject {
	expect(outputs[0]).toEqual([]);
	const [{ error, failure }] = outputs[1].map(({ json }) => json) as [IDataObject];
	const { origin, effect, status, next } = failure as IDataObject;
	expect([origin, status]).toEqual(['service', requests.at(-1)?.status]);
	expect(String(error)).toContain(`(${String(status)})`);
	expect(String(error)).toContain(String(next));
	const mayBeDone = row.effect === 'write' && Number(status) >= 500;
	expect(effect).toBe(mayBeDone ? 'unknown' : 'none');
	if (effect === 'none') expect(String(error)).not.toMatch(/may exist|may be done/);
	return { ...(failure as IDataObject), error };
}

describe.each(cellsOf('answers', 'tokens'))('Under %s', (...variants: Variant[]) => {
	test.each(operations)('$title: what is asked is done, and nothing that comes back is lost', async (row) => {
		const known = await prepare([]);
		const plain = row.effect === 'read' ? (await runOf(row, known)).items : [];
		await workroom.admin.changeSettings({ variants });
		workroom.credentials.data = { ...workroom.credentials.data, oauthTokenData: undefined } as never;
		await workroom.admin.clearRequests();
		// The token is fetched, and renewed, while the sign-on answers so.
		await workroom.admin.addFault({ pathPattern: '^/(?!identity)', nth: 1 }, { expireToken: true });
		const run = await runOf(row, known);
		const requests = await workroom.received();
		const items = expectDone(run, requests);
		const { sends } = row.run(known);
		expect(received(requests.filter(({ status }) => status !== 401))).toEqual(expect.arrayContaining(sends));
		if (row.effect === 'read') return expect(asTexts(items)).toEqual(asTexts(plain));
		const unusual = unusualItem(row, variants);
		if (unusual !== undefined) return expect(items).toEqual([unusual]);
		expect(items).toEqual([expect.objectContaining(row.operation === 'delete' ? { deleted: true } : {})]);
		expect(Object.keys(items[0])).not.toContain('data');
	});
});

describe.each(cellsOf('answers', 'errors'))('Under %s', (...variants: Variant[]) => {
	test.each(operations.filter(creates))(
		'$title: what exists already is refused, or done where it may',
		async (row) => {
			const known = await prepare(variants);
			await runOf(row, known);
			const again = await runOf(row, known);
			const { status, effect, error } = expectRefused(again, await workroom.received(), row);
			expect([status, effect]).toEqual([variants.includes('doubles-as-400') ? 400 : 409, 'none']);
			expect(error).toMatch(/exists in this school|has this bond already/);
			const options = { whenExists: 'succeed', existsStatuses: '409, 400' };
			expect((await runOf(row, known, { options })).items).toEqual([{ already_there: true }]);
		},
	);
});

// Numbers may stand in refusals too.
describe.each([...cellsOf('errors'), ['numbers-as-text'] as Variant[]])(
	'Under %s',
	(...variants: Variant[]) => {
		test.each(operations)('$title: a refusal is told in the words of the service', async (row) => {
			const known = await prepare(variants);
			const [[target]] = row.run(known).sends;
			const area = target.split('/')[1];
			for (const documented of [400, 409, 500] as const) {
				await workroom.admin.clearFaults();
				await workroom.admin.addFault(
					{ pathPattern: '^/(?!identity)' },
					{ documented, message: 'Struck on purpose.' },
				);
				const { error, code } = expectRefused(await runOf(row, known), await workroom.received(), row);
				// The event query shows no bodies.
				if (area === 'webhook') continue;
				expect(code).toEqual(expect.any(String));
				const isNamed = area === 'sync' && documented === 409;
				expect(error).toContain(isNamed ? 'tenant_id: Struck on purpose.' : 'Struck on purpose.');
			}
		});
	},
);

test.each(operations)(
	'$title: a page in the place of the answer is no answer, whether the work was done or not',
	async (row) => {
		for (const page of [{}, { afterwards: true }] satisfies FaultAction[]) {
			await workroom.admin.clearFaults();
			const known = await prepare([]);
			await workroom.admin.addFault(
				{ pathPattern: '^/(?!identity)' },
				{ htmlPage: true, status: 200, ...page },
			);
			const { outputs } = await runOf(row, known);
			expect(outputs[0]).toEqual([]);
			const [{ error, failure }] = outputs[1].map(({ json }) => json);
			expect(failure).toMatchObject({
				origin: 'service',
				status: 200,
				effect: row.effect === 'read' ? 'none' : 'unknown',
			});
			const isCreation = creates(row) || row.operation === 'postCourseStatus';
			expect(/may exist/.test(String(error))).toBe(isCreation);
			expect(/Nobody knows/.test(String(error))).toBe(row.effect === 'write' && !isCreation);
			await workroom.reset();
		}
	},
);

test.each(variantsOf('events'))(
	'Under %s: a stored event is read, with everything that was sent',
	async (variant) => {
		const known = await prepare([], [variant]);
		const row = operations.find(({ resource }) => resource === 'event');
		if (row === undefined) throw new Error('There is no event query');
		const [item] = expectDone(await runOf(row, known), await workroom.received());
		const sent = JSON.parse(String(item.payload)) as { header: IDataObject };
		expect(sent.header.request_id).toBe(known.requestId);
		expect(item.event).toMatchObject({ header: { request_id: known.requestId } });
	},
);

test('Updates that travel together: the good one is done and the bad one refused, in text and bare errors too', async () => {
	const { accountId, schoolId, courseCode } = await prepare(['plain-text-answers', 'bare-errors']);
	const parameters = {
		...{ resource: 'enrollment', operation: 'updateByAccount', accountId, schoolId, status: 'cancelled' },
		courseCode: '={{ $json.course }}',
	};
	const { outputs } = await workroom.run(parameters, [{ course: courseCode }, { course: 'NOWHERE' }], {
		onError: 'continueErrorOutput',
	});
	expect(outputs[0]).toEqual([{ json: { data: 'OK' }, pairedItem: { item: 0 } }]);
	expect(
		outputs[1].map(({ json, pairedItem }) => [(json.failure as IDataObject).effect, pairedItem]),
	).toEqual([['none', { item: 1 }]]);
	expect(String(outputs[1][0].json.error)).toContain('there is no enrollment in course "NOWHERE"');
});

describe.each(cellsOf('answers', 'tokens'))('The lists of the editor under %s', (...variants: Variant[]) => {
	const parameters: INodeParameters = {
		resource: 'class',
		operation: 'create',
		schoolExternalId: 'school-001',
	};

	test.each<[List, string]>([
		['getProfiles', 'student'],
		['searchProfiles', 'student'],
		['searchEducationalStages', 'EF1'],
	])('%s offers what the service has', async (list, value) => {
		await workroom.admin.changeSettings({ variants });
		const found = await choicesOf(list, { parameters, credentials: workroom.credentials });
		expect(found.map((choice) => choice.value)).toContain(value);
	});
});
