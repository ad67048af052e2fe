/**
 * Logout tokens that were taken already: in the memory of this process, and as one text that n8n keeps with the
 * workflow, so that it outlives a restart.
 */
import type { IDataObject } from 'n8n-workflow';

import { isRemembered, remember } from '../shared/signOn/rememberedTokens';

/** Triggers whose tokens are remembered in this process at most. */
const MOST_TRIGGERS = 500;

/** The key in the static data of the node. */
const KEPT_AS = 'takenLogouts';

const triggers = new Map<string, Map<string, number>>();

/** The memory of one trigger: what this process saw, and what was kept with the workflow. */
export function memoryOf(
	workflowId: string,
	nodeId: string,
	kept: IDataObject,
	now: number,
): Map<string, number> {
	const name = JSON.stringify([workflowId, nodeId]);
	const memory = triggers.get(name) ?? new Map<string, number>();
	triggers.delete(name);
	triggers.set(name, memory);
	const [idlest] = triggers.keys();
	if (triggers.size > MOST_TRIGGERS && idlest !== undefined) triggers.delete(idlest);
	for (const [jti, until] of entriesIn(kept[KEPT_AS])) {
		if (until > now && !memory.has(jti)) memory.set(jti, until);
	}
	return memory;
}

function entriesIn(text: unknown): Array<[string, number]> {
	if (typeof text !== 'string') return [];
	try {
		const read: unknown = JSON.parse(text);
		if (!Array.isArray(read)) return [];
		return read.filter(
			(entry): entry is [string, number] => Array.isArray(entry) && typeof entry[1] === 'number',
		);
	} catch {
		// Not ours: nothing is remembered from it.
		return [];
	}
}

/** Counts the token as taken, unless it was before: then true. */
export function isRepeat(memory: Map<string, number>, jti: string, expiresAt: number, now: number): boolean {
	if (isRemembered(memory, jti, now)) return true;
	remember(memory, jti, expiresAt, now);
	return false;
}

/** Writes the memory into what n8n keeps with the workflow. */
export function keepIn(kept: IDataObject, memory: ReadonlyMap<string, number>): void {
	kept[KEPT_AS] = JSON.stringify([...memory]);
}
