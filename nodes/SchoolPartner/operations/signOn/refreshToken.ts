import type { INodeProperties } from 'n8n-workflow';

import { tokenResponse } from '../../../shared/contract/token';
import { defineOperation } from '../../framework/operation';

import { askForTokens, signOnOf } from './client';
import { tokenRefresh } from './contract';
import { scope } from './fields';

const refreshTokenField: INodeProperties = {
	displayName: 'Refresh Token',
	name: 'refreshToken',
	type: 'string',
	typeOptions: { password: true },
	required: true,
	default: '',
	placeholder: 'e.g. {{ $json.refresh_token }}',
	description: 'The refresh token of the newest answer for this user',
};

export const refreshToken = defineOperation({
	name: 'refreshToken',
	label: 'Refresh Token',
	action: 'Refresh tokens',
	description: 'Get new tokens of a user with the refresh token, without another login',
	effect: 'exchange',
	fields: { refresh_token: refreshTokenField },
	optionFields: { scope: { ...scope, description: `${scope.description}. Empty: those of the credential.` } },
	contract: tokenRefresh,
	output: tokenResponse,
	work: {
		kind: 'own',
		perform: async (given, tools) => {
			const signOn = await signOnOf(tools);
			if (!signOn.ok) return signOn;
			const asked = given.scope === '' ? signOn.value.client.scope : given.scope;
			return await askForTokens(signOn.value, 'refresh_token', {
				refresh_token: given.refresh_token,
				scope: asked,
			});
		},
	},
});
