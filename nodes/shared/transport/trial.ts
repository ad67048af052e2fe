/**
 * A renewed token is tried by one request while the others wait. Trap: if all went at once, a service that takes tokens
 * back faster than requests are done would refuse every one of them again.
 */
import { isRefused, type Attempt } from './attempt';
import type { TokenFailure } from './tokenFailure';

/** So many fresh tokens refused in a row, with nothing accepted between them: the service takes none, and no more are fetched. */
const MOST_FRESH_REFUSED = 2;

/** What a trial does with tokens. */
interface Steps {
	/** Sends the request with this token, once. */
	send(token: string): Promise<Attempt>;
	/** Replaces a token that was refused: the next one, or why there is none. */
	replace(token: string): Promise<string | TokenFailure>;
}

export class Trial {
	/** A renewed token that nobody has tried yet. */
	private untried = false;

	/** Set while one request tries it. */
	private underWay: Promise<void> | undefined;

	private freshRefused = 0;

	/** There is a renewed token. */
	announce(): void {
		this.untried = true;
	}

	/** Whether the token has to be tried before requests may go at once. */
	get isDue(): boolean {
		return this.untried;
	}

	/** Settles when the request that tries the token is done; undefined when none does. */
	get end(): Promise<void> | undefined {
		return this.underWay;
	}

	/** The service took a token, renewed or not. */
	accept(): void {
		this.freshRefused = 0;
	}

	/** False when the service has refused fresh tokens too, and has accepted nothing since. */
	get isWorthRenewing(): boolean {
		return this.freshRefused < MOST_FRESH_REFUSED;
	}

	/** One request tries the token, and goes on with the next when that is refused. */
	async run(first: string, { send, replace }: Steps): Promise<Attempt> {
		let done: () => void = () => undefined;
		this.underWay = new Promise((resolve) => {
			done = resolve;
		});
		try {
			for (let token = first; ; ) {
				const attempt = await send(token);
				if (!isRefused(attempt)) return attempt;
				this.freshRefused++;
				if (!this.isWorthRenewing) return attempt;
				const next = await replace(token);
				if (typeof next !== 'string') return { kind: 'unsigned', reason: next };
				token = next;
			}
		} finally {
			this.untried = false;
			this.underWay = undefined;
			done();
		}
	}
}
