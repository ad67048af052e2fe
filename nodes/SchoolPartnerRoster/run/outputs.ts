/** The items of Sync, Preview and Take Over: Summary, Needs Attention, Changes; and a hint above them. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Hold } from '../planning/holds';
import type { Plan } from '../planning/plan';
import type { FindingType } from '../roster/finding';

import type { AttentionReport } from './attention';
import { changeItem, MOST_CHANGES } from './changes';
import { outputItem, origins } from './items';

export interface FinishedRun {
	runId: string;
	plan: Plan;
	report: AttentionReport;
	/** The run ended before all was sent. */
	isUnfinished: boolean;
	ledger: { name: string; rows: number };
	files: readonly object[];
	tookMs: number;
}

export function nightOutputs(context: IExecuteFunctions, finished: FinishedRun): INodeExecutionData[][] {
	const { runId, plan, report } = finished;
	const { settled, attention, namesOf } = report;
	for (const { change, state } of settled) plan.counts.add(change.school_external_id, change.kind, state);
	const origin = origins(context);
	const changes = settled
		.slice(0, MOST_CHANGES)
		.map((one, place) => changeItem(one, { runId, sequence: place + 1, names: namesOf(one.change.key) }));
	return [
		[outputItem(summaryItem(finished), origin(null))],
		attention.map((one) =>
			outputItem(one, origin(one.file === undefined ? null : { file: one.file, line: one.line ?? 0 })),
		),
		changes.map((one) => outputItem(one, origin(one.source))),
	];
}

export function busyOutputs(holder: string, name: string, tookMs: number): INodeExecutionData[][] {
	return withoutPlan({ outcome: 'busy', busy_with: holder, ledger: { name }, took_ms: tookMs });
}

/** @param since of tonight, YYYY-MM-DD */
export function awayOutputs(
	away: FindingType,
	{ name, since, tookMs }: { name: string; since: string; tookMs: number },
): INodeExecutionData[][] {
	const causes = [{ ...away, count: 1, new: 1 }];
	const summary = { outcome: 'unfinished', causes, ledger: { name }, took_ms: tookMs };
	return withoutPlan(summary, [{ ...away, count: 1, new: true, places: [], since }]);
}

/** The outputs of a run that planned nothing. */
function withoutPlan(ofRun: IDataObject, attention: IDataObject[] = []): INodeExecutionData[][] {
	const counts = { class: {}, user: {}, bond: {} };
	const nothing = { run_id: '', holds: [], counts, schools: [], causes: [], changes: 0, files: [] };
	const outputs = [[{ ...nothing, ...ofRun }], attention, []];
	return outputs.map((all) => all.map((one) => outputItem(one, { item: 0 })));
}

function summaryItem(finished: FinishedRun): IDataObject {
	const { runId, plan, report, ledger, files, tookMs } = finished;
	return {
		run_id: runId,
		outcome: nightOutcome(finished),
		holds: plan.holds.map(holdSummary),
		counts: plan.counts.all(),
		schools: plan.counts.bySchools(),
		causes: report.causes,
		changes: report.settled.length,
		files,
		ledger,
		took_ms: tookMs,
	} as unknown as IDataObject;
}

function nightOutcome({ plan, report: { settled, attention }, isUnfinished }: FinishedRun): string {
	if (isUnfinished) return 'unfinished';
	if (plan.holds.length > 0) return 'held';
	if (attention.some(({ severity }) => severity !== 'information')) return 'attention';
	const isAnything = settled.some(({ change }) => plan.isTakeOver || change.action !== 'note');
	return isAnything ? 'done' : 'nothing';
}

function holdSummary({ hold_id, school_external_id, reason, what_to_do, changes }: Hold) {
	const counts: Record<string, number> = {};
	const schools = new Set<string>();
	for (const { action, kind, school_external_id: school } of changes) {
		const name = `${action} ${kind}`;
		counts[name] = (counts[name] ?? 0) + 1;
		schools.add(school);
	}
	return { hold_id, reason, school_external_id, schools: [...schools].sort(), counts, what_to_do };
}

export function addHoldHint(context: IExecuteFunctions, holds: readonly Hold[]): void {
	if (holds.length === 0) return;
	const [{ hold_id: id, reason }] = holds;
	const others = holds.length === 1 ? '' : ` And ${holds.length - 1} more: see Summary.`;
	context.addExecutionHints({
		type: 'warning',
		location: 'outputPane',
		message: `Held: ${reason}. To let it go: a node School Partner Roster with the operation Approve, an item with hold_id ${id}, approve true and by; then start Sync again.${others}`,
	});
}
