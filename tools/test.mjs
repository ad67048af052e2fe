/**
 * `npm test`: sets up what it needs, runs everything in order and ends with one line `N passed, N failed`.
 * `npm test -- unit engine` runs these steps only.
 */
import { ensurePlaygroundInstalled, ensureRootInstalled } from './setup/install.mjs';
import { nodeProblem, stopOnProblems } from './setup/requirements.mjs';
import { ensureSystemPackages } from './setup/system-packages.mjs';
import { lastLine, summaryTable, total } from './steps/results.mjs';
import { runSteps } from './steps/run-steps.mjs';

/** @type {import('./steps/run-steps.mjs').Step[]} */
const STEPS = [
	{ name: 'lint', npm: ['lint'] },
	{ name: 'build', npm: ['build'] },
	{ name: 'unit', jest: 'test/unit' },
	{ name: 'sandbox', jest: 'test/sandbox' },
	{ name: 'engine', jest: 'test/engine', alone: true, needsBuild: true },
	{ name: 'scan', npm: ['scan'], needsBuild: true },
	{
		name: 'e2e',
		jest: 'test/e2e',
		alone: true,
		needsBuild: true,
		setUp: async () => {
			await ensureSystemPackages();
			await ensurePlaygroundInstalled();
		},
	},
];

function chosenSteps(names) {
	const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
	if (unknown.length > 0) {
		stopOnProblems([
			`No step ${unknown.join(', ')}. There are: ${STEPS.map((step) => step.name).join(', ')}.`,
		]);
	}
	return names.length === 0 ? STEPS : STEPS.filter((step) => names.includes(step.name));
}

async function setUp(steps) {
	await ensureRootInstalled();
	for (const step of steps) await step.setUp?.();
}

stopOnProblems([nodeProblem()]);
const steps = chosenSteps(process.argv.slice(2));
try {
	await setUp(steps);
} catch (error) {
	stopOnProblems([error.message]);
}
const results = await runSteps(steps);
console.log(`\n${summaryTable(results)}\n\n${lastLine(results)}`);
process.exitCode = total(results).failed === 0 ? 0 : 1;
