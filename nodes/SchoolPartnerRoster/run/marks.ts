/** Whom a ledger is for, as digests. */
import { markOf } from '../ledger/digest';
import type { UserKeys } from '../ledger/key';
import { compared } from '../ledger/row';
import type { LedgerMarks } from '../planning/conditions';

import type { Sending } from './sending';

/** @param identity the options that say where ids come from; empty for rows and records */
export function marksOf(
	{ baseUrl, clientId }: Pick<Sending, 'baseUrl' | 'clientId'>,
	identity: Readonly<Record<string, string>>,
	userIdsUniqueWithin: UserKeys,
): LedgerMarks {
	const ids = Object.entries({ ...identity, userIdsUniqueWithin }).sort(([one], [other]) =>
		compared(one, other),
	);
	return { service: markOf(normalised(baseUrl)), client: markOf(clientId), ids: markOf(JSON.stringify(ids)) };
}

/** `https://HOST:443/` is `https://host`. */
function normalised(address: string): string {
	try {
		const { origin, pathname } = new URL(address);
		return origin + pathname.replace(/\/+$/, '');
	} catch {
		return address;
	}
}
