/** The output Needs Attention: one item for each thing that a person should see; which of them are new, and what the ledger remembers of that. Pure. */
import { pairDigest } from '../ledger/digest';
import type { LedgerRow } from '../ledger/row';
import { tellingRows, TOLD_OF_USERS, type Told } from '../ledger/told';
import { hasLeft } from '../planning/recordFindings';
import type { PlanOptions } from '../planning/options';
import { withoutInternalFields, type Finding } from '../roster/finding';
import type { Roster } from '../roster/roster';
import type { Turns } from '../roster/turns';

import { MOST_CHANGES, settledChanges, type SettledChange } from './changes';
import { recordNames, type RecordNames } from './names';
import { leftRemark, MOST_ITEMS, remarksOf, WAITS, type Remark, type RunOutcome } from './remarks';

/** Item of Needs Attention. */
export interface Attention extends Omit<Remark, 'isOfOne' | 'ofSeveral' | 'isRefusal'>, RecordNames {
	school_name?: string;
	/** The day on which it was told first, YYYY-MM-DD. */
	since: string;
	/** It was not told in the run before. */
	new: boolean;
}

/** Items of Needs Attention with one advice, for Summary: their code, severity, kind and action are the same. */
export interface AttentionCause
	extends Pick<Finding, 'code' | 'severity' | 'kind' | 'action' | 'count' | 'message' | 'what_to_do'> {
	/** How many of them are new. */
	new: number;
}

export interface AttentionReport {
	settled: SettledChange[];
	attention: Attention[];
	causes: AttentionCause[];
	/** Of the items of Needs Attention, and of Changes. */
	namesOf: (key: string) => RecordNames;
	/** For the ledger; none when all is as before. */
	rows: Array<Partial<LedgerRow>>;
}

export interface AttentionInput extends RunOutcome {
	isPreview: boolean;
	told: Told;
	/** The day of the run, YYYY-MM-DD. */
	today: string;
	options: Pick<PlanOptions, 'onlySchools' | 'userIdsUniqueWithin'>;
	turns: Turns;
}

/** A remark, and whether it was told before. */
interface DatedRemark {
	remark: Remark;
	digest: string;
	since: string;
	isNew: boolean;
}

export async function attentionReport(input: AttentionInput): Promise<AttentionReport> {
	const { plan, done, told, today: day, isPreview, turns } = input;
	const settled = settledChanges(plan.changes, done, plan.holds, isPreview);
	const dated = (remark: Remark): DatedRemark => {
		const digest = pairDigest(remark.isRefusal ? 'refusedBefore' : remark.code, aboutOf(remark));
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
	const items = [...listed, ...unnamedLeavers(unnamed).map(dated)];
	const namesOf = await namesOfTold(items, settled, input);
	return {
		settled,
		namesOf,
		attention: items.map((item) => attentionItem(item, namesOf, input.roster)),
		causes: attentionCauses([...remarks, ...left]),
		rows: tellingRows(told, remembered, day, isWhole(input)),
	};
}

/** Of whom is told, and of what Changes shows. */
async function namesOfTold(
	items: readonly DatedRemark[],
	settled: readonly SettledChange[],
	{ roster, options, turns }: AttentionInput,
): Promise<AttentionReport['namesOf']> {
	const changed = settled.slice(0, MOST_CHANGES).map(({ change }) => change.key);
	const keys = [...items.flatMap(({ remark }) => remark.key ?? []), ...changed];
	return await recordNames(keys, roster, options.userIdsUniqueWithin, turns);
}

/** Nobody can act on it, and nobody has to: a leaver, a class that ended, a file that is not read. */
function isToldOnce({ severity }: Remark): boolean {
	return severity === 'information';
}

/** What it is about, as the ledger remembers it: of many records, what is said of them. */
function aboutOf({ hold_id, isOfOne, code, key, kind, fields = [], message }: Remark): string {
	// Another field of the same record is another thing to correct.
	const named = TOLD_OF_USERS.includes(code) ? [] : fields;
	const record = isOfOne === true && key !== undefined ? [key, ...named].join(' ') : undefined;
	return hold_id ?? record ?? `${kind ?? ''} ${message}`;
}

/** Whether the export says all there is, of all schools: only then nothing that is told once has merely been left out. */
function isWhole({ plan, roster: { completeness }, options: { onlySchools } }: AttentionInput): boolean {
	const isAll = Object.values(completeness).every((one) => one === 'whole');
	return isAll && onlySchools.length === 0 && !plan.isTakeOver;
}

function attentionItem(
	{ remark, since, isNew }: DatedRemark,
	namesOf: AttentionReport['namesOf'],
	{ schoolNames }: Roster,
): Attention {
	const item = { ...(remark.key !== undefined && namesOf(remark.key)), ...withoutInternalFields(remark) };
	const schoolName = schoolNames?.get(item.school_external_id ?? '');
	return { ...item, ...(schoolName && { school_name: schoolName }), since, new: isNew };
}

/** The most frequent first. Trap: who is told of a refused removal what helps a creation says that it is not in the service, and it stays there. */
function attentionCauses(remarks: readonly DatedRemark[]): AttentionCause[] {
	const all = new Map<string, { cause: AttentionCause; first: Remark }>();
	for (const { remark, isNew } of remarks) {
		const { code, severity, kind, action, count = 1 } = remark;
		const id = [code, severity, kind, action].join(' ');
		const { cause, first } = all.get(id) ?? { cause: newCause(remark), first: remark };
		all.set(id, { cause, first });
		const isSaidAlike = remark.message === first.message && remark.what_to_do === first.what_to_do;
		if (!isSaidAlike) Object.assign(cause, first.ofSeveral ?? remark.ofSeveral);
		cause.count += count;
		if (isNew) cause.new += count;
	}
	const causes = [...all.values()].map(({ cause }) => cause);
	return causes.sort((one, other) => other.count - one.count);
}

const newCause = ({ code, severity, kind, action, message, what_to_do }: Remark): AttentionCause => ({
	...{ code, severity, count: 0, new: 0, message, what_to_do },
	...(kind !== undefined && { kind }),
	...(action !== undefined && { action }),
});

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
