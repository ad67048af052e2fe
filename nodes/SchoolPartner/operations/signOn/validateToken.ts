import type { IDataObject } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

import { choiceField, numberField, secretField, textField } from '../../../shared/actions/properties';
import { failed, success } from '../../../shared/failure';
import { CLOCK_TOLERANCE_SECONDS, MOST_CLOCK_TOLERANCE_SECONDS } from '../../../shared/oidc/verifyJwt';
import { defineOperation } from '../../framework/operation';

import { signOnFailure, checkTokenByIssuer, withSignOn } from './signOnClient';
import { tokenToCheck } from './contract';
import { nonce } from './fields';

const token = secretField({
	name: 'token',
	placeholder: 'e.g. {{ $json.id_token }}',
	description: 'The token to check, without a "Bearer" before it',
});

const tokenUse = choiceField({
	name: 'tokenUse',
	choices: {
		accessToken: 'Opens the interfaces of the service, or yours',
		idToken: 'Tells who logged in',
	},
	default: 'idToken',
	description: 'The kind that the token has to be',
});

const audience = textField({
	name: 'audience',
	placeholder: 'e.g. reading-club, https://api.club.example',
	description:
		'Who the token has to be meant for: client ID, application name or resource. One of several is enough: separate them with commas. Empty: the client ID of the credential.',
});

const clockTolerance = numberField({
	name: 'clockTolerance',
	minValue: 0,
	maxValue: MOST_CLOCK_TOLERANCE_SECONDS,
	default: CLOCK_TOLERANCE_SECONDS,
	description: 'How many seconds the clocks of this machine and of the sign-on may be apart',
});

const whenInvalid = choiceField({
	name: 'whenInvalid',
	choices: {
		fail: { name: 'Fail the Item' },
		passOn: "The item leaves with 'valid' false, and the reasons",
	},
	default: 'fail',
	description: 'What to do with the item of a token that does not hold',
});

const nonceOfIdToken = { ...nonce, displayOptions: { show: { '/tokenUse': ['idToken'] } } };

/** Reasons that say nothing about the token: it could not be checked. */
const NOT_CHECKED: readonly string[] = [
	...['issuer_unreachable', 'issuer_refused', 'no_keys', 'no_key_address'],
	...['not_a_discovery_document', 'issuer_does_not_match'],
];

export const validateToken = defineOperation({
	name: 'validateToken',
	action: 'Validate token',
	description:
		'Check an ID token or an access token: signature, issuer, audience, expiry. One that does not hold fails its item.',
	effect: 'exchange',
	fields: { token, token_use: tokenUse, audience },
	optionFields: { nonce: nonceOfIdToken, clock_tolerance: clockTolerance, when_invalid: whenInvalid },
	contract: tokenToCheck,
	output: z.object({
		valid: z.boolean(),
		reasons: z.array(z.string()),
		reason_codes: z.array(z.string()),
		next_steps: z.array(z.string()),
		claims: z.nullable(z.looseObject({})),
		header: z.nullable(z.looseObject({})),
	}),
	perform: withSignOn(async (given, signOn) => {
		const checked = await checkTokenByIssuer(signOn, given.token, {
			use: given.token_use,
			audiences: given.audience.length > 0 ? given.audience : [signOn.client.clientId],
			nonce: given.nonce ?? '',
			clockTolerance: given.clock_tolerance,
		});
		const findings = checked.ok ? [] : checked.failure.findings;
		if (!checked.ok) {
			const isUnchecked = findings.some(({ code }) => NOT_CHECKED.includes(code));
			if (isUnchecked || given.when_invalid === 'fail')
				return failed(signOnFailure(checked.failure, isUnchecked ? 'signOn' : 'input'));
		}
		return success({
			valid: checked.ok,
			reasons: findings.map(({ message }) => message),
			reason_codes: findings.map(({ code }) => code),
			next_steps: findings.map(({ next }) => next),
			claims: checked.ok ? (checked.value.payload as IDataObject) : null,
			header: checked.ok ? (checked.value.header as IDataObject) : null,
		});
	}),
});
