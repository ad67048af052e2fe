/** An answer that is a success by its status, and says in its body that nothing was done. The document shows no such body: it is read tolerantly. Pure. */
import { isJsonObject, type JsonObject } from '../../shared/contract/json';
import { firstOf, quoted } from '../../shared/contract/quoted';
import type { Failure } from '../../shared/failure';

const LONGEST_WORDS = 200;

/** Undefined for a body that does not say no. @param body of an answer of 200 to 299; the document wraps some in `data` */
export function saysNo(body: unknown, status: number): Failure | undefined {
	if (!isJsonObject(body)) return undefined;
	const objections = [body, valueNamed(body, 'data')].filter(isJsonObject).flatMap(objectionsIn);
	if (objections.length === 0) return undefined;
	const words = firstOf(objections.flatMap(wordsOf));
	return {
		origin: 'service',
		effect: 'none',
		status,
		code: 'saysNo',
		message: `The service answered ${status}, and says that it was not done${words.length > 0 ? `: ${words.join('; ')}` : ''}`,
		next: 'Correct what the service names. Where it names nothing, look into the service, or ask its operator.',
	};
}

/** What a body objects with: `Error`, `Errors`, `success: false`. */
function objectionsIn(body: JsonObject): unknown[] {
	const objections = [valueNamed(body, 'error'), valueNamed(body, 'errors')].filter(
		(value) => !saysNothing(value),
	);
	const success = valueNamed(body, 'success');
	const isRefused = success === false || (typeof success === 'string' && /^\s*false\s*$/i.test(success));
	return isRefused ? [...objections, valueNamed(body, 'message')] : objections;
}

/** By its name, in any case. */
function valueNamed(body: JsonObject, name: string): unknown {
	return Object.entries(body).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Whether a value says nothing: also a list or an object of nothing else. */
function saysNothing(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	if (typeof value === 'object' && value !== null) return Object.values(value).every(saysNothing);
	return !value;
}

function wordsOf(objection: unknown): string[] {
	if (Array.isArray(objection)) return objection.flatMap(wordsOf);
	if (typeof objection === 'string')
		return [quoted(objection, LONGEST_WORDS)].filter((words) => words !== '');
	if (!isJsonObject(objection)) return [];
	const words = [valueNamed(objection, 'code'), valueNamed(objection, 'message')].flatMap((part) =>
		typeof part === 'number' ? String(part) : wordsOf(part),
	);
	return words.length === 0 ? [] : [words.join(': ')];
}
