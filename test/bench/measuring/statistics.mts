/** Medians and spreads. Pure. */

/** Of one figure, measured in several rounds. */
export interface Spread {
	median: number;
	least: number;
	most: number;
}

/** Median, smallest and largest of at least one value. */
export function spreadOf(values: readonly number[]): Spread {
	if (values.length === 0) throw new Error('Nothing was measured');
	const sorted = [...values].sort((one, other) => one - other);
	const middle = Math.floor(sorted.length / 2);
	const median =
		sorted.length % 2 === 1 ? sorted[middle] : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
	return { median: median ?? 0, least: sorted[0] ?? 0, most: sorted.at(-1) ?? 0 };
}

/** The quotients of two figures, round by round: what the machine did to one round it did to both. */
export function ratiosOf(over: readonly number[], under: readonly number[]): number[] {
	return over.map((value, round) => value / (under[round] ?? Number.NaN));
}
