/** What a CPU profile says of deliveries: the node's own time, and n8n's around it. Pure. */
import type { CpuProfile } from './cpu-profile.mts';

interface Frame {
	functionName: string;
	url: string;
}

const PARTS = [
	'the node itself, its credential included',
	'filling in the parameters of all nodes',
	'database layer (TypeORM, SQLite)',
	'the rest of n8n: routing, recording, running, answering',
	'V8: garbage collection, system calls without a script',
] as const;

/** Milliseconds per delivery. */
export type DeliveryParts = Record<(typeof PARTS)[number], number>;

const OWN = /n8n-nodes-school-partner|\/nodes\/Webhook\/|\/credentials-helper\.js|\/encryption\//;
const DATABASE = /typeorm|sqlite3/;

/** A part owns every function under it: the first that fits any frame, from the outermost inwards, counts. */
function partOf(stack: readonly Frame[]): keyof DeliveryParts {
	const has = (fits: (frame: Frame) => boolean) => stack.some(fits);
	if (has(({ url }) => OWN.test(url))) return 'the node itself, its credential included';
	if (has(({ functionName }) => /^(_?getCredentials|_getRunlessCredentials)$/.test(functionName))) {
		return 'the node itself, its credential included';
	}
	if (has(({ functionName }) => /^getNodeParameters(Issues)?$/.test(functionName))) {
		return 'filling in the parameters of all nodes';
	}
	// "Backup" is the name that V8 shows for everything that the SQLite driver does outside of JavaScript.
	if (has(({ url, functionName }) => DATABASE.test(url) || (url === '' && functionName === 'Backup'))) {
		return 'database layer (TypeORM, SQLite)';
	}
	const hasScript = has(({ url }) => url !== '' && !url.startsWith('node:'));
	return hasScript
		? 'the rest of n8n: routing, recording, running, answering'
		: 'V8: garbage collection, system calls without a script';
}

/** Milliseconds per delivery, without the time in which n8n waited; `from` and `to` in microseconds of the profile's clock. */
export function deliveryPartsOf(
	{ nodes, startTime, samples, timeDeltas }: CpuProfile,
	{ from, to }: { from: number; to: number },
	deliveries: number,
): DeliveryParts {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
	const partOfNode = new Map<number, keyof DeliveryParts | undefined>();
	for (const { id, callFrame } of nodes) {
		const isIdle = callFrame.functionName === '(idle)';
		partOfNode.set(id, isIdle ? undefined : partOf(stackOf(id, byId, parents)));
	}
	const parts = Object.fromEntries(PARTS.map((part) => [part, 0])) as DeliveryParts;
	let at = startTime;
	for (const [index, sample] of samples.entries()) {
		const delta = timeDeltas[index] ?? 0;
		at += delta;
		const part = partOfNode.get(sample);
		if (at >= from && at <= to && part !== undefined) parts[part] += delta / 1_000 / deliveries;
	}
	return parts;
}

function stackOf(
	id: number,
	byId: ReadonlyMap<number, { callFrame: Frame }>,
	parents: ReadonlyMap<number, number>,
): Frame[] {
	const stack: Frame[] = [];
	for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
		const node = byId.get(at);
		if (node !== undefined) stack.push(node.callFrame);
	}
	return stack;
}
