/** How a logout is answered (OpenID Connect Back-Channel Logout 1.0 section 2.8, Front-Channel Logout 1.0 section 2). */
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { Refusal } from '../shared/signOn/finding';

/** Shown in a frame of the logout screen, where hardly anybody sees it. */
const PAGE =
	'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Logged out</title></head><body>Logged out</body></html>';

/** Answers must not be kept by anybody on the way (section 2.8), nor guessed to be of another type. */
function prepared(context: IWebhookFunctions) {
	const response = context.getResponseObject();
	response.setHeader('Cache-Control', 'no-store');
	response.setHeader('X-Content-Type-Options', 'nosniff');
	return response;
}

/**
 * A refusal with its reasons. The node writes it itself, for n8n gives every answer of its own the same status.
 * Nothing is recorded and nothing starts.
 */
export function refuse(context: IWebhookFunctions, { reasons }: Refusal): IWebhookResponseData {
	prepared(context)
		.status(400)
		.json({
			error: 'invalid_request',
			error_description: reasons.map(({ message }) => `${message}.`).join(' '),
			reasons: reasons.map(({ code }) => code),
		});
	return { noWebhookResponse: true };
}

/** The method belongs to the other channel. */
export function refuseMethod(context: IWebhookFunctions, allowed: 'GET' | 'POST'): IWebhookResponseData {
	const channel = allowed === 'GET' ? 'front' : 'back';
	prepared(context)
		.status(405)
		.setHeader('Allow', allowed)
		.json({
			error: 'invalid_request',
			error_description: `This address takes logouts of the ${channel} channel only, with ${allowed}.`,
			reasons: ['wrong_method'],
		});
	return { noWebhookResponse: true };
}

/** The logout cannot be taken, for a reason that does not lie in it. */
export function answerTrouble(context: IWebhookFunctions): IWebhookResponseData {
	if (context.getResponseObject().headersSent) return { noWebhookResponse: true };
	return refuse(context, {
		valid: false,
		reasons: [
			{
				code: 'not_taken',
				message: 'The logout cannot be taken at the moment',
				description: 'Send it again later.',
			},
		],
	});
}

/** Prepares n8n's answer: the small page of the front channel, which may stand in a frame of any address. */
export function framedPage(context: IWebhookFunctions): string {
	const response = prepared(context);
	response.removeHeader('X-Frame-Options');
	response.setHeader('Content-Type', 'text/html; charset=utf-8');
	return PAGE;
}

/** Prepares n8n's answer: nothing but the status 200, as the standard has it for the back channel. */
export function emptyAnswer(context: IWebhookFunctions): string {
	prepared(context).setHeader('Content-Type', 'text/plain; charset=utf-8');
	return '';
}
