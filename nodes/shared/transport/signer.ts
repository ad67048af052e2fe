/** Who signs requests: the machine or a user, with a token that n8n keeps (session.ts), or nobody. */
import type { Attempt } from './attempt';
import type { Deadline } from './patience';

export interface Signer {
	/** What must not come back in a text from outside. */
	readonly secrets: Iterable<string>;
	/** One attempt: sends, and where the proof can be renewed, sends again with another. Never throws. */
	attempt(send: (authorization?: string) => Promise<Attempt>, deadline: Deadline): Promise<Attempt>;
}

/** For what carries its proof in itself (the form of a token request), or needs none. */
export const NOBODY: Signer = { secrets: [], attempt: async (send) => await send() };

/** For a token that the workflow has. */
export function bearerOf(token: string): Signer {
	return { secrets: [token], attempt: async (send) => await send(`Bearer ${token}`) };
}
