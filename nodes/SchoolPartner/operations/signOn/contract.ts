/** What the operations of the sign-on may be given. Sizes are ours: the document shows none. */
import * as z from 'zod/v4-mini';

import { between } from '../../../shared/actions/sending';
import { parsedAddress } from '../../../shared/contract/address';
import { filledText, namesOrEmpty, text } from '../../../shared/contract/blocks';
import { CLOCK_TOLERANCE_SECONDS, MOST_CLOCK_TOLERANCE_SECONDS } from '../../../shared/oidc/verifyJwt';
import { LONGEST_TOKEN } from '../../../shared/oidc/jwt';
import { isCodeVerifier, PROMPTS } from '../../browser/authorizationUrl';
import { ADDITIONAL_STATE_BYTES } from '../../browser/sealedState';

const LONGEST_ADDRESS = 2_048;

/** Text that may be absent: an expression whose field is not there gives nothing. */
const optionalText = (size?: number) =>
	z.pipe(
		z.transform((value: unknown) => (value === undefined || value === null ? '' : value)),
		text(size),
	);

/** Tokens and codes copied from elsewhere come with spaces and line breaks around them. */
const trimmed = <T extends z.ZodMiniType<string, unknown>>(schema: T) =>
	z.pipe(
		z.transform((value: unknown) => (typeof value === 'string' ? value.trim() : value)),
		schema,
	);

const redirectUri = () => {
	const error = 'must be an absolute address, for example https://app.example/callback';
	return trimmed(
		filledText(LONGEST_ADDRESS).check(
			z.refine((value) => value.trim() === '' || isRedirect(value), { error, abort: true }),
		),
	);
};

/** Trap: `URL` mends blanks and missing slashes, and the sign-on gets what was typed. */
function isRedirect(value: string): boolean {
	return (
		/^(?:https?:\/\/|(?!https?:)[a-z][a-z0-9+.-]*:)\S+$/i.test(value) && parsedAddress(value) !== undefined
	);
}

const promptMessage = `must be one of ${PROMPTS.filter((prompt) => prompt !== '').join(', ')}`;

const additionalState = optionalText().check(
	z.refine((value) => Buffer.byteLength(value) <= ADDITIONAL_STATE_BYTES, {
		error: `must be at most ${ADDITIONAL_STATE_BYTES} bytes long`,
	}),
);

const scope = z._default(trimmed(optionalText(1_000)), '');

export const authorizationWish = z.object({
	redirect_uri: redirectUri(),
	scope,
	prompt: z._default(z.enum(PROMPTS, { error: promptMessage }), ''),
	additional_state: z._default(additionalState, ''),
});

/** Trap: one that is there and empty would let every token pass. */
const nonce = z.optional(trimmed(filledText(1_000)));

export const codeExchange = z
	.object({
		code: trimmed(filledText(LONGEST_TOKEN)),
		redirect_uri: redirectUri(),
		started_by: z.enum(['thisNode', 'other'], { error: 'must be thisNode or other' }),
		state: trimmed(optionalText(LONGEST_TOKEN)),
		browser_binding: trimmed(optionalText(1_000)),
		code_verifier: trimmed(optionalText(1_000)),
		nonce,
		without_id_token: z._default(z.enum(['fail', 'accept'], { error: 'must be fail or accept' }), 'fail'),
	})
	.check(
		z.refine(({ started_by, state }) => started_by !== 'thisNode' || state !== '', {
			path: ['state'],
			error: "must not be empty, unless Started By is 'Something Else'",
		}),
		z.refine(({ started_by, browser_binding }) => started_by !== 'thisNode' || browser_binding !== '', {
			path: ['browser_binding'],
			error: 'must not be empty: read it from the cookie that was set when the sign-on started',
		}),
		z.refine(({ started_by, code_verifier }) => started_by !== 'other' || isCodeVerifier(code_verifier), {
			path: ['code_verifier'],
			error: 'must be 43 to 128 letters, digits, or one of - . _ ~ (RFC 7636)',
		}),
	);

export const tokenRefresh = z.object({
	refresh_token: trimmed(filledText(LONGEST_TOKEN)),
	scope,
});

export const machineTokenWish = z.object({ scope });

export const userInfoQuery = z
	.object({
		user: z._default(z.enum(['connected', 'token'], { error: 'must be connected or token' }), 'token'),
		access_token: trimmed(optionalText(LONGEST_TOKEN)),
	})
	.check(
		z.refine(({ user, access_token }) => user === 'connected' || access_token !== '', {
			path: ['access_token'],
			error: 'must not be empty',
		}),
	);

export const logoutWish = z.object({
	logout_from: z.enum(['client', 'full'], { error: 'must be client or full' }),
	id_token_hint: trimmed(filledText()),
	post_logout_redirect_uri: trimmed(filledText(LONGEST_ADDRESS)),
});

export const tokenToCheck = z.object({
	token: trimmed(optionalText(2_000_000)),
	token_use: z.enum(['idToken', 'accessToken'], { error: 'must be idToken or accessToken' }),
	audience: namesOrEmpty(
		z.pipe(
			z.transform((value: unknown) => value ?? []),
			z.array(filledText(500), { error: 'must be text, or a list of texts' }),
		),
	),
	nonce,
	clock_tolerance: z._default(between(0, MOST_CLOCK_TOLERANCE_SECONDS), CLOCK_TOLERANCE_SECONDS),
	when_invalid: z._default(z.enum(['fail', 'passOn'], { error: 'must be fail or passOn' }), 'fail'),
});
