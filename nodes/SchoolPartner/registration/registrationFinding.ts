/** What a person should look at in a registration. */
export interface RegistrationFinding {
	/** The parameter, as workflows save it. */
	readonly field: string;
	readonly message: string;
	readonly next_step: string;
}

export function finding(field: string, message: string, next_step: string): RegistrationFinding {
	return { field, message, next_step };
}
