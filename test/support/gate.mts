/** A place between two nodes of a workflow where a test can hold a run, and end n8n. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IConnection, INode } from 'n8n-workflow';

import type { WorkflowInput } from '../../playground/n8n-client.mts';

/** Behind which output of which node, before everything else that is connected to it. */
export interface Place {
	node: string;
	output: number;
}

export class Gate {
	readonly #server: Server;

	#passed = 0;

	#nth = Infinity;

	#held: ServerResponse | undefined;

	#arrived: (() => void) | undefined;

	private constructor(server: Server) {
		this.#server = server;
	}

	static async open(): Promise<Gate> {
		const server = createServer();
		const gate = new Gate(server);
		server.on('request', (_request, response) => gate.#take(response));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return gate;
	}

	/** Runs come to the gate before they write, or do, what stands behind the place. */
	before(workflow: WorkflowInput, { node, output }: Place): WorkflowInput {
		const { port } = this.#server.address() as AddressInfo;
		const of = (name: string) => workflow.nodes.find((each) => each.name === name) as INode;
		const main = structuredClone(workflow.connections[node].main);
		const behind = main[output] ?? [];
		// Of the nodes behind an output n8n runs the highest first, to its end.
		const top = Math.min(...behind.map((connection) => of(connection.node).position[1]));
		const gate: INode = {
			id: 'gate',
			name: 'Gate',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			position: [of(node).position[0] + 100, top - 100],
			executeOnce: true,
			parameters: { url: `http://127.0.0.1:${port}/`, options: {} },
		};
		const connection: IConnection = { node: gate.name, type: 'main', index: 0 };
		main[output] = [connection, ...behind];
		return {
			...workflow,
			nodes: [...workflow.nodes, gate],
			connections: { ...workflow.connections, [node]: { main } },
		};
	}

	/** Resolves when a run has come to the gate for the nth time from now on; it stays there. */
	async reached(nth = 1): Promise<void> {
		this.#passed = 0;
		this.#nth = nth;
		await new Promise<void>((resolve) => (this.#arrived = resolve));
	}

	/** Lets the run that is held go on. */
	letGo(): void {
		this.#held?.end('{}');
		this.#held = undefined;
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	#take(response: ServerResponse): void {
		response.setHeader('content-type', 'application/json');
		this.#passed += 1;
		if (this.#passed !== this.#nth) {
			response.end('{}');
			return;
		}
		this.#held = response;
		this.#arrived?.();
	}
}
