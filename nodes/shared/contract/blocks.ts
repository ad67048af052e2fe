/**
 * The building blocks of the contract: what one field of the service's document may hold.
 *
 * Every block says in words what it expects, so that a finding can stand behind the name of a field:
 * "Birth Date" + "must be a date written as YYYY-MM-DD". No finding ever quotes the value: it may be
 * personal data or a secret.
 */
import * as z from 'zod/v4-mini';

import { readJson } from './json';
import { isSafeSegment } from './path';

/** The GUID that stands for "none": the service refuses it (Errors, synchronization endpoints, 409). */
export const EMPTY_GUID = '00000000-0000-0000-0000-000000000000';

const UTC_TIMESTAMP =
	/^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d+)?)?(Z|[+-]00(:?00)?)$/;

/** What the value is, in words that a person without code understands; never the value itself. */
export function kindOf(value: unknown): string {
	if (value === undefined || value === null || value === '') return 'is empty';
	if (Array.isArray(value)) return 'is a list';
	if (typeof value === 'object') return 'is an object';
	if (typeof value === 'string') return 'is text';
	if (typeof value === 'number') return 'is a number';
	return typeof value === 'boolean' ? 'is true or false' : `is a ${typeof value}`;
}

/** A finding of the form "must be text, but is a list". */
export function mustBe(expectation: string) {
	return (issue: { input?: unknown }): string => `must be ${expectation}, but ${kindOf(issue.input)}`;
}

/** True for a day that exists in the calendar, written YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
	return z.regexes.date.test(text);
}

/** Milliseconds since 1970. Trap: `Date.parse` knows neither decimal commas nor a zone without a colon. @param text a UTC timestamp */
export function timeOfUtc(text: string): number {
	return Date.parse(text.replace(',', '.').replace(/(?:Z|[+-][\d:]+)$/i, 'Z'));
}

/** True for an ISO 8601 time that says it is UTC (`Z` or a zero offset), with or without seconds. */
export function isUtcTimestamp(text: string): boolean {
	return UTC_TIMESTAMP.test(text) && isCalendarDate(text.slice(0, 10));
}

/** Characters as the service's size tables count them: code points, so that an emoji is one. */
export function sizeOf(text: string): number {
	return [...text].length;
}

function isAtMost(text: string, size: number): boolean {
	// Code points need a walk; a text that is short in UTF-16 units is short in code points too.
	return text.length <= size || sizeOf(text) <= size;
}

function tooLong(size: number): string {
	return `must be at most ${size} characters long`;
}

/** Text of any length, or of at most `size` characters (the size columns of the document's field tables). May be empty. */
export function text(size = Infinity) {
	return z
		.string({ error: mustBe('text') })
		.check(z.refine((value) => isAtMost(value, size), { error: tooLong(size) }));
}

/** Text that must not be empty or blank, of at most `size` characters. */
export function filledText(size = Infinity) {
	// One check for both: a delivery passes through some fifty of these.
	return z.string({ error: mustBe('text') }).check(({ value, issues }) => {
		const refuse = (message: string) =>
			issues.push({ code: 'custom', message, input: value, continue: true });
		if (!isAtMost(value, size)) refuse(tooLong(size));
		if (value.trim() === '') refuse('must not be empty');
	});
}

/** A day of the calendar, YYYY-MM-DD (`birth_date`, `date_of_birth`). */
export function calendarDate() {
	const error = 'must be a date that exists, written as YYYY-MM-DD, for example 2010-12-31';
	return z.string({ error }).check(z.refine(isCalendarDate, { error }));
}

/** A moment, ISO 8601 in UTC (`created_at`, `updated_at`). */
export function utcTimestamp() {
	const error = 'must be a time in UTC, written as ISO 8601 with a zone, for example 2026-03-09T12:30:00Z';
	return z.string({ error }).check(z.refine(isUtcTimestamp, { error }));
}

/** A GUID (`school_id`, `request_id`, …), in any version and case. The empty GUID is one by form; where it is refused, the field says so. */
export function guid() {
	return z.guid({ error: 'must be a GUID, for example 3f2504e0-4f89-41d3-9a0c-0305e82c3301' });
}

/** A GUID that names something: the empty one is refused. */
export function presentGuid() {
	return guid().check(z.refine((value) => value !== EMPTY_GUID, { error: 'cannot be an empty GUID' }));
}

/*
 * What an empty field of a payload becomes on the wire. Sheets and forms give empty text where a person left a cell empty; the
 * service's tables know three ways to say that nothing is there.
 */

/** Nothing a person filled in: absent, null, or text of nothing but spaces. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Text that says something. */
export function isFilledText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/** Commas and blanks: what is left of values that were joined, and are all empty. */
function isOnlyCommas(value: unknown): boolean {
	return isFilledText(value) && /^[\s,]+$/.test(value);
}

/** Empty, or nothing but what stood between values that are. */
export function holdsNothing(value: unknown): boolean {
	return isEmpty(value) || isOnlyCommas(value);
}

/** Passes `instead` on where a field is empty. */
const whenEmpty = (instead: unknown) =>
	z.transform((value: unknown) => (holdsNothing(value) ? instead : value));

/** Empty: the field is left out of the payload. */
export function leftOutWhenEmpty<T extends z.ZodMiniType>(schema: T) {
	return z.optional(z.pipe(whenEmpty(undefined), z.optional(schema)));
}

/** Empty: the field is sent as null (`shift` and `course` of a class). */
export function nullWhenEmpty<T extends z.ZodMiniType>(schema: T) {
	return z._default(z.pipe(whenEmpty(null), z.nullable(schema)), null);
}

/** Empty: the field is sent as empty text (`description` of a class). */
export function blankWhenEmpty(schema: z.ZodMiniType<string, unknown>) {
	return z._default(z.pipe(whenEmpty(''), schema), '');
}

/**
 * Text that may arrive as a number: sheets give `1042` where an external id or a document number stands.
 * Only whole numbers that JavaScript holds exactly are taken over; anything else is not the text it was.
 */
export function textOrNumber<T extends z.ZodMiniType>(schema: T) {
	return z.pipe(
		z.transform((value: unknown) => (Number.isSafeInteger(value) ? String(value) : value)),
		schema,
	);
}

/** A whole number that may arrive as its text (`"2026"`). */
export function wholeNumber(error: string, smallest: number, largest: number) {
	return z.pipe(
		z.transform((value: unknown) =>
			typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : (value as number),
		),
		z.int({ error }).check(z.gte(smallest, { error }), z.lte(largest, { error })),
	);
}

/** A day, where spreadsheets and date pickers may give a moment: its date part as it is written. */
export function dayOfMoment(schema: z.ZodMiniType<string, string>) {
	return z.pipe(
		z.transform(
			(value: unknown) =>
				(typeof value === 'string'
					? value.trim().replace(/^(\d{4}-\d{2}-\d{2})[T ].*$/s, '$1')
					: value) as string,
		),
		schema,
	);
}

/** A list of texts that may be typed as comma-separated text (`resp-1, resp-2`). */
export function commaSeparated<T extends z.ZodMiniType>(schema: T) {
	return z.pipe(
		z.transform((value: unknown) => (typeof value === 'string' ? listedIn(value) : value)),
		schema,
	);
}

/** Trap: n8n's Edit Fields makes JSON of a list that is put into a field of text. */
function listedIn(text: string): unknown {
	const list = text.trimStart().startsWith('[') ? readJson(text) : undefined;
	if (Array.isArray(list)) return list;
	return text
		.split(',')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** A list of none, however it is written. */
export function isEmptyList(value: unknown): boolean {
	const entries = typeof value === 'string' ? listedIn(value) : value;
	return Array.isArray(entries) && entries.length === 0;
}

/** A list that means something else when it is empty. Trap: of names that were joined, and are all empty, a comma is left. */
export function namesOrEmpty<T extends z.ZodMiniType>(schema: T) {
	const error = 'must name at least one, or be empty';
	return z.pipe(
		z.unknown().check(z.refine((value) => !isOnlyCommas(value), { error })),
		commaSeparated(schema),
	);
}

/** Filled text of a payload. Trap: a comma between two values of which none is there would be somebody's name, or one id for everybody. */
function filledTextOfPayload(size?: number) {
	return filledText(size).check(z.refine((value) => !isOnlyCommas(value), { error: 'must not be empty' }));
}

/** The same, which may arrive as a number. */
export function filledField(size?: number) {
	return textOrNumber(filledTextOfPayload(size));
}

/** Text of a payload that may be empty, and may arrive as a number. */
export function freeField(size?: number) {
	return textOrNumber(text(size));
}

/** An id that stands as one segment of a path: the only block by which free text comes into an address. */
export function pathId(size?: number) {
	return textOrNumber(
		filledTextOfPayload(size).check(z.refine(isSafeSegment, { error: 'must not be "." or ".."' })),
	);
}
