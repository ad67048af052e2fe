/** The items of Sync, Preview and Take Over: Summary, Needs Attention, Changes. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failureData } from '../../shared/actions/nodeFailure';
import type { Plan } from '../planning/plan';

import { itemsOf, origins } from './items';
import type { Settled } from './outcomes';
import type { Telling } from './telling';

/** Items of Changes at most: n8n keeps them with the execution. */
const MOST_CHANGES = 20_000;

export interface Finished {
	runId: string;
	plan: Plan;
	telling: Telling;
	/** The run ended before all was sent. */
	isUnfinished: boolean;
	isPreview: boolean;
	ledger: { name: string; rows: number };
	files: readonly object[];
	tookMs: number;
}

export function outputsOf(context: IExecuteFunctions, finished: Finished): INodeExecutionData[][] {
	const { runId, plan, telling } = finished;
	const { settled, attention } = telling;
	for (const { change, state } of settled) plan.counts.add(change.school_external_id, change.kind, state);
	const origin = origins(context);
	const changes = settled.slice(0, MOST_CHANGES).map((one, place) => changeItem(one, runId, place + 1));
	return [
		itemsOf([summaryItem(finished)], () => origin(null)),
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

function summaryItem(finished: Finished): IDataObject {
	const { runId, plan, telling, ledger, files, tookMs } = finished;
	return {
		run_id: runId,
		outcome: outcomeOf(finished),
		holds: plan.holds.map(holdSummary),
		counts: plan.counts.all(),
		schools: plan.counts.bySchools(),
		causes: telling.causes,
		changes: telling.settled.length,
		files,
		ledger,
		took_ms: tookMs,
	} as unknown as IDataObject;
}

function outcomeOf({ plan, telling: { settled, attention }, isUnfinished, isPreview }: Finished): string {
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
