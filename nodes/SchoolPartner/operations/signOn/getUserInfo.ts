import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readJson } from '../../../shared/contract/json';
import { isFields } from '../../../shared/contract/tolerances';
import { SIGN_ON_PATHS, endpointOf } from '../../../shared/signOn/addresses';
import { failed, success, type Failure, type Outcome } from '../../../shared/transport/failure';
import type { Reply } from '../../../shared/transport/request';
import { defineOperation, type Tools } from '../../framework/operation';

import { signOnOf, type SignOn } from './client';
import { askAsConnectedUser, NOT_CONNECTED } from './connectedUser';
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
	origin: 'service',
	message: 'The answer of the sign-on is not a JSON object',
	description: 'Check Issuer URL in the credential, and that no proxy answers in its place.',
};

function refusedByStatus(status: number, ownToken: boolean): Failure {
	const isToken = status === 401 || status === 403;
	const renew = ownToken
		? 'Get a new one with Refresh Token, or send the user to the start of the sign-on again.'
		: 'Open the credential, click Connect and log in again.';
	return {
		origin: 'service',
		message: isToken
			? `The sign-on does not accept the access token (${status})`
			: `The sign-on does not give the user info (${status})`,
		description: isToken
			? renew
			: 'Check Issuer URL in the credential: it is the address before /connect/userinfo.',
		status,
	};
}

function userIn({ status, text }: Reply, ownToken: boolean): Outcome<IDataObject> {
	if (status < 200 || status >= 300) return failed(refusedByStatus(status, ownToken));
	const user = readJson(text);
	return isFields(user) ? success(user as IDataObject) : failed(NOT_AN_OBJECT);
}

async function ask(token: string, signOn: SignOn, tools: Tools): Promise<Outcome<Reply>> {
	if (token === '') return await tools.unlessOver(askAsConnectedUser)(signOn.client, SIGN_ON_PATHS.userInfo, tools);
	return await signOn.ask('GET', endpointOf(signOn.client.issuer, 'userInfo'), { bearer: token });
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
			const reply = await ask(token, signOn.value, tools);
			return reply.ok ? userIn(reply.value, token !== '') : reply;
		},
	},
});
