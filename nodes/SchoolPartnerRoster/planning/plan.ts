/** Tonight's plan: what is different between the export and the ledger, what of it goes, and what is held. Nothing of n8n in here. */
import { failed, success, type Outcome } from '../../shared/failure';
import { digestOf } from '../ledger/digest';
import { readLedger, type Ledger } from '../ledger/ledger';
import type { LedgerRow } from '../ledger/row';
import { nextRunId } from '../ledger/runId';
import { Turns } from '../roster/turns';
import type { Finding } from '../roster/finding';
import type { Roster } from '../roster/roster';

import { admit, marksFor, marksOf, optionStop, type Marks } from './admit';
import { isCountOfAbsences, type Candidate, type Change } from './change';
import { differenceOf } from './compare';
import { Counts } from './counts';
import { wantedOf, type Said, type Wanted } from './desired';
import { Findings } from '../roster/findings';
import { ROWS_WHEN_CUT, tooMuch, unsound, type HoldReason } from './hold';
import { changeOf, numbered } from './number';
import type { PlanMeans, PlanOptions, NotOffered } from './options';
import { inOrder } from './order';
import { planIdsOf, type PlanIds } from './planId';
import { settle } from './settle';
import { summaryOf, type Summary } from './summary';
import { Sum } from './sum';

export interface Plan {
	changes: Change[];
	/** Of the run itself: to be written before anything is sent. Nothing, when nothing goes. */
	ledgerRows: LedgerRow[];
	held: Change[];
	findings: Finding[];
	summary: Summary;
	/** What the ledger knows of whom this plan is for, also where tonight nobody was asked. */
	marks: Marks;
}

/** Plans what to do. What cannot be believed stops, and nothing comes out. */
export async function plan(
	roster: Roster,
	ledgerItems: readonly unknown[],
	options: PlanOptions,
	means: PlanMeans,
): Promise<Outcome<Plan>> {
	const began = means.now();
	const turns = new Turns({ pause: means.pause, clock: means.now });
	const wrong = optionStop(options);
	if (wrong !== undefined) return failed(wrong);
	const read = await readLedger(
		ledgerItems,
		options.onlySchools.length > 0 ? new Set(options.onlySchools) : 'whole',
		turns,
	);
	if (!read.ok) return read;
	const ledger = read.value;
	const marks = marksOf(means, options);
	const admitted = admit(roster, ledger, marks, options, began);
	if (!admitted.ok) return admitted;

	const said: Said = { counts: new Counts(), findings: new Findings(), turns };
	const wanted = await wantedOf(roster, { ...options, ledger }, said);
	const candidates = await candidatesOf(roster, wanted, ledger, options, means, said);
	const ids = await planIdsOf(candidates, turns);
	const reasons = [
		...(await unsound(candidates, ledger, roster, options, turns)),
		...(await tooMuch(candidates, ledger, options, turns)),
	];
	const unapproved = reasons.filter(({ school }) => !isApproved(school, ids, options));
	const { going, held } = await parted(candidates, unapproved, ledger, wanted, said);
	warn(ledger, reasons, candidates.length, said.findings);
	for (const school of options.onlySchools)
		if (!ledger.scopes.has(school) && !wanted.schools.has(school)) said.findings.add(nothingOf(school));

	const runId = nextRunId(began, means.tail, ledger.greatest);
	const files = roster.files.map(({ name }) => name);
	const at = new Date(began).toISOString();
	const { changes, ledgerRows, batches, left } = await numbered({
		going,
		ledger,
		options,
		marks,
		files,
		runId,
		planId: ids.whole,
		at,
		turns,
	});
	const summary = summaryOf({
		ids,
		runId,
		held,
		unapproved,
		counts: said.counts,
		options,
		means,
		left,
		ledger,
		batches,
		files: roster.files,
		began,
	});
	const heldChanges: Change[] = [];
	for (const candidate of held) {
		if (turns.areDue()) await turns.give();
		heldChanges.push({ ...changeOf(candidate, runId, ids.whole, 0, heldChanges.length + 1), held: true });
	}
	const known = [...ledger.scopes.values()].reduce((all, { last }) => marksFor(all, last?.detail), marks);
	return success({
		changes,
		ledgerRows,
		held: heldChanges,
		findings: [...roster.findings, ...said.findings.list()],
		summary,
		marks: known,
	});
}

/** Everything that could be done, in order. */
async function candidatesOf(
	roster: Roster,
	wanted: Wanted,
	ledger: Ledger,
	options: PlanOptions,
	means: PlanMeans,
	said: Said,
): Promise<Candidate[]> {
	const content = await contentOf(roster, wanted, said);
	const difference = await differenceOf({ roster, wanted, ledger, options, asOf: means.asOf, content }, said);
	const { ordered, circular } = await inOrder(difference, said.turns);
	const refused = await refusedIn(ordered, wanted, means);
	for (const { key, kind, school_external_id: school, source } of circular) {
		said.findings.add(CIRCULAR, source, key);
		said.counts.add(school, kind, 'error');
	}
	const accepted = ordered.filter(({ key, kind, school_external_id: school, source }) => {
		const refusal = refused.get(key);
		if (refusal === undefined) return true;
		said.findings.add({ severity: 'error', kind, ...refusal }, source, key);
		said.counts.add(school, kind, 'error');
		return false;
	});
	return await settle(
		accepted,
		new Set([
			...wanted.faulty,
			...refused.keys(),
			...[...circular, ...difference.unsure].map(({ key }) => key),
		]),
		false,
		ledger,
		wanted,
		said,
	);
}

/** What the service would refuse, by key. */
async function refusedIn(
	ordered: readonly Candidate[],
	wanted: Wanted,
	{ check }: PlanMeans,
): Promise<Map<string, NotOffered>> {
	const byKey = new Map<string, NotOffered>();
	if (check === undefined) return byKey;
	const creations = ordered.flatMap(({ action, key }) =>
		action === 'create' ? (wanted.records.get(key) ?? []) : [],
	);
	if (creations.length === 0) return byKey;
	const refused = await check(creations.map(({ record }) => record));
	for (const { key, record } of creations) {
		const refusal = refused.get(record);
		if (refusal !== undefined) byKey.set(key, refusal);
	}
	return byKey;
}

/** What goes, and what is held. What needs something held waits. */
async function parted(
	candidates: readonly Candidate[],
	unapproved: readonly HoldReason[],
	ledger: Ledger,
	wanted: Wanted,
	said: Said,
): Promise<{ going: Candidate[]; held: Candidate[] }> {
	const schools = new Set(unapproved.map(({ school }) => school));
	const held: Candidate[] = [];
	const free: Candidate[] = [];
	for (const candidate of candidates) {
		if (said.turns.areDue()) await said.turns.give();
		(schools.has('') || (schools.has(candidate.school_external_id) && !isCountOfAbsences(candidate))
			? held
			: free
		).push(candidate);
	}
	const going = await settle(free, new Set(held.map(({ key }) => key)), true, ledger, wanted, said);
	for (const list of [going, held]) {
		for (const { counted, school_external_id: school, kind } of list) {
			if (said.turns.areDue()) await said.turns.give();
			if (counted !== undefined) said.counts.add(school, kind, counted);
		}
	}
	return { going, held };
}

function isApproved(school: string, ids: PlanIds, { approvedPlan }: PlanOptions): boolean {
	return approvedPlan.includes(ids.whole) || (school !== '' && approvedPlan.includes(ids.ofSchool(school)));
}

/** A digest of what the export holds, so that the same export twice is not two. */
async function contentOf({ files }: Roster, { records }: Wanted, { turns }: Said): Promise<string> {
	if (files.length > 0)
		return digestOf(JSON.stringify(files.map(({ name, sha256 }) => [name, sha256]).sort()));
	const sum = new Sum();
	for (const { key, hash } of records.values()) {
		if (turns.areDue()) await turns.give();
		sum.add(`${key} ${hash}`);
	}
	return sum.digest('h');
}

/** What a person should know even when there is nothing to hold. */
function warn(ledger: Ledger, reasons: readonly HoldReason[], candidates: number, findings: Findings): void {
	if (ledger.items === ROWS_WHEN_CUT) findings.add(FIFTY_ROWS);
	if (candidates > 0) return;
	for (const { reason, otherwise } of reasons)
		findings.add({
			severity: 'warning',
			code: 'ledgerUnsound',
			message: reason,
			what_to_do: `Nothing is different tonight, so nothing is held. ${otherwise}`,
		});
}

const nothingOf = (school: string) => ({
	severity: 'warning' as const,
	code: 'schoolEmpty',
	message: `The export has no class, no user and no bond of school ${school}, nor has the ledger`,
	what_to_do: 'Nothing of this school is planned. Look whether Only Schools names it as the export does.',
});

const FIFTY_ROWS = {
	severity: 'warning' as const,
	code: 'ledgerFiftyRows',
	message: 'The ledger has exactly 50 rows: so many come when a Data Table is not read to its end',
	what_to_do: 'Switch Return All on in the node that reads the ledger, if it is off.',
};

const CIRCULAR = {
	severity: 'error' as const,
	code: 'responsibleCircle',
	message:
		'Users need one another as responsible persons in a circle, so that none of them can be created first',
	what_to_do: 'Take one of them out of the circle in the export. They are left out until then.',
	kind: 'user' as const,
};
