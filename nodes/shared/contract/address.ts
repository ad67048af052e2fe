/**
 * The addresses of a credential: of the service (Base URL) and of the sign-on area (Issuer URL). The one place that says what such
 * an address may be, for the node, for the triggers, and for the expressions that n8n evaluates in the credential itself.
 */
import { failed, success, type Failure, type Outcome } from '../failure';

/** Fields of the credentials, as the user sees them. */
export const ADDRESS_FIELDS = {
	baseUrl: { label: 'Base URL', example: 'https://api.school-partner.example' },
	issuerUrl: { label: 'Issuer URL', example: 'https://login.school-partner.example' },
} as const;

export type AddressField = keyof typeof ADDRESS_FIELDS;

/**
 * What an address may not be, in the order in which it is told; the words go on after "it". Trap: a user name and password are
 * carried along into messages and logs, and n8n's HTTP client sends them in the place of the token. Query and fragment would swallow the
 * path that is put behind the address.
 */
const FLAWS: ReadonlyArray<[flaw: RegExp, words: string]> = [
	[/^$/, 'is empty'],
	[/^(?!https?:\/\/)/i, 'does not begin with https:// or http://'],
	[/^https?:\/\/[^/?#]*@/i, 'holds a user name or a password'],
	[/[?#]/, 'holds a ? or a #'],
	[/[\s\\\p{Cc}]/u, 'holds a blank or a backslash'],
	[/^https?:\/\/(?![^/:])/i, 'names no host'],
];

/** An address without spaces around it and without slashes at its end. */
export function baseAddress(typed: string): string {
	const text = typed.trim();
	// Trap: /\/+$/ looks from each slash to the end; a million of them, in an answer of a stranger, stop n8n for minutes.
	let end = text.length;
	while (text[end - 1] === '/') end -= 1;
	return text.slice(0, end);
}

/**
 * The address that a text is; undefined where it is none. Trap: `URL.canParse` of Node.js 20 takes an address with letters beyond
 * ASCII for none as soon as it was asked often enough to be compiled.
 */
export function parsedAddress(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

/** The address that a field of a credential holds, or why it cannot be used. Never quotes what the field holds. */
export function readAddress(
	field: AddressField,
	typed: unknown,
): Outcome<string, Pick<Failure, 'message' | 'next'>> {
	const address = baseAddress(typeof typed === 'string' ? typed : '');
	const flaw = FLAWS.find(([form]) => form.test(address))?.[1];
	// What no form tells: ports that do not exist, hosts that cannot be read.
	const words = flaw ?? (parsedAddress(address) ? undefined : 'has a host or a port that cannot be');
	return words === undefined
		? success(address)
		: failed({ message: refusalIn(field, words), next: nextStepFor(field) });
}

function refusalIn(field: AddressField, words: string): string {
	return `${ADDRESS_FIELDS[field].label} in the credential is not an address that can be used: it ${words}`;
}

function nextStepFor(field: AddressField): string {
	const { label, example } = ADDRESS_FIELDS[field];
	return `Open the credential and enter the address alone as ${label}, for example ${example}.`;
}

/**
 * n8n's expression for a path below the Issuer URL, for hidden fields of a credential. It gives nothing where the field holds no address
 * that can be used, so that n8n has nowhere to send the client secret to.
 */
export function belowIssuer(path: string): string {
	const isUsable = `!(${FLAWS.map(([form]) => `${String(form)}.test(address)`).join(' || ')})`;
	return `={{ ((address) => ${isUsable} ? address + ${JSON.stringify(path)} : "")(${addressIn('$self', 'issuerUrl')}) }}`;
}

/**
 * n8n's expression for the address that the test of a credential asks. It refuses what cannot be used in any of the fields in the words
 * of {@link readAddress}, before n8n sends anything.
 *
 * Trap: n8n shows what an expression throws only when it has the name of its own exceptions; any other it takes for an empty value.
 * The older engine of expressions (n8n 2.4.8) does so with every one, and the test is red with n8n's words.
 */
export function testedAddress(tested: AddressField, fields: readonly AddressField[]): string {
	const checks = fields.map((field) => {
		const flaws = FLAWS.map(
			([form, words]) => `${String(form)}.test(address) ? ${JSON.stringify(refusalIn(field, words))}`,
		);
		return `refuseIf(((address) => ${flaws.join(' : ')} : "")(${addressIn('$credentials', field)}), ${JSON.stringify(nextStepFor(field))})`;
	});
	const refuseIf =
		'(words, next) => { if (words !== "") throw Object.assign(new Error(words + ". " + next), { name: "ExpressionError" }); }';
	return `={{ ((refuseIf) => { ${checks.join('; ')}; return ${addressIn('$credentials', tested)}; })(${refuseIf}) }}`;
}

/**
 * What the test of a credential says of a redirect. It follows none (`disableFollowRedirect` of its request), so that the token goes to
 * no other address; n8n itself would say the bare words of the status.
 *
 * @param who answers at the address, at the beginning of a sentence
 */
export function redirectRules(tested: AddressField, who: string) {
	const { label } = ADDRESS_FIELDS[tested];
	const message = `${who} answers with a redirect, which is not followed. Enter the address that it really has as ${label}.`;
	return [301, 302, 303, 307, 308].map((status) => statusRule(status, message));
}

/** What the test of a credential says of a status. */
export function statusRule(value: number, message: string) {
	return { type: 'responseCode', properties: { value, message } };
}

function addressIn(source: '$self' | '$credentials', field: AddressField): string {
	return String.raw`String(${source}["${field}"] ?? "").trim().replace(/\/+$/, "")`;
}
