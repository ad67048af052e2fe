/** What the service shows of accounts, asked slice by slice: no more answers than those of a slice are in memory. */
import type { IDataObject } from 'n8n-workflow';

import type { Found } from '../../shared/calls/answer';
import { getAccount, getClasses, getSchools, getSponsors } from '../../shared/calls/synchronization';
import { isSaidBy, type Outcome } from '../../shared/failure';
import { addTo } from '../planning/desiredState';
import type { VerifiedAccount } from '../verifying/asked';
import type { ShownIds } from '../verifying/classes';
import { needsSponsors, type AccountAnswers } from '../verifying/compared';
import { shownText } from '../verifying/fields';
import { verifyFindings, type VerifyFinding } from '../verifying/findings';

import { lookUpAll, type EngineContext } from './lookUp';

/** So many are asked for before all: when all of them are refused, the others would be. */
const ASKED_FIRST = 20;

const ACCOUNTS_OF_A_SLICE = 1_000;

/** So many accounts are asked for the external id of a school, one after another. */
const MOST_ASKED_OF_A_SCHOOL = 3;

export interface AccountSlice {
	answers: Array<[VerifiedAccount, AccountAnswers]>;
	/** Why nobody is asked for after these. */
	endedBy?: VerifyFinding;
}

type OutcomesByAccount = ReadonlyMap<VerifiedAccount, Outcome<Found>>;

/** @param ids learns the schools that are met */
export async function* accountSlices(
	engine: EngineContext,
	accounts: readonly VerifiedAccount[],
	ids: ShownIds,
): AsyncGenerator<AccountSlice> {
	const attempts = new Map<string, number>();
	for (let next = 0; next < accounts.length; ) {
		const slice = accounts.slice(next, next + (next === 0 ? ASKED_FIRST : ACCOUNTS_OF_A_SLICE));
		next += slice.length;
		const shown = await lookUpEach(engine, getAccount, slice);
		const found = slice.filter((account) => foundOf(shown, account).length > 0);
		const sponsors = await lookUpEach(engine, getSponsors, found.filter(needsSponsors));
		const classes = await lookUpEach(engine, getClasses, found);
		await learnSchools(engine, classes, ids, attempts);
		const answersOf = (account: VerifiedAccount): AccountAnswers => ({
			account: answerIn(shown, account),
			sponsors: answerIn(sponsors, account),
			classes: answerIn(classes, account),
		});
		const endedBy = refusalOfAll([...shown.values()], next === slice.length);
		yield { answers: slice.map((account) => [account, answersOf(account)]), endedBy };
		if (endedBy !== undefined) return;
	}
}

/**
 * Trap: one lookup that fails would leave all classes of a school unknown, and Verify would say that they are hidden.
 * @param attempts by the service's id of a school
 */
async function learnSchools(
	engine: EngineContext,
	classes: OutcomesByAccount,
	ids: ShownIds,
	attempts: Map<string, number>,
): Promise<void> {
	for (let accounts = accountsOfSchools(classes, ids, attempts); accounts.size > 0; ) {
		for (const found of (await lookUpEach(engine, getSchools, accounts)).values())
			if (found.ok)
				for (const { id, external_id: externalId } of found.value) ids.learnSchool(id, externalId);
		accounts = accountsOfSchools(classes, ids, attempts);
	}
}

/** One account for each school that nothing has told yet, another one with each attempt: a class whose id the ledger has says its school. */
function accountsOfSchools(
	classes: OutcomesByAccount,
	ids: ShownIds,
	attempts: Map<string, number>,
): ReadonlySet<VerifiedAccount> {
	const ofSchools = new Map<string, VerifiedAccount[]>();
	for (const account of classes.keys()) {
		const unknown = foundOf(classes, account).filter(
			(shown) => !ids.knowsSchool(shown.school_id) && ids.classKey(shown) === undefined,
		);
		// Once, however many classes it has there.
		const schools = new Set(unknown.map(({ school_id: id }) => shownText(id)));
		for (const school of schools) addTo(ofSchools, school, account);
	}
	const chosen = new Set<VerifiedAccount>();
	for (const [school, accounts] of ofSchools) {
		const attempt = attempts.get(school) ?? 0;
		attempts.set(school, attempt + 1);
		if (attempt < MOST_ASKED_OF_A_SCHOOL) chosen.add(accounts[attempt % accounts.length]);
	}
	return chosen;
}

async function lookUpEach(
	engine: EngineContext,
	call: typeof getAccount,
	accounts: Iterable<VerifiedAccount>,
): Promise<OutcomesByAccount> {
	const each = [...accounts];
	const inputs = each.map(({ accountId, tenantId }) => ({ account_id: accountId, tenant_id: tenantId }));
	const outcomes = await lookUpAll(engine, call, inputs);
	return new Map(each.map((account, place) => [account, outcomes[place]]));
}

/** Undefined for what was refused, or not asked for. */
function answerIn(outcomes: OutcomesByAccount, account: VerifiedAccount): IDataObject[] | undefined {
	const outcome = outcomes.get(account);
	return outcome?.ok === true ? outcome.value : undefined;
}

function foundOf(outcomes: OutcomesByAccount, account: VerifiedAccount): IDataObject[] {
	return answerIn(outcomes, account) ?? [];
}

function refusalOfAll(outcomes: ReadonlyArray<Outcome<Found>>, isFirst: boolean): VerifyFinding | undefined {
	const failures = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure]));
	const count = outcomes.length;
	// A few at the end say nothing of the others.
	if (failures.length < count || (!isFirst && count < ASKED_FIRST)) return undefined;
	if (failures.every((failure) => isSaidBy(failure, [401, 403]))) return verifyFindings.scopeMissing(count);
	const fails = verifyFindings.serviceFails(count);
	const [{ origin, message, next }] = failures;
	if (origin === 'service' || failures.some((one) => one.message !== message)) return fails;
	return { ...fails, message, what_to_do: `${next}\n${fails.what_to_do}` };
}
