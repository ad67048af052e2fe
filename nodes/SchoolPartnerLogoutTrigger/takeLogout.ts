/** One logout: from the request to the item that starts the workflow, or to the refusal. */
import { sleep, type IDataObject, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';

import { isJsonObject } from '../shared/contract/json';
import { failed, success } from '../shared/failure';
import { CLOCK_TOLERANCE_SECONDS } from '../shared/oidc/verifyJwt';
import { IssuerKeys, type IssuerKnowledge } from '../shared/oidc/issuerKeys';
import { readJwt } from '../shared/oidc/jwt';
import { rejected, type Checked, type SignOnRefusal } from '../shared/oidc/finding';
import { clientWithoutSecret } from '../shared/signOn/client';
import { askerOf, jsonFetcher } from '../shared/transport/askIssuer';
import { takeOnce } from '../shared/webhooks/once';
import { NOTE_WIDTH } from '../shared/webhooks/seenIds';
import { nodeInLog } from '../shared/webhooks/webhook';

import { emptyAnswer, framedPage, refuseLogout, refuseMethod } from './logoutAnswers';
import { readFrontChannel } from './logouts/frontChannel';
import { logoutFinding } from './logouts/logoutFinding';
import { checkLogoutToken, MAY_LACK, type Logout, type MayLack } from './logouts/logoutToken';

/** How long the issuer may take for one of its documents. */
const KEYS_POLICY = { timeoutMs: 10_000, maxRetries: 1 };

/** How long the sender of a logout waits for the issuer's keys. Milliseconds. */
const LONGEST_WAIT_FOR_KEYS = 12_000;

/** Discovery documents and keys of this process. Public data only. */
const logoutIssuers = new IssuerKeys(sleep, LONGEST_WAIT_FOR_KEYS);

const NOT_A_FORM = logoutFinding(
	'no_logout_token',
	'The request is not a form with exactly one logout_token',
);
const REPEATED = logoutFinding('repeated_jti', 'The token was sent before (jti)');

async function readLogoutClient(context: IWebhookFunctions) {
	return clientWithoutSecret(await context.getCredentials('schoolPartnerOidcApi'));
}

/** The token of the form, looked at from outside: what cannot be one costs neither credential nor keys. */
function tokenIn(context: IWebhookFunctions): Checked<string> {
	const type = String(context.getHeaderData()['content-type'] ?? '').toLowerCase();
	// Trap: without a body there is no body data at all.
	const body = context.getBodyData() as IDataObject | undefined;
	const token = body?.logout_token;
	if (!type.startsWith('application/x-www-form-urlencoded') || typeof token !== 'string')
		return rejected(NOT_A_FORM);
	const read = readJwt(token);
	return read.ok ? success(token) : read;
}

function acceptedWithout(context: IWebhookFunctions): MayLack[] {
	const options: unknown = context.getNodeParameter('options', {});
	const chosen = isJsonObject(options) && Array.isArray(options.acceptWithout) ? options.acceptWithout : [];
	return MAY_LACK.filter((claim) => chosen.includes(claim));
}

/** Why a logout could not be looked at: its sender cannot help it, so that whoever runs n8n reads it in the log. */
function logged(context: IWebhookFunctions, failure: SignOnRefusal) {
	const reasons = failure.findings.map(({ code }) => code);
	const words = 'A logout could not be looked at, and its sender was told so';
	context.logger.error(words, { ...nodeInLog(context), reasons });
	return failed(failure);
}

async function readBackChannel(context: IWebhookFunctions): Promise<Checked<Logout>> {
	const given = tokenIn(context);
	if (!given.ok) return given;
	const client = await readLogoutClient(context);
	if (!client.ok) return logged(context, client.failure);
	const acceptWithout = acceptedWithout(context);
	const fetchJson = jsonFetcher(askerOf(context.helpers, KEYS_POLICY));
	let looked: Checked<Logout> | undefined;
	const against = async ({ discovery, keys }: IssuerKnowledge) => {
		const { clientId } = client.value;
		const expected = { issuer: discovery.issuer, clientId, now: Date.now(), acceptWithout };
		return (looked = await checkLogoutToken(given.value, expected, keys));
	};
	const checked = await logoutIssuers.check(client.value.issuer, fetchJson, against);
	return checked.ok || checked === looked ? checked : logged(context, checked.failure);
}

/** A moment in whole seconds, written so that what is earlier sorts before what is later. */
function noteOf(milliseconds: number): string {
	const longest = 36 ** NOTE_WIDTH - 1;
	return Math.min(Math.ceil(milliseconds / 1000), longest)
		.toString(36)
		.padStart(NOTE_WIDTH, '0');
}

async function takeBackChannel(context: IWebhookFunctions, now: number): Promise<IWebhookResponseData> {
	const read = await readBackChannel(context);
	if (!read.ok) return refuseLogout(context, read.failure);
	const { id, expiresAt, claims, ...who } = read.value;
	const received_at = new Date(now).toISOString();
	const json = { ...who, channel: 'back', received_at, claims: claims as IDataObject };
	return await takeOnce(context, {
		id,
		// After its end a token is refused for that alone.
		note: noteOf(expiresAt + CLOCK_TOLERANCE_SECONDS * 1000),
		worthFrom: noteOf(now),
		run: logoutRun(json, () => emptyAnswer(context)),
		repeated: () => refuseLogout(context, { findings: [REPEATED] }),
	});
}

async function takeFrontChannel(context: IWebhookFunctions, now: number): Promise<IWebhookResponseData> {
	const query = context.getQueryData() as IDataObject;
	const client = await readLogoutClient(context);
	const read = client.ok ? readFrontChannel(query, client.value.issuer) : logged(context, client.failure);
	if (!read.ok) return refuseLogout(context, read.failure);
	const { sid, iss } = read.value;
	const received_at = new Date(now).toISOString();
	const json = { sub: null, sid, iss, jti: null, channel: 'front', received_at, claims: {} };
	return logoutRun(json, () => framedPage(context));
}

/** A run, and the answer that is prepared once n8n has recorded it: if it cannot, its own answer must stay its own. */
function logoutRun(json: IDataObject, answer: () => string): IWebhookResponseData {
	return {
		workflowData: [[{ json }]],
		get webhookResponse() {
			return answer();
		},
	};
}

/**
 * Takes one request to the address of the trigger.
 * @param now milliseconds since 1970
 */
export async function takeLogout(context: IWebhookFunctions, now: number): Promise<IWebhookResponseData> {
	const isFront = context.getNodeParameter('channel', 'back') === 'front';
	const { method } = context.getRequestObject();
	if (isFront) return method === 'GET' ? await takeFrontChannel(context, now) : refuseMethod(context, 'GET');
	return method === 'POST' ? await takeBackChannel(context, now) : refuseMethod(context, 'POST');
}
