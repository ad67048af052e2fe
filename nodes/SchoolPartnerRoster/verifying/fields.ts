/** The fields of a person or a class as the service shows them, against the digests of what was sent. Pure. */
import { isJsonObject, type JsonObject } from '../../shared/contract/json';
import { digestsByField, fieldDigest, FULL_NAME, NAME_FIELDS } from '../planning/fieldDigests';
import type { Kind } from '../roster/record';

/** By the name of a field, how its value may have been sent: as it is shown, in small letters, without its punctuation. None: it is shown empty. */
export type ShownFields = ReadonlyMap<string, readonly string[]>;

/** The fields of an account. What it does not have at all is not among them. @param digests of the user in the ledger */
export function shownPerson(account: JsonObject, digests: string, salt: string): ShownFields {
	const { cell_phone: phone, documents } = account;
	const fields: Record<string, unknown> = {
		[FULL_NAME]: account.name,
		external_id: account.external_id,
		birth_date: account.date_of_birth,
		email: account.email,
	};
	if (phone !== undefined) {
		const { ddi, value } = isJsonObject(phone) ? phone : { ddi: null, value: null };
		Object.assign(fields, { ddi, cell_phone: value });
	}
	if (Array.isArray(documents)) {
		// Somebody may have several: the one that was sent is of the type that was sent.
		const sent = digestsByField('user', digests).get('document_type');
		const shown = documents.filter(isJsonObject);
		const isSent = ({ type }: JsonObject) => fieldDigest('document_type', shownText(type), salt) === sent;
		const { type = null, value = null } = shown.find(isSent) ?? shown[0] ?? {};
		Object.assign(fields, { document_type: type, document_value: value });
	}
	return writings(fields);
}

/** The fields of a class in the list of somebody's classes. */
export function shownClass(shown: JsonObject): ShownFields {
	const { external_id, name, description, year } = shown;
	const fields: Record<string, unknown> = { external_id, name, description, year };
	for (const field of ['educational_stage', 'grade', 'shift']) {
		const named = shown[field];
		if (isJsonObject(named)) fields[field] = named.name;
	}
	return writings(fields);
}

function writings(fields: Readonly<Record<string, unknown>>): ShownFields {
	const shown = Object.entries(fields).filter(([, value]) => value !== undefined);
	return new Map(
		shown.map(([name, value]) => {
			const text = shownText(value);
			const plain = text.replaceAll(/[\s().\-/]/g, '');
			return [name, [...new Set([text, text.toLowerCase(), plain])].filter(Boolean)];
		}),
	);
}

/** Names of the fields that are shown with a value. */
export function namesWithValue(shown: ShownFields): string[] {
	return [...shown].filter(([, values]) => values.length > 0).map(([name]) => name);
}

export function shownText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Names of the fields that are shown otherwise than they were sent. What was not sent is not compared: the service may have it from elsewhere. */
export function fieldsShownOtherwise(
	kind: Kind,
	digests: string,
	shown: ShownFields,
	salt: string,
): string[] {
	const sent = digestsByField(kind, digests);
	return [...shown].flatMap(([name, values]) => {
		if (kind === 'user' && name === FULL_NAME) return namesThatDiffer(values[0], sent, salt);
		const isSame = values.some((value) => fieldDigest(name, value, salt) === sent.get(name));
		return sent.has(name) && !isSame ? [name] : [];
	});
}

/** The name is shown as one: cut at one of its blanks, it may give the names that were sent. */
function namesThatDiffer(name = '', sent: ReadonlyMap<string, string>, salt: string): string[] {
	if (!NAME_FIELDS.some((field) => sent.has(field))) return [];
	const words = name.split(/\s+/);
	let fewest = NAME_FIELDS;
	for (let cut = 0; cut <= words.length; cut++) {
		const parts = [words.slice(0, cut).join(' '), words.slice(cut).join(' ')];
		const differing = NAME_FIELDS.filter(
			(field, part) => (sent.get(field) ?? '') !== fieldDigest(field, parts[part], salt),
		);
		if (differing.length < fewest.length) fewest = differing;
	}
	return fewest;
}
