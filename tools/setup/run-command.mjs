/** Runs a command that is silent for minutes (npm, a compiler) and shows that time passes. */
import { spawn } from 'node:child_process';

const TAIL_LINES = 40;
const PLAIN_REPORT_EVERY_S = 15;

/** Seconds as a reader says them: `8 s`, `2 min 05 s`. */
export function elapsedText(milliseconds) {
	const seconds = Math.round(milliseconds / 1000);
	if (seconds < 60) return `${seconds} s`;
	return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Beside the output of others a rewritten line would tear theirs apart: only the beginning is told there. */
function reportBeginning(label) {
	process.stdout.write(`  ${label} …\n`);
	return () => {};
}

/** @returns {() => void} stops the reports. On a terminal one line is rewritten, elsewhere a line comes now and then. */
function reportElapsedTime(label, startedAt) {
	const terminal = process.stdout.isTTY === true;
	const report = () => {
		const text = `  ${label} … ${elapsedText(Date.now() - startedAt)}`;
		process.stdout.write(terminal ? `\r${text}` : `${text}\n`);
	};
	report();
	const timer = setInterval(report, terminal ? 1000 : PLAIN_REPORT_EVERY_S * 1000);
	return () => {
		clearInterval(timer);
		if (terminal) process.stdout.write('\r\u001b[K');
	};
}

/**
 * Runs `command args` in `cwd` and waits for its end. Its output is kept back and shown (the last lines of it) only
 * when it fails.
 * @param {{ cwd: string, label: string, env?: Record<string, string>, beside?: boolean }} options `label` says what is going on, for a
 * reader; `beside`: something else writes to the same terminal meanwhile
 * @returns {Promise<void>} rejects with a message that holds the end of the output
 */
export async function runWithProgress(command, args, { cwd, label, env, beside }) {
	const startedAt = Date.now();
	const stopReports = beside ? reportBeginning(label) : reportElapsedTime(label, startedAt);
	const output = [];
	const child = spawn(command, args, {
		cwd,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
	});
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
	const code = await new Promise((resolve) => {
		child.once('error', (error) => {
			output.push(`${error.message}\n`);
			resolve(-1);
		});
		child.once('close', resolve);
	});
	stopReports();
	if (code === 0) {
		console.log(`  ${label}: done in ${elapsedText(Date.now() - startedAt)}`);
		return;
	}
	const tail = output.join('').trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
	throw new Error(`${label} did not succeed (${command} ended with ${code}).\n${tail}`);
}
