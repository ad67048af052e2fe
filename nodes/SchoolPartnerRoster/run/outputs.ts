/** The items of Sync, Preview and Take Over: Summary, Needs Attention, Changes. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failureData } from '../../shared/actions/nodeFailure';
import type { Plan } from '../planning/plan';
import type { Done } from '../sending/batch';

import { attentionItems, causesOf, type Attention } from './attention';
import { itemsOf, origins } from './items';
import { settledChanges, type Settled } from './outcomes';

/** Items of Changes at most: n8n keeps them with the execution. */
const MOST_CHANGES = 20_000;

export interface Finished {
	runId: string;
	plan: Plan;
	done: readonly Done[];
	/** The run ended before all was sent. */
	isUnfinished: boolean;
	isPreview: boolean;
	ledger: { name: string; rows: number };
	files: readonly object[];
	tookMs: number;
}

export function outputsOf(context: IExecuteFunctions, finished: Finished): INodeExecutionData[][] {
	const { runId, plan, done, isPreview } = finished;
	const settled = settledChanges(plan.changes, done, plan.holds, isPreview);
	for (const { change, state } of settled) plan.counts.add(change.school_external_id, change.kind, state);
	const attention = attentionItems(settled, done, plan.holds, plan.findings);
	const origin = origins(context);
	const changes = settled.slice(0, MOST_CHANGES).map((one, place) => changeItem(one, runId, place + 1));
	return [
		itemsOf([summaryItem(finished, settled, attention)], () => origin(null)),
		itemsOf(attention, ({ file, line }) => origin(file === undefined ? null : { file, line: line ?? 0 })),
		itemsOf(changes, ({ source }) => origin(source)),
	];
}

export function busyOutputs(holder: string, name: string, tookMs: number): INodeExecutionData[][] {
	const counts = { class: {}, user: {}, bond: {} };
	const summary = {
		...{ run_id: '', outcome: 'busy', holds: [], counts, schools: [], causes: [], changes: 0, files: [] },
		...{ busy_with: holder, ledger: { name }, took_ms: tookMs },
	};
	return [[{ json: summary, pairedItem: { item: 0 } }], [], []];
}

function summaryItem(
	finished: Finished,
	settled: readonly Settled[],
	attention: readonly Attention[],
): IDataObject {
	const { runId, plan, ledger, files, tookMs } = finished;
	return {
		run_id: runId,
		outcome: outcomeOf(finished, settled, attention),
		holds: plan.holds.map(holdSummary),
		counts: plan.counts.all(),
		schools: plan.counts.bySchools(),
		causes: causesOf(attention),
		changes: settled.length,
		files,
		ledger,
		took_ms: tookMs,
	} as unknown as IDataObject;
}

function outcomeOf(
	{ plan, isUnfinished, isPreview }: Finished,
	settled: readonly Settled[],
	attention: readonly Attention[],
): string {
	if (isUnfinished) return 'unfinished';
	if (plan.holds.length > 0) return 'held';
	if (attention.some(({ severity }) => severity !== 'information')) return 'attention';
	const isAnything = settled.some(({ change }) => isPreview || plan.isTakeOver || change.action !== 'note');
	return isAnything ? 'done' : 'nothing';
}

function holdSummary({ hold_id, school_external_id, reason, what_to_do, changes }: Plan['holds'][number]) {
	const counts: Record<string, number> = {};
	const schools = new Set<string>();
	for (const { action, kind, school_external_id: school } of changes) {
		const name = `${action} ${kind}`;
		counts[name] = (counts[name] ?? 0) + 1;
		schools.add(school);
	}
	return { hold_id, reason, school_external_id, schools: [...schools].sort(), counts, what_to_do };
}

function changeItem({ change, state, failure }: Settled, runId: string, sequence: number) {
	const { action, kind, key, school_external_id, why, send, source, hold } = change;
	return {
		...{ run_id: runId, sequence, action, kind, key, school_external_id, state, why, send, source },
		...(hold !== undefined && { hold_id: hold }),
		...(failure !== undefined && {
			error: `${failure.message}\n${failure.next}`,
			failure: failureData(failure),
		}),
	};
}
