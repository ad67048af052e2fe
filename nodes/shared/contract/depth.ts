/** How deep a JSON value may be nested: everything that comes from outside has to be one that n8n can show and store. */

/**
 * Levels of lists and objects. The deepest documented message has 7; n8n writes items with functions that call
 * themselves per level and break at some thousands.
 */
export const DEEPEST = 64;

/** Walks through a parsed value without recursion; false where it is nested deeper than {@link DEEPEST}. */
export function isShallow(json: unknown, childrenOf: (value: unknown) => unknown[] = membersOf): boolean {
	let level = [json];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth === DEEPEST) return false;
		level = level.flatMap(childrenOf);
	}
	return true;
}

/** The lists and objects within a value. */
export function membersOf(value: unknown): unknown[] {
	return isContainer(value) ? Object.values(value).filter(isContainer) : [];
}

function isContainer(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
