/**
 * What this process remembers between deliveries: digests of keys, and which deliveries were taken. n8n makes
 * a new context for every delivery, so it lives here, once for all triggers of the package.
 */
import { Keeping } from '../shared/deliveries/keeping';
import { KeyMemory } from '../shared/deliveries/keyMemory';
import { SeenDeliveries } from '../shared/deliveries/seen';
import { Simultaneous } from '../shared/deliveries/simultaneous';

/** Triggers whose deliveries are remembered in this process at most; what is forgotten is still with the workflow. */
const MOST_TRIGGERS = 500;

/** The memory of one trigger node of one workflow. */
export interface TriggerMemory {
	seen: SeenDeliveries;
	simultaneous: Simultaneous;
	keeping: Keeping;
}

const triggers = new Map<string, TriggerMemory>();

const now = () => Date.now();

export const keyMemory = new KeyMemory(now);

export function memoryOf(workflowId: string, nodeId: string): TriggerMemory {
	const name = JSON.stringify([workflowId, nodeId]);
	const memory = triggers.get(name) ?? newMemory();
	triggers.delete(name);
	triggers.set(name, memory);
	forgetIdleTrigger();
	return memory;
}

function newMemory(): TriggerMemory {
	return { seen: new SeenDeliveries(), simultaneous: new Simultaneous(), keeping: new Keeping(now) };
}

/** The one that was not delivered to for longest, unless deliveries to it are on their way. */
function forgetIdleTrigger(): void {
	if (triggers.size <= MOST_TRIGGERS) return;
	for (const [name, { simultaneous }] of triggers) {
		if (simultaneous.size > 0) continue;
		triggers.delete(name);
		return;
	}
}
