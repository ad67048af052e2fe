/** The rows that the ledger gets: of what is about to be sent, and of what came of it. */
import type { Failure } from '../../shared/failure';
import {
	cameOn,
	detailOf,
	unanswered,
	type BatchDetail,
	type RecordDetail,
	type Refused,
} from '../ledger/detail';
import { isOfNetwork } from '../ledger/key';
import type { LedgerRow, OutcomeState } from '../ledger/row';
import { isUpdate, type Change } from '../planning/change';
import { requestMark } from '../planning/refused';

import { isTrouble } from './circuitBreaker';
import type { ChangeResult } from './result';

/** What a batch is about to send; undefined when it only has notes. */
export function intentRow(changes: readonly Change[]): Partial<LedgerRow> | undefined {
	const keysOf = (action: Change['action']) =>
		changes.filter((change) => change.action === action).map(({ key }) => key);
	const detail: BatchDetail = { create: keysOf('create'), remove: keysOf('remove') };
	if (detail.create?.length === 0 && detail.remove?.length === 0) return undefined;
	const users = changes.filter(({ action, key }) => action === 'create' && isOfNetwork(key));
	const schools = users.map((user) => [user.key, user.school_external_id]);
	if (schools.length > 0) detail.schools = Object.fromEntries(schools) as BatchDetail['schools'];
	return { kind: 'batch', key: 'batch', state: 'planned', detail: JSON.stringify(detail) };
}

/** The row of a change: all that is known of its record from now on. Run, place and time are the journal's. */
export function outcomeRow(change: Change, result: ChangeResult, state: OutcomeState): Partial<LedgerRow> {
	const { kind, key, since } = change;
	const done = result.kind === 'done' ? result : undefined;
	// Trap: the ids of an earlier creation would confirm one that never arrived.
	const known = isCreationOfNew(change) ? undefined : change.known;
	return {
		kind,
		key,
		school_external_id: change.school_external_id,
		state: state === 'uncertain' && isUpdate(change) ? 'failed' : state,
		fields: fieldsAfter(change, state),
		service_id: done?.serviceId ?? known?.service_id ?? '',
		account_id: done?.accountId ?? known?.account_id ?? '',
		since: state === 'applied' || state === 'removed' ? '' : since,
		detail: detailText(change, result, state),
	};
}

/** What was not done leaves what the service has. Of a creation of which nobody knows, the values are not those of an earlier one either. */
function fieldsAfter(change: Change, state: OutcomeState): string {
	if (state === 'applied' || state === 'unconfirmed' || state === 'missing') return change.fields;
	const isUnknown = state === 'uncertain' && isCreationOfNew(change);
	return state === 'removed' || isUnknown ? '' : (change.known?.fields ?? '');
}

/** Whether it creates what is not there as far as the ledger knows: what stands in its row is of an earlier one. */
function isCreationOfNew(change: Change): boolean {
	return change.action === 'create' && !isUpdate(change);
}

function detailText(change: Change, result: ChangeResult, state: OutcomeState): string {
	const lasting = lastingDetail(change, state);
	if (result.kind === 'done' || state === 'applied' || state === 'removed') return jsonOf(lasting);
	const detail: RecordDetail = {
		...lasting,
		...(isUncertainRemoval(change, state) && { action: 'remove' }),
		...(change.there !== 'no' && { there: change.there }),
		...(change.source && { place: { file: change.source.file, line: change.source.line } }),
	};
	const { status, code, refused: before } = change.known ? detailOf<RecordDetail>(change.known) : {};
	// What was not sent, or met with trouble, has the answer of before.
	const isTried = result.kind === 'failed';
	if (before !== undefined && state !== 'uncertain' && !(isTried && !isTrouble(result.failure))) {
		return jsonOf({ ...detail, ...statusAndCode({ status, code }), ...unanswered(before) });
	}
	if (isTried) Object.assign(detail, statusAndCode(result.failure));
	const { refused } = change;
	return jsonOf({ ...detail, ...(refused === undefined ? unanswered(before) : { refused }) });
}

/** What the rows of a record go on saying, whatever is done. */
function lastingDetail(change: Change, state: OutcomeState): Pick<RecordDetail, 'year' | 'came'> {
	const year = change.year ?? (change.known && detailOf<RecordDetail>(change.known).year);
	const came = state === 'removed' ? undefined : dayOfComing(change);
	return { ...(year !== undefined && { year }), ...(came !== undefined && { came }) };
}

/** On which day a bond came that is there. Trap: one that was missing, and is back, would seem to have come tonight. */
function dayOfComing({ kind, action, there, known }: Change): string | undefined {
	if (kind !== 'bond' || there === 'no' || known === undefined) return undefined;
	const isComing = action === 'create' && detailOf<RecordDetail>(known).came === undefined;
	return isComing ? undefined : cameOn(known).slice(0, 10);
}

/** Status and code of a failure. */
function statusAndCode({
	status,
	code = '',
}: Pick<Failure, 'status' | 'code'>): Pick<RecordDetail, 'status' | 'code'> {
	return { ...(status !== undefined && { status }), ...(PLAIN_CODE.test(code) && { code }) };
}

/** On which days a change was refused with this answer; undefined for what is no refusal of it. @param today YYYY-MM-DD */
export function refusedOn(
	change: Change,
	result: ChangeResult,
	state: OutcomeState,
	today: string,
): Refused | undefined {
	const isRefused = result.kind === 'failed' && (state === 'failed' || state === 'exists');
	if (!isRefused || isTrouble(result.failure)) return undefined;
	const what = requestMark(change);
	const before = change.known && detailOf<RecordDetail>(change.known);
	const { status, code } = statusAndCode(result.failure);
	const isSame = before?.refused?.what === what && before.status === status && before.code === code;
	return { what, since: (isSame ? before.refused?.since : undefined) ?? today, last: today };
}

/** '' where there is nothing to say. */
function jsonOf(detail: RecordDetail): string {
	return Object.keys(detail).length === 0 ? '' : JSON.stringify(detail);
}

/** Whether a removal is why nobody knows whether the service has it: what was not done leaves that as it was. */
function isUncertainRemoval({ action, there, known }: Change, state: OutcomeState): boolean {
	if (state === 'uncertain') return action === 'remove';
	return there === 'maybe' && known !== undefined && detailOf<RecordDetail>(known).action === 'remove';
}

/** A code is a word. What is longer, or has blanks, is somebody's sentence, which may quote a person. */
const PLAIN_CODE = /^[\w.:-]{1,40}$/;
