/** What is kept of a record that is there and cannot be sent: its ids, and what else says what it may be about: the person, or the year of a class. */
import { classCreation, userCreation } from '../../shared/contract/provisioning';
import { isId } from '../ledger/key';
import { PERSON_FIELDS, type Fields, type Kind } from '../roster/record';

const OWN_IDS: Readonly<Record<Kind, readonly string[]>> = {
	class: ['external_id'],
	user: ['external_id'],
	bond: ['class_external_id', 'user_external_id'],
};

/** As a sheet writes 1234567890123 in a narrow column: 1,23E+12. Trap: an id that is made of one has lost the digits as well. */
const ROUNDED = /^\d+([.,]\d+)?E\+\d+(~[1-9])?$/i;

/** Whether an id has lost its digits, so that it is nobody's. */
export function isRounded(id: Fields[string]): boolean {
	return typeof id === 'string' && ROUNDED.test(id);
}

/** What a spreadsheet shows for a lookup that has failed: #N/A, #REF!, #VALUE! */
export const SHEET_ERROR = /^#(?:N\/[AD]|[¡¿]?[\p{L}\d/]+[!?])$/iu;

/** A number that went through a column of quantities: 12345678909.0 */
export function isQuantity(text: Fields[string]): boolean {
	return typeof text === 'string' && /^\d+\.0$/.test(text);
}

/** Whether an id is one that many records have which have nothing in common. */
export const isNoId = (id: Fields[string]): boolean =>
	isRounded(id) || (typeof id === 'string' && SHEET_ERROR.test(id));

const saysWho = (id: Fields[string]) => isId(id) && !isNoId(id);

/** Whether nothing says what it may be about: none of its own ids, and no school. */
export function namesNothing(kind: Kind, fields: Fields): boolean {
	return ![...OWN_IDS[kind], 'school_external_id'].some((name) => saysWho(fields[name]));
}

/** Of a record only what tells it from others; of a user, and of a bond without an id, the person too. */
export function mentionedFields(kind: Kind, fields: Fields): Fields {
	const names = ['school_external_id', ...OWN_IDS[kind], ...(kind === 'bond' ? ['profile_name'] : [])];
	// Trap: a sheet may have a date or an object where an id should be.
	const ids = names.filter((name) => saysWho(fields[name])).map((name) => [name, fields[name]] as const);
	const isWhole = OWN_IDS[kind].every((name) => saysWho(fields[name]));
	return {
		...Object.fromEntries(ids),
		...((kind === 'user' || !isWhole) && fieldsOfPerson(fields)),
		...(kind === 'class' && yearOf(fields)),
	};
}

/** The year of a class, as it would be sent. */
function yearOf({ year }: Fields): Fields {
	const { data } = classCreation.shape.year.safeParse(year);
	return data === undefined ? {} : { year: data };
}

/** What tells a person, as it would be sent. */
function fieldsOfPerson(fields: Fields): Fields {
	const { shape } = userCreation;
	const told = PERSON_FIELDS.map((name) => [name, shape[name].safeParse(fields[name]).data] as const);
	return Object.fromEntries(told.filter(([, value]) => value !== undefined)) as Fields;
}
