/** What may be said, as tables: by its code what is so, and what a person can do. */

/** Words that depend on something are a function of it. */
export type Words<Each> = Readonly<Record<string, Each | ((...about: never[]) => Each)>>;

type Whole<Table, Said> = {
	readonly [Code in keyof Table]: Table[Code] extends (...about: infer About) => object
		? (...about: About) => Said
		: Said;
};

/** The entries of a table with their codes, and with what they share. */
export function byCode<Said, Table extends Words<object>>(
	shared: Partial<Said>,
	table: Table,
): Whole<Table, Said> {
	const said = Object.entries(table).map(([code, entry]) => [
		code,
		typeof entry === 'function'
			? (...about: never[]) => ({ ...shared, code, ...entry(...about) })
			: { ...shared, code, ...entry },
	]);
	return Object.fromEntries(said) as Whole<Table, Said>;
}
