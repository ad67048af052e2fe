/**
 * How fast the reader is: `npx tsx --expose-gc test/bench/roster/reader.mts [students …]`. Beside it a bare script of the same
 * libraries: unzip, parse, and of every row its id and a hash into a Map. Nothing is checked, mapped or told there.
 */
import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';

import { readFiles } from '../../../nodes/SchoolPartnerRoster/reading/readFiles.ts';

import { NETWORK_GRADES, networkZip } from './network.mts';

const AS_OF = '2026-06-01';

function bare(zip: Uint8Array): number {
	const seen = new Map<string, string>();
	for (const [name, bytes] of Object.entries(unzipSync(zip))) {
		for (const row of parse(Buffer.from(bytes))) {
			seen.set(`${name} ${row[0]}`, createHash('sha256').update(row.join('|')).digest('hex'));
		}
	}
	return seen.size;
}

async function measured<T>(
	name: string,
	work: () => T | Promise<T>,
	count: (value: T) => number,
): Promise<void> {
	globalThis.gc?.();
	const before = process.memoryUsage().rss;
	let peak = before;
	const delay = monitorEventLoopDelay({ resolution: 1 });
	const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
	delay.enable();
	await new Promise((resolve) => setTimeout(resolve, 50));
	delay.reset();
	const [start, cpu] = [performance.now(), process.cpuUsage()];
	const value = await work();
	const took = performance.now() - start;
	const { user, system } = process.cpuUsage(cpu);
	delay.disable();
	clearInterval(watch);
	peak = Math.max(peak, process.memoryUsage().rss);
	const ms = (nanoseconds: number) => (nanoseconds / 1e6).toFixed(1);
	console.log(
		`${name.padEnd(10)} ${String(count(value)).padStart(8)} ${took.toFixed(0).padStart(6)} ms (${((user + system) / 1000).toFixed(0)} of processor), loop p99 ${ms(delay.percentile(99))} ms, longest ${ms(delay.max)} ms, memory +${((peak - before) / 1048576).toFixed(0)} MB`,
	);
}

for (const students of process.argv.slice(2).map(Number)) {
	const zip = networkZip(students);
	console.log(`${students} students, ${(zip.length / 1048576).toFixed(1)} MB zip`);
	const host = { pause: () => new Promise<void>((resolve) => setTimeout(resolve)), clock: Date.now };
	for (let round = 0; round < 2; round++) {
		await measured(
			'reader',
			() =>
				readFiles(
					[{ name: 'network.zip', bytes: zip }],
					{ grades: NETWORK_GRADES, asOf: AS_OF },
					'automatic',
					host,
				),
			(read) => {
				if (!read.ok) throw new Error(read.failure.message);
				const errors = read.value.findings.filter(({ severity }) => severity === 'error');
				if (errors.length > 0) throw new Error(JSON.stringify(errors));
				return read.value.records.length;
			},
		);
		await measured(
			'bare',
			() => bare(zip),
			(seen) => seen,
		);
	}
}
