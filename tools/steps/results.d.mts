export interface StepResult {
	step: string;
	passed: number;
	failed: number;
	milliseconds: number;
	note?: string;
}

interface Counts {
	passed: number;
	failed: number;
	note?: string;
}

export function commandCounts(exitCode: number | null): Counts;
export function jestCounts(report?: {
	numPassedTests: number;
	numFailedTests: number;
	numPendingTests?: number;
	numRuntimeErrorTestSuites: number;
	success: boolean;
}): Counts;
export function total(results: StepResult[]): Pick<Counts, 'passed' | 'failed'>;
export function summaryTable(results: StepResult[]): string;
export function lastLine(results: StepResult[]): string;
