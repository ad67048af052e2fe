/**
 * The deviations that the service's document tells consumers to tolerate, each healed into the one
 * canonical shape that workflows see: in events and in synchronization alike ("Event resources", School;
 * "Synchronization resources", known deviations).
 *
 * Every function leaves alone what it does not know: unknown fields stay, and a value of another type than
 * expected comes back as it was, for the schema to judge. Nothing is changed in place. Healing twice gives
 * what healing once gave.
 */

import { isJsonObject, type JsonObject } from './json';

function isNothing(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/**
 * The field under its documented name, when it was sent under another one. Where both are filled the documented
 * one counts, and the other stays beside it as an unknown field: nothing that was sent is lost.
 */
function renamed(fields: JsonObject, sent: string, documented: string): JsonObject {
	if (!Object.hasOwn(fields, sent) || !isNothing(fields[documented])) return fields;
	// Trap: assigning by name would let a field called __proto__ replace the prototype; fromEntries defines it.
	return Object.fromEntries(
		Object.entries(fields)
			.filter(([name]) => name !== documented)
			.map(([name, value]) => [name === sent ? documented : name, value]),
	);
}

/** The dialling code without the plus sign that samples carry: "+55" and "55" are "55". */
export function dialingCode(ddi: unknown): unknown {
	return typeof ddi === 'string' ? ddi.replace(/^\+/, '') : ddi;
}

const DATE_WITH_TIME = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?$/;

/**
 * The day of a date that came with a time part: "2010-05-03T00:00:00" is "2010-05-03". The day is taken as
 * written: a birthday does not move with a time zone.
 */
export function datePart(date: unknown): unknown {
	return typeof date === 'string' ? (DATE_WITH_TIME.exec(date)?.[1] ?? date) : date;
}

type Heal = <T>(value: T) => T;

/** Heals objects; a value of another type comes back as it was. */
function healer(heal: (fields: JsonObject) => JsonObject): Heal {
	return <T>(value: T) => (isJsonObject(value) ? (heal(value) as T) : value);
}

/** Heals one field of an object; an absent field stays absent. */
export const within = (name: string, heal: (value: unknown) => unknown) =>
	healer((fields) => (Object.hasOwn(fields, name) ? { ...fields, [name]: heal(fields[name]) } : fields));

/** Heals the entries of a list. */
export function each(heal: (value: unknown) => unknown): Heal {
	return <T>(value: T) => {
		if (!Array.isArray(value)) return value;
		return value.map((entry: unknown) => heal(entry)) as T;
	};
}

export function inOrder(...heals: Heal[]): Heal {
	return <T>(value: T) => heals.reduce((healed, heal) => heal(healed), value);
}

const renaming = (sent: string, documented: string) => healer((fields) => renamed(fields, sent, documented));

/** A CellPhone with `ddi` without plus sign. */
export const canonicalCellPhone = within('ddi', dialingCode);

/** True when a person's `phone`, a single text or the number of its digits, stands for the `cell_phone` that is missing. */
export function hasPhoneInstead(person: JsonObject): person is JsonObject & { phone: string | number } {
	return (
		(typeof person.phone === 'string' || Number.isSafeInteger(person.phone)) && isNothing(person.cell_phone)
	);
}

/** `phone`, a single text or the number of its digits, becomes `cell_phone: {ddi: null, value}`, unless there is a `cell_phone` already. */
export const withCellPhone = healer((person) => {
	if (!hasPhoneInstead(person)) return person;
	const value = String(person.phone);
	const cellPhone = value === '' ? null : { ddi: null, value };
	return { ...renamed(person, 'phone', 'cell_phone'), cell_phone: cellPhone };
});

/**
 * A person with `id`, `date_of_birth` and the `ddi` of `cell_phone` healed, and `phone` as it was sent: the
 * form to judge by the field tables, in which a CellPhone without a dialling code is none.
 */
export const documentedUser = inOrder(
	renaming('user_id', 'id'),
	within('cell_phone', canonicalCellPhone),
	within('date_of_birth', datePart),
);

/** A person (account user, sponsor, dependent, user of an event): `id`, `cell_phone` and `date_of_birth` healed. */
export const canonicalUser = inOrder(documentedUser, withCellPhone);

/** An address with `zip`, `city` and `state` written small, as the field table has them. */
export const canonicalAddress = inOrder(
	renaming('Zip', 'zip'),
	renaming('City', 'city'),
	renaming('State', 'state'),
);

/** A school with its tax id as `cnpj` (samples say `cpnj`) and canonical `addresses`. */
export const canonicalSchool = inOrder(renaming('cpnj', 'cnpj'), within('addresses', each(canonicalAddress)));

/** A shift with its identifier as `id` (the class sample says `tagId`). */
export const canonicalShift = renaming('tagId', 'id');

/** A class with a canonical `shift`. */
export const canonicalClass = within('shift', canonicalShift);
