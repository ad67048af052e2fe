/** What a run sends to the service, and what it asks it before. */
import { readReply, unwrapped } from '../../shared/calls/answer';
import { outcomesOf, type OwnWork } from '../../shared/engine/engine';
import { NOT_BEGUN, inputFailure, success, ThrownFailure, type Outcome } from '../../shared/failure';
import { isAccepted } from '../../shared/transport/attempt';
import type { ServiceRequest } from '../../shared/transport/request';
import type { Send } from '../../shared/transport/send';
import { callOf, type Change } from '../planning/change';
import type { CheckWithService } from '../planning/options';
import type { Roster } from '../roster/roster';
import type { SendStep } from '../sending/batch';
import type { ChangeResult } from '../sending/result';
import { offeredBy } from '../service/lookUp';
import { notOffered } from '../service/offered';
import { saysNo } from '../service/saysNo';

import type { Connection } from './connection';
import { lookupFailure } from './failures';
import { itemText } from './items';

/**
 * Nothing is asked before something is to be created. Throws when the service does not answer.
 * @param unmappedGrades what is wrong with them may be their school
 */
export function checkWith(connection: Connection, { unmappedGrades = [] }: Roster): CheckWithService {
	const doubted = new Set(unmappedGrades.map(({ school }) => school));
	return async (records) => {
		const offered = await offeredBy(connection.engine, records, doubted);
		connection.logRequests();
		if (offered.ok) return (record) => notOffered(record, offered.value);
		const otherwise = 'Without asking the service, run with the option Check With Service off.';
		throw new ThrownFailure(lookupFailure(offered.failure, 'what it has', otherwise));
	};
}

/** @param maySend asked before each request leaves, retries included */
export function stepSender(connection: Connection, maySend: () => boolean): SendStep {
	const { engine } = connection;
	connection.maySend = maySend;
	return async (changes, onResult) => {
		engine.beginStep();
		const results = new Map<unknown, ChangeResult>();
		const perform: OwnWork['perform'] = async (change) => {
			const result = await sendChange(engine.send, change as Change);
			results.set(change, result);
			onResult(change as Change, result);
			return success([]);
		};
		const outcomes = await outcomesOf({
			...engine,
			count: changes.length,
			inputOf: (item) => success(changes[item]),
			work: { kind: 'own', perform },
			reach: 'unknown',
			resultOf: success,
		});
		return changes.map((change, index) => results.get(change) ?? undone(outcomes[index]));
	};
}

async function sendChange(send: Send, change: Change): Promise<ChangeResult> {
	const { contract, work } = callOf(change);
	const checked = contract.safeParse(change.send);
	if (!checked.success) return { kind: 'failed', failure: NOT_OF_CONTRACT };
	const request = (work.request as (input: unknown) => ServiceRequest)(checked.data);
	const reply = await send(request);
	const read = readReply(reply, work.answer, { simplify: false });
	if (!read.ok) return undone(read);
	const [body = {}] = read.value;
	const objection = reply.ok ? saysNo(body, reply.value.status) : undefined;
	if (objection !== undefined) return { kind: 'failed', failure: objection };
	// A removal whose first answer was lost.
	if (reply.ok && !isAccepted(reply.value)) return { kind: 'done', isGone: true };
	const { id, user_id, account_id } = unwrapped(body);
	const [serviceId, accountId] = [itemText(id ?? user_id), itemText(account_id)];
	return { kind: 'done', serviceId: serviceId || undefined, accountId: accountId || undefined };
}

/** Of a change that was not done; without a failure, one that the engine did not come to. */
function undone(outcome: Outcome<unknown>): ChangeResult {
	if (outcome.ok || outcome.failure === NOT_BEGUN) return { kind: 'notTried' };
	return { kind: 'failed', failure: outcome.failure };
}

const NOT_OF_CONTRACT = inputFailure({
	code: 'notOfContract',
	message: 'The record is not as the service wants it',
	next: 'Nothing was sent for this one. Please report this to the maintainers of this node.',
});
