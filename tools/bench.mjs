/** `npm run bench`: sets up what it needs, then measures (test/bench/main.mts). */
import { setUpN8n } from './setup/install.mjs';
import { nodeProblem } from './setup/requirements.mjs';
import { ensureSystemPackages, systemPackagesProblem } from './setup/system-packages.mjs';

try {
	await setUpN8n({ programs: ensureSystemPackages, problems: [nodeProblem(), systemPackagesProblem()] });
} catch (error) {
	console.error(error.message);
	process.exit(1);
}
const [modules, required] = [await import('tsx/esm/api'), await import('tsx/cjs/api')];
modules.register();
// The nodes' own files, which the rosters are made with, are CommonJS.
required.register();
await import('../test/bench/main.mts');
