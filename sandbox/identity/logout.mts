import type { Client, Provider } from 'oidc-provider';
import type { LogoutDelivery } from '../admin-types.mts';
import type { Registration } from './clients.mts';
import type { IdentityMemory } from './memory-adapter.mts';

const MOST_KEPT = 1_000;

/** So long a partner may take, as with events. */
const ANSWER_MS = 30_000;

/** The partner's answer to each logout, back channel and front channel. */
export class LogoutRecords {
	#kept: LogoutDelivery[] = [];

	/** `vary` may give another logout token in place of the provider's. */
	constructor(private readonly vary: (token: string) => Promise<string>) {}

	/** Sends a back-channel logout and keeps what came of it. Rejects when there is no answer. */
	async send(url: string | URL | Request, init: RequestInit | undefined): Promise<Response> {
		const body = await this.#varied(init?.body);
		// The provider's dispatcher refuses loopback addresses, where every partner of a sandbox is; its signal ends the wait after 2.5 s.
		const plain = { ...init, body, dispatcher: undefined, signal: AbortSignal.timeout(ANSWER_MS) };
		const address = url instanceof Request ? url.url : String(url);
		try {
			const response = await fetch(url, plain);
			this.#keep('back', address, response.status, await response.clone().text());
			return response;
		} catch (error) {
			this.#keep('back', address, 0, error instanceof Error ? error.message : String(error));
			throw error;
		}
	}

	async #varied(body: RequestInit['body']): Promise<RequestInit['body']> {
		const token = body instanceof URLSearchParams ? body.get('logout_token') : null;
		return token === null ? body : new URLSearchParams({ logout_token: await this.vary(token) });
	}

	/** The logout screen has shown this address in an iframe; what the partner answers is seen by the browser only. */
	framed(url: string): void {
		this.#keep('front', url, null, '');
	}

	list(): LogoutDelivery[] {
		return [...this.#kept];
	}

	clear(): void {
		this.#kept = [];
	}

	#keep(channel: LogoutDelivery['channel'], url: string, status: number | null, message: string): void {
		this.#kept = [
			...this.#kept.slice(1 - MOST_KEPT),
			{ at: new Date().toISOString(), channel, url, status, message },
		];
	}
}

/** The partner's address with `Sid` added, when it has registered a front channel. */
export function frontChannelUrl(
	{ logoutUri, logoutChannel }: Registration,
	sid: string | undefined,
): string | undefined {
	if (logoutUri === null || logoutChannel !== 'front' || sid === undefined) return undefined;
	const url = new URL(logoutUri);
	url.searchParams.set('Sid', sid);
	return url.href;
}

/** What the provider's client can do beyond its published type. */
type LogoutClient = Client & { backchannelLogout(accountId: string, sid: string | undefined): Promise<void> };

interface SessionPayload {
	readonly jti?: string;
	readonly accountId?: string;
	readonly authorizations?: Record<string, { sid?: string }>;
}

/** Ends every session of an account, as an operator of the platform would, and tells the partner's back channel. */
export async function endSessionsOf(
	provider: Provider,
	memory: IdentityMemory,
	logouts: LogoutRecords,
	accountId: string,
): Promise<LogoutDelivery[]> {
	const before = logouts.list().length;
	const sessions: SessionPayload[] = memory
		.all('Session')
		.filter((session) => session.accountId === accountId);
	for (const { jti, authorizations } of sessions) {
		for (const [clientId, { sid }] of Object.entries(authorizations ?? {})) {
			const client = (await provider.Client.find(clientId)) as LogoutClient | undefined;
			// A partner that does not answer is in the records; the session ends all the same.
			if (client?.backchannelLogoutUri) await client.backchannelLogout(accountId, sid).catch(() => undefined);
		}
		if (jti !== undefined) memory.delete('Session', jti);
	}
	return logouts.list().slice(before);
}
