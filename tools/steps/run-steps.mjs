/** Runs the steps of `npm test` one after another. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../setup/install.mjs';
import { commandCounts, jestCounts } from './results.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} [npm] a script of package.json
 * @property {string} [jest] a folder of tests
 * @property {boolean} [alone] run its test files one by one: they start servers or hold much memory
 * @property {number} [workers] that many test files at once, instead of what jest.config.mjs says
 * @property {boolean} [brief] name only the tests that fail: the step has a table of its own
 * @property {boolean} [needsBuild] is not worth starting after a build that did not succeed
 * @property {() => Array<string | undefined>} [needs] what this machine lacks for the step, said before anything is installed
 * @property {() => Promise<void>} [setUp] begins with the first step, since it takes minutes; the step itself waits for it
 */

function run(command, args) {
	return new Promise((resolve) => {
		const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' });
		child.once('error', () => resolve(-1));
		child.once('close', resolve);
	});
}

/** jest takes a regular expression, and a folder's name may hold a dot or a bracket. */
function testsIn(folder) {
	return `^${join(ROOT, folder).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`;
}

async function runJest({ jest, alone, workers, brief }) {
	const folder = mkdtempSync(join(tmpdir(), 'school-partner-jest-'));
	const outputFile = join(folder, 'result.json');
	const jestBin = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
	try {
		// Forced: a process that a broken test left behind must not keep the whole run from ending.
		const options = [
			'--forceExit',
			'--json',
			`--outputFile=${outputFile}`,
			...(alone ? ['--runInBand'] : []),
			...(workers ? [`--maxWorkers=${workers}`] : []),
			...(brief ? ['--verbose=false'] : []),
		];
		await run(process.execPath, [jestBin, ...options, '--testPathPatterns', testsIn(jest)]);
		return jestCounts(JSON.parse(readFileSync(outputFile, 'utf8')));
	} catch (error) {
		if (error.code === 'ENOENT') return jestCounts(undefined);
		throw error;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const leftOut = (why) => ({ ...commandCounts(1), note: `left out: ${why}` });

/** @param {Step} step @param {boolean} built */
async function runStep(step, built) {
	try {
		await step.setUp?.();
	} catch (error) {
		console.error(error.message);
		return leftOut('what it needs could not be installed');
	}
	if (step.needsBuild && !built) return leftOut('the build did not succeed');
	if (step.jest) return await runJest(step);
	return commandCounts(await run('npm', ['run', '--silent', ...step.npm]));
}

/**
 * Goes on after a failed step, because the others still tell something; only what needs the build, or what could not be installed, is
 * left out (and counted as failed). Each set-up has ended when this does: a run's last line is its last.
 * @param {Step[]} steps
 */
export async function runSteps(steps) {
	const results = [];
	let built = true;
	// What goes wrong is told by the step that waits for it.
	for (const step of steps) step.setUp?.().catch(() => {});
	for (const step of steps) {
		const startedAt = Date.now();
		console.log(`\n=== ${step.name} ===`);
		const counts = await runStep(step, built);
		if (step.name === 'build') built = counts.failed === 0;
		results.push({ step: step.name, ...counts, milliseconds: Date.now() - startedAt });
	}
	return results;
}
