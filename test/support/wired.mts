/** Workflows with several inputs and outputs, written as a list of nodes that say where their items come from. */
import type { IConnections, INode } from 'n8n-workflow';

import type { WorkflowInput } from '../../playground/n8n-client.mts';

export interface Step
	extends Pick<INode, 'name' | 'type' | 'parameters'>,
		Partial<Omit<INode, 'name' | 'type' | 'parameters'>> {
	/** For each input the nodes that it is fed by: a name, or `Name:1` for another output than the first. */
	from?: ReadonlyArray<string | readonly string[]>;
}

/** The nodes below one another: of several that follow one, n8n runs the one that stands higher first. */
export function wired(steps: readonly Step[]): Pick<WorkflowInput, 'nodes' | 'connections'> {
	const connections: IConnections = {};
	for (const { name, from = [] } of steps) {
		for (const [index, sources] of from.entries()) {
			for (const source of [sources].flat()) {
				const [node, output = '0'] = source.split(':');
				const main = ((connections[node] ??= { main: [] }).main ??= []);
				while (main.length <= Number(output)) main.push([]);
				main[Number(output)]?.push({ node: name, type: 'main', index });
			}
		}
	}
	const nodes = steps.map(
		({ from: _from, ...node }, place): INode => ({
			id: node.name,
			typeVersion: 1,
			position: [200, 200 * place],
			...node,
		}),
	);
	return { nodes, connections };
}
