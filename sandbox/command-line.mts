import { parseArgs } from 'node:util';
import type { Settings } from './settings-types.mts';
import { defaultSettings } from './settings.mts';
import { allStrictParts } from './strict.mts';
import { allVariants } from './variants.mts';

export interface SandboxOptions extends Settings {
	/** 0: any free one. */
	port: number;
	/** Address to listen on. */
	host: string;
	/** Origin in links, discovery, redirects and events, when others reach the sandbox elsewhere. */
	publicUrl: string | undefined;
	seed: number;
	students: number;
	schools: number;
	/** Only the schools, and nobody in them: for a roster to fill. */
	empty: boolean;
	/** HTTPS with a certificate made at the start. */
	tls: boolean;
	/** Redirect URIs besides those of a local n8n. */
	redirectUris: string[];
	/** Stop when standard input ends: a program that starts the sandbox takes it along when it dies. */
	stopOnStdinEnd: boolean;
}

export const defaultOptions: SandboxOptions = {
	...defaultSettings,
	port: 4010,
	host: '127.0.0.1',
	publicUrl: undefined,
	seed: 1,
	students: 60,
	schools: 3,
	empty: false,
	tls: false,
	redirectUris: [],
	stopOnStdinEnd: false,
};

/** From the least to the most; the admin interface holds the same values to them. */
export const LIMITS = {
	port: [0, 65_535],
	seed: [0, 4_294_967_295],
	students: [1, 200_000],
	schools: [1, 999],
	/** Changes of a night's roster. */
	tonight: [0, 200_000],
	/** Seconds. */
	tokenLifetime: [1, 31_536_000],
	latencyMs: [0, 600_000],
} as const satisfies Record<string, readonly [least: number, most: number]>;

export const helpText = `A runnable stand-in for the Partner Integration Service for Schools.

  npm run sandbox -- [options]
  npm run sandbox -- export [options]   its network as a roster; --help says how

  --port N                port to listen on, 0 for any free one (${defaultOptions.port})
  --host ADDRESS          address to listen on (${defaultOptions.host}); 0.0.0.0 for all: whoever reaches it can command it
  --public-url URL        address in links, discovery and redirects, without a path (the one it listens on)
  --seed N                what the fictional network is made from (${defaultOptions.seed})
  --students N            size of the network (${defaultOptions.students})
  --schools N             schools that they go to (${defaultOptions.schools})
  --empty                 only the schools, and nobody in them: for a roster to fill
  --token-lifetime N      seconds that an access token lives (${defaultOptions.tokenLifetime})
  --duplicates WORD       refuse, accept or double classes, users and bonds that are there already (${defaultOptions.duplicates})
  --redirect-uri URI      one more registered redirect URI; may be given several times
  --no-deviations         answers as the tables say, without the deviations of the samples
  --stop-on-stdin-end     stop when standard input ends
  --help                  this text

Stricter, or different, where the document is silent:

  --strict [PARTS]        refuse what the document does not show: ${allStrictParts.join(', ')}; all of it without PARTS
  --authorization WORD    what provisioning and synchronization take: bearer, token or either (${defaultOptions.authorization})
  --variant NAMES         names with commas between; may be given several times:
${listed(allVariants)}

Far away, or busy:

  --tls                   HTTPS, with a certificate made at the start
  --latency N             milliseconds that every API answer waits (${defaultOptions.latencyMs})
  --connection-latency N  milliseconds more for the first request on a connection (${defaultOptions.connectionLatencyMs})
  --rate N                requests per second, 429 beyond
  --burst N               so many at once after a pause (those of a second)
  --retry-after N|none    the Retry-After of a 429, in seconds (1)
  --capacity N            requests worked on at once, the others wait
  --work N                milliseconds that each is worked on (0)
  --queue N               so many may wait, 503 beyond (any number)
`;

/** The options of a command line, or what is wrong with it in one sentence. */
export type CommandLine =
	| { readonly options: SandboxOptions }
	| { readonly help: true }
	| { readonly problem: string };

const definitions = {
	port: { type: 'string' },
	host: { type: 'string' },
	'public-url': { type: 'string' },
	seed: { type: 'string' },
	students: { type: 'string' },
	schools: { type: 'string' },
	empty: { type: 'boolean' },
	'token-lifetime': { type: 'string' },
	latency: { type: 'string' },
	'connection-latency': { type: 'string' },
	rate: { type: 'string' },
	burst: { type: 'string' },
	'retry-after': { type: 'string' },
	capacity: { type: 'string' },
	work: { type: 'string' },
	queue: { type: 'string' },
	duplicates: { type: 'string' },
	authorization: { type: 'string' },
	strict: { type: 'string' },
	variant: { type: 'string', multiple: true },
	'redirect-uri': { type: 'string', multiple: true },
	tls: { type: 'boolean' },
	'no-deviations': { type: 'boolean' },
	'stop-on-stdin-end': { type: 'boolean' },
	help: { type: 'boolean' },
} as const;

/** Reads the command line; never throws. */
export function readCommandLine(args: readonly string[]): CommandLine {
	try {
		const read = { args: withStrictParts(args), options: definitions, allowPositionals: false } as const;
		const { values } = parseArgs(read);
		if (values.help) return { help: true };
		/** A whole number of the option with this name. */
		const number = <Fallback,>(
			name: keyof typeof values,
			least: number,
			most: number,
			fallback: Fallback,
		): number | Fallback => {
			const text = values[name];
			return typeof text === 'string' ? wholeNumber(`--${name}`, text, least, most) : fallback;
		};
		const { port, seed, students, schools, tokenLifetime, latencyMs, connectionLatencyMs } = defaultOptions;
		return {
			options: {
				...defaultOptions,
				port: number('port', ...LIMITS.port, port),
				host: values.host ?? defaultOptions.host,
				publicUrl: originOf(values['public-url']),
				seed: number('seed', ...LIMITS.seed, seed),
				students: number('students', ...LIMITS.students, students),
				schools: number('schools', ...LIMITS.schools, schools),
				empty: values.empty ?? false,
				tls: values.tls ?? false,
				tokenLifetime: number('token-lifetime', ...LIMITS.tokenLifetime, tokenLifetime),
				latencyMs: number('latency', ...LIMITS.latencyMs, latencyMs),
				connectionLatencyMs: number('connection-latency', ...LIMITS.latencyMs, connectionLatencyMs),
				rate: dependent(values, 'rate', ['burst', 'retry-after'], () => ({
					perSecond: number('rate', 1, 1_000_000, 1),
					burst: number('burst', 1, 1_000_000, undefined),
					retryAfter: values['retry-after'] === 'none' ? null : number('retry-after', 0, 86_400, undefined),
				})),
				capacity: dependent(values, 'capacity', ['work', 'queue'], () => ({
					atOnce: number('capacity', 1, 100_000, 1),
					workMs: number('work', ...LIMITS.latencyMs, undefined),
					queue: number('queue', 0, 1_000_000, undefined),
				})),
				deviations: !values['no-deviations'],
				duplicates: word(
					'--duplicates',
					values.duplicates,
					['refuse', 'accept', 'double'],
					defaultOptions.duplicates,
				),
				authorization: word(
					'--authorization',
					values.authorization,
					['bearer', 'token', 'either'],
					defaultOptions.authorization,
				),
				strict: values.strict === 'all' ? allStrictParts : words('--strict', [values.strict], allStrictParts),
				variants: words('--variant', values.variant ?? [], allVariants),
				redirectUris: values['redirect-uri'] ?? [],
				stopOnStdinEnd: values['stop-on-stdin-end'] ?? false,
			},
		};
	} catch (error) {
		return { problem: error instanceof Error ? error.message.split('\n')[0] : String(error) };
	}
}

/** Throws unless it is a web address without a path. */
function originOf(text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
	throw new RangeError(`--public-url must be an http or https address without a path, not "${text}".`);
}

/** `--strict` may stand alone, which the parser of Node.js does not know of an option that has a value. */
function withStrictParts(args: readonly string[]): string[] {
	return args.map((arg, index) => {
		const next = args[index + 1];
		return arg === '--strict' && (next === undefined || next.startsWith('-')) ? '--strict=all' : arg;
	});
}

/** What an option makes together with others that say nothing without it; null when it is not there. */
function dependent<Made>(
	values: Readonly<Record<string, unknown>>,
	name: string,
	others: readonly string[],
	make: () => Made,
): Made | null {
	if (values[name] !== undefined) return make();
	const alone = others.find((other) => values[other] !== undefined);
	if (alone !== undefined) throw new RangeError(`--${alone} says nothing without --${name}.`);
	return null;
}

/** Throws a sentence that says what is allowed. */
export function wholeNumber(name: string, text: string, least: number, most: number): number {
	const value = Number(text);
	if (/^\d+$/.test(text) && value >= least && value <= most) return value;
	throw new RangeError(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}

/** One of the known words, the fallback when none is given; throws a sentence that says which there are. */
export function word<Word extends string>(
	name: string,
	given: string | undefined,
	known: readonly Word[],
	fallback: Word,
): Word {
	if (given === undefined) return fallback;
	const found = known.find((one) => one === given);
	if (found !== undefined) return found;
	const all = `${known.slice(0, -1).join(', ')} or ${String(known.at(-1))}`;
	throw new RangeError(`${name} must be ${all}, not "${given}".`);
}

/** Names with commas between, from one or more options. */
function words<Word extends string>(
	name: string,
	given: ReadonlyArray<string | undefined>,
	known: readonly Word[],
): Word[] {
	const named = given.flatMap((text) => text?.split(',') ?? []).map((one) => one.trim());
	return named.map((one) => {
		const found = known.find((candidate) => candidate === one);
		if (found === undefined) throw new RangeError(`${name} has no "${one}". It has: ${known.join(', ')}.`);
		return found;
	});
}

/** Two names to a line. */
function listed(names: readonly string[]): string {
	const lines = names.flatMap((_name, index) =>
		index % 2 === 0 ? [`${' '.repeat(26)}${names.slice(index, index + 2).join(', ')}`] : [],
	);
	return lines.join(',\n');
}
