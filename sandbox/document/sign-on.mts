/** "Token request" of the service's document: the form fields of each grant, row by row. */
export interface TokenRequestRow {
	readonly fields: readonly string[];
	/** `scope` is listed without the word "optional". */
	readonly needsScope: boolean;
}

export const tokenRequests: Readonly<Record<string, TokenRequestRow>> = {
	authorization_code: {
		fields: ['grant_type', 'code', 'client_id', 'client_secret', 'redirect_uri', 'code_verifier', 'scope'],
		needsScope: true,
	},
	refresh_token: {
		fields: ['grant_type', 'refresh_token', 'client_id', 'client_secret', 'scope'],
		needsScope: true,
	},
	client_credentials: {
		fields: ['grant_type', 'client_id', 'client_secret', 'scope'],
		needsScope: false,
	},
};

/** The value that the rows give for `scope`. */
export const listedScopes = ['openid', 'profile', 'offline_access'] as const;
