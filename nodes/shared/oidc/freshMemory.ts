/** What was fetched and is used for a while: one fetch for all that ask at the same time, and nobody waits for one that hangs. */
import QuickLRU from 'quick-lru';

import { success } from '../failure';

import { rejected, type Checked, type SignOnFinding, type SignOnRefusal } from './finding';

interface Dated<T> {
	readonly found: T;
	/** Milliseconds since 1970. */
	readonly fetchedAt: number;
}

interface Attempt<T> {
	readonly answer: Promise<Checked<T>>;
	/** Comes when the answer should have been there for long. */
	readonly hangs: Promise<'hangs'>;
}

/** Lets some milliseconds pass. */
export type Wait = (milliseconds: number) => Promise<void>;

/** A fetch without an answer for this long is left to itself, and whoever waits for it begins another. Milliseconds. */
export const HANGS_AFTER = 3_000;

const NO_ANSWER: SignOnFinding = {
	code: 'issuer_unreachable',
	message: 'The sign-on does not answer in time',
	next: 'Check Issuer URL in the credential, and that n8n can reach it.',
};

/** True for what became of the one who asked, and says nothing of who was asked: cancelled, the run over, less time than others have. */
function isOfTheAsker({ cause }: SignOnRefusal): boolean {
	return cause !== undefined && (cause.origin === 'n8n' || cause.code === 'timeout');
}

/** Remembers what was found; a refusal is passed on and forgotten. `Way` is what whoever asks brings to ask with. */
export class FreshMemory<T, Way> {
	private readonly known: QuickLRU<string, Dated<T>>;
	/** When each key was last asked for, with or without success. */
	private readonly askedAt: QuickLRU<string, number>;
	private readonly underWay = new Map<string, Attempt<T>>();

	/**
	 * @param lookUp gets what stands behind a key
	 * @param freshFor how long something is used without fetching it again, in milliseconds
	 * @param most keys that are remembered at once at least; twice as many at most
	 */
	constructor(
		private readonly lookUp: (key: string, way: Way, now: number) => Promise<Checked<T>>,
		private readonly freshFor: number,
		most: number,
		private readonly wait: Wait,
	) {
		this.known = new QuickLRU({ maxSize: most });
		this.askedAt = new QuickLRU({ maxSize: most });
	}

	/** What is known and fresh, else what a fetch gives. */
	async get(key: string, way: Way, now: number, patience: number): Promise<Checked<T>> {
		const known = this.known.get(key);
		const isFresh = known !== undefined && now - known.fetchedAt < this.freshFor;
		return isFresh ? success(known.found) : await this.renew(key, way, now, patience);
	}

	/**
	 * What a fetch gives, or one that is under way already.
	 * @param patience how long to wait for it, in milliseconds; rounded up to whole attempts
	 */
	async renew(key: string, way: Way, now: number, patience: number): Promise<Checked<T>> {
		const before = this.peek(key);
		for (let waited = 0; waited < patience; ) {
			const ofAnother = this.underWay.get(key);
			const { answer, hangs } = ofAnother ?? this.begin(key, way, now);
			const found = await Promise.race([answer, hangs]);
			// Trap: with the one who asked first everybody else would fail, who waits for the same answer.
			if (found !== 'hangs' && !found.ok && ofAnother && isOfTheAsker(found.failure)) continue;
			if (found !== 'hangs') return found;
			waited += HANGS_AFTER;
			// A fetch that was left to itself may have come in late.
			const late = this.peek(key);
			if (late !== undefined && late !== before) return success(late);
		}
		return rejected(NO_ANSWER);
	}

	private begin(key: string, way: Way, now: number): Attempt<T> {
		this.askedAt.set(key, now);
		const over = () => {
			if (this.underWay.get(key) === attempt) this.underWay.delete(key);
		};
		const fetched = async () => {
			const found = await this.lookUp(key, way, now);
			if (found.ok) this.put(key, now, found.value);
			return found;
		};
		const hung = async (): Promise<'hangs'> => {
			await this.wait(HANGS_AFTER);
			over();
			return 'hangs';
		};
		const attempt: Attempt<T> = { answer: fetched().finally(over), hangs: hung() };
		this.underWay.set(key, attempt);
		return attempt;
	}

	/** What is known, fresh or not. */
	peek(key: string): T | undefined {
		return this.known.peek(key)?.found;
	}

	/** Keeps what was fetched by other means. */
	put(key: string, now: number, found: T): void {
		this.known.set(key, { found, fetchedAt: now });
	}

	/** True while it is being fetched: whoever asks now adds no fetch. */
	isUnderWay(key: string): boolean {
		return this.underWay.has(key);
	}

	/** Milliseconds since something was last fetched under this key. */
	quietFor(key: string, now: number): number {
		return now - (this.askedAt.get(key) ?? -Infinity);
	}
}
