export type RegistrationFinding = ReturnType<typeof finding>;

/**
 * What a person should look at in a registration.
 * @param field the parameter, as workflows save it
 */
export function finding(field: string, message: string, next_step: string) {
	return { field, message, next_step };
}
