import type { StepResult } from './results.mjs';

export interface Step {
	name: string;
	npm?: string[];
	jest?: string;
	needsBuild?: boolean;
	setUp?: () => Promise<void>;
}

export function runSteps(steps: Step[]): Promise<StepResult[]>;
