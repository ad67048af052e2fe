/**
 * What a call to the service is: what it is given, what it sends, and how its answer is read. Calls know nothing of panels, items
 * and n8n, so that whatever has values (a node's parameters, a roster's records) makes them the same way. Requests are
 * described here, not sent: sending is the engine's part.
 */
import type * as z from 'zod/v4-mini';

import type { ServiceRequest } from '../transport/request';

import type { Answer } from './answer';

/** Checks what a call is given, and normalises it. */
export type Contract<Input> = z.ZodMiniType<Input, unknown>;

/** One request for each input. Identical GETs of a run are sent once and shared. */
interface OneRequest<Input> {
	kind: 'request';
	request: (input: Input) => ServiceRequest;
	answer: Answer;
}

/** How a call becomes requests. */
export type CallWork<Input> =
	| OneRequest<Input>
	/** Several lookups, side by side, that make one result with a field for each. */
	| { kind: 'parts'; parts: Readonly<Record<string, { work: OneRequest<Input> }>> }
	/** Inputs with the same key travel together: one request for all of a batch, and one batch after another. */
	| {
			kind: 'merged';
			request: (inputs: Input[]) => ServiceRequest;
			answer: Answer;
			/** Default: the address. */
			key?: (input: Input) => string;
			/** A batch holds one input. */
			single?: true;
	  };

export interface Call<Input, Work extends CallWork<Input> = CallWork<Input>> {
	/** `read` may find nothing; `write` changes something, and each input has a result of its own. */
	effect: 'read' | 'write';
	contract: Contract<Input>;
	work: Work;
}

/** A call that looks something up with one GET. */
export type Lookup<Input> = Call<Input, OneRequest<Input>>;

export function lookup<Input>(
	contract: Contract<Input>,
	target: (input: Input) => Pick<ServiceRequest, 'path' | 'query'>,
	answer: Answer,
): Lookup<Input> {
	return {
		effect: 'read',
		contract,
		work: { kind: 'request', request: (input) => ({ method: 'GET', ...target(input) }), answer },
	};
}

/** A call that changes one record with one request. */
export function write<Input>(
	contract: Contract<Input>,
	request: (input: Input) => ServiceRequest,
	answer: Answer = { shape: 'written' },
): Call<Input, OneRequest<Input>> {
	return { effect: 'write', contract, work: { kind: 'request', request, answer } };
}
