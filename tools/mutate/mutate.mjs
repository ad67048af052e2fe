/**
 * `npm run mutate`: breaks the code that must not be wrong, one place after another, and asks whether a unit test notices. `npm run mutate -- pace ledger`
 * does these areas only (areas.mjs), and `--part 4` a fourth of their lines, since the largest take hours. What nobody noticed stands in `.cache/mutation/<area>.json` and is printed.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { Stryker } from '@stryker-mutator/core';

import { AREAS } from './areas.mjs';

/** At least so many of a hundred have to be noticed. */
const LEAST = 85;

/** Lines that are broken together, or not at all. */
const STRIP = 10;

/** One of so many strips of each file, and not the same one in each. */
function stripsOf(files, part) {
	return files.flatMap((file, index) => {
		const lines = readFileSync(file, 'utf8').split('\n').length;
		const strips = Array.from({ length: Math.ceil(lines / STRIP) }, (_, strip) => strip);
		return strips
			.filter((strip) => strip % part === index % part)
			.map((strip) => `${file}:${strip * STRIP + 1}-${(strip + 1) * STRIP}`);
	});
}

/** The files of an area. */
function filesOf({ mutate }) {
	const pathspecs = mutate.map((glob) =>
		glob.startsWith('!') ? `:(exclude,glob)${glob.slice(1)}` : `:(glob)${glob}`,
	);
	return execFileSync('git', ['ls-files', '--', ...pathspecs], { encoding: 'utf8' })
		.trim()
		.split('\n');
}

async function mutants(area, part) {
	process.env.MUTATED_AREA = area;
	const fileName = `.cache/mutation/${area}.json`;
	await new Stryker({
		mutate: part === 1 ? AREAS[area].mutate : stripsOf(filesOf(AREAS[area]), part),
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

const { values, positionals: chosen } = parseArgs({
	allowPositionals: true,
	options: { part: { type: 'string', default: '1' } },
});
const counts = [];
for (const area of chosen.length === 0 ? Object.keys(AREAS) : chosen) {
	const all = await mutants(area, Number(values.part));
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
