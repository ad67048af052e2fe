import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type * as z from 'zod/v4-mini';

import { isJsonObject, readJson } from '../../../shared/contract/json';
import { failed, success, type Failure, type Outcome, type Reason } from '../../../shared/failure';
import { endpointOf } from '../../../shared/oidc/addresses';
import { isOfTheWay } from '../../../shared/transport/askIssuer';
import { natureOf } from '../../../shared/transport/refusedBecause';
import type { Reply } from '../../../shared/transport/request';
import { bearerOf } from '../../../shared/transport/signer';
import { defineOperation, type RunTools } from '../../framework/operation';

import { askOf, clientOf } from './signOnClient';
import { connectedUser, type User } from './connectedUser';
import { userInfoQuery } from './contract';

const userSource: INodeProperties = {
	displayName: 'User',
	name: 'user',
	type: 'options',
	// The credential depends on it.
	noDataExpression: true,
	options: [
		{
			name: 'Connected in the Credential',
			value: 'connected',
			description: "Who logged in with 'Connect' of the credential",
		},
		{ name: 'With an Access Token', value: 'token', description: 'Whom the token was given for' },
	],
	default: 'token',
	description: 'Whose identifiers to get',
};

const accessToken: INodeProperties = {
	displayName: 'Access Token',
	name: 'accessToken',
	type: 'string',
	typeOptions: { password: true },
	required: true,
	default: '',
	placeholder: 'e.g. {{ $json.access_token }}',
	description: 'The access token of the user to read',
	displayOptions: { show: { user: ['token'] } },
};

const NOT_AN_OBJECT: Failure = {
	origin: 'signOn',
	effect: 'none',
	message: 'The answer of the sign-on is not a JSON object',
	next: 'Check Issuer URL in the credential, and that no proxy answers in its place.',
};

/** Undefined for what says nothing about the token or the address. */
function refusedBecause(reply: Reply, ownToken: boolean): Reason | undefined {
	if (isOfTheWay(reply)) return undefined;
	const { status } = reply;
	const nature = { origin: 'signOn' as const, ...natureOf(reply, Date.now()) };
	if (status === 401 || status === 403) {
		return {
			...nature,
			message: `The sign-on does not accept the access token (${status})`,
			next: ownToken
				? 'Get a new one with Refresh Token, or send the user to the start of the sign-on again.'
				: 'Open the credential, click Connect and log in again.',
		};
	}
	return {
		...nature,
		message: `The sign-on does not give the user info (${status})`,
		next: 'Check Issuer URL in the credential: it is the address before /connect/userinfo.',
	};
}

async function userOf(
	{ user: whose, access_token: token }: z.output<typeof userInfoQuery>,
	tools: RunTools,
): Promise<Outcome<User>> {
	if (whose === 'connected') return await connectedUser(tools);
	const client = await clientOf(tools);
	return client.ok ? success({ issuer: client.value.issuer, signer: bearerOf(token) }) : client;
}

function userIn({ text }: Reply): Outcome<IDataObject> {
	const user = readJson(text);
	return isJsonObject(user) ? success(user as IDataObject) : failed(NOT_AN_OBJECT);
}

export const getUserInfo = defineOperation({
	name: 'getUserInfo',
	label: 'Get User Info',
	action: 'Get user info',
	description: 'Get the identifiers of a user in the context of this application',
	effect: 'exchange',
	fields: { user: userSource, access_token: accessToken },
	contract: userInfoQuery,
	work: {
		kind: 'own',
		check: userOf,
		perform: async (query, tools) => {
			const found = await userOf(query, tools);
			if (!found.ok) return found;
			const { issuer, signer } = found.value;
			const reply = await askOf(tools)('GET', endpointOf(issuer, 'userInfo'), {
				signer,
				refused: (refusal) => refusedBecause(refusal, query.user === 'token'),
			});
			return reply.ok ? userIn(reply.value) : reply;
		},
	},
});
