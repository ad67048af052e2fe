/** The error bodies of the service, by area. Where the document shows none, the sandbox uses `Errors`. */
export type Area = 'provisioning' | 'sync' | 'enrollment' | 'event' | 'identity';

export interface ErrorAnswer {
	readonly status: number;
	/** Text of the status line, when it is not the usual one. */
	readonly statusMessage?: string;
	/** undefined: no body. */
	readonly body: unknown;
}

export interface PropertyError {
	readonly PropertyName: string;
	readonly ErrorMessage: string;
}

const CODE_PREFIX: Record<Area, string> = {
	provisioning: 'PROV',
	sync: 'SYNC',
	enrollment: 'ENRL',
	event: 'EVNT',
	identity: 'SIGN',
};

export function areaOf(path: string): Area {
	if (path.startsWith('/sync/')) return 'sync';
	if (path.startsWith('/enrollment/')) return 'enrollment';
	if (path.startsWith('/webhook/')) return 'event';
	return /^\/(identity|sso-test)/.test(path) ? 'identity' : 'provisioning';
}

/** `{"Errors": [{"Code": "PROV-0400", "Message": …}, …]}`; the code has the documented shape XXXX-0000. */
export function errorsBody(area: Area, status: number, messages: readonly string[]): unknown {
	const Code = `${CODE_PREFIX[area]}-${String(status).padStart(4, '0')}`;
	return { Errors: messages.map((Message) => ({ Code, Message })) };
}

/** "Errors" of the document: the body that an area answers with this status. */
export function documentedError(area: Area, status: number, message?: string): ErrorAnswer {
	if (status === 401) return { status, body: undefined };
	if (area === 'sync') return { status, body: { Error: syncError(status, message) } };
	if (area === 'event') return { status, body: undefined };
	if (area === 'identity') {
		const error = status >= 500 ? 'server_error' : 'invalid_request';
		return { status, body: { error, error_description: message ?? 'The request cannot be answered.' } };
	}
	if (status === 500 && area === 'enrollment') {
		const Message = message ?? 'The request could not be completed at the moment.';
		// The samples label the status line of a 500 "Bad Request".
		return { status, statusMessage: 'Bad Request', body: { Errors: [{ Code: 500, Message }] } };
	}
	return { status, body: errorsBody(area, status, [message ?? 'The request was refused.']) };
}

function syncError(status: number, message?: string): Record<string, unknown> {
	if (status === 500) return { Code: 'INT500', Message: message ?? 'An internal server error occurred.' };
	if (status === 409) return wrongParameters('tenant_id', message ?? 'tenant_id is required.');
	return { Code: 'USR001', Message: message ?? 'Bad request.' };
}

export function wrongParameters(PropertyName: string, ErrorMessage: string): Record<string, unknown> {
	const ErrorProperties: PropertyError[] = [{ PropertyName, ErrorMessage }];
	return { Code: 'FLU001', Message: 'Wrong parameters.', ErrorProperties };
}
