/**
 * The package under attack, in the real n8n with the packed package: every test holds one cell to what must hold. What mostly
 * waits is tried side by side first, everything else one after another, and what is written anywhere is searched at the end.
 * `HOSTILE=deliveries,runs npm run hostile` tries these areas only.
 */
import { setTimeout as wait } from 'node:timers/promises';

import { AREAS, LAST } from './areas.mts';
import { nameOf, USUAL_PATIENCE_MS, type Cell } from './cell.mts';
import { report, type Tried } from './report.mts';
import { HostileStage } from './stage.mts';

const AT_ONCE = 6;
const SHOWN = 5;
/** A second and more between them. */
const TRIES = 15;

const chosen = (process.env.HOSTILE ?? '').split(',').filter((name) => name !== '');
const areas = [...AREAS.filter(({ name }) => chosen.length === 0 || chosen.includes(name)), LAST];

const tried = new Map<Cell, Tried>();

/** Tries a cell. One that throws or takes too long did not hold, and neither did one that ended n8n. */
async function attempt(stage: HostileStage, cell: Cell): Promise<void> {
	const { patienceMs = USUAL_PATIENCE_MS } = cell;
	const startedAt = Date.now();
	const patience = new AbortController();
	const findings = await Promise.race([
		cell.attack(stage).catch((error: unknown) => [`the attack broke off: ${String(error)}`]),
		wait(patienceMs, [`not over after ${patienceMs / 1_000} s`], { signal: patience.signal }),
	]);
	patience.abort();
	tried.set(cell, { cell, findings, milliseconds: Date.now() - startedAt });
	if (cell.waits || (await isAliveSoon(stage))) return;
	findings.push('n8n does not answer any more');
	await stage.killAndStartAgain();
}

async function isAliveSoon(stage: HostileStage): Promise<boolean> {
	for (let tries = 0; tries < TRIES; tries++) {
		if (await stage.isAlive()) return true;
		await wait(1_000);
	}
	return false;
}

beforeAll(async () => {
	const startedAt = Date.now();
	const stage = await HostileStage.set();
	try {
		const cells = areas.flatMap(({ cells }) => cells);
		const waiting = cells.filter(({ waits }) => waits).values();
		await Promise.all(
			Array.from({ length: AT_ONCE }, async () => {
				for (const cell of waiting) await attempt(stage, cell);
			}),
		);
		if (!(await isAliveSoon(stage))) await stage.killAndStartAgain();
		for (const cell of cells.filter(({ waits }) => !waits)) await attempt(stage, cell);
	} finally {
		await stage.end();
		report(areas, (cell) => tried.get(cell), (Date.now() - startedAt) / 1_000);
	}
}, 1_800_000);

describe.each(areas)('$name', ({ cells }) => {
	test.each(cells.map((cell) => [nameOf(cell), cell] as const))('%s', (_name, cell) => {
		// The table and the file say the rest.
		expect(tried.get(cell)?.findings.slice(0, SHOWN)).toEqual([]);
	});
});
