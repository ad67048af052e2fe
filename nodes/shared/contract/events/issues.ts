/** Findings about a delivery, as its sender or its item gets them: where, and what is the matter. Never the value itself. */
export interface Issue {
	/** Where in the body, for example `payload.structure_users.users[0].name`; empty for the body as a whole. */
	path: string;
	/** What must hold there, for example `must not be empty`; of what was healed, what became of it: `arrives as cnpj`. */
	message: string;
}

/** How many findings an answer or an item carries: enough to repair a sender, too few to make the answer a weapon. */
export const MOST_ISSUES = 50;

/** The findings to tell. Where there are too many, the last says how many more; judging ends early, so that may be more still. */
export function listed(findings: readonly Issue[]): Issue[] {
	if (findings.length <= MOST_ISSUES) return [...findings];
	const told = findings.slice(0, MOST_ISSUES - 1);
	return [...told, { path: '', message: `and at least ${findings.length - told.length} more` }];
}

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
