import { isObject } from '../checks/check-fields.mts';
import type { Variant } from '../variants.mts';
import type { ErrorAnswer } from './errors.mts';
import type { Answer, Route } from './route.mts';

/** An answer of the API as the variants that are switched on make it. */
export function varied(answer: Answer, route: Route, variants: readonly Variant[]): Answer {
	if (variants.length === 0) return answer;
	if (answer.status >= 400) return variedError(answer, variants);
	const isOn = (variant: Variant): boolean => variants.includes(variant);
	const isCreation = route.method === 'POST' && route.path.startsWith('/integration/');
	let shown = answer;
	if (isOn('location-headers') && isCreation)
		shown = { ...shown, status: 201, headers: { location: locationOf(route, answer.body) } };
	if (isOn('numbers-as-text')) shown = { ...shown, body: eachLeaf(shown.body, numberAsText) };
	if (isOn('digits-as-numbers')) shown = { ...shown, body: eachLeaf(shown.body, digitsAsNumber) };
	if (route.success !== 'not shown') return shown;
	if (isOn('plain-text-answers')) return { ...shown, text: isCreation ? 'Created' : 'OK' };
	return isOn('empty-bodies') ? { ...shown, body: undefined } : shown;
}

/** A refusal as the variants make it: those of the faults too. */
export function variedError<Shown extends ErrorAnswer>(answer: Shown, variants: readonly Variant[]): Shown {
	const wrapped = variants.includes('bare-errors')
		? { ...answer, body: withoutWrapper(answer.body) }
		: answer;
	return variants.includes('numbers-as-text')
		? { ...wrapped, body: eachLeaf(wrapped.body, numberAsText) }
		: wrapped;
}

function withoutWrapper(body: unknown): unknown {
	if (!isObject(body)) return body;
	if (isObject(body.Error)) return body.Error;
	if (!Array.isArray(body.Errors)) return body;
	const errors: unknown[] = body.Errors;
	return errors.length === 1 ? errors[0] : errors;
}

/** The document shows no address for what was created; the id under the path of its creation is the usual one. */
function locationOf({ path }: Route, body: unknown): string {
	const data = isObject(body) && isObject(body.data) ? body.data : {};
	return typeof data.id === 'string' ? `${path}/${data.id}` : path;
}

/** The same value with every text and number in it changed. */
function eachLeaf(value: unknown, change: (leaf: unknown) => unknown): unknown {
	if (Array.isArray(value)) return value.map((item) => eachLeaf(item, change));
	if (!isObject(value)) return change(value);
	return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, eachLeaf(member, change)]));
}

const numberAsText = (leaf: unknown): unknown => (typeof leaf === 'number' ? String(leaf) : leaf);

/** A leading zero would be lost, and more than 15 digits are not exact. */
const digitsAsNumber = (leaf: unknown): unknown =>
	typeof leaf === 'string' && /^[1-9]\d{0,14}$/.test(leaf) ? Number(leaf) : leaf;
