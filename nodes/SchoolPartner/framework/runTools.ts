import type { RunTools } from './operation';

/** The tools of a new run, in which nothing has been made yet. */
export function runTools(context: RunTools['context'], policy: RunTools['policy']): RunTools {
	const made = new Map<unknown, unknown>();
	const tools: RunTools = {
		context,
		policy,
		once: <T>(make: (given: RunTools) => T) => {
			if (!made.has(make)) made.set(make, make(tools));
			return made.get(make) as T;
		},
	};
	return tools;
}
