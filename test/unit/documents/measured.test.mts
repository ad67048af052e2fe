import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PAGES, withMeasured } from '../../bench/report/page.mts';
import { chartOf } from '../../bench/report/chart.mts';
import type { Results } from '../../bench/results.mts';

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
