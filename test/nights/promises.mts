/** What must hold after every night, whatever the export was like. Each gives the promises that were broken, in words. */
import type { Ledger } from '../../nodes/SchoolPartnerRoster/ledger/ledger.ts';
import type { AttentionReport } from '../../nodes/SchoolPartnerRoster/run/attention.ts';
import type { Ended } from '../unit/roster/night.mts';

import { keysIn } from './morning.mts';
import { personIn, type RememberingService, type Accepted } from './service.mts';
import { idOf, userKey, type Truth } from './truth.mts';

export interface Morning {
	service: RememberingService;
	truth: Truth;
	/** Nothing when the export was refused. */
	ended: Ended | undefined;
	/** Needs Attention. */
	attention: AttentionReport['attention'];
	/** Tonight's export was without a mistake. */
	isRight: boolean;
}

export function brokenPromises(morning: Morning): string[] {
	return [...falseRequests(morning), ...doubles(morning), ...(morning.isRight ? untold(morning) : [])];
}

/** What came to a service, and whose record each user is there. */
export type Memory = Pick<RememberingService, 'accepted' | 'personOf' | 'doubles'> &
	Partial<Pick<RememberingService, 'yearOf'>>;

/** A request that the network does not want. */
export function falseRequests({ service, truth }: { service: Memory; truth: Truth }): string[] {
	return service.accepted
		.filter((taken) => !isWanted(taken, truth, service))
		.map(({ action, key }) => `false: ${action} ${key}`);
}

function isWanted({ action, kind, key, body }: Accepted, truth: Truth, service: Memory): boolean {
	if (action === 'remove') return !truth.bonds.has(key);
	if (kind === 'class') return truth.classes.get(key) === Number(body.year);
	if (kind === 'user')
		return truth.users.get(key) === personIn(body) && hasRightResponsible(key, body, truth, service);
	const [ofClass, user] = needsOf(key);
	const isOfYear = service.yearOf === undefined || service.yearOf.get(ofClass) === truth.classes.get(ofClass);
	return truth.bonds.has(key) && isOfYear && truth.users.get(user) === service.personOf.get(user);
}

/** The responsible persons of a student are the student's, whoever else is missing. */
function hasRightResponsible(
	key: string,
	body: Accepted['body'],
	{ responsible }: Truth,
	service: Memory,
): boolean {
	const given = (body.responsible_external_id ?? []) as string[];
	const right = responsible.get(key) ?? [];
	return given.every((id) =>
		right.includes(service.personOf.get(userKey(String(body.school_external_id), id)) ?? -1),
	);
}

/** Nobody exists twice. */
export function doubles({ service }: { service: Memory }): string[] {
	if (service.accepted.length === 0) return [];
	const seen = new Map<string, string>();
	const found = service.doubles.map((key) => `created twice: ${key}`);
	for (const [key, person] of service.personOf) {
		const inSchool = `${key.slice(0, key.indexOf('|'))} ${person}`;
		const other = seen.get(inSchool);
		if (other !== undefined) found.push(`one person twice: ${other} and ${key}`);
		seen.set(inSchool, key);
	}
	return found;
}

/** Of what should be there and is not, a person is told. */
function untold({ service, truth, ended, attention }: Morning): string[] {
	if (ended === undefined) return ['an export without a mistake was refused'];
	const { holds, findings, unconfirmed, waitsFor } = ended.plan;
	const told = new Set([
		...holds.flatMap(({ changes }) => changes.map(({ key }) => key)),
		...[...findings, ...unconfirmed].map(({ key }) => key),
		...ended.sent.done
			.filter(({ state }) => state !== 'applied' && state !== 'removed')
			.map(({ change }) => change.key),
	]);
	// What waits is counted with what it waits for.
	for (const key of waitsFor.keys()) {
		let root = key;
		for (let next = waitsFor.get(root); next !== undefined; next = waitsFor.get(root)) root = next;
		if (told.has(root)) told.add(key);
	}
	// Whom somebody removed by hand only Verify sees, until a request needs them.
	const isUnseen = (key: string) =>
		service.removedByHand.has(key) && !ended.sent.done.some(({ change }) => needs(change.key, key, truth));
	const missing = [...truth.classes.keys(), ...truth.users.keys(), ...truth.bonds].filter(
		(key) => !service.there.has(key) && !isUnseen(key),
	);
	for (const { what_to_do: words } of attention) for (const key of keysIn(words)) told.add(key);
	// Whoever is gone in the service is seen by what needs them and is refused, or waits: a bond, then the student.
	for (const key of truth.bonds) {
		const [ofClass, user] = needsOf(key);
		if (told.has(key) || told.has(ofClass)) told.add(user);
	}
	const isOfTold = (key: string) =>
		[...truth.responsible].some(
			([student, numbers]) => told.has(student) && numbers.includes(truth.users.get(key) ?? -1),
		);
	const isTold = (key: string) => told.has(key) || needsOf(key).some((one) => told.has(one)) || isOfTold(key);
	// In the holidays nobody is in a class, and the export has none: that nothing is removed is said of the file.
	const isFileTold = findings.some(({ code }) => code === 'fileWithoutRows');
	const leftOver = isFileTold
		? []
		: bondsIn(service).filter((key) => !truth.bonds.has(key) && !told.has(key));
	return [
		...missing.filter((key) => !isTold(key)).map((key) => `missing and not told: ${key}`),
		...leftOver.map((key) => `not removed and not told: ${key}`),
	];
}

const bondsIn = ({ there }: RememberingService) => [...there.keys()].filter((key) => key.startsWith('b:'));

/** Whether the request for the one needs the user: a bond, or a student whose responsible person it is. */
function needs(key: string, user: string, { users, responsible }: Truth): boolean {
	return needsOf(key).includes(user) || (responsible.get(key) ?? []).includes(users.get(user) ?? -1);
}

/** The class and the user of a bond. */
function needsOf(key: string): string[] {
	if (!key.startsWith('b:')) return [];
	const [school, ofClass, user] = key.slice(2).split('|');
	return [`c:${school}|${ofClass}`, `u:${school}|${user}`];
}

export interface Settled extends Pick<Morning, 'service' | 'truth' | 'attention'> {
	ledger: Ledger;
}

/** After some nights without a mistake everything is as it is in the network, and the ledger says so. */
export function settledPromises({ service, truth, ledger, attention }: Settled): string[] {
	const right = [...truth.classes.keys(), ...truth.users.keys(), ...truth.bonds];
	// Nobody is put into a class that the service has as last year's, and nobody leaves one who is to go there.
	const isOfYear = (ofClass: string) => service.yearOf.get(ofClass) === truth.classes.get(ofClass);
	const waiting = new Set([...truth.bonds].filter((key) => !isOfYear(needsOf(key)[0])));
	const isUnseen = (key: string) =>
		service.removedByHand.has(key) && ledger.entries.get(key)?.there === 'yes';
	// An id that stands in the service already is not corrected: it stays refused beside the other, and told.
	const refused = attention.filter(({ code }) => code === 'exists').map(({ key = '' }) => key);
	const isOf = (users: string[], key: string) =>
		users.some((user) => key === user || needs(key, user, truth));
	const stopped = [...truth.users.keys()].filter((key) => isOf(refused, key));
	// Whose new bond waits keeps the old ones, also those in the school that they left.
	const waitingPeople = new Set([...[...waiting].map((key) => needsOf(key)[1]), ...stopped].map(idOf));
	const inLedger = [...ledger.entries.values()].filter(({ there }) => there === 'yes').map(({ key }) => key);
	return [
		...right
			.filter((key) => !service.there.has(key) && !waiting.has(key) && !isUnseen(key) && !isOf(stopped, key))
			.map((key) => `missing: ${key}`),
		...bondsIn(service)
			.filter((key) => !truth.bonds.has(key) && !waitingPeople.has(idOf(needsOf(key)[1])))
			.map((key) => `left over: ${key}`),
		...inLedger
			.filter((key) => !service.there.has(key) && !service.removedByHand.has(key))
			.map((key) => `only in the ledger: ${key}`),
	];
}
