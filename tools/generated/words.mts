/**
 * What the contract demands of a value, in the contract's own words. Its checks are functions, so that nothing can be
 * read from them: they are asked, with values that they refuse, and what they say then is what the tables say.
 */

/** What the contract says to a value: nothing when it takes it. */
export type Ask = (value: unknown) => string[];

/** Longer than every size of the service's document. */
const LONG_TEXT = 'x'.repeat(100_000);

/** "must be a GUID, for example 3f25…" is "a GUID"; "must be text, but is an object" is "text". */
export function formatOf(ask: Ask): string {
	const demand = demandIn(ask('-')) ?? demandIn(ask({})) ?? 'anything';
	return demand === 'text' && ask(1042).length === 0 ? 'text or whole number' : demand;
}

/** The longest text that is taken, in characters (or bytes, where it says so); empty when there is no such limit. */
export function sizeOf(ask: Ask): string {
	for (const finding of ask(LONG_TEXT)) {
		const [, size, unit] = /^must be at most (\d+) (characters|bytes) long$/.exec(finding) ?? [];
		if (size !== undefined) return `${Number(size).toLocaleString('en')}${unit === 'bytes' ? ' bytes' : ''}`;
	}
	return '';
}

function demandIn(findings: readonly string[]): string | undefined {
	const demands = findings.map(
		(finding) => /^must be (?!at most)(.+?)(?:, (?:but|for example) .*)?$/.exec(finding)?.[1],
	);
	return demands.find((demand) => demand !== undefined);
}
