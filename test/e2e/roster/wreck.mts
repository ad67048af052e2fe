/** What a kill has left of a run, and what must be so after the next one. */
import { doublesIn, lastIntents, uncertainIn, type Load } from './load.mts';
import type { Night } from './stage.mts';

export interface Wreck {
	load: Load;
	/** Where the kill hit, in words. */
	point: string;
	/** Requests that write, as many as had come. */
	requests: number;
	/** Keys of what the ledger does not know after the kill. */
	uncertain: string[];
	/** What became of it, for the table. */
	afterwards: string;
}

/** To be called before the next run: uncertain is what the last two intents name, and nothing else. */
export async function lookAt(load: Load, point: string): Promise<Wreck> {
	const rows = await load.rows();
	const [uncertain, intent] = [uncertainIn(rows), lastIntents(rows)];
	expect(uncertain.filter((key) => !intent.has(key))).toEqual([]);
	return { load, point, requests: await load.writes(), uncertain, afterwards: 'not looked at' };
}

/** After the next run: nobody was asked again, nothing is there twice, and nothing is missing but what is uncertain and what needs it. */
export async function expectRest(wreck: Wreck, { said, summary }: Night): Promise<void> {
	const { load } = wreck;
	expect([said, summary.holds]).toEqual(['', []]);
	const [held, uncertain] = [await load.held(), new Set(uncertainIn(await load.rows()))];
	expect(doublesIn(held)).toEqual([]);
	expect([...uncertain].filter((key) => !wreck.uncertain.includes(key))).toEqual([]);
	const there = new Set(held);
	const lacking = load.network.keys.filter((key) => !there.has(key));
	const { needs } = load.network;
	const lost = lacking.filter(
		(key) => !uncertain.has(key) && !isKeptBack(key, uncertain, new Set(lacking), needs),
	);
	// How the run ended says why.
	expect(lost.length === 0 ? [] : [summary.outcome, summary.causes, ...lost]).toEqual([]);
	wreck.afterwards = `${held.length} there, ${lacking.filter((key) => uncertain.has(key)).length} uncertain not there, ${lacking.filter((key) => !uncertain.has(key)).length} wait`;
}

function isKeptBack(
	key: string,
	uncertain: ReadonlySet<string>,
	lacking: ReadonlySet<string>,
	needs: ReadonlyMap<string, readonly string[]>,
): boolean {
	return (needs.get(key) ?? []).some((needed) => uncertain.has(needed) || lacking.has(needed));
}

/** After the next run against a service that refuses doubles: everything is there once, and nothing is uncertain. */
export async function expectEverything(wreck: Wreck, { said, summary }: Night): Promise<void> {
	const { load } = wreck;
	expect([said, summary.holds]).toEqual(['', []]);
	expect(await load.held()).toEqual(load.network.keys);
	expect(uncertainIn(await load.rows())).toEqual([]);
	wreck.afterwards = 'everything there, nothing uncertain';
}

/** What is printed in the end. */
export function tableOf(head: readonly string[], lines: ReadonlyArray<readonly string[]>): string {
	const widths = head.map((title, column) =>
		Math.max(title.length, ...lines.map((line) => line[column].length)),
	);
	const shown = [head, ...lines].map((line) =>
		line
			.map((cell, column) => cell.padEnd(widths[column]))
			.join('  ')
			.trimEnd(),
	);
	return shown.join('\n');
}

export function tableOfWrecks(wrecks: readonly Wreck[]): string {
	const lines = wrecks.map(({ load, point, requests, uncertain, afterwards }) => [
		...[point, load.name, String(requests), String(uncertain.length), afterwards],
	]);
	return tableOf(['killed', 'load', 'requests so far', 'uncertain', 'afterwards'], lines);
}
