/** One person: what the service shows of the account against what the ledger says was sent. Pure. */
import { digestsByField, fieldDigest } from '../planning/fieldDigests';
import { seenDigests } from '../planning/seenFields';

import { comparedList, type ClassJoin, type ComparedList } from './classList';
import { comparedFields, type ComparedFields } from './differingFields';
import type { VerifiedAccount, VerifiedUser } from './people';
import { shownPerson, textOf } from './shownFields';

type Shown = Readonly<Record<string, unknown>>;

/** What came of the lookups of an account; undefined for one that was refused, or not made. Nothing found: an empty list. */
export interface Answers {
	account?: readonly Shown[];
	sponsors?: readonly Shown[];
	classes?: readonly Shown[];
	/** With which status the first that failed was refused. */
	status?: number;
}

export interface PersonSeen {
	key: string;
	/** Why the account was not seen; undefined where it was. */
	unseen?: 'notFound' | 'refused' | 'anotherAccount';
	/** Undefined where the answer is about the person in another school, or was not compared. */
	fields?: ComparedFields;
	responsible?: 'same' | 'differs' | 'notSeen';
	/** Of fields that differ, digests of what is shown. */
	seen: Record<string, string>;
	/** Undefined where it was not seen. */
	list?: ComparedList;
}

const RESPONSIBLE = 'responsible_external_id';

/** Of an account that is one user in the ledger, the responsible persons are those of that user. */
export function seenPeople(
	account: VerifiedAccount,
	answers: Answers,
	join: ClassJoin,
	salt: string,
): PersonSeen[] {
	return account.users.map((user) => {
		const [shown] = answers.account ?? [];
		const unseen = unseenBecause(account, answers);
		const { key } = user.entry;
		if (unseen !== undefined || shown === undefined) return { key, unseen, seen: {} };
		const list = answers.classes && comparedList(user, answers.classes, join);
		if (!isOf(user, shown)) return { key, seen: {}, list };
		const { fields, seen } = fieldsOf(user, shown, salt);
		if (account.users.length > 1) return { key, fields, seen, list };
		const responsible = responsibleOf(user, answers.sponsors, salt);
		if (responsible === 'differs') seen[RESPONSIBLE] = sponsorsDigest(answers.sponsors, salt);
		return { key, fields, responsible, list, seen };
	});
}

function unseenBecause({ accountId }: VerifiedAccount, { account }: Answers): PersonSeen['unseen'] {
	if (account === undefined) return 'refused';
	if (account.length === 0) return 'notFound';
	const shown = textOf(account[0].account_id);
	return shown !== '' && shown.toLowerCase() !== accountId.toLowerCase() ? 'anotherAccount' : undefined;
}

/** An account is shown with one of its users: by the service's own id, else by the external id, it is this one. */
function isOf({ entry, userId }: VerifiedUser, shown: Shown): boolean {
	const [id, externalId] = [textOf(shown.id), textOf(shown.external_id)];
	if (id !== '' && userId !== '') return id.toLowerCase() === userId.toLowerCase();
	return externalId === '' || entry.key.endsWith(`${entry.key.includes('|') ? '|' : ':'}${externalId}`);
}

function fieldsOf({ entry }: VerifiedUser, shown: Shown, salt: string): Pick<PersonSeen, 'fields' | 'seen'> {
	// A person says that the service has the values of tonight, which the ledger does not know yet.
	if (entry.isAccepted) return { seen: {} };
	const type = digestsByField('user', entry.fields).get('document_type');
	const isTypeOf = (text: string) => fieldDigest('document_type', text, salt) === type;
	const values = shownPerson(shown, isTypeOf);
	const fields = comparedFields('user', entry.fields, values, salt);
	return { fields, seen: seenDigests(fields.differing, values, salt) };
}

/** Whether responsible persons were sent: only then they are asked for. */
export function hasResponsible({ entry }: VerifiedUser): boolean {
	return digestsByField('user', entry.fields).has(RESPONSIBLE);
}

function responsibleOf(
	{ entry }: VerifiedUser,
	sponsors: Answers['sponsors'],
	salt: string,
): PersonSeen['responsible'] {
	const sent = digestsByField('user', entry.fields).get(RESPONSIBLE);
	if (sent === undefined || entry.isAccepted) return undefined;
	const isNamed = sponsors?.every(({ external_id: id }) => textOf(id) !== '') === true;
	if (sponsors === undefined || sponsors.length === 0 || !isNamed) return 'notSeen';
	return sponsorsDigest(sponsors, salt) === sent ? 'same' : 'differs';
}

function sponsorsDigest(sponsors: Answers['sponsors'] = [], salt: string): string {
	return fieldDigest(RESPONSIBLE, [...new Set(sponsors.map(({ external_id: id }) => textOf(id)))], salt);
}

/** What was seen, without what a run has written since the ledger was read: the service may show the one or the other. */
export function untouched(person: PersonSeen, touched: ReadonlySet<string>): PersonSeen {
	const { key, list } = person;
	if (touched.size === 0) return person;
	const isLeft = (one: string) => !touched.has(one);
	const [missing, extra, settled] = [list?.missing ?? [], list?.extra ?? [], list?.settled ?? []];
	return {
		...(touched.has(key) ? { key, seen: {} } : person),
		list: list && {
			...list,
			...{ missing: missing.filter(isLeft), extra: extra.filter(isLeft), settled: settled.filter(isLeft) },
		},
	};
}
