/** A signed-in user of n8n's own REST interface, as its editor uses it. */
import type { AxiosResponse } from 'axios';
import { randomUUID } from 'node:crypto';
import { send } from './http.mts';

/** The owner of the playground's n8n. Invented; it exists only on the machine that runs the playground. */
export interface Account {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

export const PLAYGROUND_ACCOUNT: Account = {
	email: 'dana@playground.example',
	password: 'Playground-2026',
	firstName: 'Dana',
	lastName: 'Whitfield',
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** n8n refused: its status and its own message. */
export class N8nRequestError extends Error {
	override name = 'N8nRequestError';
	readonly status: number;
	readonly body: unknown;

	constructor(what: string, status: number, body: unknown) {
		super(`${what} answered ${status}: ${messageOf(body)}`);
		this.status = status;
		this.body = body;
	}
}

export interface Session {
	readonly baseUrl: string;
	readonly account: Account;
	/** `/rest` + path; gives the `data` member of the answer. Rejects with N8nRequestError on any status over 299. */
	request<T>(method: Method, path: string, body?: unknown): Promise<T>;
	/** GET of a path outside `/rest`; gives the answer as it comes. */
	read<T>(path: string): Promise<T>;
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

function messageOf(body: unknown): string {
	if (isRecord(body) && typeof body.message === 'string') return body.message;
	return typeof body === 'string' ? body.slice(0, 300) : JSON.stringify(body);
}

/** n8n ties its cookie to this header: the two are sent together or the session is refused. */
function newBrowser(baseUrl: string) {
	const browserId = randomUUID();
	let cookies: string[] = [];
	return async (method: Method, path: string, body?: unknown): Promise<AxiosResponse<unknown>> => {
		const headers = { 'browser-id': browserId, cookie: cookies.join('; ') };
		const response = await send({ url: baseUrl + path, method, data: body, headers });
		const received = response.headers['set-cookie'] ?? [];
		if (received.length > 0) cookies = received.map((cookie) => cookie.split(';')[0] ?? '');
		return response;
	};
}

/**
 * Signs in as the owner; makes the owner account first when this n8n has none.
 * @param baseUrl e.g. `http://127.0.0.1:5678`
 */
export async function signIn(baseUrl: string, account: Account = PLAYGROUND_ACCOUNT): Promise<Session> {
	const browse = newBrowser(baseUrl);
	const ask = async (method: Method, path: string, body?: unknown): Promise<unknown> => {
		const response = await browse(method, path, body);
		if (response.status > 299) throw new N8nRequestError(`${method} ${path}`, response.status, response.data);
		return response.data;
	};
	const request = async <T,>(method: Method, path: string, body?: unknown): Promise<T> => {
		const answer = await ask(method, `/rest${path}`, body);
		return (isRecord(answer) && 'data' in answer ? answer.data : answer) as T;
	};
	const read = async <T,>(path: string): Promise<T> => (await ask('GET', path)) as T;
	// Refused with 400 where there is an owner. Trap: an n8n without its editor does not say whether there is one.
	const { status, data } = await browse('POST', '/rest/owner/setup', account);
	if (status > 299 && status !== 400) throw new N8nRequestError('POST /rest/owner/setup', status, data);
	if (status === 400)
		await request('POST', '/login', { emailOrLdapLoginId: account.email, password: account.password });
	return { baseUrl, account, request, read };
}
