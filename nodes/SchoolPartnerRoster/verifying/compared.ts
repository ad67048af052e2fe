/** One account: what the service shows of it against what the ledger says was sent. Pure. */
import type { JsonObject } from '../../shared/contract/json';
import { idsIn } from '../ledger/key';
import type { Ledger } from '../ledger/ledger';
import { digestsByField, fieldDigest, seenDigests } from '../planning/fieldDigests';

import type { VerifiedAccount, VerifiedUser } from './asked';
import { compareClasses, type ClassListComparison, type ShownIds } from './classes';
import { fieldsShownOtherwise, namesWithValue, shownClass, shownPerson, shownText } from './fields';

/** What came of the lookups of an account; undefined for one that was refused, or not made. Nothing found: an empty list. */
export interface AccountAnswers {
	account?: readonly JsonObject[];
	sponsors?: readonly JsonObject[];
	classes?: readonly JsonObject[];
}

export interface PersonComparison {
	key: string;
	/** Why the account was not seen; undefined where it was. */
	unseen?: 'notFound' | 'refused' | 'anotherAccount';
	/** A run beside has written something of it meanwhile. */
	isBeingWritten?: true;
	/** Names of the fields that differ; undefined where they were not compared. */
	fields?: string[];
	responsible?: 'same' | 'differs' | 'notSeen';
	/** Undefined where the list was not seen. */
	classes?: ClassListComparison;
	/** Of fields that differ, digests of what is shown, '' where it is shown empty; undefined where they were not compared. */
	seen?: Record<string, string>;
	/** Names of the fields that are shown with a value; undefined where they were not compared. */
	filled?: string[];
}

export const RESPONSIBLE_IDS = 'responsible_external_id';

/** A comparison for each user that has the account. */
export function compareAccount(
	account: VerifiedAccount,
	answers: AccountAnswers,
	ids: ShownIds,
	salt: string,
): PersonComparison[] {
	const unseen = unseenBecause(account, answers);
	return account.users.map((user) => {
		const { key } = user.entry;
		const [shown] = answers.account ?? [];
		if (unseen !== undefined || shown === undefined) return { key, unseen };
		const classes = answers.classes && compareClasses(user, answers.classes, ids);
		// A person has said that the service has the values of tonight, which the ledger does not know yet.
		if (user.entry.isAccepted || !isShownAs(user, shown)) return { key, classes };
		return { key, classes, ...compareFields(account, user, { shown, sponsors: answers.sponsors }, salt) };
	});
}

function unseenBecause(
	{ accountId }: VerifiedAccount,
	{ account }: AccountAnswers,
): PersonComparison['unseen'] {
	if (account === undefined) return 'refused';
	if (account.length === 0) return 'notFound';
	const shown = shownText(account[0].account_id);
	return shown !== '' && shown.toLowerCase() !== accountId.toLowerCase() ? 'anotherAccount' : undefined;
}

/** Whether the user that the account is shown with is this one: by the service's own id, else by the external id. */
function isShownAs({ entry, userId }: VerifiedUser, shown: JsonObject): boolean {
	const [id, externalId] = [shownText(shown.id), shownText(shown.external_id)];
	if (id !== '' && userId !== '') return id.toLowerCase() === userId.toLowerCase();
	return externalId === '' || externalId === idsIn(entry.key).external_id;
}

function compareFields(
	account: VerifiedAccount,
	{ entry }: VerifiedUser,
	{ shown, sponsors }: { shown: JsonObject; sponsors: AccountAnswers['sponsors'] },
	salt: string,
): Omit<PersonComparison, 'key'> {
	const values = shownPerson(shown, entry.fields, salt);
	const fields = fieldsShownOtherwise('user', entry.fields, values, salt);
	const seen = seenDigests(fields, values, salt);
	const compared = { fields, seen, filled: namesWithValue(values) };
	if (!needsSponsors(account)) return compared;
	const ids = sponsors?.map(({ external_id: id }) => shownText(id)) ?? [];
	if (ids.length === 0 || ids.includes('')) return { ...compared, responsible: 'notSeen' };
	const digest = fieldDigest(RESPONSIBLE_IDS, [...new Set(ids)], salt);
	const isSame = digest === digestsByField('user', entry.fields).get(RESPONSIBLE_IDS);
	if (isSame) return { ...compared, responsible: 'same' };
	return { ...compared, seen: { ...seen, [RESPONSIBLE_IDS]: digest }, responsible: 'differs' };
}

/** Whether responsible persons were sent. Those of an account that is several users in the ledger are not those of one of them. */
export function needsSponsors({ users: [user, ...others] }: VerifiedAccount): boolean {
	return others.length === 0 && digestsByField('user', user.entry.fields).has(RESPONSIBLE_IDS);
}

export type ClassComparison = Required<Pick<PersonComparison, 'key' | 'fields' | 'seen' | 'filled'>>;

/** Undefined for a class of whose values the ledger says nothing. */
export function compareClass(
	key: string,
	shown: JsonObject,
	{ entries }: Ledger,
	salt: string,
): ClassComparison | undefined {
	const entry = entries.get(key);
	if (entry?.there !== 'yes' || entry.isAccepted) return undefined;
	const values = shownClass(shown);
	const fields = fieldsShownOtherwise('class', entry.fields, values, salt);
	return { key, fields, seen: seenDigests(fields, values, salt), filled: namesWithValue(values) };
}

/** Keys of what was written since a ledger was read. Trap: rows of a ledger that was made small are copies of older ones. */
export function keysWrittenAfter(lastId: number, later: Ledger): Set<string> {
	const written = [...later.entries.values()].filter(({ row }) => row.id > lastId);
	return new Set(written.map(({ key }) => key));
}

/** Of whom a run has written anything since the ledger was read, nothing is said: the service may show the one or the other. */
export function withoutWritten(person: PersonComparison, written: ReadonlySet<string>): PersonComparison {
	const { key, unseen, classes } = person;
	const { missing = [], extra = [], settled = [] } = classes ?? {};
	const isWritten = [key, ...missing, ...extra, ...settled].some((one) => written.has(one));
	return isWritten ? { key, unseen, isBeingWritten: true } : person;
}
