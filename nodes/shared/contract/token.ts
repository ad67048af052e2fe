/** The token response (the service's document: Sign-on resources; RFC 6749 section 5.1). */
import * as z from 'zod/v4-mini';

/** Text of seconds, as some sign-ons write them. */
const secondsAsText = z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number));

/**
 * Token response. Members beyond these are not shown by the document and are kept. `expires_in` is in seconds. The code that it answers
 * is spent by then, so that nothing but the access token is demanded: a member of another kind, null among them, is passed on as it came.
 */
export const tokenResponse = z.looseObject({
	access_token: z.string(),
	id_token: z.optional(z.union([z.string(), z.unknown()])),
	refresh_token: z.optional(z.union([z.string(), z.unknown()])),
	expires_in: z.optional(z.union([z.number(), secondsAsText, z.unknown()])),
	token_type: z.optional(z.union([z.string(), z.unknown()])),
});
