/**
 * A little model of the service, written from its document: classes, users and bonds are created and bonds removed; responsible users come before
 * their students; a bond needs its class and its user. What the document leaves open, a test decides: whether something that is there may be
 * created a second time.
 */
import type { Account, AskedUser } from '../../../nodes/SchoolPartnerRoster/night/accountRounds.ts';
import type { Failure } from '../../../nodes/shared/failure.ts';
import type { Change } from '../../../nodes/SchoolPartnerRoster/planning/change.ts';
import type { ChangeResult } from '../../../nodes/SchoolPartnerRoster/sending/result.ts';

type Body = Record<string, unknown>;

/** What becomes of a request: a status, or a failure, before anything is done; or it is done, and the answer is lost on its way. */
export type Fault = number | Failure | 'answer lost' | 'never arrives' | undefined;

export class Service {
	/** How often each is there: classes and users of doubles more than once. */
	readonly there = new Map<string, number>();

	/** Every request that came, in order. */
	readonly requests: string[] = [];

	/** What was created although it was there. */
	readonly doubles: string[] = [];

	/** What befalls a request. */
	fault: (action: Change['action'], body: Body) => Fault = () => undefined;

	/** Who was asked for an account, by external id. */
	readonly asked: string[] = [];

	/** Milliseconds from the creation of a user, by external id, until the account is there; Infinity: never. */
	accountComesAfter: (id: string) => number = () => 0;

	/** Milliseconds, of the time in which the nights pass. */
	now = () => 0;

	private readonly createdAt = new Map<string, number>();

	/** What of a user there may be only once beside the id, and is compared without regard to case. */
	uniqueTexts: (body: Body) => readonly string[] = () => [];

	private readonly taken = new Map<string, string>();

	constructor(private readonly onDoubles: 'refuses' | 'accepts' = 'refuses') {}

	/** What the sender of a request gets to know. */
	take({ action, kind, key, send }: Change): ChangeResult {
		const body = send as Body;
		const fault = this.fault(action, body);
		if (typeof fault === 'object') return { kind: 'failed', failure: fault };
		if (fault === 'never arrives') return { kind: 'failed', failure: LOST };
		this.requests.push(`${action} ${key}`);
		const status =
			typeof fault === 'number' ? fault : action === 'remove' ? this.remove(body) : this.create(kind, body);
		if (fault === 'answer lost') return { kind: 'failed', failure: LOST };
		return status === 200 ? { kind: 'done' } : { kind: 'failed', failure: refusal(status) };
	}

	/** The creation result of a user, when its status is the one of an account that is there. */
	account({ key, external_id: id }: AskedUser): Account | undefined {
		this.asked.push(id);
		return this.hasAccount(key) ? { accountId: `account-${id}`, userId: `user-${key}` } : undefined;
	}

	private hasAccount(name: string): boolean {
		const id = name.slice(name.indexOf('|') + 1);
		const age = this.now() - (this.createdAt.get(name) ?? -Infinity);
		return this.there.has(name) && age >= this.accountComesAfter(id);
	}

	/** Everything that is there, for comparing. */
	all(): string[] {
		return [...this.there.keys()].sort();
	}

	private create(kind: string, body: Body): number {
		const { school_external_id: school, responsible_external_id: responsible = [] } = body;
		if (
			kind === 'user' &&
			!(responsible as string[]).every((id) => this.there.has(`u:${String(school)}|${id}`))
		)
			return 400;
		if (kind === 'bond' && !this.hasEndsOf(body)) return 400;
		const name = nameOf(kind, body);
		if (kind === 'user' && this.isTaken(name, body)) return 409;
		const count = this.there.get(name) ?? 0;
		if (count > 0) this.doubles.push(name);
		if (count > 0 && this.onDoubles === 'refuses') return 409;
		// A bond is nothing but its ids.
		this.there.set(name, kind === 'bond' ? 1 : count + 1);
		if (count === 0) this.createdAt.set(name, this.now());
		return 200;
	}

	/** Whether somebody else has a text that there may be only once. */
	private isTaken(name: string, body: Body): boolean {
		const texts = this.uniqueTexts(body).map((text) => text.toLowerCase());
		if (texts.some((text) => (this.taken.get(text) ?? name) !== name)) return true;
		for (const text of texts) this.taken.set(text, name);
		return false;
	}

	private remove(body: Body): number {
		return this.there.delete(nameOf('bond', body)) ? 200 : 404;
	}

	private hasEndsOf({
		school_external_id: school,
		class_external_id: ofClass,
		user_external_id: user,
	}: Body): boolean {
		return (
			this.there.has(`c:${String(school)}|${String(ofClass)}`) &&
			this.hasAccount(`u:${String(school)}|${String(user)}`)
		);
	}
}

/** As the ledger calls it, where no id has a bar or a percent sign. */
function nameOf(kind: string, body: Body): string {
	const { school_external_id: school, external_id: id, class_external_id: ofClass } = body;
	if (kind !== 'bond') return `${kind[0]}:${String(school)}|${String(id)}`;
	return `b:${[school, ofClass, body.user_external_id, body.profile_name].map(String).join('|')}`;
}

const LOST: Failure = { origin: 'network', effect: 'unknown', message: 'No answer', next: '' };

function refusal(status: number): Failure {
	const effect = status >= 500 || status === 303 ? 'unknown' : 'none';
	return { origin: 'service', effect, status, message: `HTTP ${status}`, next: '' };
}
