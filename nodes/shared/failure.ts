/** Why an item could not be done: data first, for whoever branches on it, then two sentences. Nothing of n8n in here. */

export interface Failure {
	/**
	 * Who has to look: `input`, the item's own values or the node's options; `service`, what the service answered; `network`, the
	 * way to it below HTTP; `signOn`, the sign-on area and the way there; `n8n`, what n8n or the credential in it does not give.
	 */
	origin: 'input' | 'service' | 'network' | 'signOn' | 'n8n';
	/**
	 * Whether what was asked may be done: `none`, surely not; `unknown`, nobody can say; `done`, it is, but the answer cannot be used.
	 * What only looks something up changes nothing: `none`.
	 */
	effect: 'none' | 'unknown' | 'done';
	/** The status of the answer, when there was one. */
	status?: number;
	/** The service's own code or OAuth's, a reason of the sign-on checks (oidc/finding.ts), or the trouble of the network (transport/trouble.ts). */
	code?: string;
	/** True when the answer was a web page: mostly a proxy's own, so that its status is not what the service said of the record. */
	isPage?: boolean;
	/** What the service objects to beside its first word, a bounded number. */
	properties?: Array<{ property: string; message: string }>;
	/** How long the service asks to wait. */
	retryAfterSeconds?: number;
	/** What happened. */
	message: string;
	/** What to do next. */
	next: string;
}

/** A failure before anybody has said whether what was asked may be done. */
export type Reason = Omit<Failure, 'effect'>;

/** Of the item's own values or the node's options: nothing was sent for it. */
export function inputFailure(failure: Pick<Failure, 'code' | 'message' | 'next'>): Failure {
	return { origin: 'input', effect: 'none', ...failure };
}

/** Why an item has no outcome of its own. */
export const NOT_BEGUN: Failure = {
	origin: 'n8n',
	effect: 'none',
	message: 'The run ended before this item was begun',
	next: 'Nothing was sent for this item. Run it again.',
};

/** The failure of one item, by its number as n8n counts. */
export function failureOfItem(failure: Failure, item: number): Failure {
	return { ...failure, message: `${failure.message} [Item ${item}]` };
}

/** Whether the service answers with one of these statuses. Trap: the sign-on and a proxy in front of the service refuse with them too. */
export function isSaidBy({ origin, status, isPage }: Failure, statuses: readonly number[]): boolean {
	return origin === 'service' && status !== undefined && isPage !== true && statuses.includes(status);
}

/** A failure on its way out of something that gives no outcome. */
export class ThrownFailure extends Error {
	constructor(readonly failure: Failure) {
		super(failure.message);
	}
}

/** The one form of an answer to a question that may fail: a value, or why there is none. */
export type Outcome<T, Why = Failure> = { ok: true; value: T } | { ok: false; failure: Why };

export function success<T>(value: T): { ok: true; value: T } {
	return { ok: true, value };
}

export function failed<const Why>(failure: Why): { ok: false; failure: Why } {
	return { ok: false, failure };
}

/** The value of an outcome; its failure is thrown. */
export function valueOf<T>(outcome: Outcome<T>): T {
	if (outcome.ok) return outcome.value;
	throw new ThrownFailure(outcome.failure);
}

/** Words that depend on something are a function of it. */
export type Words<Each> = Readonly<Record<string, Each | ((...about: never[]) => Each)>>;

type Whole<Table, Entry> = {
	readonly [Code in keyof Table]: Table[Code] extends (...about: infer About) => object
		? (...about: About) => Entry
		: Entry;
};

/** The entries of a table with their codes, and with what they share. */
export function byCode<Entry, Table extends Words<object>>(
	shared: Partial<Entry>,
	table: Table,
): Whole<Table, Entry> {
	const entries = Object.entries(table).map(([code, entry]) => [
		code,
		typeof entry === 'function'
			? (...about: never[]) => ({ ...shared, code, ...entry(...about) })
			: { ...shared, code, ...entry },
	]);
	return Object.fromEntries(entries) as Whole<Table, Entry>;
}
