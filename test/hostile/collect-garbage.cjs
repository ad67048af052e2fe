/**
 * Loaded into n8n before it starts: SIGUSR2 collects all garbage and writes what is still held, in MB, to `HOSTILE_MEMORY_FILE`. The size of
 * the process says less: when Node.js cleans up is its own affair, and with much memory in the machine it takes hundreds of MB first.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const file = process.env.HOSTILE_MEMORY_FILE;

process.on('SIGUSR2', () => {
	collect();
	const { heapUsed, external } = process.memoryUsage();
	// Under its name only when it is whole.
	writeFileSync(`${file}.part`, String((heapUsed + external) / 1024 / 1024));
	renameSync(`${file}.part`, file);
});
