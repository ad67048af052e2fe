/** What is found of a run as a whole, beside its plan and its changes. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Sent } from '../night/changeSender';
import type { Change } from '../planning/change';
import { usersWait } from '../planning/classesInDoubt';
import type { Plan } from '../planning/plan';
import { unconfirmedFindings } from '../planning/unconfirmed';
import type { Finding, FindingType } from '../roster/finding';
import { Findings } from '../roster/findings';
import { SAME_ROSTER, type Roster } from '../roster/roster';
import type { RefusedAlike } from '../sending/circuitBreaker';

export function runFindings(
	context: IExecuteFunctions,
	plan: Plan,
	sent: Sent,
	{ roster, rows, runBytes, now }: { roster: Roster; rows: number; runBytes: number; now: number },
): Finding[] {
	return [
		...unconfirmedUsers(plan, sent, now),
		...plan.findings,
		...refusedAlike(plan, sent, roster),
		...forbiddenSchools(plan, roster),
		...usersWaiting(plan, sent),
		...largeLedger(context, rows, runBytes),
	];
}

/** Of users whose accounts were not seen, of this run and of those before it. @param now milliseconds since 1970 */
export function unconfirmedUsers({ unconfirmed }: Plan, sent: Sent, now: number): Finding[] {
	const created = sent.done.filter(({ state }) => state === 'unconfirmed');
	const tonight = created.map(({ change: { key, source } }) => ({ key, source, since: now }));
	return unconfirmedFindings(unconfirmed.concat(tonight), sent.isMostUnconfirmed, now);
}

/** One for each school that the plan has not told. Where the first classes of all were refused alike, that says it. */
function usersWaiting({ findings }: Plan, { waiting, refusedAlike: alike }: Sent): Finding[] {
	if (waiting.length === 0 || alike.some(({ kind }) => kind === 'class')) return [];
	const found = new Findings();
	for (const { school_external_id: school } of waiting) found.add(usersWait(school));
	const told = new Set(findings.map(({ message }) => message));
	return found.list().filter(({ message }) => !told.has(message));
}

/** One for each school of which something was left out. */
function forbiddenSchools({ changes }: Plan, { comesOnce }: Roster): Finding[] {
	const found = new Findings();
	for (const { forbiddenIn } of changes)
		if (forbiddenIn !== undefined) found.add(schoolForbidden(forbiddenIn, comesOnce === true));
	return found.list();
}

const schoolForbidden = (school: string, isOnce: boolean): FindingType => ({
	severity: 'error',
	code: 'schoolForbidden',
	message: `The service forbids what was sent of school ${school} (403), and the rest of it was left out`,
	what_to_do: isOnce
		? `Ask the operator of the service to give the school to your client. Then start Sync again ${SAME_ROSTER}.`
		: 'Ask the operator of the service to give the school to your client. The other schools go on, and each run tries this one again.',
});

/** All creations of a kind would be refused for the same thing. */
function refusedAlike({ changes }: Plan, { refusedAlike: alike, done }: Sent, roster: Roster): Finding[] {
	const sent = new Set(done.filter(({ result }) => result.kind !== 'notTried').map(({ change }) => change));
	const isLeft = ({ kind, endsRun }: RefusedAlike) =>
		changes.some(
			(change) =>
				!sent.has(change) && change.forbiddenIn === undefined && (endsRun || isOfKind(change, kind)),
		);
	return alike.map((one) => alikeFinding(one, isLeft(one), roster.comesOnce === true));
}

const isOfKind = ({ action, kind }: Change, refused: Change['kind']) =>
	action === 'create' && (kind === refused || (refused === 'class' && kind === 'user'));

/** @param isLeft something was not sent for it */
function alikeFinding(
	{ kind, refused, of, failure, endsRun }: RefusedAlike,
	isLeft: boolean,
	isOnce: boolean,
): Finding {
	const [what, next] = failure.effect === 'unknown' ? MAY_BE_THERE : REFUSED;
	const more = endsRun ? '' : NOT_SENT[kind];
	const again = isOnce ? ` ${SAME_ROSTER}` : isLeft ? ': it goes on with the rest' : '';
	return {
		severity: 'error',
		code: 'refusedAlike',
		kind,
		message: `Of the first ${of} creations of the kind ${kind}, ${refused} ${what}. ${failure.message}`,
		what_to_do: isLeft
			? `Nothing more${more} was sent: ${next}. ${failure.next} Then start Sync again${again}.`
			: `${failure.next} Then start Sync again${again}.`,
		count: refused,
		places: [],
	};
}

/** Without its class a user is not created either: it may be there already, as the class may be. */
const NOT_SENT = { class: ' of this kind, and no user,', user: ' of this kind', bond: ' of this kind' };
const REFUSED = ['were refused alike', 'the others would be refused too'];
const MAY_BE_THERE = [
	'were answered alike, and may be there',
	'the others would be so too. Look into the service, and run Resolve for those that are uncertain',
];

/** What a row takes but for the details of runs, measured: a first load of 3,000 students in SQLite, with the rows of its batches and holds. */
const BYTES_A_ROW = 330;

/** n8n refuses to write when all Data Tables together are larger, as it comes; 2.4.8 already at 50 MiB. Bytes. */
const LIMIT = 200 * 1024 * 1024;

/** A ledger takes half of the room, or more. @param rows of the ledger, of people and events too @param runBytes what the details of its rows of runs take */
export function largeLedger(context: IExecuteFunctions, rows: number, runBytes: number): Finding[] {
	const bytes = rows * BYTES_A_ROW + runBytes;
	if (bytes < LIMIT / 2 || context.getNodeParameter('ledger', 0) !== 'dataTable') return [];
	return [
		{
			severity: 'warning',
			code: 'ledgerLarge',
			message: `The ledger takes some ${Math.round(bytes / 1024 / 1024)} MiB: n8n refuses to write when all of its Data Tables together have 200 MiB`,
			what_to_do:
				'Move the ledger to PostgreSQL, or let the administrator of n8n raise N8N_DATA_TABLES_MAX_SIZE_BYTES.',
			count: 1,
			places: [],
		},
	];
}
