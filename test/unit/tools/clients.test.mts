/** How the playground's clients speak with n8n. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { send } from '../../../playground/client/http.mts';

let server: Server | undefined;

afterEach(() => server?.close());

/** A server that gives these answers in turn, the last one for ever. */
async function answering(...answers: Array<[status: number, body: string]>) {
	let asked = 0;
	server = createServer((_request, response) => {
		const [status, body] = answers[Math.min(asked, answers.length - 1)];
		asked += 1;
		response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
	});
	await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/`, asked: () => asked };
}

test('An n8n that is too busy to hear of its database has taken nothing: it is asked again', async () => {
	const n8n = await answering([503, '{"code":503,"message":"Database is not ready!"}'], [200, '{"data":1}']);
	expect((await send({ url: n8n.url })).data).toEqual({ data: 1 });
	expect(n8n.asked()).toBe(2);
});

test('Any other answer is one, and a failure that nobody is there', async () => {
	const n8n = await answering([503, '{"message":"The workflow is not active"}']);
	expect((await send({ url: n8n.url })).status).toBe(503);
	expect(n8n.asked()).toBe(1);
	await new Promise((resolve) => server!.close(resolve));
	await expect(send({ url: n8n.url })).rejects.toThrow(`GET ${n8n.url}: `);
});
