import { Agent } from 'node:http';
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import type { Sandbox } from '../../sandbox/start.mts';

/** Asks the token endpoint as the document says: a form with the secret in it. */
export async function requestToken(
	{ issuerUrl, clientId, clientSecret }: Pick<Sandbox, 'issuerUrl' | 'clientId' | 'clientSecret'>,
	fields: Record<string, string> = {},
): Promise<AxiosResponse> {
	const form = new URLSearchParams({
		grant_type: 'client_credentials',
		client_id: clientId,
		client_secret: clientSecret,
		...fields,
	});
	return await axios.post(`${issuerUrl}/connect/token`, form, { validateStatus: () => true, proxy: false });
}

/** A client of the API that never throws for a status, with a fresh machine token. */
export async function apiClient(sandbox: Sandbox): Promise<AxiosInstance> {
	const { data } = await requestToken(sandbox);
	return axios.create({
		baseURL: sandbox.baseUrl,
		headers: { authorization: `Bearer ${data.access_token}` },
		httpAgent: new Agent({ keepAlive: false }),
		validateStatus: () => true,
		proxy: false,
	});
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
