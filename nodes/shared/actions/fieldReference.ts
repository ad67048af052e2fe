/**
 * Expressions that only name a field of the input item: `={{ $json.first_name }}`, what dragging a field into a
 * parameter makes. n8n's engine takes 0.4 ms for each; reading the field takes less than a microsecond.
 *
 * Only forms whose result is certain are read so; test/engine/reading.test.mts holds every one of them against
 * n8n's own engine. Everything else stays n8n's.
 */
import { isSafeObjectProperty } from 'n8n-workflow';

// Traps: braces end an expression even within quotes, and an index that starts with 0 is octal.
const STEPS = String.raw`\.([A-Za-z_$][\w$]*)|\["([^"\\\n{}]*)"\]|\['([^'\\\n{}]*)'\]|\[(0|[1-9]\d{0,8})\]`;
const STEP = new RegExp(STEPS, 'g');
const REFERENCE = new RegExp(String.raw`^=\{\{\s*\$json((?:${STEPS})+)\s*\}\}$`);

/** The steps from the item to the field; undefined for an expression of any other form. */
export function fieldReference(expression: string): string[] | undefined {
	const steps = REFERENCE.exec(expression)?.[1];
	if (steps === undefined) return undefined;
	const path = [...steps.matchAll(STEP)].map(
		([, dotted, double, single, index]) => dotted ?? double ?? single ?? index ?? '',
	);
	return path.some(leadsOutOfData) ? undefined : path;
}

/** Trap: names that every object has lead out of the data; n8n refuses some of them, and others of its own choice. */
function leadsOutOfData(step: string): boolean {
	return step in Object.prototype || step === 'globalThis' || !isSafeObjectProperty(step);
}

const QUOTED = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`;
const NAMED_STEP = String.raw`\s*\??\.\s*(?:(?:first|last|all|itemMatching)\(\s*\d*\s*\)|[\p{ID_Start}$_][\p{ID_Continue}$]*)`;
const LISTED_STEP = String.raw`\s*(?:\?\.)?\[\s*(?:${QUOTED}|\d+)\s*\]`;
const STEPS_ANYWHERE = String.raw`\$\w*(?:\(\s*(?:${QUOTED})\s*\))?(?:${NAMED_STEP}|${LISTED_STEP})*`;
/** What a model answers (n8n's `$fromAI`) is named, too. */
const FROM_MODEL = String.raw`(?:\/\*[^*]*\*\/\s*)?\$from[Aa][Ii]\(.*\)`;
const NAMED = new RegExp(
	String.raw`^=\{\{\s*(?:${STEPS_ANYWHERE}|${FROM_MODEL}|null|undefined)\s*\}\}$`,
	'su',
);

/**
 * True for an expression that makes a value: it does more than to name one, of whatever node (`{{ $json.contact?.email }}`,
 * `{{ $('Sheet').item.json.email }}`), or to say outright that there is none (`{{ null }}`). Nothing that comes of one is no empty
 * field: something was lost on the way.
 */
export function isComputed(expression: string): boolean {
	return !NAMED.test(expression);
}

type Plain = string | number | boolean | null | undefined;

/** What stands at the end of a path; `certain` is false where n8n's engine has to say it. */
export type Referred = { certain: true; value: Plain } | { certain: false };

const UNCERTAIN: Referred = { certain: false };

/** Reads a field of an item's data. Lists and objects are left to n8n, which hands out copies of them. */
export function referredField(json: object, path: readonly string[]): Referred {
	let value: unknown = json;
	for (const step of path) {
		if (typeof value !== 'object' || value === null) return UNCERTAIN;
		// Trap: lists have members of their own (`length`); on objects only the data itself counts.
		if (Array.isArray(value) && !/^\d+$/.test(step)) return UNCERTAIN;
		value = Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined;
	}
	const isPlain = value === null || ['string', 'boolean', 'undefined'].includes(typeof value);
	return isPlain || Number.isFinite(value) ? { certain: true, value: value as Plain } : UNCERTAIN;
}
