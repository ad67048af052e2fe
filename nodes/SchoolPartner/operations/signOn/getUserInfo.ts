import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isJsonObject, readJson } from '../../../shared/contract/json';
import { failed, success, type Failure, type Outcome, type Reason } from '../../../shared/failure';
import { endpointOf } from '../../../shared/oidc/addresses';
import { isOfTheWay } from '../../../shared/transport/askIssuer';
import { natureOf } from '../../../shared/transport/refusedBecause';
import type { Reply } from '../../../shared/transport/request';
import { bearerOf } from '../../../shared/transport/signer';
import { defineOperation } from '../../framework/operation';

import { signOnOf } from './client';
import { connectedUser, NOT_CONNECTED } from './connectedUser';
import { userInfoQuery } from './contract';

const accessToken: INodeProperties = {
	displayName: 'Access Token',
	name: 'accessToken',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	placeholder: 'e.g. {{ $json.access_token }}',
	description: 'The access token of the user to read. Empty: the user who was connected in the credential.',
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
	fields: { access_token: accessToken },
	contract: userInfoQuery,
	work: {
		kind: 'own',
		check: async ({ access_token: token }, tools) => {
			const signOn = await signOnOf(tools);
			return signOn.ok && token === '' && !signOn.value.client.isConnected ? failed(NOT_CONNECTED) : signOn;
		},
		perform: async ({ access_token: token }, tools) => {
			const signOn = await signOnOf(tools);
			if (!signOn.ok) return signOn;
			const { client, ask } = signOn.value;
			const ownToken = token !== '';
			const signer = ownToken ? success(bearerOf(token)) : await connectedUser(client, tools);
			if (!signer.ok) return signer;
			const reply = await ask('GET', endpointOf(client.issuer, 'userInfo'), {
				signer: signer.value,
				refused: (refusal) => refusedBecause(refusal, ownToken),
			});
			return reply.ok ? userIn(reply.value) : reply;
		},
	},
});
