/** Asks the service for accounts, a slice after another, and keeps of the answers what is compared: no more than that is in memory. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { logRequests } from '../../shared/actions/logRequests';
import { outcomesOf } from '../../shared/engine/engine';
import type { Work } from '../../shared/engine/tasks';
import { success } from '../../shared/failure';
import { steadyNow } from '../../shared/pace/clock';
import { detailOf, type AccessDetail } from '../ledger/detail';
import type { Ledger } from '../ledger/ledger';
import { seenDigests } from '../planning/seenFields';
import { profilesOffered } from '../service/ask';
import { AccountLookups } from '../service/lookUpAccount';
import { verifyCauses, type VerifyCause } from '../verifying/causes';
import { classKeyOf, type ClassJoin } from '../verifying/classList';
import { comparedFields, type ComparedFields } from '../verifying/differingFields';
import { classesByServiceId, type People, type VerifiedAccount } from '../verifying/people';
import { seenPeople, type Answers, type PersonSeen } from '../verifying/person';
import { ProfileTypes } from '../verifying/profiles';
import { shownClass } from '../verifying/shownFields';

import type { Sending } from './sending';

/** So many are asked for before all: when all of them are refused, the others would be. */
const FIRST = 20;

/** Asked for in one go. */
const SLICE = 1_000;

export interface Seen {
	persons: PersonSeen[];
	/** What was compared of each class, by key. */
	classes: Map<string, ComparedFields>;
	ofClasses: Array<Pick<PersonSeen, 'key' | 'seen'>>;
	/** Why not all were asked for. */
	endedBecause: VerifyCause | 'cancelled' | undefined;
}

interface Asked {
	ledger: Ledger;
	salt: string;
	people: People;
	profileNames: { profile?: Array<{ name: string; profile: string }> };
}

export async function seenIn(
	context: IExecuteFunctions,
	sending: Sending,
	{ ledger, salt, people: { accounts }, profileNames }: Asked,
): Promise<Seen> {
	const { means, gate } = sending;
	const seen: Seen = { persons: [], classes: new Map(), ofClasses: [], endedBecause: undefined };
	if (accounts.length === 0) return seen;
	const offered = await profilesOffered(means);
	const schools = schoolsOfEvents(ledger);
	const join: ClassJoin = {
		...{ ledger, classes: classesByServiceId(ledger), schools },
		profiles: new ProfileTypes(offered, profileNames.profile ?? []),
	};
	const lookups = new AccountLookups(means.send, join, schools);
	for (let next = 0; next < accounts.length && seen.endedBecause === undefined; ) {
		const slice = accounts.slice(next, next + (next === 0 ? FIRST : SLICE));
		next += slice.length;
		gate.pace.beginAnew(steadyNow());
		const answers = await answersOf(
			slice,
			sending,
			(account, given) => {
				seen.persons.push(...seenPeople(account, given, join, salt));
				for (const shown of given.classes ?? []) takeClass(shown, join, salt, seen);
			},
			lookups,
		);
		seen.endedBecause = endOf(context, answers);
	}
	logRequests(context, gate.pace.state.summary);
	return seen;
}

/** What the service answered of each, in no order; handed on at once, so that nothing of it stays. */
async function answersOf(
	accounts: readonly VerifiedAccount[],
	{ means }: Sending,
	take: (account: VerifiedAccount, answers: Answers) => void,
	lookups: AccountLookups,
): Promise<Array<Pick<Answers, 'status'> & { isAnswered: boolean }>> {
	const statuses: Array<Pick<Answers, 'status'> & { isAnswered: boolean }> = [];
	const perform: Extract<Work, { kind: 'own' }>['perform'] = async (account) => {
		const answers = await lookups.of(account as VerifiedAccount);
		statuses.push({ status: answers.status, isAnswered: answers.account !== undefined });
		take(account as VerifiedAccount, answers);
		return success([]);
	};
	await outcomesOf({
		...means,
		count: accounts.length,
		inputOf: (item) => success(accounts[item]),
		work: { kind: 'own', perform },
		resultOf: success,
	});
	return statuses;
}

function endOf(
	context: IExecuteFunctions,
	answers: ReadonlyArray<Pick<Answers, 'status'> & { isAnswered: boolean }>,
): Seen['endedBecause'] {
	if (context.getExecutionCancelSignal()?.aborted) return 'cancelled';
	if (answers.some(({ isAnswered }) => isAnswered)) return undefined;
	const isRefused = answers.every(({ status }) => status === 401 || status === 403);
	return isRefused ? verifyCauses.scopeMissing(answers.length) : verifyCauses.serviceFails(answers.length);
}

/** A class is compared once, however many are in it. */
function takeClass(shown: object, join: ClassJoin, salt: string, { classes, ofClasses }: Seen): void {
	const key = classKeyOf(shown as Record<string, unknown>, join);
	const entry = key === undefined ? undefined : join.ledger.entries.get(key);
	if (entry?.there !== 'yes' || entry.isAccepted || classes.has(entry.key)) return;
	const values = shownClass(shown as Record<string, unknown>);
	const fields = comparedFields('class', entry.fields, values, salt);
	classes.set(entry.key, fields);
	ofClasses.push({ key: entry.key, seen: seenDigests(fields.differing, values, salt) });
}

/** Events name a school by its external id and by the service's own. */
function schoolsOfEvents({ decisions }: Ledger): Map<string, string> {
	const schools = new Map<string, string>();
	for (const row of decisions.access.values()) {
		const { school_id: id = '' } = detailOf<AccessDetail>(row);
		if (id !== '' && row.school_external_id !== '') schools.set(id, row.school_external_id);
	}
	return schools;
}
