/** Keeps tokens and secrets of a run out of every text that comes from outside. Pure. */

const STRUCK_OUT = '[secret]';

/** Shorter ones are struck out of refusals only: in data, they could be part of a word. Characters. */
const SHORTEST_IN_DATA = 16;

/** How a secret may stand in a text. Trap: a form, which is how it is sent, escapes other characters than an address. */
const formsOf = (secret: string): Set<string> =>
	new Set([
		secret,
		JSON.stringify(secret).slice(1, -1),
		// Trap: half of a character, as anybody may send it, cannot be encoded.
		encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\uFFFD')),
		new URLSearchParams([['', secret]]).toString().slice(1),
	]);

/** A text without any of the secrets, however they stand in it. */
export function withoutSecrets(text: string, secrets: Iterable<string>): string {
	let clean = text;
	for (const secret of secrets) {
		if (secret === '') continue;
		for (const form of formsOf(secret)) clean = clean.replaceAll(form, STRUCK_OUT);
	}
	return clean;
}

/** The body of a refusal without them. */
export function refusalWithoutSecrets(body: string, secrets: Iterable<string>): string {
	return withoutSecrets(withoutJsonEscapes(body), secrets);
}

/** The body of an answer without them. */
export function answerWithoutSecrets(body: string, secrets: Iterable<string>): string {
	const long = [...secrets].filter(({ length }) => length >= SHORTEST_IN_DATA);
	// Looked for first: nearly no answer holds one.
	return long.some((secret) => body.includes(secret)) ? withoutSecrets(body, long) : body;
}

/** Trap: JSON may write any letter of a secret as an escape. */
function withoutJsonEscapes(body: string): string {
	try {
		return JSON.stringify(JSON.parse(body));
	} catch {
		// Not JSON, or nested too deep to be written again: its text is looked through as it is.
		return body;
	}
}
