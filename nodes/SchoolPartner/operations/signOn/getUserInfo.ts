import type { IDataObject } from 'n8n-workflow';
import type * as z from 'zod/v4-mini';

import { choiceField, secretField } from '../../../shared/actions/properties';
import { isJsonObject, readJson } from '../../../shared/contract/json';
import { readRefusal } from '../../../shared/contract/refusal';
import { failed, success, type Failure, type Outcome, type Reason } from '../../../shared/failure';
import { endpointOf, readIssuer } from '../../../shared/oidc/addresses';
import { saidBy } from '../../../shared/signOn/refusedGrant';
import { isSignOnUnavailable, type Ask } from '../../../shared/transport/askIssuer';
import { accessTokenOf } from '../../../shared/transport/credential';
import { refusalDetails } from '../../../shared/transport/requestFailure';
import type { Reply } from '../../../shared/transport/request';
import { Session } from '../../../shared/transport/session';
import { bearerOf, type Signer } from '../../../shared/transport/signer';
import { defineOperation, type RunTools } from '../../framework/operation';

import { userInfoQuery } from './contract';
import { askOf, credentialData, signOnFailure, withSignOn } from './signOnClient';

const userSource = choiceField({
	name: 'user',
	// The credential depends on it.
	noDataExpression: true,
	choices: {
		connected: {
			name: 'Connected in the Credential',
			description: "Who logged in with 'Connect' of the credential",
		},
		token: { name: 'With an Access Token', description: 'Whom the token was given for' },
	},
	default: 'token',
	description: 'Whose identifiers to get',
});

const accessToken = secretField({
	name: 'accessToken',
	placeholder: 'e.g. {{ $json.access_token }}',
	description: 'The access token of the user to read',
	displayOptions: { show: { user: ['token'] } },
});

const USER_CREDENTIAL = 'schoolPartnerOidcOAuth2Api';

/** A user, and the sign-on that knows the user. */
interface User {
	readonly issuer: string;
	readonly ask: Ask;
	readonly signer: Signer;
}

const NOT_CONNECTED: Failure = {
	origin: 'n8n',
	effect: 'none',
	code: 'not_connected',
	message: 'Nobody is connected in the credential',
	next: 'Open the credential, click Connect and log in. Or set User to With an Access Token, to read the user of that token.',
};

/** Who was connected in the credential; n8n keeps the tokens and renews them. */
async function openUser(tools: RunTools): Promise<Outcome<User>> {
	const data = await credentialData(tools, USER_CREDENTIAL);
	if (!data.ok) return data;
	const issuer = readIssuer(data.value.issuerUrl);
	if (!issuer.ok) return failed(signOnFailure(issuer.failure, 'n8n'));
	if (accessTokenOf(data.value.oauthTokenData) === undefined) return failed(NOT_CONNECTED);
	const signer = await Session.open(tools.context, USER_CREDENTIAL);
	return success({ issuer: issuer.value, ask: askOf(tools), signer });
}

const NOT_AN_OBJECT: Failure = {
	origin: 'signOn',
	effect: 'none',
	message: 'The answer of the sign-on is not a JSON object',
	next: 'Check Issuer URL in the credential, and that no proxy answers in its place.',
};

/** Undefined for what says nothing about the token or the address. */
function refusedBecause(reply: Reply, ownToken: boolean): Reason | undefined {
	if (isSignOnUnavailable(reply)) return undefined;
	const [message, nextStep] = refusalInWords(reply.status, ownToken);
	const next = nextStep + saidBy(readRefusal(reply.text));
	return { origin: 'signOn', message, next, ...refusalDetails(reply, Date.now()) };
}

function refusalInWords(status: number, ownToken: boolean): [fact: string, nextStep: string] {
	if (status === 403)
		return [
			'The sign-on does not give the user info for this access token (403)',
			'Ask the operator of the service which scope it needs. Where the client has it, log in again with that scope.',
		];
	if (status === 401)
		return [
			'The sign-on does not accept the access token (401)',
			ownToken
				? 'Get a new one with Refresh Token, or send the user to the start of the sign-on again.'
				: 'Open the credential, click Connect and log in again.',
		];
	return [
		`The sign-on does not give the user info (${status})`,
		'Check Issuer URL in the credential: it is the address before /connect/userinfo.',
	];
}

type Query = z.output<typeof userInfoQuery>;

const userOfToken = withSignOn(async ({ access_token: token }: Query, { client, ask }) =>
	success({ issuer: client.issuer, ask, signer: bearerOf(token) }),
);

async function userOf(query: Query, tools: RunTools): Promise<Outcome<User>> {
	// One session for all items of a run.
	return query.user === 'connected' ? await tools.once(openUser) : await userOfToken(query, tools);
}

function userIn({ text }: Reply): Outcome<IDataObject> {
	const user = readJson(text);
	return isJsonObject(user) ? success(user as IDataObject) : failed(NOT_AN_OBJECT);
}

export const getUserInfo = defineOperation({
	name: 'getUserInfo',
	action: 'Get user info',
	description: 'Get the identifiers of a user in the context of this application',
	effect: 'exchange',
	fields: { user: userSource, access_token: accessToken },
	contract: userInfoQuery,
	check: userOf,
	perform: async (query, tools) => {
		const found = await userOf(query, tools);
		if (!found.ok) return found;
		const { issuer, ask, signer } = found.value;
		const reply = await ask('GET', endpointOf(issuer, 'userInfo'), {
			signer,
			refused: (refusal) => refusedBecause(refusal, query.user === 'token'),
		});
		return reply.ok ? userIn(reply.value) : reply;
	},
});
