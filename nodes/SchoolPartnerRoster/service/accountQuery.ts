/** How the result of an account creation is asked for, and what it says. Pure. */
import type { IDataObject } from 'n8n-workflow';

export interface QueryParameter {
	name: string;
	value: string;
}

/** What stands for something of a user in the value of a parameter. */
export const PLACEHOLDERS = ['external_id', 'school_external_id', 'service_id'] as const;

/** What tells one user of a school from another. */
export const NAMES_ONE: ReadonlySet<string> = new Set(['external_id', 'service_id']);

const PLACEHOLDER = /\{([a-z_]+)\}/g;

/** The names in braces. */
export function placeholdersIn(value: string): string[] {
	return [...value.matchAll(PLACEHOLDER)].map(([, name]) => name);
}

/** The parameters for one user. Undefined where an id is not known: a query without it would mean somebody else. */
export function filledQuery(
	parameters: readonly QueryParameter[],
	ids: Readonly<Record<(typeof PLACEHOLDERS)[number], string>>,
): QueryParameter[] | undefined {
	const known = new Map<string, string>(Object.entries(ids));
	const isComplete = parameters.every(({ value }) =>
		placeholdersIn(value).every((name) => (known.get(name) ?? '') !== ''),
	);
	if (!isComplete) return undefined;
	return parameters.map(({ name, value }) => ({
		name,
		value: value.replace(PLACEHOLDER, (_all, placeholder: string) => known.get(placeholder) ?? ''),
	}));
}

/** Whether a creation result has one of these statuses, whatever its case and the blanks around it. */
export function isConfirmed({ status }: IDataObject, statuses: readonly string[]): boolean {
	return typeof status === 'string' && statuses.some((one) => comparable(one) === comparable(status));
}

function comparable(text: string): string {
	return text.trim().toLowerCase();
}
