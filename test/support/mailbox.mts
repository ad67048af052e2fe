/** A mail server that takes every letter and keeps it: what RFC 5321 wants of the shortest conversation. */
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

interface Mailbox {
	port: number;
	/** The letters as they came, headers and body. */
	letters: string[];
	stop(): Promise<void>;
}

export async function startMailbox(): Promise<Mailbox> {
	const letters: string[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		converse(socket, letters);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const stop = async () => {
		for (const socket of sockets) socket.destroy();
		await new Promise((resolve) => server.close(resolve));
	};
	return { port, letters, stop };
}

function converse(socket: Socket, letters: string[]): void {
	let letter: string | undefined;
	let rest = '';
	socket.setEncoding('utf8').on('error', () => socket.destroy());
	socket.write('220 mailbox\r\n');
	socket.on('data', (text: string) => {
		const lines = (rest + text).split('\r\n');
		rest = lines.pop() ?? '';
		for (const line of lines) {
			if (letter === undefined) {
				if (line === 'DATA') letter = '';
				socket.write(line === 'DATA' ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 fine\r\n');
			} else if (line === '.') {
				letters.push(letter);
				letter = undefined;
				socket.write('250 kept\r\n');
			} else {
				letter += `${line}\r\n`;
			}
		}
	});
}
