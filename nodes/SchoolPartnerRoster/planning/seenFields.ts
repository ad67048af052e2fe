/** What was seen of a record in the service, as digests: a later run knows by them what somebody has corrected there. Pure. */
import type { Fields } from '../roster/record';

import { fieldDigest } from './fieldDigests';

/** The service shows the full name as one: where it is cut, nobody knows. */
export const FULL_NAME = 'name';

export const NAMES = ['first_name', 'last_name'];

/** Of fields that differ, digests of what is shown, so that a later run knows what was corrected by hand. */
export function seenDigests(
	differing: readonly string[],
	shown: ReadonlyMap<string, readonly string[]>,
	salt: string,
): Record<string, string> {
	const names = new Set(differing.map(shownNameOf));
	return Object.fromEntries(
		[...names].map((name) => [
			name,
			(shown.get(name) ?? []).map((value) => fieldDigest(name, value, salt)).join(' '),
		]),
	);
}

/** Whether the service was seen with just these values in all fields that differ from the ledger. */
export function isSeenAs(
	fields: Fields,
	differing: readonly string[],
	seen: Readonly<Partial<Record<string, string>>>,
	salt: string,
): boolean {
	return differing.every((field) => {
		const name = shownNameOf(field);
		const value = name === FULL_NAME && field !== FULL_NAME ? fullName(fields) : fields[field];
		const digests = seen[name]?.split(' ') ?? [];
		return digests.includes(fieldDigest(name, value, salt));
	});
}

function shownNameOf(field: string): string {
	return NAMES.includes(field) ? FULL_NAME : field;
}

function fullName({ first_name: first, last_name: last }: Fields): string {
	return [first, last].filter(Boolean).join(' ');
}
