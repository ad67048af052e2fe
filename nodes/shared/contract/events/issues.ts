/** Findings about a delivery, as the sender gets them: where, and what is wrong there. Never the value itself. */
export interface Issue {
	/** Where in the body, for example `payload.structure_users.users[0].name`; empty for the body as a whole. */
	path: string;
	/** What must hold there, for example `must not be empty`. */
	message: string;
}

/** How many findings an answer carries: enough to repair a sender, too few to make the answer a weapon. */
export const MOST_ISSUES = 50;

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;

/** A path in the notation of JavaScript: names behind dots, positions and unusual names in brackets. */
export function jsonPath(segments: readonly PropertyKey[]): string {
	return segments.reduce<string>((path, segment) => {
		if (typeof segment === 'number') return `${path}[${segment}]`;
		const name = String(segment);
		if (!PLAIN_NAME.test(name)) return `${path}[${JSON.stringify(name)}]`;
		return path === '' ? name : `${path}.${name}`;
	}, '');
}
