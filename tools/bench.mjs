/** `npm run bench`: sets up what it needs, then measures (test/bench/main.mts). */
import { ensurePlaygroundInstalled, ensureRootInstalled, playgroundProblem } from './setup/install.mjs';
import { demand, nodeProblem } from './setup/requirements.mjs';

try {
	demand([nodeProblem(), playgroundProblem()]);
	await ensureRootInstalled();
	await ensurePlaygroundInstalled();
} catch (error) {
	console.error(error.message);
	process.exit(1);
}
const { register } = await import('tsx/esm/api');
register();
await import('../test/bench/main.mts');
