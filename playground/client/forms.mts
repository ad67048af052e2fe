/** Fills in a form of a published workflow, as a visitor with a browser would. */
import type { AxiosBasicCredentials, AxiosResponse } from 'axios';
import { setTimeout as wait } from 'node:timers/promises';
import { send } from './http.mts';

/** n8n needs a fraction of a second after a workflow was published. */
const REGISTRATION_MS = 60_000;

/**
 * Sends the form at `<baseUrl>/form/<path>`. Any status is an answer, but for the 404 of a form that n8n does not listen to yet.
 * @param values of the fields, in the order in which the form has them
 */
export async function submitForm(
	baseUrl: string,
	path: string,
	values: readonly string[],
	login?: AxiosBasicCredentials,
): Promise<AxiosResponse<unknown>> {
	const deadline = Date.now() + REGISTRATION_MS;
	for (;;) {
		const data = new FormData();
		for (const [place, value] of values.entries()) data.append(`field-${place}`, value);
		const response = await send({ method: 'POST', url: `${baseUrl}/form/${path}`, data, auth: login });
		if (response.status !== 404 || Date.now() > deadline) return response;
		await wait(50);
	}
}
