import { commandCounts, jestCounts, lastLine, summaryTable, total } from '../../../tools/steps/results.mjs';

const report = { numPassedTests: 5, numFailedTests: 0, numRuntimeErrorTestSuites: 0, success: true };
const step = (name: string, passed: number, failed: number) => ({
	step: name,
	passed,
	failed,
	milliseconds: 65_400,
});

describe('the counts of a test run', () => {
	it('take a command as one test', () => {
		expect(commandCounts(0)).toEqual({ passed: 1, failed: 0 });
		expect(commandCounts(2)).toEqual({ passed: 0, failed: 1 });
		expect(commandCounts(null)).toEqual({ passed: 0, failed: 1 });
	});

	it('count a test file that could not be loaded as a failure', () => {
		expect(jestCounts({ ...report, numRuntimeErrorTestSuites: 2, success: false })).toMatchObject({
			passed: 5,
			failed: 2,
		});
	});

	it('never let a step without tests look green', () => {
		expect(jestCounts({ ...report, numPassedTests: 0 }).failed).toBe(1);
		expect(jestCounts(undefined).failed).toBe(1);
	});

	it('notice that jest failed although every test passed', () => {
		expect(jestCounts({ ...report, success: false }).failed).toBe(1);
	});

	it('say how many tests were skipped', () => {
		expect(jestCounts({ ...report, numPendingTests: 3 })).toMatchObject({ failed: 0, note: '3 skipped' });
	});

	it('are summed over all steps in the last line', () => {
		const results = [step('lint', 1, 0), step('unit', 40, 2)];
		expect(total(results)).toEqual({ passed: 41, failed: 2 });
		expect(lastLine(results)).toBe('41 passed, 2 failed');
	});

	it('stand in a table with aligned columns, failures marked', () => {
		expect(summaryTable([step('lint', 1, 0), step('unit', 40, 2)])).toBe(
			['ok      lint  1 passed   0 failed  1 min 05 s', 'FAILED  unit  40 passed  2 failed  1 min 05 s'].join(
				'\n',
			),
		);
	});
});
