/**
 * The least that a plan can cost, in a process that does nothing else: the same libraries unzip and parse, of every row the id and a hash go
 * into a Map, and that is compared with the ledger. Nothing is checked, mapped, or told. `bare.mjs ZIP LEDGER`, the ledger as JSON; prints
 * the milliseconds.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';

const [zip, ledger] = process.argv.slice(2).map((file) => readFileSync(file));
const rows = JSON.parse(ledger.toString());

const began = performance.now();
const there = new Map(rows.map(({ key, hash }) => [key, hash]));
const wanted = new Map();
for (const [name, bytes] of Object.entries(unzipSync(zip))) {
	for (const row of parse(Buffer.from(bytes))) {
		wanted.set(`${name} ${row[0]}`, createHash('sha256').update(row.join('|')).digest('hex'));
	}
}
const isNew = [...wanted].filter(([key, hash]) => there.get(key) !== hash);
const isGone = [...there.keys()].filter((key) => !wanted.has(key));
const took = performance.now() - began;
if (isNew.length !== wanted.size || isGone.length !== there.size)
	throw new Error('The keys of the ledger are others');
process.stdout.write(String(took));
