import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';

import type { Certificate } from './certificate.mts';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * The one port of the sandbox. Besides serving it can refuse connections for a while: it stops listening and
 * breaks what is open, except connections that the admin used, so that a test keeps its hand on the sandbox.
 */
export class Listener {
	readonly #server: Server;

	readonly #sockets = new Set<Socket>();

	readonly #adminSockets = new WeakSet<Socket>();

	#port = 0;

	#host = '';

	#maxConnections = 0;

	#opened = 0;

	/** The connections in `#opened`: only what was counted is taken off again. */
	#counted = new WeakSet<Socket>();

	#reopening: NodeJS.Timeout | undefined;

	/** With a certificate it speaks HTTPS. */
	constructor(handler: Handler, certificate?: Certificate) {
		const options = { keepAliveTimeout: 60_000, highWaterMark: 64 * 1024 };
		this.#server = certificate
			? createTlsServer({ ...options, cert: certificate.certificate, key: certificate.privateKey }, handler)
			: createServer(options, handler);
		// A request knows its connection as the socket of this event.
		this.#server.on(certificate ? 'secureConnection' : 'connection', (socket: Socket) => {
			this.#sockets.add(socket);
			this.#counted.add(socket);
			this.#opened += 1;
			this.#maxConnections = Math.max(this.#maxConnections, this.#sockets.size);
			socket.once('close', () => this.#sockets.delete(socket));
		});
	}

	/** Starts listening on this address only; gives the port. Rejects with the system's error when it is taken. */
	async listen(port: number, host: string): Promise<number> {
		await new Promise<void>((resolve, reject) => {
			this.#server.once('error', reject);
			this.#server.listen(port, host, () => {
				this.#server.off('error', reject);
				resolve();
			});
		});
		this.#port = (this.#server.address() as AddressInfo).port;
		this.#host = host;
		return this.#port;
	}

	get openConnections(): number {
		return this.#sockets.size;
	}

	/** Most connections open at once since the start or the last call of `resetMaximum`. */
	get maxConnections(): number {
		return this.#maxConnections;
	}

	/** Connections that were opened since the start or the last call of `resetOpened`, without the admin's. */
	get connectionsOpened(): number {
		return this.#opened;
	}

	resetMaximum(): void {
		this.#maxConnections = this.#sockets.size;
	}

	resetOpened(): void {
		this.#opened = 0;
		this.#counted = new WeakSet();
	}

	isAdmins(socket: Socket): void {
		this.#adminSockets.add(socket);
		if (this.#counted.delete(socket)) this.#opened -= 1;
	}

	/** Refuses connections for `ms` milliseconds. */
	refuseFor(ms: number): void {
		// Not http's own close: that would also end the idle connections of the admin.
		NetServer.prototype.close.call(this.#server);
		for (const socket of this.#sockets) if (!this.#adminSockets.has(socket)) socket.destroy();
		clearTimeout(this.#reopening);
		this.#reopening = setTimeout(() => {
			this.endRefusing().catch((error: unknown) =>
				console.error('The port could not be opened again:', error),
			);
		}, ms);
	}

	get isRefusing(): boolean {
		return this.#reopening !== undefined;
	}

	/** Takes connections again, if it refuses them. */
	async endRefusing(): Promise<void> {
		if (!this.isRefusing) return;
		clearTimeout(this.#reopening);
		this.#reopening = undefined;
		await this.listen(this.#port, this.#host);
	}

	async close(): Promise<void> {
		clearTimeout(this.#reopening);
		await new Promise<void>((resolve) => {
			this.#server.close(() => resolve());
			this.#server.closeAllConnections();
		});
	}
}
