/** What a roster consists of: records of the service's own creations, and where each stands in its file. */

/** The kinds of record, in the order in which they are created. */
export const KINDS = ['class', 'user', 'bond'] as const;

export type Kind = (typeof KINDS)[number];

/** Where something stands: the name of the file (without folders) and the line in it, counted from 1; of a sheet, the item. */
export interface Place {
	file: string;
	line: number;
}

/** The service's own fields of a creation, by their names in the service's document. */
export type Fields = Readonly<Record<string, string | number | null | readonly string[]>>;

/** One class, user or bond. */
export interface RosterRecord {
	kind: Kind;
	/** The body that is sent, as the contract gives it. Of a record that is faulty or gone only what tells it from others. */
	fields: Fields;
	source: Place;
	/** What the roster calls a faulty person or class, for a person to read. */
	name?: string;
}

/**
 * What items of `Records` say beside records, as their `kind`, so that what is left out does not look as if it were gone: `faulty`, a record that is
 * there and cannot be sent, or without ids, that not everything of this kind is there; `gone`, one that the roster itself says is gone. `of` is the kind
 * of the record.
 */
export const SAYINGS = ['faulty', 'gone'] as const;

/** By these somebody without an id may be found in the ledger. */
export const PERSON_FIELDS = ['first_name', 'last_name', 'birth_date', 'document_value'] as const;

/** What a person or a class is called; '' for a bond, and where the roster does not say it. */
export function displayNameOf({ first_name: first, last_name: last, name }: Fields): string {
	return [first, last, name].filter((word) => typeof word === 'string' && word !== '').join(' ');
}
