import type { IDataObject } from 'n8n-workflow';

import { secretField } from '../../../shared/actions/properties';
import { tokenResponse } from '../../../shared/contract/token';
import type { Outcome } from '../../../shared/failure';
import { askForTokens } from '../../../shared/signOn/tokens';
import { defineOperation } from '../../framework/operation';

import { withSignOn, type SignOn } from './signOnClient';
import { tokenRefresh } from './contract';
import { scope } from './fields';

const refreshTokenField = secretField({
	name: 'refreshToken',
	placeholder: 'e.g. {{ $json.refresh_token }}',
	description: 'The refresh token of the newest answer for this user',
});

/**
 * Asks with one scope after the other, '' for none, until one is not refused as too wide. The service's document lists `scope` for
 * this grant and does not call it optional, so it is sent; but a login may have asked for less, and then only a request without it is
 * right ("the same as was granted", RFC 6749 section 6). A refresh token is not spent by a request that is refused for its scope.
 */
async function refreshWithFirst(
	signOn: SignOn,
	token: string,
	[scope, ...others]: string[],
): Promise<Outcome<IDataObject>> {
	const tokens = await askForTokens(signOn, 'refresh_token', { refresh_token: token, scope });
	const isTooWide = !tokens.ok && tokens.failure.code === 'invalid_scope';
	return isTooWide && others.length > 0 ? await refreshWithFirst(signOn, token, others) : tokens;
}

export const refreshToken = defineOperation({
	name: 'refreshToken',
	action: 'Refresh tokens',
	description: 'Get new tokens of a user with the refresh token, without another login',
	effect: 'exchange',
	givesSecrets: true,
	fields: { refresh_token: refreshTokenField },
	optionFields: {
		scope: {
			...scope,
			description: `${scope.description}. Empty: those of the credential, or those of the login where it asked for less.`,
		},
	},
	contract: tokenRefresh,
	output: tokenResponse,
	perform: withSignOn(async ({ refresh_token: token, scope: wanted }, signOn) => {
		const scopes = wanted === '' ? [signOn.client.scope, ''] : [wanted];
		return await refreshWithFirst(signOn, token, scopes);
	}),
});
