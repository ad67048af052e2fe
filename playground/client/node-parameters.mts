import type { INodeTypeDescription } from 'n8n-workflow';
import type { Session } from './session.mts';

/** Descriptions of all nodes this n8n has loaded, each version on its own. */
export async function loadedNodeTypes(session: Session): Promise<INodeTypeDescription[]> {
	return await session.read('/types/nodes.json');
}
