/**
 * What an empty field of a payload becomes on the wire. Sheets and forms give empty text where a person
 * left a cell empty; the service's tables know three ways to say that nothing is there.
 */
import * as z from 'zod/v4-mini';

/** Nothing a person filled in: absent, null, or text of nothing but spaces. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Text that says something. */
export function isFilledText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/** Empty: the field is left out of the payload. */
export function leftOutWhenEmpty<T extends z.ZodMiniType>(schema: T) {
	return z.optional(
		z.pipe(
			z.transform((value: unknown) => (isEmpty(value) ? undefined : value)),
			z.optional(schema),
		),
	);
}

/** Empty: the field is sent as null (`shift` and `course` of a class). */
export function nullWhenEmpty<T extends z.ZodMiniType>(schema: T) {
	return z._default(
		z.pipe(
			z.transform((value: unknown) => (isEmpty(value) ? null : value)),
			z.nullable(schema),
		),
		null,
	);
}

/** Empty: the field is sent as empty text (`description` of a class). */
export function blankWhenEmpty(schema: z.ZodMiniType<string, unknown>) {
	return z._default(
		z.pipe(
			z.transform((value: unknown): unknown => (isEmpty(value) ? '' : value)),
			schema,
		),
		'',
	);
}

/**
 * Text that may arrive as a number: sheets give `1042` where an external id or a document number stands.
 * Only whole numbers that JavaScript holds exactly are taken over; anything else is not the text it was.
 */
export function textOrNumber(schema: z.ZodMiniType<string, string>) {
	return z.pipe(
		z.transform((value: unknown) => (Number.isSafeInteger(value) ? String(value) : value) as string),
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
		z.transform((value: unknown) =>
			typeof value === 'string'
				? value
						.split(',')
						.map((entry) => entry.trim())
						.filter((entry) => entry !== '')
				: value,
		),
		schema,
	);
}
