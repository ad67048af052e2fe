/** When nodes worked, by the log of events that n8n keeps: the data of a run may be too large to be read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Stretch {
	/** Milliseconds since 1970. */
	from: number;
	to: number;
}

interface LoggedEvent {
	eventName?: string;
	ts: string;
	payload?: { nodeName?: string };
}

/** From the start of each of these nodes to its end, in the first run since this moment (milliseconds since 1970). */
export function stretchesOf(userFolder: string, nodes: readonly string[], since: number): Stretch[] {
	const events = readFileSync(join(userFolder, '.n8n', 'n8nEventLog.log'), 'utf8')
		.split('\n')
		.filter((line) => line.includes('n8n.node.'))
		.map((line) => JSON.parse(line) as LoggedEvent)
		.filter(({ ts }) => Date.parse(ts) >= since);
	const when = (name: string, node: string) => {
		const event = events.find(({ eventName, payload }) => eventName === name && payload?.nodeName === node);
		if (event === undefined) throw new Error(`n8n has logged no ${name} of "${node}"`);
		return Date.parse(event.ts);
	};
	return nodes.map((node) => ({ from: when('n8n.node.started', node), to: when('n8n.node.finished', node) }));
}
