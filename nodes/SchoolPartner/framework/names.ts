/** Names of parameters (camelCase, fixed by saved workflows) and of the service's fields (snake_case). */

/** `schoolExternalId` becomes `school_external_id`. */
export function wireName(parameter: string): string {
	return parameter.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** An object with the service's names. */
export function withWireNames(entry: object): Record<string, unknown> {
	return Object.fromEntries(Object.entries(entry).map(([name, value]) => [wireName(name), value]));
}
