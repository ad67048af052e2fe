/** What an n8n has spent since its start, by its own metrics (`N8N_METRICS`). */
import axios from 'axios';

/** Grows while n8n works; the difference of two is what was spent between them. */
export interface Spent {
	/** Processor time of n8n's process, on all threads, in milliseconds. */
	cpuMs: number;
	/** Expression sandboxes that n8n has opened. */
	sandboxes: number;
}

/** @param baseUrl of an n8n that was started with {@link WITH_METRICS} */
export async function spentBy(baseUrl: string): Promise<Spent> {
	const { data: page } = await axios.get<string>(`${baseUrl}/metrics`, { responseType: 'text' });
	return {
		cpuMs: valueIn(page, 'n8n_process_cpu_seconds_total') * 1_000,
		sandboxes: valueIn(page, 'n8n_expression_pool_acquired_total'),
	};
}

export const WITH_METRICS = { N8N_METRICS: 'true' };

/** One line of Prometheus' text format: `name value`. */
function valueIn(page: string, name: string): number {
	const line = page.split('\n').find((each) => each.startsWith(`${name} `));
	if (line === undefined) throw new Error(`n8n's metrics hold no ${name}`);
	return Number(line.split(' ')[1]);
}

export const NOTHING: Spent = { cpuMs: 0, sandboxes: 0 };

export function added(one: Spent, other: Spent): Spent {
	return { cpuMs: one.cpuMs + other.cpuMs, sandboxes: one.sandboxes + other.sandboxes };
}

export function since(before: Spent, now: Spent): Spent {
	return { cpuMs: now.cpuMs - before.cpuMs, sandboxes: now.sandboxes - before.sandboxes };
}

export function perDelivery({ cpuMs, sandboxes }: Spent, deliveries: number): Spent {
	return { cpuMs: cpuMs / deliveries, sandboxes: sandboxes / deliveries };
}
