import type { RunTools } from './operation';

/** The tools of a new run, in which nothing has been made yet. */
export function runTools(of: Omit<RunTools, 'once'>): RunTools {
	const made = new Map<unknown, unknown>();
	const tools: RunTools = {
		...of,
		once: <T>(make: (given: RunTools) => T) => {
			if (!made.has(make)) made.set(make, make(tools));
			return made.get(make) as T;
		},
	};
	return tools;
}
