/** How a logout is answered (OpenID Connect Back-Channel Logout 1.0 section 2.8, Front-Channel Logout 1.0 section 2). */
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { SignOnRefusal } from '../shared/oidc/finding';
import { answer, NOT_KEPT } from '../shared/webhooks/webhook';

import { logoutFinding } from './logouts/logoutFinding';

/** Shown in a frame of the logout screen, where hardly anybody sees it. */
const LOGGED_OUT_PAGE =
	'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Logged out</title></head><body>Logged out</body></html>';

/** A refusal with its findings. Nothing is recorded and nothing starts. */
export function refuseLogout(
	context: IWebhookFunctions,
	{ findings }: SignOnRefusal,
	status = 400,
	headers: Readonly<Record<string, string>> = {},
): IWebhookResponseData {
	const body = {
		error: 'invalid_request',
		error_description: findings.map(({ message }) => `${message}.`).join(' '),
		reasons: findings.map(({ code }) => code),
	};
	return answer(context, status, body, headers);
}

/** The method belongs to the other channel. */
export function refuseMethod(context: IWebhookFunctions, allowed: 'GET' | 'POST'): IWebhookResponseData {
	const channel = allowed === 'GET' ? 'front' : 'back';
	const wrongMethod = logoutFinding(
		'wrong_method',
		`This address takes logouts of the ${channel} channel only, with ${allowed}`,
	);
	return refuseLogout(context, { findings: [wrongMethod] }, 405, { Allow: allowed });
}

/** The logout cannot be taken, for a reason that does not lie in it. */
export function answerTrouble(context: IWebhookFunctions): IWebhookResponseData {
	const notTaken = logoutFinding('not_taken', 'The logout cannot be taken at the moment');
	return refuseLogout(context, { findings: [notTaken] });
}

/** Prepares n8n's answer: the small page of the front channel, which may stand in a frame of any address. */
export function framedPage(context: IWebhookFunctions): string {
	const response = context.getResponseObject();
	response.removeHeader('X-Frame-Options');
	response.set({ ...NOT_KEPT, 'Content-Type': 'text/html; charset=utf-8' });
	return LOGGED_OUT_PAGE;
}

/** Prepares n8n's answer: nothing but the status 200, as the standard has it for the back channel. */
export function emptyAnswer(context: IWebhookFunctions): string {
	context.getResponseObject().set({ ...NOT_KEPT, 'Content-Type': 'text/plain; charset=utf-8' });
	return '';
}
