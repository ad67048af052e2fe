import { parseArgs } from 'node:util';
import type { Settings } from './admin-types.mts';

export interface SandboxOptions extends Settings {
	/** 0: any free one. */
	port: number;
	seed: number;
	students: number;
	/** Redirect URIs besides those of a local n8n. */
	redirectUris: string[];
	/** Stop when standard input ends: a program that starts the sandbox takes it along when it dies. */
	stopOnStdinEnd: boolean;
}

export const defaultOptions: SandboxOptions = {
	port: 4010,
	seed: 1,
	students: 60,
	tokenLifetime: 3600,
	latencyMs: 0,
	deviations: true,
	duplicates: 'refuse',
	codeLifetime: 300,
	rotateRefreshTokens: false,
	redirectUris: [],
	stopOnStdinEnd: false,
};

export const helpText = `A runnable stand-in for the Partner Integration Service for Schools.

  npm run sandbox -- [options]

  --port N              port to listen on, 0 for any free one (${defaultOptions.port})
  --seed N              what the fictional network is made from (${defaultOptions.seed})
  --students N          size of the network (${defaultOptions.students})
  --token-lifetime N    seconds that an access token lives (${defaultOptions.tokenLifetime})
  --latency N           milliseconds that every API answer waits (${defaultOptions.latencyMs})
  --duplicates WORD     refuse or accept classes, users and bonds that are there already (${defaultOptions.duplicates})
  --redirect-uri URI    one more registered redirect URI; may be given several times
  --no-deviations       answers as the tables say, without the deviations of the samples
  --stop-on-stdin-end   stop when standard input ends
  --help                this text
`;

/** The options of a command line, or what is wrong with it in one sentence. */
export type CommandLine =
	| { readonly options: SandboxOptions }
	| { readonly help: true }
	| { readonly problem: string };

const definitions = {
	port: { type: 'string' },
	seed: { type: 'string' },
	students: { type: 'string' },
	'token-lifetime': { type: 'string' },
	latency: { type: 'string' },
	duplicates: { type: 'string' },
	'redirect-uri': { type: 'string', multiple: true },
	'no-deviations': { type: 'boolean' },
	'stop-on-stdin-end': { type: 'boolean' },
	help: { type: 'boolean' },
} as const;

/** Reads the command line; never throws. */
export function readCommandLine(args: readonly string[]): CommandLine {
	try {
		const { values } = parseArgs({ args: [...args], options: definitions, allowPositionals: false });
		if (values.help) return { help: true };
		const duplicates = values.duplicates ?? defaultOptions.duplicates;
		if (duplicates !== 'refuse' && duplicates !== 'accept') {
			return { problem: `--duplicates must be refuse or accept, not "${duplicates}".` };
		}
		return {
			options: {
				...defaultOptions,
				port: wholeNumber('--port', values.port, defaultOptions.port, 0, 65_535),
				seed: wholeNumber('--seed', values.seed, defaultOptions.seed, 0, 4_294_967_295),
				students: wholeNumber('--students', values.students, defaultOptions.students, 1, 200_000),
				tokenLifetime: wholeNumber(
					'--token-lifetime',
					values['token-lifetime'],
					defaultOptions.tokenLifetime,
					1,
					31_536_000,
				),
				latencyMs: wholeNumber('--latency', values.latency, defaultOptions.latencyMs, 0, 600_000),
				deviations: !values['no-deviations'],
				duplicates,
				redirectUris: values['redirect-uri'] ?? [],
				stopOnStdinEnd: values['stop-on-stdin-end'] ?? false,
			},
		};
	} catch (error) {
		return { problem: error instanceof Error ? error.message.split('\n')[0] : String(error) };
	}
}

function wholeNumber(
	name: string,
	text: string | undefined,
	fallback: number,
	least: number,
	most: number,
): number {
	if (text === undefined) return fallback;
	const value = Number(text);
	if (/^\d+$/.test(text) && value >= least && value <= most) return value;
	throw new RangeError(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}
