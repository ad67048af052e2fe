/** What a CPU profile of V8 says: whose code the time was spent in. Pure. */
import type { Share } from '../results.mts';

/** The part of V8's .cpuprofile format that is read here. Times in microseconds. */
export interface CpuProfile {
	nodes: Array<{ id: number; callFrame: { functionName: string; url: string }; children?: number[] }>;
	/** By the machine's monotonic clock, which is that of `process.hrtime` in every process. */
	startTime: number;
	endTime: number;
	samples: number[];
	timeDeltas: number[];
}

/** Code by where it was loaded from; the first that fits counts. */
const PARTS: Array<[part: string, fits: (url: string, functionName: string) => boolean]> = [
	['waiting (idle)', (_url, name) => name === '(idle)'],
	['garbage collection', (_url, name) => name === '(garbage collector)'],
	[
		'V8 and system calls without a script',
		(url, name) => name === '(program)' || name === '(root)' || url === '',
	],
	['this package', (url) => url.includes('n8n-nodes-school-partner')],
	[
		'axios and what it brings (one agent for each request)',
		(url) =>
			/\/(axios|follow-redirects|form-data|proxy-from-env|proxy-addr|https?-proxy-agent|agent-base)\//.test(
				url,
			),
	],
	[
		"Node's http, net and streams",
		(url) =>
			/^node:(internal\/(streams|http|net|stream_base_commons|timers|dns|url|socket|tls)|_?http|net|stream|_stream|dns|url|events|timers|tls|https)/.test(
				url,
			),
	],
	['other parts of Node', (url) => url.startsWith('node:')],
	["n8n's helpers and engine", (url) => /\/(n8n-core|n8n-workflow|@n8n)\//.test(url)],
	['n8n itself', (url) => /\/node_modules\/n8n\//.test(url)],
	['other libraries', () => true],
];

/** Shares of the last `lastMs` milliseconds of a profile, largest first; those under 0.5 % are left out. */
export function sharesOf({ nodes, endTime, samples, timeDeltas }: CpuProfile, lastMs: number): Share[] {
	const partOfNode = new Map(
		nodes.map(({ id, callFrame }) => [id, partOf(callFrame.url, callFrame.functionName)]),
	);
	const spent = new Map<string, number>();
	let at = endTime;
	let whole = 0;
	for (let index = samples.length - 1; index >= 0 && endTime - at < lastMs * 1000; index--) {
		const delta = timeDeltas[index] ?? 0;
		const part = partOfNode.get(samples[index] ?? -1) ?? 'other libraries';
		spent.set(part, (spent.get(part) ?? 0) + delta);
		whole += delta;
		at -= delta;
	}
	return [...spent]
		.map(([part, time]) => ({ part, percent: (100 * time) / whole }))
		.filter(({ percent }) => percent >= 0.5)
		.sort((one, other) => other.percent - one.percent);
}

function partOf(url: string, functionName: string): string {
	return PARTS.find(([, fits]) => fits(url, functionName))?.[0] ?? 'other libraries';
}
