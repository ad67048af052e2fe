/** Bad nights of the example that keeps the service in step, in a real n8n: what cannot be right is not sent, and a person is told. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { parse } from 'csv-parse/sync';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { IDataObject, INode } from 'n8n-workflow';

import {
	activateWorkflow,
	callWebhook,
	createWorkflow,
	getExecution,
	listExecutions,
	runAndWait,
	waitForExecutions,
	type Execution,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import type { HOLDS_OF_ROSTERS } from '../../chaos/expectations.mts';

import { heldBy } from '../../support/held.mts';
import { BY_HAND, EVERY_NIGHT, keysOf, withOptions } from './nights.mts';
import { jsonOf, useExamples } from './support.mts';

/** Three schools, each with so many bonds that a third of them is too much at once, and more than two batches in all. */
const workroom = useExamples({ sandbox: { empty: true, students: 600, schools: 3 } });

type Files = Record<string, string>;

/** What the school system gives at the address of the export. */
let exported: Buffer;
let schoolSystem: Server;
/** The files as they are when nothing is wrong. */
let right: Files;
/** The example with another change each, over the same ledger; published, and started by a call in the place of the clock. */
interface Flow {
	id: string;
	path: string;
}

const zipOf = (files: Files): Buffer =>
	Buffer.from(
		zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
	);

/** As a production run: only of those does n8n tell when one stops. */
function calledAtNight(node: INode, path: string): INode {
	return {
		...node,
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { path, httpMethod: 'POST' },
	};
}

async function publish(
	path: string,
	change: (workflow: WorkflowInput) => WorkflowInput = (workflow) => workflow,
): Promise<Flow> {
	const { session } = workroom.stage;
	const example = change(workroom.example('sync-the-roster-every-night'));
	const url = `http://127.0.0.1:${(schoolSystem.address() as AddressInfo).port}/`;
	const nodes = example.nodes.map((node) => {
		if (node.name === EVERY_NIGHT) return calledAtNight(node, path);
		return node.name === 'Export of Tonight' ? { ...node, parameters: { ...node.parameters, url } } : node;
	});
	const { id } = await createWorkflow(session, { ...example, nodes });
	await activateWorkflow(session, id);
	return { id, path };
}

/** The node that reads the ledger as n8n gives it when it is new: the first 50 rows. */
function withoutReturnAll(workflow: WorkflowInput): WorkflowInput {
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Rows of the Ledger'
			? { ...node, parameters: { ...node.parameters, returnAll: false } }
			: node,
	);
	return { ...workflow, nodes };
}

interface Sent {
	created: string[];
	removed: string[];
}

const NOTHING: Sent = { created: [], removed: [] };

interface Night {
	execution: Execution;
	/** The message that a person gets. */
	told: IDataObject;
	/** What the service was asked to create and to remove. */
	sent: Sent;
	/** Rows that the ledger has got. */
	rows: number;
}

/** Runs a night with this export to its end, and to the end of what tells a person that it has stopped. */
async function night({ id: flow, path }: Flow, zip: Buffer): Promise<Night> {
	exported = zip;
	const { session, n8n } = workroom.stage;
	const before = (await listExecutions(session, flow)).length;
	await workroom.admin.clearRequests();
	await callWebhook(n8n.baseUrl, path);
	let [last] = await waitForExecutions(session, flow, before + 1);
	const hasStopped = last.status === 'error';
	if (hasStopped)
		[last] = (await waitForExecutions(session, flow, before + 2)).filter(({ mode }) => mode === 'error');
	const message = await getExecution(session, last.id);
	const requests = await workroom.admin.requests({ path: '/integration/' });
	const [{ id }] = (await listExecutions(session, flow)).filter(({ mode }) => mode === 'webhook');
	const execution = await getExecution(session, id);
	const rows = ['Rows of the Plan', 'Rows of the Batch'].flatMap((node) =>
		execution.data.resultData.runData[node] ? jsonOf(execution, node) : [],
	);
	return {
		execution,
		told: jsonOf(message, 'Mail or Chat')[0],
		sent: { created: keysOf(requests, 'POST'), removed: keysOf(requests, 'DELETE') },
		rows: rows.length,
	};
}

const placesIn = (files: Files, school: string): number =>
	files['enrollments.csv']
		.split('\r\n')
		.filter((line) => line.includes(`,${school},`) && line.includes(',student,')).length;

/** The files without so many students' places in the classes of a school, and what is to be removed then. */
function without(files: Files, school: string, count: number): { files: Files; gone: string[] } {
	const [header, ...lines] = files['enrollments.csv'].trimEnd().split('\r\n');
	const places = lines
		.filter((line) => line.includes(`,${school},`) && line.includes(',student,'))
		.slice(0, count);
	const gone = places.map((line) => {
		const [, , , group, , user] = line.split(',');
		return `b:${school}|${group}|${user}|student`;
	});
	const left = lines.filter((line) => !places.includes(line));
	return { files: { ...files, 'enrollments.csv': [header, ...left, ''].join('\r\n') }, gone };
}

/** Two schools have a change as on any night. */
function anyNight(files: Files): { files: Files; gone: string[] } {
	const first = without(files, 'school-001', 1);
	const second = without(first.files, 'school-002', 2);
	return { files: second.files, gone: [...first.gone, ...second.gone].sort() };
}

/** The files with all classes and persons of a school under other ids, as if another school's had come. */
function ofAnotherSchool(files: Files, school: string): Files {
	const rowsOf = (name: string) => parse<Record<string, string>>(files[name], { columns: true, bom: true });
	const others = [
		...rowsOf('classes.csv').filter((row) => row.schoolSourcedId === school),
		...rowsOf('users.csv').filter((row) => row.orgSourcedIds === school),
	].map(({ sourcedId }) => sourcedId);
	const known = new Set(others);
	const renamed = (text: string) =>
		text.replace(/[\w-]+/g, (word) => (known.has(word) ? `other-${word}` : word));
	return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, renamed(text)]));
}

/** What a school system gives that has failed, in the place of its export. */
const FAILED: Readonly<Record<string, { zip: () => Buffer; says: string }>> = {
	'an empty file in it': { zip: () => zipOf({ ...right, 'users.csv': '' }), says: 'users.csv is empty' },
	'a file without rows': {
		zip: () => zipOf({ ...right, 'enrollments.csv': right['enrollments.csv'].split('\r\n')[0] }),
		says: 'enrollments.csv has no rows',
	},
	'a file that is missing': {
		zip: () => zipOf(Object.fromEntries(Object.entries(right).filter(([name]) => name !== 'classes.csv'))),
		says: 'classes.csv is missing',
	},
	'half of it': { zip: () => zipOf(right).subarray(0, zipOf(right).length / 2), says: 'zip' },
	'a web page': { zip: () => Buffer.from('<!doctype html><title>Sign in</title>'), says: 'file' },
};

/** By what docs/reliability.md promises. Every night goes on where the one before has ended; the tests look at them. */
const nights: Record<keyof typeof HOLDS_OF_ROSTERS, Night[]> = {
	export: [],
	ledger: [],
	otherSchool: [],
	manyGone: [],
};
let nightAfter: Night;
/** What has to be sent in the nights with a school that is held, and what the service held in the end. */
const expected = { otherSchool: [''], manyGone: [''], inTheEnd: [''] };
let heldInTheEnd: string[];

async function haveNights(flow: Flow): Promise<void> {
	for (const { zip } of Object.values(FAILED)) nights.export.push(await night(flow, zip()));

	nights.ledger.push(await night(await publish('cut', withoutReturnAll), zipOf(right)));
	// As if more than an hour had passed since the last row.
	const later = (workflow: WorkflowInput) =>
		withOptions(withoutReturnAll(workflow), 'Plan Changes', { unfinishedAfter: 0 });
	nights.ledger.push(await night(await publish('cut-later', later), zipOf(right)));

	const first = anyNight(right);
	expected.otherSchool = first.gone;
	nights.otherSchool.push(await night(flow, zipOf(ofAnotherSchool(first.files, 'school-003'))));

	const before = await heldBy(workroom.admin);
	const second = anyNight(first.files);
	expected.manyGone = second.gone;
	const third = Math.ceil(placesIn(right, 'school-003') * 0.3);
	nights.manyGone.push(await night(flow, zipOf(without(second.files, 'school-003', third).files)));

	nightAfter = await night(flow, zipOf(second.files));
	expected.inTheEnd = before.filter((key) => !second.gone.includes(key));
	heldInTheEnd = await heldBy(workroom.admin);
}

beforeAll(async () => {
	schoolSystem = createServer((_request, response) => void response.end(exported)).listen(0, '127.0.0.1');
	await new Promise((listens) => schoolSystem.once('listening', listens));
	right = Object.fromEntries(
		Object.entries(unzipSync(await workroom.admin.roster('oneroster-1.1'))).map(([name, bytes]) => [
			name,
			strFromU8(bytes),
		]),
	);
	const flow = await publish('night');
	exported = zipOf(right);
	expect((await runAndWait(workroom.stage.session, flow.id, { trigger: BY_HAND })).status).toBe('success');
	await haveNights(flow);
}, 300_000);

afterAll(() => void schoolSystem.close());

test('a night whose export or ledger cannot be believed sends nothing, writes no row, and a person is told', () => {
	expect(nights.export).toHaveLength(Object.keys(FAILED).length);
	for (const { execution, told, sent, rows } of [...nights.export, nights.ledger[0]]) {
		expect(execution.status).toBe('error');
		expect([sent, rows]).toEqual([NOTHING, 0]);
		expect(told).toMatchObject({ subject: 'The roster of tonight has stopped' });
	}
});

test.each(Object.keys(FAILED).map((what, index) => [what, index] as const))(
	'an export with %s: the person is told what it is, and what to do',
	(what, index) => {
		const { text } = nights.export[index].told;
		expect(text).toContain(FAILED[what].says);
		expect(text).toMatch(/exported again|made again|Give the node/);
	},
);

describe('a ledger of which only the first rows are read', () => {
	test('looks like a run that is under way, and later like one that was interrupted: nothing is sent', () => {
		const [soon, later] = nights.ledger;
		expect(jsonOf(soon.execution, 'Rows of the Ledger')).toHaveLength(50);
		expect(later.execution.status).toBe('success');
		expect(jsonOf(later.execution, 'Plan Changes', 2).length).toBeGreaterThan(0);
		expect([later.sent, later.rows, later.told.subject]).toEqual([
			NOTHING,
			0,
			'The roster of tonight is held: please look',
		]);
	});

	test('is told to a person each time, with the switch that reads all', () => {
		for (const { told } of nights.ledger) expect(told.text).toContain('switch Return All on');
	});
});

describe.each(['otherSchool', 'manyGone'] as const)('a school that cannot be right (%s)', (which) => {
	test('is held, and the other schools go on', () => {
		const [{ execution, sent }] = nights[which];
		expect(execution.status).toBe('success');
		expect(sent).toEqual({ created: [], removed: expected[which] });
		const held = jsonOf(execution, 'Plan Changes', 2);
		expect(new Set(held.map(({ school_external_id: school }) => school))).toEqual(new Set(['school-003']));
	});

	test('is told to a person, with why and with what to do', () => {
		const [{ told }] = nights[which];
		expect(told.subject).toBe('The roster of tonight is held: please look');
		expect(told.text).toMatch(/HELD: .*school-003/);
		expect(told.text).toContain('Approved Plan');
	});
});

test('the night after, with the right file, nothing is held, and everybody is where they were', () => {
	const { execution, sent, told } = nightAfter;
	expect(execution.status).toBe('success');
	expect(sent).toEqual(NOTHING);
	expect(told.subject).toBe('The roster of tonight is done');
	expect(heldInTheEnd).toEqual(expected.inTheEnd);
});
