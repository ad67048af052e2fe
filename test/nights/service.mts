/** The service, with a memory of its own: whose record each user is. */
import { Service } from '../unit/roster/service.mts';
import type { Change } from '../../nodes/SchoolPartnerRoster/planning/change.ts';
import type { Result } from '../../nodes/SchoolPartnerRoster/sending/result.ts';

/** A request that the service took. */
export interface Accepted {
	action: Change['action'];
	kind: Change['kind'];
	key: string;
	body: Record<string, unknown>;
}

export class RememberingService extends Service {
	/** Of each user the number of the person, which the phone tells. */
	readonly personOf = new Map<string, number>();

	/** What came since it was last looked at. */
	accepted: Accepted[] = [];

	override take(change: Change): Result {
		const result = super.take(change);
		if (result.kind !== 'done') return result;
		const { action, kind, key } = change;
		const body = change.send as Record<string, unknown>;
		this.accepted.push({ action, kind, key, body });
		if (kind === 'user' && action === 'create') this.personOf.set(key, personIn(body));
		return result;
	}
}

export const personIn = ({ cell_phone: phone }: Record<string, unknown>): number =>
	Number(String(phone).slice(-8));
