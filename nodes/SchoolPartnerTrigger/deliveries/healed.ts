/** What healing changed in a body: an audit wants to know what was sent. */
import { jsonPath } from '../../shared/contract/jsonPath';
import { isJsonObject } from '../../shared/contract/json';
import { DOCUMENTED_NAMES } from '../../shared/contract/tolerances';
import type { Issue } from './issues';

/**
 * Where the healed form differs from what was sent, and how, in the order of the body. Trap: most deliveries were not touched,
 * and healing gives back the very part that it did not touch: what is the same object costs no walk.
 */
export function* healedIn(sent: unknown, healed: unknown, at: readonly PropertyKey[] = []): Generator<Issue> {
	if (sent === healed) return;
	if (Array.isArray(sent) && Array.isArray(healed)) {
		for (const [index, entry] of sent.entries()) yield* healedIn(entry, healed[index], [...at, index]);
	} else if (isJsonObject(sent) && isJsonObject(healed)) {
		for (const [name, value] of Object.entries(sent)) {
			const path = [...at, name];
			if (Object.hasOwn(healed, name)) yield* healedIn(value, healed[name], path);
			else yield { path: jsonPath(path), message: `arrives as ${documentedName(name)}` };
		}
		// An empty field that another one was taken for is told by the name of that one.
	} else if (typeof sent === 'string' && sent !== '') {
		yield { path: jsonPath(at), message: "arrives in the form of the service's document" };
	}
}

function documentedName(name: string): string {
	return DOCUMENTED_NAMES[name as keyof typeof DOCUMENTED_NAMES];
}
