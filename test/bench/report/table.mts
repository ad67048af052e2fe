/** Figures as a reader sees them. Pure. */
import type { Spent } from '../measuring/spent.mts';
import type { Spread } from '../measuring/statistics.mts';
import {
	isHeld,
	isReached,
	printedBound,
	printedRatio,
	type Bound,
	type Comparison,
	type Curve,
	type DeliveryCost,
	type DeliveryPart,
	type Floor,
	type Results,
	type RosterPoint,
	type Share,
} from '../results.mts';

/** Rows with columns of equal width, for a terminal. */
export function aligned(rows: readonly string[][]): string {
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

/** The same rows as Markdown; the first is the heading. */
export function markdown([heading, ...rows]: readonly string[][]): string {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	return [line(heading ?? []), line((heading ?? []).map(() => '---')), ...rows.map(line)].join('\n');
}

export function comparisonRows(comparisons: readonly Comparison[]): string[][] {
	return [
		['Work', 'Against', 'Ours', 'Theirs', 'Ratio (least to most)', 'Target', 'Reached', 'Whole run'],
		...comparisons.map((one) => [
			one.what,
			one.against,
			`${figure(one.ours.median)} ${one.unit}`,
			`${figure(one.theirs.median)} ${one.unit}`,
			`${ratio(one.ratio.median)} (${ratio(one.ratio.least)} to ${ratio(one.ratio.most)})`,
			'atLeast' in one.target ? `at least ${one.target.atLeast} x` : `at most ${one.target.atMost} x`,
			isReached(one) ? 'yes' : 'no',
			one.wholeRun === undefined ? '' : ratio(one.wholeRun.median),
		]),
	];
}

export function boundRows(bounds: readonly Bound[]): string[][] {
	return [
		['What has to hold', 'Seen (least to most)', 'At most', 'Held'],
		...bounds.map((one) => {
			const { what, unit, seen, atMost } = one;
			const shown = (value: number) => `${printedBound(value)}${unit === '' ? '' : ` ${unit}`}`;
			return [
				what,
				`${shown(seen.median)} (${shown(seen.least)} to ${shown(seen.most)})`,
				shown(atMost),
				isHeld(one) ? 'yes' : 'no',
			];
		}),
	];
}

export function floorRows(floors: readonly Floor[]): string[][] {
	return [
		['Work', 'Bare client', 'The node', 'The node takes'],
		...floors.map(({ what, bare, ours, ratio: times }) => [
			what,
			`${figure(bare.median)} ms`,
			`${figure(ours.median)} ms`,
			`${ratio(times.median)} as long (${spread(times)})`,
		]),
	];
}

export function profileRows(shares: readonly Share[]): string[][] {
	return [
		['Part', 'Share of the time'],
		...shares.map(({ part, percent }) => [part, `${percent.toFixed(1)} %`]),
	];
}

export function curveRows({ factor, points }: Curve): string[][] {
	return [
		[
			factor[0]?.toUpperCase() + factor.slice(1),
			'Time per item',
			'Peak memory of n8n',
			'Connections at once',
		],
		...points.map(({ value, msPerItem, peakMb, connections }) => [
			value.toLocaleString('en'),
			`${msPerItem.median.toFixed(2)} ms (${msPerItem.least.toFixed(2)} to ${msPerItem.most.toFixed(2)})`,
			`${figure(peakMb)} MB`,
			String(connections),
		]),
	];
}

/** What a first load costs, by the size of the network. */
export function rosterGrowthRows(points: readonly RosterPoint[]): string[][] {
	return [
		[
			'Students',
			'Records',
			'First load',
			'For each record',
			'The night after',
			'Delay of the event loop: p99',
			'longest',
			'Peak memory of n8n above its rest, most',
		],
		...points.map(({ students, records, took, second, loop, peakMb }) => [
			students.toLocaleString('en'),
			records.toLocaleString('en'),
			`${figure(took.median)} ms (${figure(took.least)} to ${figure(took.most)})`,
			`${figure(took.median / records)} ms`,
			`${figure(second.median)} ms`,
			`${figure(loop.p99.median)} ms`,
			`${figure(loop.longest.most)} ms`,
			`${figure(peakMb)} MB`,
		]),
	];
}

/** Deliveries per second of both sides, under each setting of n8n. */
export function settingRows(comparisons: readonly Comparison[]): string[][] {
	const rates = (id: string) => {
		const found = comparisons.find((one) => one.id === id);
		if (found === undefined) throw new Error(`"${id}" was not measured`);
		return [figure(found.theirs.median), figure(found.ours.median)];
	};
	const row = (name: string, id: string) => [name, ...rates(`accepted-${id}`), ...rates(`refused-${id}`)];
	return [
		['', 'Accepted: Webhook node', 'this trigger', 'Refused: Webhook node', 'this trigger'],
		row('by default', 'default'),
		row('with the setting', 'lazy'),
		row('with the setting, in queue mode, by one webhook process', 'queue'),
	];
}

/** What an accepted delivery costs n8n, part by part; the last row is all of it. */
export function deliveryProfileRows(parts: readonly DeliveryPart[]): string[][] {
	const sum = (cost: (part: DeliveryPart) => number) => parts.reduce((whole, part) => whole + cost(part), 0);
	const row = (part: string, theirs: number, ours: number) => [
		part,
		milliseconds(theirs),
		milliseconds(ours),
	];
	return [
		['Part', 'Webhook node', 'this trigger'],
		...parts.map(({ part, theirsMs, oursMs }) => row(part, theirsMs, oursMs)),
		row(
			'all of it',
			sum(({ theirsMs }) => theirsMs),
			sum(({ oursMs }) => oursMs),
		),
	];
}

/** What n8n spends for a delivery; whichever node takes it, most of it is n8n's. */
export function deliveryCostRows(costs: readonly DeliveryCost[]): string[][] {
	const cells = ({ sandboxes, cpuMs }: Spent) => [sandboxes.toFixed(2), `${cpuMs.toFixed(1)} ms`];
	return [
		['', 'Webhook node: sandboxes', 'processor time', 'this trigger: sandboxes', 'processor time'],
		...costs.map(({ what, theirs, ours }) => [what, ...cells(theirs), ...cells(ours)]),
	];
}

function milliseconds(value: number): string {
	return `${value.toFixed(2)} ms`;
}

/** Where and with what it was measured: absolute figures carry the machine. */
export function circumstances({ date, n8n, node, machine, rounds }: Results): string {
	const { cores, processor, memoryGb, kernel } = machine;
	return `Measured on ${date}: n8n ${n8n} on Node.js ${node}, ${cores} cores (${processor}), ${memoryGb} GB, Linux ${kernel}, everything on loopback; medians of ${rounds} alternating rounds.`;
}

function spread({ least, most }: Spread): string {
	return `${ratio(least)} to ${ratio(most)}`;
}

function ratio(value: number): string {
	return `${printedRatio(value)} x`;
}

function figure(value: number): string {
	return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en');
}
