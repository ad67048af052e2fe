/**
 * `npm test`: sets up what it needs, runs everything in order and ends with one line `N passed, N failed`.
 * `npm test -- unit engine` runs these steps only. `npm run chaos`, `npm run crash` and `npm run hostile` are the build and the
 * step of that name, which nothing else runs; `npm run nights` is its step alone.
 */
import { N8N_VERSION, NODE_VERSION } from '../playground/installation.mjs';
import { ensureRootInstalled, playgroundProblem, setUpN8n } from './setup/install.mjs';
import { demand, nodeProblem } from './setup/requirements.mjs';
import { ensureSystemPackages, systemPackagesProblem } from './setup/system-packages.mjs';
import { commandCounts, lastLine, summaryTable, total } from './steps/results.mjs';
import { runSteps } from './steps/run-steps.mjs';

let n8n;

async function installN8n() {
	await setUpN8n({ programs: ensureSystemPackages, beside: true });
	console.log(`  n8n ${N8N_VERSION} on Node.js ${NODE_VERSION} is ready.`);
}

/** What runs in n8n. It is installed once, while the steps before go on. */
const IN_N8N = {
	needsBuild: true,
	needs: () => [playgroundProblem(), systemPackagesProblem()],
	setUp: async () => await (n8n ??= installN8n()),
};

/** @type {Array<import('./steps/run-steps.mjs').Step & { onlyByName?: boolean }>} */
const STEPS = [
	{ name: 'lint', npm: ['lint'] },
	{ name: 'build', npm: ['build'] },
	{ name: 'unit', jest: 'test/unit' },
	// Says what is in the rosters of others that lie beside the project, and that there are none where there are none.
	{ name: 'rosters', npm: ['rosters'] },
	{ name: 'sandbox', jest: 'test/sandbox' },
	// They wait for the service more than they work.
	{ name: 'engine', jest: 'test/engine', workers: 3, needsBuild: true },
	{ name: 'scan', npm: ['scan'], needsBuild: true },
	{
		// Four files at once: most of the time of one is spent waiting for its n8n and its browser.
		name: 'e2e',
		jest: 'test/e2e',
		workers: 4,
		...IN_N8N,
	},
	{ name: 'nights', jest: 'test/nights', onlyByName: true },
	...['chaos', 'crash', 'hostile'].map((name) => ({
		...{ name, jest: `test/${name}`, alone: true, brief: true, onlyByName: true },
		...IN_N8N,
	})),
];

function chosenSteps(names) {
	const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
	const known = STEPS.map((step) => step.name).join(', ');
	demand([unknown.length > 0 ? `No step ${unknown.join(', ')}. There are: ${known}.` : undefined]);
	return names.length === 0
		? STEPS.filter(({ onlyByName }) => !onlyByName)
		: STEPS.filter((step) => names.includes(step.name));
}

async function testEverything(names) {
	demand([nodeProblem()]);
	const steps = chosenSteps(names);
	demand([...new Set(steps.flatMap((step) => step.needs?.() ?? []))]);
	await ensureRootInstalled();
	return await runSteps(steps);
}

/** What could not be set up counts as a failure, so that the last line is there in every case. */
async function main() {
	try {
		return await testEverything(process.argv.slice(2));
	} catch (error) {
		console.error(error.message);
		return [{ step: 'set-up', ...commandCounts(1), milliseconds: 0 }];
	}
}

const results = await main();
console.log(`\n${summaryTable(results)}\n\n${lastLine(results)}`);
process.exitCode = total(results).failed === 0 ? 0 : 1;
