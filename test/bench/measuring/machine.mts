/** What the machine says: its processors, a process's memory, connections to a port. Linux, through /proc. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';

const MEGABYTE = 1_000_000;

export interface Machine {
	processor: string;
	cores: number;
	memoryGb: number;
	kernel: string;
}

export function thisMachine(): Machine {
	const processors = cpus();
	return {
		processor: processors[0]?.model ?? 'unknown',
		cores: processors.length,
		memoryGb: Math.round(totalmem() / 1e9),
		kernel: release(),
	};
}

/** Most resident memory that a process has had since its start, or since {@link forgetPeak}; in MB. */
export function peakMemoryMb(pid: number): number {
	return megabytes(pid, 'VmHWM');
}

/** Resident memory of a process now, in MB. */
export function memoryMb(pid: number): number {
	return megabytes(pid, 'VmRSS');
}

function megabytes(pid: number, name: string): number {
	const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(
		readFileSync(`/proc/${pid}/status`, 'utf8'),
	);
	if (kilobytes === null) throw new Error(`/proc/${pid}/status has no ${name}`);
	return (Number(kilobytes[1]) * 1024) / MEGABYTE;
}

/** Starts the peak of a process anew, at what it holds now (proc(5), clear_refs, value 5). */
export function forgetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

const ESTABLISHED = '01';

/** Connections to a port of this machine that are open now, seen from the side that opened them. */
export function openConnectionsTo(port: number): number {
	const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
	return ['/proc/net/tcp', '/proc/net/tcp6']
		.flatMap((table) => readFileSync(table, 'utf8').split('\n').slice(1))
		.map((line) => line.trim().split(/\s+/))
		.filter(([, , to, state]) => to?.endsWith(remote) === true && state === ESTABLISHED).length;
}
