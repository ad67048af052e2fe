/** Which fields of what the service shows are not those that were sent, by the digests of the ledger. Pure. */
import { digestsByField, fieldDigest } from '../planning/fieldDigests';
import type { Kind } from '../roster/record';

import { FULL_NAME, NAMES } from '../planning/seenFields';
import type { ShownFields } from './shownFields';

export interface ComparedFields {
	/** Names of fields that differ. */
	differing: string[];
	/** Of these, the ones that are shown empty. */
	empty: string[];
	/** Names of fields that are shown with a value. */
	filled: string[];
}

/** What was not sent is not compared: the service may have it from elsewhere. */
export function comparedFields(
	kind: Kind,
	digests: string,
	shown: ShownFields,
	salt: string,
): ComparedFields {
	const sent = digestsByField(kind, digests);
	const result: ComparedFields = { differing: [], empty: [], filled: [] };
	for (const [name, values] of shown) {
		const isName = kind === 'user' && name === FULL_NAME;
		const names = (isName ? NAMES : [name]).filter((field) => sent.has(field));
		if (values.length > 0) result.filled.push(...names);
		const differing = isName
			? differingNames(values[0], sent, salt)
			: names.filter((field) => values.every((value) => fieldDigest(field, value, salt) !== sent.get(field)));
		result.differing.push(...differing);
		if (values.length === 0) result.empty.push(...differing);
	}
	return result;
}

/** Cut at each of its blanks, one cut may give the names that were sent. */
function differingNames(name = '', sent: ReadonlyMap<string, string>, salt: string): string[] {
	const words = name.split(/\s+/);
	const cuts = Array.from({ length: words.length + 1 }, (_, at) => [
		words.slice(0, at).join(' '),
		words.slice(at).join(' '),
	]);
	const unlike = cuts.map((parts) =>
		NAMES.filter((field, part) => (sent.get(field) ?? '') !== fieldDigest(field, parts[part], salt)),
	);
	return unlike.reduce((best, one) => (one.length < best.length ? one : best));
}
