import type { IDataObject } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

import { choiceField, secretField, textField } from '../../../shared/actions/properties';
import { isEmpty } from '../../../shared/contract/blocks';
import { tokenResponse } from '../../../shared/contract/token';
import { failed, NOT_BEGUN, success, type Failure, type Outcome } from '../../../shared/failure';
import { CLOCK_TOLERANCE_SECONDS } from '../../../shared/oidc/verifyJwt';
import { askForTokens } from '../../../shared/signOn/tokens';
import { openState, type StateContent } from '../../browser/sealedState';
import { defineOperation } from '../../framework/operation';

import { signOnFailure, checkTokenByIssuer, issuers, withSignOn, type SignOn } from './signOnClient';
import { codeExchange } from './contract';
import { nonce, redirectUri } from './fields';

const code = secretField({
	name: 'code',
	placeholder: 'e.g. {{ $json.query.code }}',
	description: 'The code that the visitor came back with. It can be used once, within 5 minutes.',
});

const startedBy = choiceField({
	name: 'startedBy',
	noDataExpression: true,
	choices: {
		other: { name: 'Something Else', description: 'An application that keeps a code verifier' },
		thisNode: { name: "This Node's Link", description: 'The address that Get Authorization URL made' },
	},
	default: 'thisNode',
	description: 'What sent the visitor to the sign-on',
});

const OF_THIS_NODE = { show: { startedBy: ['thisNode'] } };
const OF_OTHER = { show: { startedBy: ['other'] } };

const state = textField({
	name: 'state',
	required: true,
	displayOptions: OF_THIS_NODE,
	placeholder: 'e.g. {{ $json.query.state }}',
	description: 'The state that the visitor came back with',
});

const browserBinding = secretField({
	name: 'browserBinding',
	displayOptions: OF_THIS_NODE,
	placeholder: 'e.g. q9yXo0m1TzC4b7VfWc2H8w',
	description: 'The value of the cookie that was set when the sign-on started',
});

const codeVerifier = secretField({
	name: 'codeVerifier',
	displayOptions: OF_OTHER,
	placeholder: 'e.g. {{ $json.code_verifier }}',
	description: 'The PKCE verifier of the challenge with which the sign-on was started',
});

const withoutIdToken = choiceField({
	name: 'withoutIdToken',
	displayName: 'Without an ID Token',
	choices: {
		accept: "The item has the tokens, and 'claims' that are null",
		fail: { name: 'Fail the Item' },
	},
	default: 'fail',
	description:
		'What to do when the sign-on gives tokens, but none that says who logged in. Accept only where nobody is logged in by this item.',
});

const SPENT = 'The code is spent: the user has to log in again.';

const NO_ID_TOKEN: Failure = {
	origin: 'signOn',
	effect: 'done',
	code: 'no_id_token',
	message: 'The sign-on gave no ID token, so that nobody knows who logged in',
	next: `Check that the Scope of the sign-on holds openid, then ask the operator of the service. ${SPENT} For the tokens alone, set Options > Without an ID Token to Accept.`,
};

type Exchange = z.output<typeof codeExchange>;

/** A sign-on that is about to be finished: the way to the issuer, and what was sealed at the start, or is given in its place. Sends nothing. */
const opened = withSignOn(async (given: Exchange, signOn) => {
	const { client } = signOn;
	if (given.started_by === 'other') {
		const { code_verifier: codeVerifier, nonce: sent = '' } = given;
		const state: StateContent = { codeVerifier, nonce: sent, scope: client.scope, additionalState: '' };
		return success({ signOn, state });
	}
	const owner = { ...client, redirectUri: given.redirect_uri };
	const state = openState(given.state, owner, given.browser_binding, Date.now());
	if (!state.ok) return failed(signOnFailure(state.failure, 'input'));
	return success({ signOn, state: state.value });
});

/** Another item has failed meanwhile, and the issuer was not asked for its newer keys. */
const NOT_CHECKED = { message: 'The run ended before the ID token was checked', next: SPENT };

/** The claims of the ID token, once everything about it holds. */
async function claimsOf(token: unknown, sentNonce: string, signOn: SignOn): Promise<Outcome<IDataObject>> {
	const expected = {
		use: 'idToken',
		audiences: [signOn.client.clientId],
		nonce: sentNonce,
		clockTolerance: CLOCK_TOLERANCE_SECONDS,
	} as const;
	const checked = await checkTokenByIssuer(signOn, typeof token === 'string' ? token : '', expected);
	if (!checked.ok) {
		const failure = signOnFailure(checked.failure, 'signOn');
		const words = failure === NOT_BEGUN ? NOT_CHECKED : { next: `${failure.next}\n${SPENT}` };
		return failed({ ...failure, effect: 'done', ...words });
	}
	return success(checked.value.payload as IDataObject);
}

export const exchangeCode = defineOperation({
	name: 'exchangeCode',
	action: 'Exchange code for tokens',
	description:
		'Finish a sign-on: redeem the code that the visitor came back with, check the ID token, and return tokens and claims',
	effect: 'exchange',
	givesSecrets: true,
	fields: {
		code,
		redirect_uri: redirectUri,
		started_by: startedBy,
		state,
		browser_binding: browserBinding,
		code_verifier: codeVerifier,
	},
	optionFields: {
		nonce: { ...nonce, displayOptions: { show: { '/startedBy': ['other'] } } },
		without_id_token: withoutIdToken,
	},
	contract: codeExchange,
	output: z.extend(tokenResponse, {
		claims: z.nullable(z.looseObject({ sub: z.string() })),
		additional_state: z.string(),
	}),
	// A code works once: that of one visitor is not spent while another one of the run is refused.
	check: opened,
	perform: async (given, tools) => {
		const begun = await opened(given, tools);
		if (!begun.ok) return begun;
		const { signOn, state } = begun.value;
		// The keys come first: a code that is redeemed while they cannot be had is lost.
		const known = await issuers.get(signOn.client.issuer, signOn.fetchJson);
		if (!known.ok) return failed(signOnFailure(known.failure, 'signOn'));
		const { codeVerifier: verifier, nonce: sentNonce, scope, additionalState } = state;
		const fields = { code: given.code, redirect_uri: given.redirect_uri, code_verifier: verifier, scope };
		const tokens = await askForTokens(signOn, 'authorization_code', fields);
		if (!tokens.ok) return tokens;
		const answer = { ...tokens.value, additional_state: additionalState };
		const { id_token: idToken } = tokens.value;
		if (isEmpty(idToken))
			return given.without_id_token === 'accept' ? success({ ...answer, claims: null }) : failed(NO_ID_TOKEN);
		const claims = await claimsOf(idToken, sentNonce, signOn);
		return claims.ok ? success({ ...answer, claims: claims.value }) : claims;
	},
});
