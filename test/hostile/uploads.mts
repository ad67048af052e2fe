/** A published workflow that reads whatever roster is posted to it, as a person would build it for uploads. */
import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import { send } from '../../playground/client/http.mts';
import {
	activateWorkflow,
	createWorkflow,
	errorOf,
	getExecution,
	itemsOf,
	nodeRun,
	type Session,
} from '../../playground/n8n-client.mts';
import { allExecutions } from '../e2e/trigger/support.mts';
import { eventually } from '../../playground/eventually.mts';
import { wired } from '../support/wired.mts';
import type { Files } from '../unit/roster/reading/broken.mts';

const READ = 'Read Files';

/** What a person is shown of one upload. */
export interface Reading {
	/** As n8n tells it. */
	status: string;
	/** Of the reading, in milliseconds. */
	took: number;
	/** What ended it, and what to do. */
	stopped?: { message: string; next: string };
	/** What is told, and what to do. */
	findings: Array<{ message: string; next: string }>;
}

export interface Reader {
	/** Sends an export and waits until it has been read. */
	upload(files: Files): Promise<void>;
	/** What came of each upload, in their order. */
	readings(): Promise<Reading[]>;
}

export async function openReader(session: Session, mapping: INodeParameters): Promise<Reader> {
	const path = randomUUID();
	const { id: workflowId } = await createWorkflow(session, {
		name: 'Uploaded rosters',
		...wired([
			{
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				webhookId: path,
				parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', options: {} },
			},
			{
				name: READ,
				type: 'n8n-nodes-school-partner.schoolPartnerRoster',
				parameters: { operation: 'readFiles', mapping },
				from: ['Webhook'],
			},
		]),
		settings: { executionOrder: 'v1' },
	});
	await activateWorkflow(session, workflowId);
	let uploads = 0;
	return {
		async upload(files) {
			uploads += 1;
			const form = new FormData();
			for (const { name, bytes } of files) form.append(name, new Blob([Buffer.from(bytes)]), name);
			// After its publishing n8n answers 404 for a moment.
			await eventually(async () => {
				const url = `${session.baseUrl}/webhook/${path}`;
				const { status } = await send({ method: 'POST', url, data: form });
				return status === 404 ? undefined : true;
			});
		},
		async readings() {
			// Trap: the answer to an upload comes before n8n lists its run.
			const runs = await eventually(async () => {
				const listed = await allExecutions(session, workflowId);
				return listed.length < uploads ? undefined : listed;
			});
			const readings: Reading[] = [];
			for (const { id } of runs) readings.push(await readingOf(session, id));
			return readings;
		},
	};
}

async function readingOf(session: Session, id: string): Promise<Reading> {
	const execution = await getExecution(session, id);
	const error = errorOf(execution);
	return {
		status: execution.status,
		took: nodeRun(execution, READ)?.executionTime ?? 0,
		...(error !== undefined && {
			stopped: { message: error.message, next: String(error.description ?? '') },
		}),
		findings: itemsOf(execution, READ, 1).map(({ json }) => ({
			message: String(json.message),
			next: String(json.what_to_do),
		})),
	};
}
