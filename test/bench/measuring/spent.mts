/** What an n8n spends, by its own metrics (`N8N_METRICS`). */
import type { Session } from '../../../playground/n8n-client.mts';

/** Grows while n8n works; the difference of two is what was spent between them. */
export interface Spent {
	/** Processor time of n8n's process, on all threads, in milliseconds. */
	cpuMs: number;
	/** Expression sandboxes that n8n has opened. */
	sandboxes: number;
}

/** Settings with which n8n tells what it spends. */
export const WITH_METRICS = { N8N_METRICS: 'true' };

/** Since the start of an n8n that was started {@link WITH_METRICS}. */
export async function spentBy(session: Session): Promise<Spent> {
	const page = await session.read<string>('/metrics');
	return {
		cpuMs: valueIn(page, 'n8n_process_cpu_seconds_total') * 1_000,
		sandboxes: valueIn(page, 'n8n_expression_pool_acquired_total'),
	};
}

/** One line of Prometheus' text format: `name value`. */
function valueIn(page: string, name: string): number {
	const line = page.split('\n').find((each) => each.startsWith(`${name} `));
	if (line === undefined) throw new Error(`n8n's metrics hold no ${name}`);
	return Number(line.split(' ')[1]);
}

/** Adds up what is spent while n8n works for one or for another. */
export class Meter<Side> {
	private readonly totals = new Map<Side, Spent & { deliveries: number }>();

	/** @param spent what was spent until now; undefined where nobody can tell */
	constructor(private readonly spent: (() => Promise<Spent>) | undefined) {}

	/** Does the work of so many deliveries, and gives what it gives. */
	async during<T>(side: Side, deliveries: number, work: () => Promise<T>): Promise<T> {
		if (this.spent === undefined) return await work();
		const before = await this.spent();
		const result = await work();
		const after = await this.spent();
		const total = this.totals.get(side) ?? { cpuMs: 0, sandboxes: 0, deliveries: 0 };
		this.totals.set(side, {
			cpuMs: total.cpuMs + after.cpuMs - before.cpuMs,
			sandboxes: total.sandboxes + after.sandboxes - before.sandboxes,
			deliveries: total.deliveries + deliveries,
		});
		return result;
	}

	/** Undefined for a side that nothing was counted of. */
	perDelivery(side: Side): Spent | undefined {
		const total = this.totals.get(side);
		if (total === undefined) return undefined;
		return { cpuMs: total.cpuMs / total.deliveries, sandboxes: total.sandboxes / total.deliveries };
	}
}
