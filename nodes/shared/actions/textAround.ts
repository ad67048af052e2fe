/** Expressions with text around them: n8n puts nothing where one of them gives nothing. */
import { holdsNothing, isEmpty } from '../contract/blocks';

import { isComputed } from './fieldReference';

const EXPRESSION = /\{\{.*?\}\}/gs;

/** True for text with expressions within it: nothing tells of one that gave nothing. */
export function isWithin(text: string): boolean {
	return !/^\{\{(?:(?!\}\}).)*\}\}$/s.test(text);
}

/** True where nothing is no answer: an expression makes a value, or has text around it. */
export function mustGive(text: string): boolean {
	return (
		isWithin(text) || (text.match(EXPRESSION) ?? [text]).some((expression) => isComputed(`=${expression}`))
	);
}

/**
 * True for a text of which something was lost: an expression that computes a value gives none, or there is nothing but the text around.
 * Trap: "student-" would be the id of everybody who has no number. What only names a field may be missing beside something else. Not in an
 * id where a text joins them: "N-" of a unit and a number would be everybody's, too.
 * @param evaluate gives what one of the expressions gives
 * @param isId the text is an id, or ids with commas between
 */
export function hasHole(
	text: string,
	value: unknown,
	evaluate: (expression: string) => unknown,
	isId = false,
): boolean {
	// Trap: a backslash may keep braces from being the end of the code; such an expression is left to n8n.
	if (typeof value !== 'string' || !isWithin(text) || /\\[{}]/.test(text)) return false;
	const expressions = text.match(EXPRESSION) ?? [];
	const around = text.split(EXPRESSION);
	const bare = around.join('').trim();
	// Trap: a sheet has an empty text where nobody filled a cell in.
	const isNothing = (expression: string) =>
		givesNothing(expression) || (!isComputed(`=${expression}`) && isEmpty(evaluate(expression)));
	// Commas alone are left to the contract: in a list of ids they stand for none, in a name for nothing.
	const isLost = value.trim() === bare && !holdsNothing(bare);
	const givesNothing = (expression: string) => {
		const given = evaluate(expression);
		return leavesNothing(given) && !(Array.isArray(given) && joinsLists(bare, expressions, evaluate));
	};
	if (isLost && expressions.length > 0 && expressions.every(isNothing)) return true;
	return expressions.some((expression, place) => {
		if (!mayBeEmpty(around, place, value)) return false;
		if (isComputed(`=${expression}`)) return givesNothing(expression);
		return isId && isJoined(around, place) && isEmpty(evaluate(expression));
	});
}

/** True where a text stands with the expression in one entry: commas part those of a list. */
function isJoined(around: readonly string[], place: number): boolean {
	const before = around
		.slice(0, place + 1)
		.join('')
		.split(',')
		.at(-1);
	const [after] = around
		.slice(place + 1)
		.join('')
		.split(',');
	return `${before}${after}`.trim() !== '';
}

/** A student may have a mother and no father. Trap: beside a text, a list of nothing is a hole like any other. */
function joinsLists(
	around: string,
	expressions: readonly string[],
	evaluate: (one: string) => unknown,
): boolean {
	return around !== '' && holdsNothing(around) && expressions.every((one) => Array.isArray(evaluate(one)));
}

/** What n8n writes as nothing, beside an empty text that was asked for. Trap: a number that is none (NaN), and a list of nothing, are among it. */
function leavesNothing(value: unknown): boolean {
	const isBlankList = Array.isArray(value) && value.join('') === '';
	return value === undefined || value === null || Number.isNaN(value) || isBlankList;
}

/** False where what stands around the expression shows that it gave something: evaluating it alone takes n8n 0.4 ms. */
function mayBeEmpty(around: readonly string[], place: number, value: string): boolean {
	const joined = around[place] + around[place + 1];
	const [isFirst, isLast] = [place === 0, place === around.length - 2];
	if (isFirst) return isLast ? value === joined : value.startsWith(joined);
	return isLast ? value.endsWith(joined) : value.includes(joined);
}
