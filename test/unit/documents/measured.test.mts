import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PAGES, withMeasured } from '../../bench/report/page.mts';
import { chartOf } from '../../bench/report/chart.mts';
import { boundRows, comparisonRows } from '../../bench/report/table.mts';
import type { Bound, Comparison, Results } from '../../bench/results.mts';

const docs = join(__dirname, '..', '..', '..', 'docs');
const textOf = (name: string) => readFileSync(join(docs, name), 'utf8');
const results = JSON.parse(textOf('performance.json')) as Results;

test.each(PAGES)('the measured tables of docs/%s are those of the last complete measurement', (page) => {
	expect(withMeasured(textOf(page), results)).toBe(textOf(page));
});

test('the chart shows the last complete measurement', () => {
	expect(textOf('images/performance.svg')).toBe(chartOf(results.comparisons));
});

test('the last complete measurement had at least five rounds and left nothing out', () => {
	expect(results.rounds).toBeGreaterThanOrEqual(5);
	expect(results.comparisons.length).toBeGreaterThanOrEqual(14);
	expect(results.floor).toHaveLength(2);
	expect(results.deliveryCosts.map(({ id }) => id)).toEqual(
		expect.arrayContaining(['accepted-default', 'refused-default']),
	);
	expect(results.profile.length).toBeGreaterThan(4);
	expect(results.curves.map(({ id }) => id)).toEqual(['items', 'inFlight', 'latency']);
});

describe('A verdict is of the figure that stands beside it', () => {
	const spread = (value: number) => ({ median: value, least: value, most: value });
	const verdictOf = ([, row]: string[][], heading: string, [headings]: string[][]) =>
		row[headings.indexOf(heading)];
	const compared = (ratio: number, target: Comparison['target']) => {
		const one: Comparison = {
			id: 'a',
			what: 'b',
			against: 'c',
			unit: 'ms',
			target,
			ours: spread(1),
			theirs: spread(1),
			ratio: spread(ratio),
		};
		const rows = comparisonRows([one]);
		return verdictOf(rows, 'Reached', rows);
	};
	const bounded = (most: number) => {
		const one: Bound = { id: 'a', what: 'b', unit: '%', seen: { ...spread(1), most }, atMost: 3 };
		const rows = boundRows([one]);
		return verdictOf(rows, 'Held', rows);
	};

	test.each([
		[0.999, 'at least 1 x, printed as 1.00 x', { atLeast: 1 }, 'yes'],
		[2.996, 'at least 3 x, printed as 3.00 x', { atLeast: 3 }, 'yes'],
		[0.994, 'at least 1 x, printed as 0.99 x', { atLeast: 1 }, 'no'],
		[1.004, 'at most 1 x, printed as 1.00 x', { atMost: 1 }, 'yes'],
		[1.006, 'at most 1 x, printed as 1.01 x', { atMost: 1 }, 'no'],
		[19.96, 'at least 20 x, printed as 20.0 x', { atLeast: 20 }, 'yes'],
	] as const)('%d of %s: %j is %s', (ratio, _how, target, verdict) => {
		expect(compared(ratio, target)).toBe(verdict);
	});

	test.each([
		[3.04, 'yes'],
		[3.06, 'no'],
	] as const)('%d %% of at most 3 %% is held: %s', (most, verdict) => {
		expect(bounded(most)).toBe(verdict);
	});
});
