/** Who signs requests: the machine or a user, with a token that n8n keeps (session.ts), or nobody. */
import type { Attempt } from './attempt';
import type { Deadline } from './deadline';

/** What proves who sends. */
export interface Signature {
	readonly kind: 'signed';
	/** The header of that name. */
	readonly authorization?: string;
	readonly token?: string;
	/** Others wait until it is known whether the service takes the token. */
	readonly isTrial?: boolean;
}

export interface Signer {
	/** What must not come back in a text from outside. */
	readonly secrets: Iterable<string>;
	/**
	 * Waits for a token until the deadline; `unsigned`: there is none to be had. Never throws.
	 * @param asBearer whatever the credential says
	 */
	sign(deadline: Deadline, asBearer?: boolean): Promise<Signature | Extract<Attempt, { kind: 'unsigned' }>>;
	/**
	 * To be told what came of it. `refused`: the service does not take the token, and another may be had; `replaced`: nor this one, which
	 * had been replaced meanwhile; `settled`: nothing is to be signed anew.
	 */
	settle(signature: Signature, attempt: Attempt): 'settled' | 'refused' | 'replaced';
}

/** For what carries its proof in itself (the form of a token request), or needs none. */
export const NOBODY: Signer = {
	secrets: [],
	sign: async () => await Promise.resolve({ kind: 'signed' }),
	settle: () => 'settled',
};

/** For a token that the workflow has. */
export function bearerOf(token: string): Signer {
	const signature: Signature = { kind: 'signed', authorization: `Bearer ${token}` };
	return { ...NOBODY, secrets: [token], sign: async () => await Promise.resolve(signature) };
}
