/**
 * The shape in which the tables of the service's document are kept here: plain data, one row per field,
 * exactly what the document says and nothing of what the sandbox makes of it. A test can hold these rows
 * against any other reading of the same document.
 */

/** Type names as the document writes them; `date` is a string of the shape YYYY-MM-DD. */
export type FieldType =
	| 'string'
	| 'int'
	| 'bool'
	| 'date'
	| 'datetime'
	| 'timestamp'
	| 'uuid'
	| 'string[]'
	| { object: FieldTable }
	| { list: FieldTable };

export interface DocumentedField {
	readonly name: string;
	readonly type: FieldType;
	/** Maximum length in characters (for `int`: digits), when the document gives one. */
	readonly size?: number;
	/** `'not shown'` where the document leaves it open. */
	readonly required: boolean | 'not shown';
	/** The document says that null is a value. */
	readonly nullable?: boolean;
}

export interface FieldTable {
	/** The heading under which the document lists the fields. */
	readonly title: string;
	readonly fields: readonly DocumentedField[];
}
