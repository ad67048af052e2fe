/** The output Needs Attention: one item for each thing that a person should see; which of them are new, and what the ledger remembers of that. Pure. */
import { idsIn } from '../ledger/key';
import type { LedgerRow } from '../ledger/row';
import { tellingRows, toldDigest, type Told } from '../ledger/told';
import { nextTry, triedAgain } from '../planning/refused';
import type { Hold } from '../planning/holds';
import { hasLeft, type LeftRecord } from '../planning/recordFindings';
import type { PlanOptions } from '../planning/options';
import type { Plan } from '../planning/plan';
import { withoutInternalFields, type Finding } from '../roster/finding';
import type { Roster } from '../roster/roster';
import type { Turns } from '../roster/turns';
import type { Done } from '../sending/batch';

import { settledChanges, type SettledChange } from './changes';
import { recordNames, type RecordNames } from './names';

/** What a person should see, as far as tonight alone says it. */
interface Remark extends Omit<Finding, 'count' | 'places'> {
	external_id?: string;
	school_external_id?: string;
	/** How many others wait for it. */
	blocks?: number;
	/** How many rows it is about, and where they stand. */
	count?: number;
	places?: Finding['places'];
	hold_id?: string;
	/** It is refused again and again: one thing, whether it was tried tonight or not. */
	isRefusal?: true;
}

/** Item of Needs Attention. */
export interface Attention extends Omit<Remark, 'isOfOne' | 'isRefusal'>, RecordNames {
	school_name?: string;
	/** The day on which it was told first, YYYY-MM-DD. */
	since: string;
	/** It was not told in the run before. */
	new: boolean;
}

/** Items of Needs Attention of one code, for Summary. */
export interface AttentionCause
	extends Pick<Finding, 'code' | 'severity' | 'count' | 'message' | 'what_to_do'> {
	/** How many of them are new. */
	new: number;
}

export interface AttentionReport {
	settled: SettledChange[];
	attention: Attention[];
	causes: AttentionCause[];
	/** For the ledger; none when all is as before. */
	rows: Array<Partial<LedgerRow>>;
}

export interface AttentionInput {
	plan: Plan;
	done: readonly Done[];
	findings: readonly Finding[];
	isPreview: boolean;
	told: Told;
	roster: Roster;
	/** Of the run, YYYY-MM-DD. */
	asOf: string;
	options: Pick<PlanOptions, 'onlySchools' | 'userIdsUniqueWithin'>;
	turns: Turns;
}

/** Items about single changes, and of who has left, at most: what is beyond is only counted. */
const MOST_ITEMS = 1_000;

/** A remark, and whether it was told before. */
interface DatedRemark {
	remark: Remark;
	digest: string;
	since: string;
	isNew: boolean;
}

export async function attentionReport(input: AttentionInput): Promise<AttentionReport> {
	const { plan, done, told, asOf: day, isPreview, turns } = input;
	const settled = settledChanges(plan.changes, done, plan.holds, isPreview);
	const dated = (remark: Remark): DatedRemark => {
		const digest = toldDigest(remark.isRefusal ? 'refusedBefore' : remark.code, aboutOf(remark));
		const before = told.get(digest);
		const isNew = before === undefined && remark.code !== WAITS;
		return { remark, digest, since: before?.since ?? day, isNew };
	};
	const remarks = remarksOf(settled, input).map(dated);
	const left: DatedRemark[] = [];
	await turns.forEach(plan.left, (one) => left.push(dated(leftRemark(one))));
	const unnamed = new Set(left.filter(({ isNew }) => isNew).slice(MOST_ITEMS));
	const named = [...remarks, ...left.filter((one) => !unnamed.has(one))];
	const remembered = named
		.filter(({ remark }) => remark.code !== WAITS)
		.map(({ digest, remark }) => ({ digest, isOnce: isToldOnce(remark) }));
	// Trap: a school that is empty for a night would have all who ever left it told again.
	await turns.forEach(plan.unseen, (one) => {
		const { digest, isNew } = dated(leftRemark(one));
		if (!isNew) remembered.push({ digest, isOnce: true });
	});
	const listed = named.filter(({ remark, isNew }) => isNew || !isToldOnce(remark));
	return {
		settled,
		attention: await attentionItems([...listed, ...unnamedLeavers(unnamed).map(dated)], input),
		causes: causesByCode([...remarks, ...left]),
		rows: tellingRows(told, { items: remembered, day, isWhole: isWhole(input) }),
	};
}

/** Nobody can act on it, and nobody has to: a leaver, a class that ended, a file that is not read. */
function isToldOnce({ severity }: Remark): boolean {
	return severity === 'information';
}

/** What it is about, as the ledger remembers it: of many records, what is said of them. */
function aboutOf({ hold_id, isOfOne, key, kind, fields = [], message }: Remark): string {
	// Another field of the same record is another thing to correct.
	const record = isOfOne === true && key !== undefined ? [key, ...fields].join(' ') : undefined;
	return hold_id ?? record ?? `${kind ?? ''} ${message}`;
}

/** Whether the export says all there is, of all schools: only then nothing that is told once has merely been left out. */
function isWhole({ plan, roster: { completeness }, options: { onlySchools } }: AttentionInput): boolean {
	const isAll = Object.values(completeness).every((said) => said === 'whole');
	return isAll && onlySchools.length === 0 && !plan.isTakeOver;
}

async function attentionItems(
	remarks: readonly DatedRemark[],
	{ roster, options, turns }: AttentionInput,
): Promise<Attention[]> {
	const keys = remarks.flatMap(({ remark }) => remark.key ?? []);
	const namesOf = await recordNames(keys, roster, options.userIdsUniqueWithin, turns);
	return remarks.map(({ remark, since, isNew }) => {
		const item = { ...(remark.key !== undefined && namesOf(remark.key)), ...withoutInternalFields(remark) };
		const schoolName = roster.schoolNames?.get(item.school_external_id ?? '');
		return { ...item, ...(schoolName && { school_name: schoolName }), since, new: isNew };
	});
}

/** The most frequent first. */
function causesByCode(remarks: readonly DatedRemark[]): AttentionCause[] {
	const causes = new Map<string, AttentionCause>();
	for (const { remark, isNew } of remarks) {
		const { code, severity, message, what_to_do, count = 1 } = remark;
		const cause = causes.get(code) ?? { code, severity, count: 0, new: 0, message, what_to_do };
		causes.set(code, cause);
		cause.count += count;
		if (isNew) cause.new += count;
	}
	return [...causes.values()].sort((one, other) => other.count - one.count);
}

/** All of a run but who has left, the most severe first. */
function remarksOf(settled: readonly SettledChange[], { plan, done, findings }: AttentionInput): Remark[] {
	const waiting = new WaitingChanges(done, plan.waitsFor);
	const undone = settled.filter(({ failure }) => failure !== undefined && !OF_OTHERS.has(failure.code));
	const tried = undone.filter(({ state }) => state !== 'not tried');
	const [leftOver, more] = [undone.length - tried.length, tried.length - MOST_ITEMS];
	const remarks = [
		...plan.holds.map((hold) => heldRemark(hold, waiting)),
		...tried.slice(0, MOST_ITEMS).map((change) => undoneRemark(change, waiting)),
		...(leftOver > 0 ? [notTried(leftOver)] : []),
		...(more > 0 ? [notListed(more)] : []),
		...findings.map((finding) => findingRemark(finding, waiting)),
	];
	const others = waiting.ofNoRemark();
	if (others > 0) remarks.push(waits(others));
	const order = ['error', 'warning', 'information'];
	return remarks.sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
}

/** The code of those that only wait, where what they wait for has no item. */
const WAITS = 'waits';

/** What only waits for another is counted with that one. */
const OF_OTHERS = new Set<string | undefined>(['blocked', 'waitsForUnconfirmed']);

function findingRemark(finding: Finding, waiting: WaitingChanges): Remark {
	const { key, isOfOne, count } = finding;
	if (key === undefined) return finding;
	return { ...finding, ...idsIn(key), ...(isOfOne || count === 1 ? waiting.blockedBy([key]) : {}) };
}

function heldRemark(
	{ hold_id, school_external_id, reason, what_to_do, changes }: Hold,
	waiting: WaitingChanges,
): Remark {
	return {
		...{ severity: 'warning', code: 'held', message: reason, what_to_do },
		...(school_external_id !== '' && { school_external_id }),
		...{ hold_id, count: changes.length },
		...waiting.blockedBy(changes.map(({ key }) => key)),
	};
}

const AFTERWARDS: Readonly<Record<string, string>> = {
	uncertain:
		'Nobody knows whether the service has it: look there, and run the operation Resolve with its key. The next runs tell it until it is settled.',
	exists:
		"It may be somebody else's, so what needs it waits. Look into the service, and run the operation Resolve with its key.",
};

function undoneRemark({ change, state, failure }: SettledChange, waiting: WaitingChanges): Remark {
	const { kind, key, school_external_id, source } = change;
	const again =
		change.refused === undefined
			? 'The next run tries it again.'
			: triedAgain(change, nextTry(change.refused));
	const after = AFTERWARDS[state] ?? again;
	return {
		...{ severity: 'error', code: state === 'failed' ? (failure?.code ?? 'failed') : state },
		message: failure?.message ?? '',
		what_to_do: [failure?.next, after].filter(Boolean).join('\n'),
		...{ kind, key, ...idsIn(key), school_external_id, isOfOne: true },
		...waiting.blockedBy([key]),
		// What exists is told as such on the nights that follow, too.
		...(change.refused !== undefined && state !== 'exists' && { isRefusal: true }),
		...(source !== null && { file: source.file, line: source.line }),
	};
}

/** Changes that wait for others that were not done. Each is told with the one it waits for, directly or through others. */
class WaitingChanges {
	/** How many wait for each, by key. */
	private readonly counts = new Map<string, number>();
	private readonly told = new Set<string>();

	constructor(done: readonly Done[], waitsFor: ReadonlyMap<string, string>) {
		const blockers = new Map(waitsFor);
		for (const { change, result } of done) {
			if (result.kind === 'blocked' || result.kind === 'waiting') blockers.set(change.key, result.by);
		}
		for (const key of blockers.keys()) {
			let root = key;
			for (let next = blockers.get(root); next !== undefined; next = blockers.get(root)) root = next;
			this.counts.set(root, (this.counts.get(root) ?? 0) + 1);
		}
	}

	/** How many wait for these, for the remark about them. */
	blockedBy(keys: readonly string[]): Pick<Remark, 'blocks'> {
		for (const key of keys) this.told.add(key);
		const blocks = keys.reduce((sum, key) => sum + (this.counts.get(key) ?? 0), 0);
		return blocks > 0 ? { blocks } : {};
	}

	/** How many wait for something without a remark of its own, such as one of many bonds with the same error. */
	ofNoRemark(): number {
		return [...this.counts].reduce((sum, [key, count]) => (this.told.has(key) ? sum : sum + count), 0);
	}
}

const waits = (count: number): Remark => ({
	severity: 'warning',
	code: WAITS,
	message: `${count} more wait for something that has an error, or is not there yet`,
	what_to_do: 'Nothing for these: they come by themselves in the run after the other is there.',
	count,
});

const notTried = (count: number): Remark => ({
	severity: 'warning',
	code: 'notTried',
	message: `${count} changes were not sent: the run was ended, or the service was in trouble too many times in a row`,
	what_to_do: 'Start the workflow again: the next run goes on with them.',
	count,
});

const notListed = (count: number): Remark => ({
	severity: 'error',
	code: 'more',
	message: `${count} more changes were not done`,
	what_to_do: 'The output Changes has all of them.',
	count,
});

function leftRemark(left: LeftRecord): Remark {
	const { key, school: school_external_id, source } = left;
	return { ...hasLeft(left), key, ...idsIn(key), school_external_id, ...source };
}

/** Who has left beyond those that are named: they are named in the runs that follow. */
function unnamedLeavers(unnamed: ReadonlySet<DatedRemark>): Remark[] {
	return (['class', 'user'] as const).flatMap((kind) => {
		const { length: count } = [...unnamed].filter(({ remark }) => remark.kind === kind);
		if (count === 0) return [];
		const message = `${count} more of the kind ${kind} are no longer in the export`;
		const next = 'Nothing for now: the next runs name them.';
		return [{ ...hasLeft({ kind }), message, what_to_do: next, isOfOne: undefined, count }];
	});
}
