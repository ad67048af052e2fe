/** What of all remarks is new tonight, what was told before, and what the ledger is to remember of that. */
import { tellingRows, toldDigest, type Told } from '../ledger/told';
import type { LedgerRow } from '../ledger/row';
import type { Plan } from '../planning/plan';
import type { PlanOptions } from '../planning/options';
import { asItem, type Finding } from '../roster/finding';
import type { Roster } from '../roster/roster';
import type { Turns } from '../roster/turns';
import type { Done } from '../sending/batch';

import { moreLeft, remarkOfLeft, remarksOf, WAITS, type Remark } from './attention';
import { namesOf, type Names } from './names';
import { settledChanges, type Settled } from './outcomes';

/** Item of the output Needs Attention. */
export interface Attention extends Omit<Remark, 'isOfOne' | 'isRefusal'>, Names {
	school_name?: string;
	/** The day on which it was told first, YYYY-MM-DD. */
	since: string;
	/** It was not told in the run before. */
	new: boolean;
}

/** What is grouped in the output Summary. */
export interface Cause extends Pick<Finding, 'code' | 'severity' | 'count' | 'message' | 'what_to_do'> {
	/** How many of them are new. */
	new: number;
}

export interface Telling {
	settled: Settled[];
	attention: Attention[];
	causes: Cause[];
	/** Of the ledger; none when it is all as before. */
	rows: Array<Partial<LedgerRow>>;
}

interface TellingInput {
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

/** Who has left and is named in one run, at most. */
const MOST_LEFT = 1_000;

/** A remark that may have been told before. */
interface Judged {
	remark: Remark;
	digest: string;
	since: string;
	isNew: boolean;
}

export async function tellingOf(input: TellingInput): Promise<Telling> {
	const { plan, done, findings, told, asOf: day, isPreview, turns } = input;
	const settled = settledChanges(plan.changes, done, plan.holds, isPreview);
	const judge = (remark: Remark): Judged => {
		const digest = toldDigest(remark.isRefusal ? REFUSED : remark.code, aboutOf(remark));
		const before = told.get(digest);
		return { remark, digest, since: before?.since ?? day, isNew: before === undefined && !isOfOther(remark) };
	};
	const judged = remarksOf(settled, done, plan.holds, findings, plan.waitsFor).map(judge);
	const left: Judged[] = [];
	await turns.forEach(plan.left, (one) => left.push(judge(remarkOfLeft(one))));
	const all = [...judged, ...left];
	const unnamed = new Set(left.filter(({ isNew }) => isNew).slice(MOST_LEFT));
	const named = all.filter((one) => !unnamed.has(one));
	const remembered = named.filter(({ remark }) => !isOfOther(remark));
	const items = remembered.map(({ digest, remark }) => ({ digest, isOnce: isToldOnce(remark) }));
	// Trap: a school that is empty for a night would have all who ever left it told again.
	await turns.forEach(plan.unseen, (one) => {
		const { digest, isNew } = judge(remarkOfLeft(one));
		if (!isNew) items.push({ digest, isOnce: true });
	});
	return {
		settled,
		attention: await attentionOf([...named.filter(isDue), ...moreOf(unnamed).map(judge)], input),
		causes: causesOf(all),
		rows: tellingRows(told, { items, day, isWhole: isWhole(input) }),
	};
}

/** What is not tried tonight, since it was refused before. */
const REFUSED = 'refusedBefore';

/** What only waits for another: that one is new, or was told before. */
function isOfOther({ code }: Remark): boolean {
	return code === WAITS;
}

/** Nobody can act on it, and nobody has to: a leaver, a class that ended, a file that is not read. */
function isToldOnce({ severity }: Remark): boolean {
	return severity === 'information';
}

function isDue({ remark, isNew }: Judged): boolean {
	return isNew || !isToldOnce(remark);
}

/** What it is about, as the ledger remembers it: of many records, what is said of them. */
function aboutOf({ hold_id, isOfOne, key, kind, fields = [], message }: Remark): string {
	// Another field of the same record is another thing to correct.
	const record = isOfOne === true && key !== undefined ? [key, ...fields].join(' ') : undefined;
	return hold_id ?? record ?? `${kind ?? ''} ${message}`;
}

/** Whether the export says all there is, of all schools: only then nothing that is told once has merely been left out. */
function isWhole({ plan, roster: { completeness }, options: { onlySchools } }: TellingInput): boolean {
	const isAll = Object.values(completeness).every((said) => said === 'whole');
	return isAll && onlySchools.length === 0 && !plan.isTakeOver;
}

function moreOf(unnamed: ReadonlySet<Judged>): Remark[] {
	return (['class', 'user'] as const).flatMap((kind) => {
		const { length: count } = [...unnamed].filter(({ remark }) => remark.kind === kind);
		return count === 0 ? [] : [moreLeft(kind, count)];
	});
}

async function attentionOf(judged: readonly Judged[], input: TellingInput): Promise<Attention[]> {
	const { roster, options, turns } = input;
	const keys = judged.flatMap(({ remark }) => remark.key ?? []);
	const names = await namesOf(keys, roster, options.userIdsUniqueWithin, turns);
	return judged.map(({ remark, since, isNew }) => {
		const item = { ...(remark.key !== undefined && names(remark.key)), ...asItem(remark) };
		const schoolName = roster.schoolNames?.get(item.school_external_id ?? '');
		return { ...item, ...(schoolName && { school_name: schoolName }), since, new: isNew };
	});
}

/** Remarks by code, the most frequent first. */
function causesOf(judged: readonly Judged[]): Cause[] {
	const causes = new Map<string, Cause>();
	for (const { remark, isNew } of judged) {
		const { code, severity, message, what_to_do, count = 1 } = remark;
		const cause = causes.get(code) ?? { code, severity, count: 0, new: 0, message, what_to_do };
		causes.set(code, cause);
		cause.count += count;
		if (isNew) cause.new += count;
	}
	return [...causes.values()].sort((one, other) => other.count - one.count);
}
