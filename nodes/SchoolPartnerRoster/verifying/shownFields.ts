/** What the service shows of a person or a class, by the names under which it was sent. Pure. */
import { FULL_NAME } from '../planning/seenFields';

type Shown = Readonly<Record<string, unknown>>;

/** By the name of a field, how its value may have been sent: as it is shown, and without its punctuation. None: it is shown empty. */
export type ShownFields = ReadonlyMap<string, readonly string[]>;

/** The fields of an account. What it does not have at all is not among them. */
export function shownPerson(account: Shown, isTypeOf: (type: string) => boolean): ShownFields {
	const { cell_phone: phone, documents } = account;
	const fields = new Map<string, readonly string[]>();
	add(fields, FULL_NAME, account.name);
	add(fields, 'external_id', account.external_id);
	add(fields, 'birth_date', account.date_of_birth);
	add(fields, 'email', account.email);
	if (phone !== undefined) {
		add(fields, 'ddi', isObject(phone) ? phone.ddi : null);
		add(fields, 'cell_phone', isObject(phone) ? phone.value : null);
	}
	if (Array.isArray(documents)) addDocument(fields, documents.filter(isObject), isTypeOf);
	return fields;
}

/** Somebody may have several documents: the one that was sent is of the type that was sent. */
function addDocument(
	fields: Map<string, readonly string[]>,
	documents: readonly Shown[],
	isTypeOf: (type: string) => boolean,
): void {
	const meant = documents.find(({ type }) => isTypeOf(textOf(type))) ?? documents[0];
	add(fields, 'document_type', meant?.type ?? null);
	add(fields, 'document_value', meant?.value ?? null);
}

/** The fields of a class in the list of somebody's classes. */
export function shownClass(shown: Shown): ShownFields {
	const fields = new Map<string, readonly string[]>();
	for (const name of ['external_id', 'name', 'description', 'year']) add(fields, name, shown[name]);
	for (const name of ['educational_stage', 'grade', 'shift']) {
		const named = shown[name];
		if (isObject(named)) add(fields, name, named.name);
	}
	return fields;
}

function add(fields: Map<string, readonly string[]>, name: string, value: unknown): void {
	if (value === undefined) return;
	const text = textOf(value);
	const plain = text.replaceAll(/[\s().\-/]/g, '');
	fields.set(name, [...new Set([text, text.toLowerCase(), plain])].filter(Boolean));
}

export function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

export function isObject(value: unknown): value is Shown {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
