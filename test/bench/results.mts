/** What the chapters of the bench give, and what is written to docs/performance.json. */
import type { Machine } from './measuring/machine.mts';
import type { Spent } from './measuring/spent.mts';
import type { Spread } from './measuring/statistics.mts';

/** How a chapter is to be measured. */
export interface Plan {
	rounds: number;
	/** Whether a comparison is asked for, by its id. */
	wants: (id: string) => boolean;
	/** Tells whoever waits what is being measured. */
	say: (what: string) => void;
	/** Size of the network of a roster. */
	students: number;
}

export interface Comparison {
	id: string;
	what: string;
	against: string;
	/** Of `ours` and `theirs`. */
	unit: 'ms' | 'deliveries/s' | 'MB';
	/** Of the ratio's median. `atLeast`: how many times as fast. `atMost`: how much of theirs is used. */
	target: { atLeast: number } | { atMost: number };
	ours: Spread;
	theirs: Spread;
	/** Round by round; over 1 is faster, for memory under 1 is less. */
	ratio: Spread;
	/** The same for the whole runs, of which the measured nodes are a part. */
	wholeRun?: Spread;
}

/** What has to hold whoever else is measured: what was seen in the rounds, of which the worst counts. */
export interface Bound {
	id: string;
	what: string;
	unit: '' | '%' | '×' | 's' | 'ms' | 'MB';
	seen: Spread;
	atMost: number;
}

/** One point of a curve: what a run costs when one factor has this value. */
export interface Point {
	value: number;
	msPerItem: Spread;
	/** Most resident memory of n8n during the run, MB. */
	peakMb: number;
	/** Most connections to the service that were open at the same time. */
	connections: number;
}

export interface Curve {
	id: 'items' | 'inFlight' | 'latency';
	factor: string;
	points: Point[];
}

/** What a first load of a network of this size costs, service next door. */
export interface RosterPoint {
	students: number;
	/** Classes, users and bonds. */
	records: number;
	/** Milliseconds that the node takes. */
	took: Spread;
	/** And the night after, in which nothing is different. */
	second: Spread;
	/** How late n8n's event loop was meanwhile, in milliseconds: of a hundred looks all but one at most so late, and the longest. */
	loop: { p99: Spread; longest: Spread };
	/** Most resident memory of n8n during the run, above what it holds when it rests, MB. */
	peakMb: number;
}

/** Where the time of a run goes: shares of the processor time of n8n, and of waiting. */
export interface Floor {
	what: string;
	/** Milliseconds for all requests. */
	bare: Spread;
	ours: Spread;
	/** How many times as long as the bare client the node takes. */
	ratio: Spread;
}

export interface Share {
	part: string;
	percent: number;
}

/** What one part of an accepted delivery costs, in milliseconds of n8n's processor time. */
export interface DeliveryPart {
	part: string;
	theirsMs: number;
	oursMs: number;
}

/** What n8n spends for one delivery, whichever node takes it. */
export interface DeliveryCost {
	/** As the comparison of the same deliveries. */
	id: string;
	what: string;
	theirs: Spent;
	ours: Spent;
}

export interface Results {
	date: string;
	n8n: string;
	node: string;
	machine: Machine;
	rounds: number;
	comparisons: Comparison[];
	bounds: Bound[];
	floor: Floor[];
	profile: Share[];
	deliveryCosts: DeliveryCost[];
	deliveryProfile: DeliveryPart[];
	curves: Curve[];
	rosterGrowth: RosterPoint[];
}

/** A ratio as it is printed. Verdicts are of this figure: no reader takes 1.00 x for less than 1 x. */
export function printedRatio(value: number): string {
	return value.toFixed(value < 10 ? 2 : 1);
}

/** What is held against a bound, as it is printed, and judged. */
export function printedBound(value: number): string {
	return String(Number(value.toFixed(1)));
}

export function isReached({ target, ratio }: Comparison): boolean {
	const median = Number(printedRatio(ratio.median));
	return 'atLeast' in target ? median >= target.atLeast : median <= target.atMost;
}

export function isHeld({ seen, atMost }: Bound): boolean {
	return Number(printedBound(seen.most)) <= atMost;
}

/** What was measured before, with the chapters that were measured anew in the place of the old ones. */
export function withChapters(before: Results, anew: Results): Results {
	return {
		...anew,
		rounds: Math.min(before.rounds, anew.rounds),
		comparisons: replaced(before.comparisons, anew.comparisons),
		bounds: replaced(before.bounds, anew.bounds),
		deliveryCosts: replaced(before.deliveryCosts, anew.deliveryCosts),
		floor: anew.floor.length > 0 ? anew.floor : before.floor,
		profile: anew.profile.length > 0 ? anew.profile : before.profile,
		deliveryProfile: anew.deliveryProfile.length > 0 ? anew.deliveryProfile : before.deliveryProfile,
		curves: anew.curves.length > 0 ? anew.curves : before.curves,
		rosterGrowth: anew.rosterGrowth.length > 0 ? anew.rosterGrowth : before.rosterGrowth,
	};
}

/** Those of before, each in its place, and what is new at the end. */
function replaced<T extends { id: string }>(before: readonly T[], anew: readonly T[]): T[] {
	const ofAnew = new Map(anew.map((one) => [one.id, one]));
	const known = new Set(before.map(({ id }) => id));
	return [...before.map((one) => ofAnew.get(one.id) ?? one), ...anew.filter(({ id }) => !known.has(id))];
}
