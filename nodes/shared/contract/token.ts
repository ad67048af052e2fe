/** The token response (the service's document: Sign-on resources; RFC 6749 section 5.1). */
import * as z from 'zod/v4-mini';

/** Token response. Members beyond these are not shown by the document and are kept. `expires_in` is in seconds. */
export const tokenResponse = z.looseObject({
	access_token: z.string(),
	id_token: z.optional(z.string()),
	refresh_token: z.optional(z.string()),
	expires_in: z.optional(z.number()),
	token_type: z.optional(z.string()),
});
