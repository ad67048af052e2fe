/** A finding names the parameter (as workflows save it), says the fact, and then the next step. */
export interface RegistrationFinding {
	readonly field: string;
	readonly message: string;
	readonly description: string;
}

type Check = readonly [applies: boolean, field: string, message: string, description: string];

/** The findings that apply, in the order in which they are listed. */
export const listed = (...checks: Check[]): RegistrationFinding[] =>
	checks
		.filter(([applies]) => applies)
		.map(([, field, message, description]) => ({ field, message, description }));
