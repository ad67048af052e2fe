/** What a step throws although it was to give an outcome. There is no other place where the engine catches anything. */
import { BaseError, ExecutionBaseError } from 'n8n-workflow';

import { quoted } from '../contract/quoted';
import { failed, ThrownFailure, type Failure, type Outcome } from '../failure';

/** What the service may have got of a step: nothing at all, at most questions, or nobody can say. */
export type Reach = 'nothing' | 'questions' | 'unknown';

const NEXT_STEP: Record<Reach, string> = {
	nothing: 'Nothing was sent for this item.',
	questions: 'Nothing was changed: this item only looks something up.',
	unknown: 'It may be done all the same: look for the record before you run the item again.',
};

/** Takes a step. What it throws becomes its failure, so that it fails for the items that it is for, and for no other. */
export async function outcomeOf<T>(reach: Reach, step: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
	try {
		return await step();
	} catch (thrown) {
		return failed(thrown instanceof ThrownFailure ? thrown.failure : unexpected(thrown, reach));
	}
}

function unexpected(thrown: unknown, reach: Reach): Failure {
	const [message, next] = isOfN8n(thrown)
		? [thrown.message, [thrown.description, NEXT_STEP[reach]].filter((line) => line).join('\n')]
		: [
				`The node cannot handle this item (${inWords(thrown)})`,
				`${NEXT_STEP[reach]} Please report this to the maintainers of this node.`,
			];
	return { origin: 'n8n', effect: reach === 'unknown' ? 'unknown' : 'none', message, next };
}

/** n8n's own words are made to be shown, like those about a credential that is missing. */
function isOfN8n(thrown: unknown): thrown is Error & { description?: string | null } {
	return thrown instanceof ExecutionBaseError || thrown instanceof BaseError;
}

/** Messages that name what stands in the code. Trap: others quote the data, as "number 52998224725 is not iterable" does. */
const OF_CODE = [
	/^TypeError: Cannot (?:read|set) properties of (?:undefined|null)(?: \((?:reading|setting) '(.*)'\))?$/s,
	/^TypeError: Cannot destructure property '(.*)' of '(.*)' as it is (?:undefined|null)\.$/s,
	/^(?:TypeError|ReferenceError): (.*) is not (?:a function|a constructor|defined)$/s,
	/^URIError: URI malformed$/,
];

/** How our own names look: not as the name of a person, an address or a number. */
const OUR_NAME = /^[a-z_$][\w$]*$/;

/**
 * A thrown value by its kind, with its message where that speaks of code alone. Trap: `map($json.name)` throws "Maria is not a function".
 * @param code what has thrown; ours when it is not given
 */
export function inWords(thrown: unknown, code?: string): string {
	if (!(thrown instanceof Error)) return 'without a reason';
	const text = `${thrown.name}: ${thrown.message}`;
	const match = OF_CODE.map((form) => form.exec(text)).find((found) => found !== null);
	if (match === undefined) return thrown.name;
	const known = code === undefined ? undefined : wordsIn(code);
	const isCode = (word: string) => known?.includes(word) ?? OUR_NAME.test(word);
	return wordsIn(match.slice(1).join(' ')).every(isCode) ? quoted(text) : thrown.name;
}

function wordsIn(code: string): string[] {
	return code.replaceAll('(intermediate value)', ' ').match(/[\p{L}\p{N}_$@-]+/gu) ?? [];
}

/** Why an expression cannot be evaluated. */
export function whyUnreadable(thrown: unknown): string {
	return isOfN8n(thrown) ? quoted(thrown.message) : inWords(thrown);
}
