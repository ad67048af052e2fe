/** Writes what was measured into the documents: JSON, the chart, and the tables of docs/performance.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Bound, Comparison, Results } from '../results.mts';

import { chartOf } from './chart.mts';
import {
	boundRows,
	circumstances,
	comparisonRows,
	curveRows,
	deliveryCostRows,
	deliveryProfileRows,
	floorRows,
	markdown,
	profileRows,
	rosterGrowthRows,
	settingRows,
} from './table.mts';

/** Comparisons and bounds by the table that they stand in. The page leads with those of the pace: a service is hardly ever next door. */
function partOf({ id }: Comparison | Bound): 'pace' | 'roster' | 'others' {
	if (id.startsWith('pace-')) return 'pace';
	return /^(roster|verify)-/.test(id) ? 'roster' : 'others';
}

/** The tables by the name that stands in their markers: `<!-- measured: work -->` … `<!-- end -->`. */
function tablesOf(results: Results): Record<string, string> {
	const curve = (id: string) => {
		const found = results.curves.find((each) => each.id === id);
		return found === undefined ? '' : markdown(curveRows(found));
	};
	const comparisonsOf = (part: ReturnType<typeof partOf>) =>
		results.comparisons.filter((one) => partOf(one) === part);
	return {
		circumstances: circumstances(results),
		pace: markdown(comparisonRows(comparisonsOf('pace'))),
		bounds: markdown(boundRows(results.bounds.filter((bound) => partOf(bound) !== 'roster'))),
		comparisons: markdown(comparisonRows(comparisonsOf('others'))),
		roster: markdown(comparisonRows(comparisonsOf('roster'))),
		rosterBounds: markdown(boundRows(results.bounds.filter((bound) => partOf(bound) === 'roster'))),
		rosterGrowth: markdown(rosterGrowthRows(results.rosterGrowth)),
		floor: markdown(floorRows(results.floor)),
		profile: markdown(profileRows(results.profile)),
		deliveryCosts: markdown(deliveryCostRows(results.deliveryCosts)),
		deliveryProfile: markdown(deliveryProfileRows(results.deliveryProfile)),
		items: curve('items'),
		inFlight: curve('inFlight'),
		latency: curve('latency'),
		settings: markdown(settingRows(results.comparisons)),
	};
}

/** A page with the measured tables of these results in it. Throws when it names a table that there is not. */
export function withMeasured(page: string, results: Results): string {
	const tables = tablesOf(results);
	return page.replace(
		/(<!-- measured: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
		(_whole, start: string, name: string, end: string) => {
			const table = tables[name];
			if (table === undefined) throw new Error(`The page asks for "${name}", which is not measured`);
			return `${start}\n${table}\n\n${end}`;
		},
	);
}

/** The documents with measured tables. */
export const PAGES = ['performance.md', 'scaling.md'];

/** The results of the last measurement that was written down. */
export async function readResults(docs: string): Promise<Results> {
	return JSON.parse(await readFile(join(docs, 'performance.json'), 'utf8')) as Results;
}

/** Writes docs/performance.json, docs/images/performance.svg and the tables of the pages. */
export async function writeResults(docs: string, results: Results): Promise<void> {
	await writeFile(join(docs, 'performance.json'), `${JSON.stringify(results, null, '\t')}\n`);
	await writeFile(join(docs, 'images', 'performance.svg'), chartOf(results.comparisons));
	for (const page of PAGES.map((name) => join(docs, name))) {
		await writeFile(page, withMeasured(await readFile(page, 'utf8'), results));
	}
}
