import * as z from 'zod/v4-mini';

import { choiceField, textField } from '../../../shared/actions/properties';
import { failed, success, type Failure } from '../../../shared/failure';
import { startSignOn } from '../../browser/authorizationUrl';
import { LONGEST_STATE } from '../../browser/sealedState';
import { defineOperation } from '../../framework/operation';

import { withSignOn } from './signOnClient';
import { authorizationWish } from './contract';
import { redirectUri, scope } from './fields';

const prompt = choiceField({
	name: 'prompt',
	choices: {
		consent: { name: 'Ask for Consent' },
		login: { name: 'Ask to Log In Again' },
		select_account: { name: 'Ask Which Account' },
		none: {
			name: 'Do Not Ask',
			description: 'Comes back at once, with a code only when the visitor is logged in already',
		},
		'': { name: 'Whatever Is Needed' },
	},
	description: 'What the sign-on shows to the visitor',
});

const additionalState = textField({
	name: 'additionalState',
	placeholder: 'e.g. /books/7',
	description: 'Text of your own, at most 1 KB, that comes back with Exchange Code. It travels encrypted.',
});

const STATE_TOO_LONG: Failure = {
	origin: 'n8n',
	effect: 'none',
	code: 'state_too_long',
	message: 'Additional State is too long once it is written into the state',
	next: 'Shorten it: a control character takes six times its place.',
};

export const getAuthorizationUrl = defineOperation({
	name: 'getAuthorizationUrl',
	action: 'Get authorization URL',
	description:
		'Make the address that starts a sign-on in the browser of a visitor, and the cookie that binds it to that browser',
	effect: 'local',
	givesSecrets: true,
	fields: { redirect_uri: redirectUri },
	optionFields: {
		scope: { ...scope, description: `${scope.description}. Empty: those of the credential.` },
		prompt,
		additional_state: additionalState,
	},
	contract: authorizationWish,
	output: z.object({
		authorization_url: z.string(),
		state: z.string(),
		browser_binding: z.string(),
		expires_at: z.string(),
	}),
	perform: withSignOn(async (wish, { client }) => {
		const owner = { ...client, redirectUri: wish.redirect_uri };
		const start = startSignOn(owner, { ...wish, scope: wish.scope || client.scope }, Date.now());
		return start.state.length > LONGEST_STATE ? failed(STATE_TOO_LONG) : success(start);
	}),
});
