/** The service, with a memory of its own: whose record each user is, and of which year each class. */
import { saysNo } from '../../nodes/SchoolPartnerRoster/service/saysNo.ts';
import { Service } from '../unit/roster/service.mts';
import type { Change } from '../../nodes/SchoolPartnerRoster/planning/change.ts';
import type { ChangeResult } from '../../nodes/SchoolPartnerRoster/sending/result.ts';

import type { Chance } from './random.mts';

/** A request that the service took. */
export interface Accepted {
	action: Change['action'];
	kind: Change['kind'];
	key: string;
	body: Record<string, unknown>;
}

/** What a service does beside what its document says. */
export interface ServiceCustoms {
	/** Accounts are made some time after the answer, and some never. */
	confirms: boolean;
	/** Some answers are 200 and say in their body that nothing was done. */
	saysNo: boolean;
	/** Of two users of a school only one may have an e-mail, whatever its case. */
	hasUniqueEmails: boolean;
	/** Of two ids that differ in capitals alone, only one may be in a school. */
	ignoresCase: boolean;
}

const NOTHING_ODD: ServiceCustoms = {
	confirms: false,
	saysNo: false,
	hasUniqueEmails: false,
	ignoresCase: false,
};

const HOUR = 3_600_000;
const RARELY = 0.01;

export class RememberingService extends Service {
	/** Of each user the number of the person, which the phone tells. */
	readonly personOf = new Map<string, number>();

	/** Of each class the year. */
	readonly yearOf = new Map<string, number>();

	/** Users, whether they have come again or not. */
	readonly removedByHand = new Set<string>();

	/** What came since it was last looked at. */
	accepted: Accepted[] = [];

	/** Whether it loses accounts, and says no, tonight. */
	isOdd = false;

	private readonly delays = new Map<string, number>();

	constructor(
		onDoubles: 'refuses' | 'accepts',
		private readonly customs = NOTHING_ODD,
		private readonly chance?: Chance,
	) {
		super(onDoubles);
		this.accountComesAfter = (id) => this.delays.get(id) ?? 0;
		this.uniqueTexts = ({ email, school_external_id: school, external_id: id }) => [
			...(customs.hasUniqueEmails && email !== undefined ? [`${String(school)} ${String(email)}`] : []),
			...(customs.ignoresCase ? [`${String(school)}|${String(id)}`] : []),
		];
	}

	override take(change: Change): ChangeResult {
		const { action, kind, key } = change;
		const isCreation = action === 'create';
		const failure = isCreation && this.is('saysNo') ? saysNo({ success: false }, 200) : undefined;
		if (failure !== undefined) return { kind: 'failed', failure };
		const result = super.take(change);
		if (result.kind !== 'done') return result;
		const body = change.send as Record<string, unknown>;
		this.accepted.push({ action, kind, key, body });
		if (kind === 'class') this.yearOf.set(key, Number(body.year));
		if (kind === 'user' && isCreation) this.makeAccount(key, body);
		return result;
	}

	/** Somebody works in the service by hand: the user is gone, with all bonds. */
	removeByHand(user: string): void {
		const [school, id] = user.slice(2).split('|');
		if (!this.there.delete(user)) return;
		this.removedByHand.add(user);
		for (const key of this.there.keys()) {
			const [inSchool, , ofUser] = key.slice(2).split('|');
			if (key.startsWith('b:') && inSchool === school && ofUser === id) this.there.delete(key);
		}
	}

	private makeAccount(key: string, body: Record<string, unknown>): void {
		this.personOf.set(key, personIn(body));
		if (this.is('confirms')) this.there.delete(key);
		else if (this.customs.confirms && this.isOdd)
			this.delays.set(String(body.external_id), this.chance?.of([0, 0, 0, HOUR / 20, 20 * HOUR]) ?? 0);
	}

	/** Whether something odd happens this time. */
	private is(name: 'saysNo' | 'confirms'): boolean {
		return this.isOdd && this.customs[name] && this.chance?.isTrue(RARELY) === true;
	}
}

/** The phone says who it is, however it is written. */
export const personIn = ({ cell_phone: phone }: Record<string, unknown>): number =>
	Number(String(phone).replaceAll(/\D/g, '').slice(-8));
