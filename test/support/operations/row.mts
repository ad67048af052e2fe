/**
 * One row for each operation of the action node: what a person sees of it, what its parameters are called, and one run of it in the
 * sandbox. Unit, engine, end-to-end and agent tests share it. Written by hand from the design and from the service's document, and
 * never derived from the code: saved workflows depend on these names.
 */
import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { AdminClient } from '../../../sandbox/admin-client.mts';
import type { LoggedRequest } from '../../../sandbox/admin-types.mts';
import type { FieldTable } from '../../../sandbox/document/field-table.mts';

/** Names of parameters and their labels, from top to bottom; an asterisk marks what has to be filled in. */
export type Labels = Record<string, string>;

export interface OperationRow {
	resource: string;
	operation: string;
	/** As the lists of the panel have them: "Account: Get Classes". */
	title: string;
	/** Parameters that every user of the operation sees. */
	fields: Labels;
	additionalFields?: Labels;
	/** Members of the collection "Options" beyond those that its kind brings. Absent for `local`: it has no Options. */
	options?: string[];
	/** Groups of entries: `queryParameters.parameter[]` of `name`, `value`. */
	entries?: Record<string, Record<string, Labels>>;
	/**
	 * `read` may find nothing; `write` can take its data from the item; the answers of both can be simplified. `local` is no request with
	 * an item for an answer.
	 */
	effect: 'read' | 'write' | 'local';
	/** Parameters on which the credential depends: a person picks them, and a model does not. */
	picked?: string[];
	/** Parameters of a way that is not the usual one: they are seen where it is chosen. */
	ofOtherWay?: string[];
	/** Parameters that stay when the data comes from the item. */
	inPath?: string[];
	/** The node keeps the order of updates: they are merged. */
	merged?: true;
	/** One run, with every field filled. */
	run: (known: Known) => Run;
}

export interface Run {
	/** What a person fills in. */
	values: INodeParameters;
	/** What the service must receive: method and path, and the query or the body. In any order. */
	sends: Array<[target: string, carried?: unknown]>;
	/** The fields of an item that leaves the node: the table of the service's document, or names. Absent: any. */
	gives?: FieldTable | string[];
	/** What stands in the result, where the service is not asked. */
	says?: RegExp;
}

/** What the sandbox has, to be asked about. */
export interface Known {
	tenantId: string;
	/** Of a student. */
	accountId: string;
	userId: string;
	externalId: string;
	schoolId: string;
	courseCode: string;
	/** A responsible person, and one of the same school. */
	responsibleAccountId: string;
	responsibles: string[];
	/** A bond of a student. */
	bond: { school: string; class: string; user: string };
	/** Of an event that was sent. */
	requestId: string;
}

export const SAMPLE: Known = {
	tenantId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
	accountId: '6f1c2d3e-0000-4000-8000-0000000000a1',
	userId: '0c7d9a10-0000-4000-8000-0000000000b3',
	externalId: 'student-1042',
	schoolId: '9b2e1f00-0000-4000-8000-00000000005c',
	courseCode: 'MATH-5',
	responsibleAccountId: '6f1c2d3e-0000-4000-8000-0000000000a2',
	responsibles: ['responsible-77', 'responsible-78'],
	bond: { school: 'school-001', class: 'class-5a', user: 'student-1042' },
	requestId: '1c7d9a10-0000-4000-8000-0000000000e1',
};

export async function knownOf(admin: AdminClient): Promise<Known> {
	const { tenantId, courses, students, responsibles } = await admin.facts();
	const [course] = courses;
	const [bond] = (await admin.bonds({ profile: 'student', limit: 1 })).items;
	const requestId = randomUUID();
	// Nobody listens there: the record is stored all the same.
	await admin.registerWebhook({ url: 'http://127.0.0.1:9/', apiKey: 'key' });
	await admin.grantAccess({ userId: course.userId, requestId });
	return {
		...{ tenantId, requestId },
		...{
			accountId: course.accountId,
			userId: course.userId,
			schoolId: course.schoolId,
			courseCode: course.code,
		},
		externalId: students.find(({ accountId }) => accountId === course.accountId)?.externalId ?? '',
		responsibleAccountId: responsibles[0].accountId,
		responsibles: responsibles
			.filter(({ schoolExternalId }) => schoolExternalId === 'school-001')
			.slice(0, 2)
			.map(({ externalId }) => externalId),
		bond: { school: bond.school_external_id, class: bond.class_external_id, user: bond.user_external_id },
	};
}

/** The parameters of a node that does the run. */
export function parametersOf({ resource, operation, run }: OperationRow, known: Known): INodeParameters {
	return { resource, operation, ...run(known).values };
}

/** Holds what arrived and what came out to what the row says: no request more or less, and no field more or less. */
export function expectRun(
	{ sends, gives, says }: Run,
	requests: LoggedRequest[],
	items: IDataObject[],
): void {
	expect(received(requests)).toHaveLength(sends.length);
	expect(received(requests)).toEqual(expect.arrayContaining(sends));
	expect(items).not.toEqual([]);
	expect(JSON.stringify(items)).toMatch(says ?? /./);
	const names = Array.isArray(gives) ? gives : gives?.fields.map(({ name }) => name);
	if (names !== undefined)
		for (const item of items) expect(Object.keys(item).sort()).toEqual([...names].sort());
}

/** What was received, in the words of `sends`. */
export function received(requests: readonly LoggedRequest[]): Run['sends'] {
	return requests.map(({ method, path, query, body }) => [
		`${method} ${path}`,
		method === 'GET' ? query : body,
	]);
}

/** What a person sees in the panel, from top to bottom. */
export function panelOf(row: OperationRow): string[] {
	const { fields, inPath = [], ofOtherWay = [], effect, additionalFields, options } = row;
	const usual = Object.entries(fields).filter(([name]) => !ofOtherWay.includes(name));
	const labels = (wanted: boolean) =>
		usual.flatMap(([name, label]) => (inPath.includes(name) === wanted ? [label] : []));
	return [
		...labels(true),
		...(effect === 'write' ? ['Data to Send'] : []),
		...labels(false),
		...(additionalFields ? ['Additional Fields'] : []),
		...(effect === 'local' ? [] : ['Simplify']),
		...(effect === 'local' && options === undefined ? [] : ['Options']),
	];
}

/** The same values as arguments that a model answers: n8n names them by the labels, and has text where a person picks several. */
export function argumentsOf(row: OperationRow, known: Known): IDataObject {
	const { fields, additionalFields = {}, entries = {}, picked = [] } = row;
	const { additionalFields: more = {}, ...values } = row.run(known).values as IDataObject;
	const named = (labels: Labels, given: IDataObject, before = ''): IDataObject =>
		Object.fromEntries(
			Object.entries(labels).map(([name, label]) => [
				before + label.replace(' *', '').replace(/[^a-zA-Z0-9-]/g, '_'),
				Array.isArray(given[name]) ? given[name].join(', ') : (given[name] ?? ''),
			]),
		);
	const plain = Object.fromEntries(
		Object.entries(fields).filter(([name]) => !(name in entries) && !picked.includes(name)),
	);
	const inGroups = Object.entries(entries).flatMap(([name, groups]) =>
		Object.entries(groups).map(([group, labels]) =>
			named(labels, (values[name] as Record<string, IDataObject[]>)[group][0], `${group}0_`),
		),
	);
	return Object.assign(
		{},
		named(plain, values),
		named(additionalFields, more as IDataObject),
		...inGroups,
	) as IDataObject;
}
