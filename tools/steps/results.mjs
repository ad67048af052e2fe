/** What the steps of a test run gave, and how it is told. Pure: no process, no files. */
import { elapsedText } from '../setup/run-command.mjs';

/**
 * @typedef {{ step: string, passed: number, failed: number, milliseconds: number, note?: string }} StepResult
 */

/** A step that is one command counts as one test. */
export function commandCounts(exitCode) {
	return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * Counts of jest's `--json` report. A file that could not be loaded holds no failed test, and a run without tests holds
 * none either: both count as one failure, so that neither looks green.
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests?: number, numRuntimeErrorTestSuites: number, success: boolean }} [report]
 */
export function jestCounts(report) {
	if (report === undefined) return { passed: 0, failed: 1, note: 'no tests found, or jest did not finish' };
	const passed = report.numPassedTests;
	const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
	const skipped = report.numPendingTests ? `${report.numPendingTests} skipped` : undefined;
	if (passed + failed === 0) return { passed, failed: 1, note: 'no tests found' };
	if (failed === 0 && !report.success)
		return { passed, failed: 1, note: 'jest reported a failure outside the tests' };
	return { passed, failed, note: skipped };
}

/** @param {StepResult[]} results */
export function total(results) {
	return {
		passed: results.reduce((sum, result) => sum + result.passed, 0),
		failed: results.reduce((sum, result) => sum + result.failed, 0),
	};
}

/** @param {StepResult[]} results one line per step, the columns aligned */
export function summaryTable(results) {
	const rows = results.map(({ step, passed, failed, milliseconds, note }) => [
		failed === 0 ? 'ok' : 'FAILED',
		step,
		`${passed} passed`,
		`${failed} failed`,
		elapsedText(milliseconds),
		note ?? '',
	]);
	const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column].length))) ?? [];
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column]))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

/** The last line of a run; log readers look for exactly this. */
export function lastLine(results) {
	const { passed, failed } = total(results);
	return `${passed} passed, ${failed} failed`;
}
