/** What `--strict` refuses, part by part: things that the service's document does not show. One place for names and words. */
export const strictParts = {
	scope:
		'a token request for a code or with a refresh token without `scope=openid profile offline_access` (further scopes may follow)',
	authorization: 'a bare token where the document says `Authorization: Bearer`: enrollment and event query',
	members: 'form fields of a token request that its row does not list, and a body where none is shown',
	query: 'query parameters that the row of the endpoint does not list, and those that are sent twice',
	'content-type':
		'synchronization, enrollment and event query without the `Content-Type: application/json` that is listed for them',
} as const;

export type StrictPart = keyof typeof strictParts;

export const allStrictParts = Object.keys(strictParts) as StrictPart[];
