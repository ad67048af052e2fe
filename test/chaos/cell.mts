/** One cell of the matrix: what was promised, what was seen, and what is wrong about it. */
import { REFUSAL_WORDS } from './faults.mts';
import {
	arrivalsOf,
	outcomeOf,
	SAYS_UNCERTAIN,
	type Expectation,
	type Kind,
	type Variation,
	type Verdict,
} from './expectations.mts';
import type { ItemSeen } from './runs.mts';

export interface Cell {
	operation: string;
	column: string;
	/** For the printed matrix. */
	short: string;
	/** Everything that is not as it was promised; empty when all is well. */
	findings: string[];
	details: object;
}

/** What was seen of the items that one request serves. */
export interface KeySeen {
	variation: Variation;
	/** Requests that arrived, in milliseconds since 1970. */
	arrivals: number[];
	items: ItemSeen[];
	/** Whether the service has done the work; undefined when the work leaves nothing behind. */
	done: boolean | undefined;
	/** A second attempt must not come before this moment. Milliseconds since 1970. */
	notBefore?: number;
}

/** Everything about a struck key that is not as promised. Pure. */
export function findingsOf(
	kind: Kind,
	{ verdicts, says, waitsFor }: Expectation,
	does: boolean,
	seen: KeySeen,
): string[] {
	const verdict = verdicts[kind];
	const { variation, arrivals, items, done, notBefore } = seen;
	const { atLeast, atMost } = arrivalsOf(verdict, variation);
	const outcome = outcomeOf(verdict, variation);
	const findings: string[] = [];
	const hold = (holds: boolean, finding: string) => void (holds || findings.push(`${variation}: ${finding}`));
	hold(
		arrivals.length >= atLeast && arrivals.length <= atMost,
		`arrived ${arrivals.length} times instead of ${atLeast === atMost ? atLeast : `${atLeast} to ${atMost}`}`,
	);
	for (const item of items) {
		hold(item.outcome === outcome, `item ${item.item}: ${item.outcome} instead of ${outcome}`);
		if (outcome === 'failure') findings.push(...failureFindings(kind, verdict, says, does, item, variation));
	}
	const passes = outcomeOf(verdict, 'once') === 'success' && variation === 'once';
	const expectedDone = does || passes;
	if (done !== undefined) hold(done === expectedDone, `the service has ${done ? '' : 'not '}done the work`);
	const [first, second] = arrivals;
	if (first !== undefined && second !== undefined) {
		if (waitsFor !== undefined) hold(second - first >= waitsFor, `sent again after ${second - first} ms`);
		if (notBefore !== undefined) hold(second >= notBefore, `sent again ${notBefore - second} ms too early`);
	}
	return findings;
}

function failureFindings(
	kind: Kind,
	verdict: Verdict,
	says: RegExp,
	does: boolean,
	{ item, message, keptInput }: ItemSeen,
	variation: Variation,
): string[] {
	const findings: string[] = [];
	const hold = (holds: boolean, finding: string) =>
		void (holds || findings.push(`${variation}: item ${item}: ${finding}`));
	hold(keptInput, 'its input data is not on the failure output');
	hold(/\S\n\S/.test(message), `does not say what to do next: ${message}`);
	if (kind !== 'redeem') hold(says.test(message), `does not say what happened (${String(says)}): ${message}`);
	const isUncertain = verdict === 'uncertain';
	if (isUncertain)
		hold(SAYS_UNCERTAIN[kind].test(message), `does not say that the work may be done: ${message}`);
	if (!isUncertain && kind === 'create' && !does) {
		hold(!SAYS_UNCERTAIN.create.test(message), `says that the work may be done: ${message}`);
	}
	return findings;
}

/** The service's own words of a refusal must come out. */
export function saysServiceWords({ message }: ItemSeen): boolean {
	return message.includes(REFUSAL_WORDS);
}

/** `ok 2 · fail 3`: what became of the items when the fault struck once, and when it stayed, and how often was sent. */
export function shortOf(kind: Kind, once: KeySeen | undefined, always: KeySeen | undefined): string {
	const words = [once, always].map((seen) => (seen === undefined ? '' : wordOf(kind, seen)));
	const [first = '', second = ''] = words;
	return first === second || second === '' ? first : `${first} ${second}`;
}

function wordOf(kind: Kind, { items, arrivals }: KeySeen): string {
	const outcomes = new Set(items.map(({ outcome }) => outcome));
	const [outcome] = outcomes;
	const isUncertain =
		(kind === 'create' || kind === 'redeem') &&
		items.some(({ message }) => SAYS_UNCERTAIN[kind].test(message));
	const word =
		outcomes.size > 1
			? 'mixed'
			: outcome === 'success'
				? 'ok'
				: outcome === 'failure'
					? 'fail'
					: String(outcome);
	return `${word}${isUncertain ? '?' : ''}${arrivals.length}`;
}
