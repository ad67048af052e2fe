/**
 * Loaded into n8n before it starts: how late a timer comes that is due every few milliseconds. On SIGUSR2 everything since the start is written to
 * `LOOP_DELAY_FILE`, as pairs of the time (milliseconds since 1970) and the delay. Not `monitorEventLoopDelay` of Node.js: its histogram does not
 * say when, and only the time in which the measured node works counts.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { performance } = require('node:perf_hooks');

const EVERY_MS = 5;
const file = process.env.LOOP_DELAY_FILE;
const seen = [];
let last = performance.now();

setInterval(() => {
	const now = performance.now();
	seen.push([Date.now(), Math.max(0, now - last - EVERY_MS)]);
	last = now;
}, EVERY_MS).unref();

process.on('SIGUSR2', () => {
	// Under its name only when it is whole.
	writeFileSync(`${file}.part`, JSON.stringify(seen));
	renameSync(`${file}.part`, file);
});
