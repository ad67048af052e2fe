/**
 * `npm run demo`: from a fresh clone to a running n8n with the package, the sandbox and the examples. This file runs
 * before anything is installed; demo.mts goes on from there, in the same process.
 */
import { MINIMUM_NODE, isOlderThan } from '../tools/setup/node-version.mjs';

function stop(message) {
	console.error(`\n${message}`);
	process.exit(1);
}

// The other files use syntax that an old Node.js cannot even read, so they are loaded after this.
if (isOlderThan(process.versions.node, MINIMUM_NODE)) {
	stop(
		`Node.js ${process.versions.node} is too old: the demo needs ${MINIMUM_NODE} or newer (https://nodejs.org).`,
	);
}

const { helpText, readOptions } = await import('./demo/options.mjs');
const { setUpN8n } = await import('../tools/setup/install.mjs');
const { portProblem } = await import('../tools/setup/requirements.mjs');

async function runDemo() {
	const options = readOptions(process.argv.slice(2));
	if (options.help) return console.log(helpText);
	const problems = [
		options.port && (await portProblem(options.port, 'n8n', '--port')),
		options.sandboxPort && (await portProblem(options.sandboxPort, 'the sandbox', '--sandbox-port')),
		options.rosterPort &&
			(await portProblem(options.rosterPort, 'the sandbox of the roster', '--sandbox-port')),
	];
	await setUpN8n({ problems });
	const { register } = await import('tsx/esm/api');
	register();
	const demo = await import('./demo.mts');
	await (options.once ? demo.runOnce(options) : demo.stayUntilStopped(options));
}

try {
	await runDemo();
} catch (error) {
	stop(error.message);
}
