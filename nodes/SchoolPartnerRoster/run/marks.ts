/** Which service, client and choice of ids a ledger belongs to. */
import type { Session } from '../../shared/transport/session';
import { markOf } from '../ledger/digest';
import type { UserKeys } from '../ledger/key';
import { compared } from '../ledger/row';
import type { LedgerMarks } from '../planning/conditions';

import type { ReadInput } from './roster';

/** Whom a ledger is for, as digests. */
export function marksOf(
	{ baseUrl, clientId }: Pick<Session, 'baseUrl' | 'clientId'>,
	identity: ReadInput['identity'],
	userIdsUniqueWithin: UserKeys,
): LedgerMarks {
	const ids = Object.entries({ ...identity, userIdsUniqueWithin }).sort(([one], [other]) =>
		compared(one, other),
	);
	return { service: serviceMark(baseUrl), client: markOf(clientId), ids: markOf(JSON.stringify(ids)) };
}

export function serviceMark(baseUrl: string): string {
	return markOf(normalised(baseUrl));
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
