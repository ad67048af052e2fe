/**
 * `npm run bench`: the package beside what a user would pick instead, in one run, in turns.
 * `npm run bench -- work deliveries` measures these chapters only, and prints them; with `--write` they take the place of
 * the old ones in the documents. `--only refused` measures the comparisons of a chapter whose id begins so.
 * `npm run bench -- roster --students 50000` loads a network of that size.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { INSTALLED_NODE, PLAYGROUND } from '../../playground/installation.mjs';

import { measureDeliveries } from './chapters/deliveries.mts';
import { profileDeliveries } from './chapters/delivery-profile.mts';
import { measureFloor } from './chapters/floor.mts';
import { measureGrowth } from './chapters/growth.mts';
import { measureMemory } from './chapters/memory.mts';
import { measurePace } from './chapters/pace.mts';
import { profileWork } from './chapters/profile.mts';
import { measureRoster, measureRosterHeap, measureRosterParts } from './chapters/roster.mts';
import { measureVerify } from './chapters/verify.mts';
import { measureWork } from './chapters/work.mts';
import { thisMachine } from './measuring/machine.mts';
import { readResults, writeResults } from './report/page.mts';
import {
	aligned,
	boundRows,
	circumstances,
	comparisonRows,
	curveRows,
	deliveryCostRows,
	deliveryProfileRows,
	floorRows,
	profileRows,
	rosterGrowthRows,
} from './report/table.mts';
import { isHeld, isReached, withChapters, type Plan, type Results } from './results.mts';

const CHAPTERS = [
	'pace',
	'roster',
	'roster-heap',
	'roster-parts',
	'verify',
	'work',
	'deliveries',
	'delivery-profile',
	'memory',
	'floor',
	'profile',
	'growth',
] as const;
type Chapter = (typeof CHAPTERS)[number];

const DOCS = join(PLAYGROUND, '..', 'docs');

interface Order {
	chapters: readonly Chapter[];
	rounds: number;
	write: boolean;
	/** The comparisons whose id begins so. */
	only: string;
	/** Of the network that the chapter of the roster loads. */
	students: number;
}

/** `--rounds 5`, `--write`, `--only`, `--students 2000` and names of chapters. */
function orderOf(args: readonly string[]): Order {
	const { values, positionals: names } = parseArgs({
		args: [...args],
		allowPositionals: true,
		options: {
			rounds: { type: 'string', default: '5' },
			write: { type: 'boolean', default: false },
			only: { type: 'string', default: '' },
			students: { type: 'string', default: '2000' },
		},
	});
	const [rounds, students] = [Number(values.rounds), Number(values.students)];
	const unknown = names.filter((name) => !(CHAPTERS as readonly string[]).includes(name));
	if (unknown.length > 0)
		throw new Error(`No chapter ${unknown.join(', ')}. There are: ${CHAPTERS.join(', ')}.`);
	if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number from 1');
	if (!Number.isInteger(students) || students < 100)
		throw new Error('--students takes a whole number from 100');
	const isComplete = names.length === 0;
	return {
		chapters: isComplete ? CHAPTERS : (names as Chapter[]),
		rounds,
		write: isComplete || values.write,
		only: values.only,
		students,
	};
}

const MEASURE: Record<Chapter, (plan: Plan) => Promise<Partial<Results>>> = {
	pace: measurePace,
	work: async (plan) => ({ comparisons: await measureWork(plan) }),
	deliveries: measureDeliveries,
	'delivery-profile': async (plan) => ({ deliveryProfile: await profileDeliveries(plan) }),
	memory: async (plan) => ({ comparisons: await measureMemory(plan) }),
	floor: async (plan) => ({ floor: await measureFloor(plan) }),
	profile: async (plan) => ({ profile: await profileWork(plan) }),
	growth: async (plan) => ({ curves: await measureGrowth(plan) }),
	roster: measureRoster,
	'roster-heap': measureRosterHeap,
	'roster-parts': measureRosterParts,
	verify: measureVerify,
};

/** The results, and the chapters of which there are none because they ended in a failure. */
async function measure({
	chapters,
	rounds,
	only,
	write,
	students,
}: Order): Promise<{ results: Results; failed: Chapter[] }> {
	const startedAt = Date.now();
	const plan: Plan = {
		...{ rounds, students },
		wants: (id) => id.startsWith(only),
		say: (what) =>
			console.log(`${String(Math.round((Date.now() - startedAt) / 1000)).padStart(5)} s  ${what}`),
	};
	const failed: Chapter[] = [];
	let results = nothingMeasured(rounds);
	for (const chapter of CHAPTERS.filter((each) => chapters.includes(each))) {
		try {
			const { comparisons = [], bounds = [], ...others } = await MEASURE[chapter](plan);
			results = {
				...results,
				...others,
				comparisons: [...results.comparisons, ...comparisons],
				bounds: [...results.bounds, ...bounds],
			};
			plan.say(`the chapter "${chapter}" is measured`);
			// Who ends an hour's run early keeps what it has measured.
			if (write) await writeResults(DOCS, withChapters(await readResults(DOCS), results));
		} catch (error) {
			// An hour's figures of the other chapters are not lost with it.
			console.error(`${chapter} failed:`, error);
			failed.push(chapter);
		}
	}
	return { results, failed };
}

function nothingMeasured(rounds: number): Results {
	return {
		date: new Date().toISOString().slice(0, 10),
		n8n: versionOfN8n(),
		node: execFileSync(INSTALLED_NODE, ['--version'], { encoding: 'utf8' }).trim().slice(1),
		machine: thisMachine(),
		rounds,
		comparisons: [],
		bounds: [],
		deliveryCosts: [],
		floor: [],
		profile: [],
		deliveryProfile: [],
		curves: [],
		rosterGrowth: [],
	};
}

function versionOfN8n(): string {
	const manifest = readFileSync(join(PLAYGROUND, 'node_modules', 'n8n', 'package.json'), 'utf8');
	return (JSON.parse(manifest) as { version: string }).version;
}

function shown(results: Results): string {
	const tables = [
		results.comparisons.length > 0 ? comparisonRows(results.comparisons) : undefined,
		results.bounds.length > 0 ? boundRows(results.bounds) : undefined,
		results.floor.length > 0 ? floorRows(results.floor) : undefined,
		results.profile.length > 0 ? profileRows(results.profile) : undefined,
		results.deliveryCosts.length > 0 ? deliveryCostRows(results.deliveryCosts) : undefined,
		results.deliveryProfile.length > 0 ? deliveryProfileRows(results.deliveryProfile) : undefined,
		...results.curves.map(curveRows),
		results.rosterGrowth.length > 0 ? rosterGrowthRows(results.rosterGrowth) : undefined,
	];
	return [circumstances(results), ...tables.filter((rows) => rows !== undefined).map(aligned)].join('\n\n');
}

const order = orderOf(process.argv.slice(2));
const { results, failed } = await measure(order);
console.log(`\n${shown(results)}`);
if (order.write) {
	const isComplete = order.chapters.length === CHAPTERS.length && failed.length === 0;
	await writeResults(DOCS, isComplete ? results : withChapters(await readResults(DOCS), results));
	console.log('\nWritten: docs/performance.json, docs/performance.md, docs/images/performance.svg');
}
const reached = [...results.comparisons.map(isReached), ...results.bounds.map(isHeld)];
const missed = reached.filter((isTrue) => !isTrue);
console.log(`\n${reached.length - missed.length} of ${reached.length} targets reached`);
if (failed.length > 0) console.log(`Not measured: ${failed.join(', ')}`);
process.exitCode = missed.length === 0 && failed.length === 0 ? 0 : 1;
