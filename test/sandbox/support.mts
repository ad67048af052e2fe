import { Agent } from 'node:http';
import axios, { type AxiosRequestConfig } from 'axios';
import type { Sandbox } from '../../sandbox/start.mts';

/** What was answered; never thrown for a status. */
export interface Reply<Body> {
	status: number;
	statusText: string;
	headers: Record<string, string>;
	data: Body;
}

export interface ErrorsBody {
	Errors: Array<{ Code: string | number; Message: string }>;
}

export interface TokenBody {
	access_token: string;
	expires_in: number;
	token_type: string;
	scope?: string;
	id_token?: string;
	refresh_token?: string;
	error?: string;
}

/** Sends one request on a connection of its own. */
export async function send<Body>(config: AxiosRequestConfig): Promise<Reply<Body>> {
	const { status, statusText, headers, data } = await axios.request<Body>({
		httpAgent: new Agent({ keepAlive: false }),
		validateStatus: () => true,
		proxy: false,
		maxRedirects: 0,
		...config,
	});
	return { status, statusText, headers: headers as Record<string, string>, data };
}

/** Asks the token endpoint as the document says: a form with the secret in it. */
export async function requestToken(
	{ issuerUrl, clientId, clientSecret }: Pick<Sandbox, 'issuerUrl' | 'clientId' | 'clientSecret'>,
	fields: Record<string, string> = {},
): Promise<Reply<TokenBody>> {
	const form = new URLSearchParams({
		grant_type: 'client_credentials',
		client_id: clientId,
		client_secret: clientSecret,
		...fields,
	});
	return await send({ method: 'POST', url: `${issuerUrl}/connect/token`, data: form });
}

/** The API with a fresh machine token. */
export class Api {
	private constructor(
		private readonly baseURL: string,
		private readonly authorization: string,
	) {}

	static async open(sandbox: Sandbox): Promise<Api> {
		const { data } = await requestToken(sandbox);
		return new Api(sandbox.baseUrl, `Bearer ${data.access_token}`);
	}

	async get<Body = unknown>(url: string, params: object = {}): Promise<Reply<Body>> {
		return await this.#send('GET', url, { params });
	}

	async post<Body = unknown>(url: string, data: unknown): Promise<Reply<Body>> {
		return await this.#send('POST', url, { data });
	}

	async put<Body = unknown>(url: string, data: unknown): Promise<Reply<Body>> {
		return await this.#send('PUT', url, { data });
	}

	async delete<Body = unknown>(url: string, data: unknown): Promise<Reply<Body>> {
		return await this.#send('DELETE', url, { data });
	}

	/** The body goes out as it is given. */
	async postText<Body = unknown>(url: string, text: string, contentType: string): Promise<Reply<Body>> {
		return await this.#send('POST', url, {
			data: text,
			headers: { 'content-type': contentType },
			transformRequest: (data: string) => data,
		});
	}

	async #send<Body>(method: string, url: string, config: AxiosRequestConfig): Promise<Reply<Body>> {
		const headers = {
			'content-type': 'application/json',
			...config.headers,
			authorization: this.authorization,
		};
		return await send({ ...config, method, url, baseURL: this.baseURL, headers });
	}
}

/** The code of the error with which a request ended. */
export async function codeOfFailure(request: Promise<unknown>): Promise<string> {
	return await request.then(
		() => 'no failure',
		(error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
	);
}

export const classPayload = (change: object = {}): Record<string, unknown> => ({
	school_external_id: 'school-001',
	external_id: 'class-new',
	educational_stage: 'EF1',
	grade: '1º ano',
	shift: null,
	year: 2026,
	code: 'N1',
	name: 'New class',
	description: '',
	course: null,
	...change,
});

export const userPayload = (change: object = {}): Record<string, unknown> => ({
	school_external_id: 'school-001',
	external_id: 'responsible-new',
	first_name: 'Elvina',
	last_name: 'Dornelo',
	birth_date: '1984-02-29',
	document_type: 'TAX_ID',
	document_value: '00000000191',
	ddi: '55',
	cell_phone: '11900000000',
	email: 'elvina@families.example',
	profiles: ['responsible'],
	...change,
});

export const bondPayload = (change: object = {}): Record<string, unknown> => ({
	school_external_id: 'school-001',
	class_external_id: 'class-new',
	user_external_id: 'student-new',
	profile_name: 'student',
	...change,
});
