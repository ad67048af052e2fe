/** Workflows: import, publish, remove. */
import type { IConnections, INode, IPinData, IWorkflowSettings } from 'n8n-workflow';
import type { Session } from './session.mts';

/** A workflow as it stands in a file or is built by a test. */
export interface WorkflowInput {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IPinData;
	meta?: Record<string, unknown>;
}

export interface StoredWorkflow extends WorkflowInput {
	id: string;
	/** The draft's version; publishing names it. */
	versionId: string;
	/** Version that is published, null when the workflow is not active. */
	activeVersionId: string | null;
	active: boolean;
}

/** The members n8n's interface takes; a file that was exported holds more (id, versionId, tags of another n8n). */
function importable({ name, nodes, connections, settings, pinData, meta }: WorkflowInput): WorkflowInput {
	return { name, nodes, connections, settings: settings ?? {}, pinData, meta };
}

export async function createWorkflow(session: Session, workflow: WorkflowInput): Promise<StoredWorkflow> {
	return await session.request('POST', '/workflows', importable(workflow));
}

/** Overwrites the draft. An active workflow goes on running its published version. */
export async function updateWorkflow(
	session: Session,
	id: string,
	workflow: WorkflowInput,
): Promise<StoredWorkflow> {
	return await session.request('PATCH', `/workflows/${id}`, importable(workflow));
}

export async function getWorkflow(session: Session, id: string): Promise<StoredWorkflow> {
	return await session.request('GET', `/workflows/${id}`);
}

/** Without nodes and connections: n8n lists names and states. */
export async function listWorkflows(
	session: Session,
): Promise<Array<Pick<StoredWorkflow, 'id' | 'name' | 'active'>>> {
	return await session.request('GET', '/workflows');
}

/** Publishes the draft as it is now. Rejects with n8n's reason, e.g. an empty required parameter. */
export async function activateWorkflow(session: Session, id: string): Promise<StoredWorkflow> {
	const { versionId } = await getWorkflow(session, id);
	return await session.request('POST', `/workflows/${id}/activate`, { versionId });
}

/** n8n deletes archived workflows only. */
export async function deleteWorkflow(session: Session, id: string): Promise<void> {
	await session.request('POST', `/workflows/${id}/archive`, {});
	await session.request('DELETE', `/workflows/${id}`);
}

/** The same workflow with the credential put into every node that names its type. */
export function withCredential<W extends WorkflowInput>(
	workflow: W,
	credential: { id: string; name: string; type: string },
): W {
	const { id, name, type } = credential;
	return {
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.credentials?.[type] === undefined
				? node
				: { ...node, credentials: { ...node.credentials, [type]: { id, name } } },
		),
	};
}

/** The addresses in the files of examples that a person replaces by those of the own export, and of the own sheet. */
const EXPORT = 'https://school-system.example/roster.zip';
const SHEET = 'https://school-system.example/alunos.csv';

/** The same workflow with this address of a sandbox in the nodes that fetch the export of the school system, or the sheet of an office. */
export function withExport<W extends WorkflowInput>(workflow: W, url: string): W {
	const ours: ReadonlyMap<unknown, string> = new Map([
		[EXPORT, url],
		[SHEET, new URL('roster/sheet', url).href],
	]);
	return {
		...workflow,
		nodes: workflow.nodes.map((node) => {
			const address = ours.get(node.parameters.url);
			return address === undefined ? node : { ...node, parameters: { ...node.parameters, url: address } };
		}),
	};
}
