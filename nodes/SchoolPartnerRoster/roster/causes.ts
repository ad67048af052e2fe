/** What may be said of a roster, as tables: by its code what is so, and what a person can do. And what is said of a record wherever it is found. */
import type { Cause } from './findings';
import type { Kind } from './record';

type Words = Pick<Cause, 'message' | 'what_to_do'>;

/** Words that depend on something are a function of it. */
type Entry = Words | ((...about: never[]) => Words);

type Causes<Entries> = {
	readonly [Code in keyof Entries]: Entries[Code] extends (...about: infer About) => Words
		? (...about: About) => Cause
		: Cause;
};

/** The causes of one severity, by their codes. */
export function causes<Entries extends Record<string, Entry>>(
	shared: Pick<Cause, 'severity' | 'kind'>,
	entries: Entries,
): Causes<Entries> {
	const made = Object.entries(entries).map(([code, entry]) => [
		code,
		typeof entry === 'function'
			? (...about: never[]): Cause => ({ ...shared, code, ...entry(...about) })
			: { ...shared, code, ...entry },
	]);
	return Object.fromEntries(made) as Causes<Entries>;
}

const LABELS: Readonly<Record<Kind, string>> = { class: 'Class', user: 'User', bond: 'Bond' };

export const sameTwice = (kind: Kind): Cause => ({
	severity: 'warning',
	code: 'sameTwice',
	kind,
	message: `${LABELS[kind]}: the same is there twice`,
	what_to_do: 'Nothing: it counts once.',
});

export const idTwice = (kind: Kind): Cause => ({
	severity: 'error',
	code: 'idTwice',
	kind,
	message: `${LABELS[kind]}: one id stands for different ones`,
	what_to_do:
		'Give each its own id where the roster comes from. Nobody can say which of them is meant, so none is used. A person in two schools needs the option User IDs Unique Within set to School.',
});

/** @param whatToDo depends on where the field came from */
export const refused = (kind: Kind, code: string, field: string, why: string, whatToDo: string): Cause => ({
	severity: 'error',
	code,
	kind,
	message: `${LABELS[kind]}: ${field} ${why}`,
	what_to_do: whatToDo,
});
