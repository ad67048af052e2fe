/** The command line of the demo. */
import { parseArgs } from 'node:util';

const PORT = 5678;
const SANDBOX_PORT = 4010;

export const helpText = `Runs the School Partner nodes in a real n8n, against a sandbox of the service.

  npm run demo -- [options]

  --port N           port of n8n (${PORT})
  --sandbox-port N   port of the sandbox (${SANDBOX_PORT}); the sandbox that the roster fills takes the next one
  --dev              build and load the package anew at each change of its sources, with source maps; a debugger
                     can connect at 127.0.0.1:9229 (npm run dev)
  --once             run the examples "Provision a school" and "Sync the roster every night", check what they
                     created, and end; takes free ports and leaves nothing behind
  --help             this text

What you do in this n8n is kept in playground/home. Delete that folder to start anew.`;

function portOf(name, text, fallback) {
	if (text === undefined) return fallback;
	const port = Number(text);
	if (/^\d+$/.test(text) && port > 0 && port < 65_536) return port;
	throw new Error(`${name} must be a number from 1 to 65535, not "${text}".`);
}

/**
 * @param {string[]} args
 * @returns {{ help: boolean, once: boolean, dev: boolean, port?: number, sandboxPort?: number, rosterPort?: number }} a port that is absent may be any free one
 */
export function readOptions(args) {
	let values;
	try {
		({ values } = parseArgs({
			args,
			options: {
				port: { type: 'string' },
				'sandbox-port': { type: 'string' },
				once: { type: 'boolean', default: false },
				dev: { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
			},
		}));
	} catch (error) {
		throw new Error(`${error.message.split('\n')[0]}\nTry: npm run demo -- --help`, { cause: error });
	}
	const { once, dev, help } = values;
	const sandboxPort = portOf('--sandbox-port', values['sandbox-port'], once ? undefined : SANDBOX_PORT);
	return {
		help,
		once,
		dev,
		port: portOf('--port', values.port, once ? undefined : PORT),
		sandboxPort,
		rosterPort: sandboxPort && sandboxPort + 1,
	};
}
