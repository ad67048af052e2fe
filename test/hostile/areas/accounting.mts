/** What became of every item, held against what the service received. Pure. */
import { Findings, shown } from '../cell.mts';
import type { Received } from '../peers/servicePeer.mts';
import type { Seen } from '../runs.mts';

import type { Call } from './calls.mts';

/** Whether a request carries a value: escaped in its address, or in its body. */
function carries({ url, body }: Received, value: unknown): boolean {
	const wanted = typeof value === 'string' ? value : String(JSON.stringify(value) ?? value);
	const { pathname, searchParams } = new URL(url, 'http://peer');
	// What stands in the query is decoded already.
	const parts = [...pathname.split('/').map(decoded), ...searchParams.values()];
	if (parts.some((part) => part === wanted || part === wanted.trim())) return true;
	return body !== '' && textsOf(JSON.parse(body)).some((text) => text === wanted || text === wanted.trim());
}

function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

function textsOf(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [String(value)];
	return Object.values(value).flatMap(textsOf);
}

/** Every item once, on one output, and on the success output only with a request that was answered 2xx. */
export function unaccounted(
	seen: Seen,
	values: readonly unknown[],
	call: Call,
	received: readonly Received[],
): string[] {
	const found = new Findings();
	const accepted = received.filter(({ status }) => status >= 200 && status < 300);
	values.forEach((value, item) => {
		const good = seen.success.filter((each) => each.item === item);
		const bad = seen.failure.filter((each) => each.item === item);
		const isOnce = good.length + bad.length === 1;
		found.hold(
			isOnce,
			`${call.name}, ${shown(value)}: ${good.length} times on the output, ${bad.length} times failed`,
		);
		if (good.length > 0) {
			const isSent = accepted.some((request) => carries(request, value));
			found.hold(isSent, `${call.name}, ${shown(value)}: looks done, and was never sent`);
		}
		for (const { json: failed } of bad) {
			found.hold(
				failed.n === item,
				`${call.name}, ${shown(value)}: its input data is not on the failure output`,
			);
			found.hold(/\S\S/.test(String(failed.error)), `${call.name}, ${shown(value)}: fails without a word`);
		}
	});
	const others = [...seen.success, ...seen.failure].filter(({ item }) => item < 0 || item >= values.length);
	found.hold(others.length === 0, `${call.name}: ${others.length} items that belong to none`);
	return found.list;
}
