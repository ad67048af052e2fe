/** Which verdict holds: the first thing that stands in the way, from the person to the classes to the access. Pure. */
import { classOfBond, idsIn } from '../ledger/key';

import type { BondFacts, PersonFacts, RecordFacts } from './facts';
import { VERDICTS, type Verdict } from './verdicts';

export interface Judged extends Verdict {
	code: keyof typeof VERDICTS;
	/** What stands in the way, where that is one record. */
	key?: string;
	hold_id?: string;
}

export function verdictOf(person: PersonFacts): Judged {
	return (
		verdictWithoutUser(person) ?? verdictOfUser(person) ?? verdictOfBonds(person) ?? verdictOfAccess(person)
	);
}

function verdictWithoutUser(person: PersonFacts): Judged | undefined {
	const { user, school, schools, told, lookAlike, access, hasRun } = person;
	if (user !== undefined) return undefined;
	if (!hasRun) return VERDICTS.noRun;
	if (school === '' && schools.length > 1) return VERDICTS.severalSchools(schools.join(', '));
	const notCreated = notCreatedOf(told);
	if (notCreated !== undefined) return { ...notCreated, key: person.key };
	const elsewhere = schools.filter((one) => one !== school);
	if (elsewhere.length > 0) return VERDICTS.otherSchool(elsewhere.join(', '));
	if (lookAlike !== undefined) return VERDICTS.similarId(idsIn(lookAlike).external_id);
	return access?.state === 'granted' ? VERDICTS.accessUnknown : VERDICTS.unknown;
}

/** By findings about new users that keep them from being created. */
function notCreatedOf(told: PersonFacts['told']): Judged | undefined {
	if (SAME_PERSON.some((code) => told.has(code))) return VERDICTS.notCreated;
	return told.has('needsUnknown') ? VERDICTS.needsUnknown : undefined;
}

const SAME_PERSON = ['looksLikeKnown', 'newTwice', 'personTwice'];

function verdictOfUser({ user, told }: PersonFacts): Judged | undefined {
	if (user === undefined) return undefined;
	if (user.there === 'yes') {
		const isOpen = told.has('anotherPerson') && user.resolution === undefined;
		return isOpen ? { ...VERDICTS.anotherPerson, key: user.key } : undefined;
	}
	const notCreated = user.isPast === true ? notCreatedOf(told) : undefined;
	if (notCreated !== undefined) return { ...notCreated, key: user.key };
	return recordVerdict(user, 'the service', ofUserAlone(user));
}

function ofUserAlone(user: RecordFacts): Judged | undefined {
	const { state, refused } = user;
	if (refused !== undefined && state === 'failed')
		return VERDICTS.refused(refused.since, serviceAnswer(user), refused.next_try);
	return OF_USERS[state];
}

const OF_USERS: Readonly<Partial<Record<string, Judged>>> = {
	...{ blocked: VERDICTS.blocked, waiting: VERDICTS.blocked },
	...{ unconfirmed: VERDICTS.unconfirmed, exists: VERDICTS.exists },
};

/** What holds alike of a person in the service and of one in a class. @param own what holds of this one alone, unless nobody knows whether it is there */
function recordVerdict(record: RecordFacts, place: string, own: Judged | undefined): Judged {
	const { key, hold, resolution, state } = record;
	if (resolution === 'notInService') return { ...VERDICTS.notInService(place), key };
	if (hold !== undefined) {
		const isYet = hold.action === 'remove' ? 'may still be' : 'is not yet';
		const judged = hold.isApproved ? VERDICTS.approved(isYet, place) : VERDICTS.held(place, hold.reason);
		return { ...judged, key, hold_id: hold.hold_id };
	}
	if (state === 'uncertain') return { ...VERDICTS.uncertain(place), key };
	if (own !== undefined) return { ...own, key };
	const judged = AWAITING_SYNC.has(state)
		? VERDICTS.notTried(place)
		: VERDICTS.failed(place, serviceAnswer(record));
	return { ...judged, key };
}

const AWAITING_SYNC = new Set(['not tried', 'blocked', 'waiting']);

function verdictOfBonds({ bonds, access, told, key }: PersonFacts): Judged | undefined {
	const present = bonds.filter(({ there }) => there === 'yes');
	for (const bond of bonds) {
		const judged = isOutdated(bond, present) ? undefined : verdictOfBond(bond, key);
		if (judged !== undefined) return judged;
	}
	// What waits for another bond to come is explained by that one.
	const missing = present.find(({ missingSince }) => missingSince !== '');
	if (missing !== undefined)
		return { ...VERDICTS.bondMissing(missing.class_external_id, missing.missingSince), key: missing.key };
	if (present.length > 0) return undefined;
	const wasRemoved = bonds.some(({ state }) => state === 'removed');
	if (wasRemoved && access?.state === 'granted') return VERDICTS.leftWithAccess;
	return wasRemoved || told.has('userLeft') ? VERDICTS.left : VERDICTS.noBond;
}

/** Of who has other bonds, one that the last run did not have. Trap: it may have had the class with an error, unless another one has come since. */
function isOutdated(bond: BondFacts, present: readonly BondFacts[]): boolean {
	const { isPast, hold, isClassThere, resolution, at } = bond;
	if (isPast !== true || hold !== undefined) return false;
	const waitsForClass = !isClassThere && resolution === undefined;
	return present.some((other) => !waitsForClass || other.at > at);
}

/** Undefined where it is as it should be, is gone, or is there and only missing from the export. */
function verdictOfBond(bond: BondFacts, userKey: string): Judged | undefined {
	const { key, hold, class_external_id: ofClass, isRemoval, there } = bond;
	const isStill = there === 'yes' ? 'is still' : 'may still be';
	if (hold?.action === 'remove' && !hold.isApproved)
		return { ...VERDICTS.removalHeld(isStill, ofClass, hold.reason), key, hold_id: hold.hold_id };
	if (isRemoval) return { ...VERDICTS.removalFailed(isStill, ofClass, serviceAnswer(bond)), key };
	if (hold?.action === 'remove' && there === 'yes')
		return { ...VERDICTS.approved('is still', `class ${ofClass}`), key, hold_id: hold.hold_id };
	if (there === 'yes' || bond.state === 'removed' || isWaitingToGo(bond)) return undefined;
	return recordVerdict(bond, `class ${ofClass}`, ofBondAlone(bond, userKey));
}

/** Its removal waits for another bond, which explains it. */
function isWaitingToGo({ there, missingSince, state }: BondFacts): boolean {
	return there === 'maybe' && missingSince !== '' && state !== 'uncertain';
}

function ofBondAlone(bond: BondFacts, userKey: string): Judged | undefined {
	const { key, state, refused, class_external_id: ofClass, isClassThere, classState } = bond;
	if (!isClassThere) return VERDICTS.bondWithoutClass(ofClass, classState);
	if (refused === undefined || AWAITING_SYNC.has(state)) return undefined;
	const keys = `${classOfBond(key)} or ${userKey}`;
	return VERDICTS.bondRefused(ofClass, refused.since, serviceAnswer(bond), keys, refused.next_try);
}

function verdictOfAccess({ bonds, access, hasEvents }: PersonFacts): Judged {
	const there = bonds.filter(({ there: presence }) => presence === 'yes');
	const ids = [...new Set(there.map(({ class_external_id: id }) => id))];
	const classes = `${ids.length === 1 ? 'class' : 'the classes'} ${ids.join(', ')}`;
	if (access?.state === 'revoked') return VERDICTS.accessRevoked(classes, access.since.slice(0, 10));
	if (access?.state === 'granted') return VERDICTS.hasAccess(classes, access.since.slice(0, 10));
	return hasEvents ? VERDICTS.noAccess(classes) : VERDICTS.inPlace(classes);
}

/** " (status 422, InvalidDocument)"; '' where the service said nothing. */
function serviceAnswer({ status, code }: RecordFacts): string {
	const answer = [status === undefined ? [] : `status ${status}`, code ?? []].flat().join(', ');
	return answer && ` (${answer})`;
}

/** What the service shows of somebody who is in place as far as the ledger knows. @param shown external ids of the classes that it shows */
export function verdictWithService(judged: Judged, { bonds }: PersonFacts, shown: readonly string[]): Judged {
	const expected = bonds.filter(({ there }) => there === 'yes');
	const lacking = expected.filter(({ class_external_id: id }) => !shown.includes(id));
	if (!IN_PLACE.has(judged.code) || lacking.length === 0) return judged;
	const [{ key }] = lacking;
	return { ...VERDICTS.serviceLacksClass(lacking.map((bond) => bond.class_external_id).join(', ')), key };
}

const IN_PLACE = new Set<Judged['code']>(['accessRevoked', 'hasAccess', 'noAccess', 'inPlace']);
