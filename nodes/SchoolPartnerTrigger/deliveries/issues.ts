import { MOST_ISSUES } from '../../shared/contract/events/tables';

/** Findings about a delivery, as its sender or its item gets them: where, and what is the matter. Never the value itself. */
export interface Issue {
	/** Where in the body, for example `payload.structure_users.users[0].name`; empty for the body as a whole. */
	path: string;
	/** What must hold there, for example `must not be empty`; of what was healed, what became of it: `arrives as cnpj`. */
	message: string;
}

/** The findings to tell. Where there are too many, the last says how many more; judging ends early, so that may be more still. */
export function listed(findings: readonly Issue[]): Issue[] {
	if (findings.length <= MOST_ISSUES) return [...findings];
	const told = findings.slice(0, MOST_ISSUES - 1);
	return [...told, { path: '', message: `and at least ${findings.length - told.length} more` }];
}
