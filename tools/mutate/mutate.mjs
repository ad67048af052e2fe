/**
 * `npm run mutate`: breaks the code that must not be wrong, one place after another, and asks whether a unit test notices. `npm run mutate -- pace ledger`
 * does these areas only (areas.mjs). What nobody noticed stands in `.cache/mutation/<area>.json` and is printed.
 */
import { readFileSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';

import { AREAS } from './areas.mjs';

/** At least so many of a hundred have to be noticed. */
const LEAST = 85;

async function mutants(area) {
	process.env.MUTATED_AREA = area;
	const fileName = `.cache/mutation/${area}.json`;
	await new Stryker({
		mutate: AREAS[area].mutate,
		testRunner: 'jest',
		jest: { configFile: 'tools/mutate/jest.config.mjs', enableFindRelatedTests: false },
		coverageAnalysis: 'perTest',
		// What runs once, when a module is loaded, would need all tests again for each place.
		ignoreStatic: true,
		// What a text says is held by the documents' tests, and by people.
		mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral'] },
		ignorePatterns: ['dist', 'playground/node_modules', 'playground/home', 'docs/images'],
		tempDirName: '.cache/mutate',
		reporters: ['json', 'progress-append-only'],
		jsonReporter: { fileName },
		concurrency: 2,
		timeoutMS: 30_000,
		// A machine with other work must not count as one that has noticed.
		timeoutFactor: 5,
		disableTypeChecks: false,
	}).runMutationTest();
	const { files } = JSON.parse(readFileSync(fileName, 'utf8'));
	return Object.entries(files).flatMap(([file, { mutants: each }]) => each.map((one) => ({ file, ...one })));
}

/** What nobody noticed, and what no test reaches. */
const SURVIVED = ['Survived', 'NoCoverage'];
const NOTICED = ['Killed', 'Timeout'];

const chosen = process.argv.slice(2);
const counts = [];
for (const area of chosen.length === 0 ? Object.keys(AREAS) : chosen) {
	const all = await mutants(area);
	const survivors = all.filter(({ status }) => SURVIVED.includes(status));
	for (const { file, location, mutatorName, replacement, status } of survivors)
		console.log(
			`${file}:${location.start.line}:${location.start.column} ${status} ${mutatorName} ${replacement}`,
		);
	const noticed = all.filter(({ status }) => NOTICED.includes(status)).length;
	counts.push({ area, noticed, all: noticed + survivors.length });
}
const sum = (key) => counts.reduce((total, each) => total + each[key], 0);
for (const { area, noticed, all } of [...counts, { area: 'all', noticed: sum('noticed'), all: sum('all') }])
	console.log(`${area.padEnd(12)}${noticed} of ${all}  ${((100 * noticed) / all).toFixed(1)} %`);
process.exitCode = (100 * sum('noticed')) / sum('all') >= LEAST ? 0 : 1;
