/**
 * What an operation says about itself. One file per operation under operations/<resource>/ declares one of
 * these; display conditions, reading of parameters, concurrency, retries, merging, paired items and failure
 * handling come from the engine (run.ts), the editor's panel from describe.ts.
 */
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type * as z from 'zod/v4-mini';

import type { Outcome } from '../../shared/transport/failure';
import type { Policy } from '../../shared/transport/persevere';
import type { ServiceRequest } from '../../shared/transport/request';
import type { Send } from '../../shared/transport/send';

import type { Answer } from './answer';

/** The field's name in the contract (the service's own name), and the parameter that fills it. */
export type Fields = Record<string, INodeProperties>;

/** A contract that checks what an operation is given, and normalises it. */
export type Contract<Input> = z.ZodMiniType<Input, unknown>;

/** What an operation that is more than one request is given to work with. */
export interface Tools {
	/** Sends with the token of schoolPartnerOAuth2Api; other resources find their own way (see operations/signOn). */
	send: Send;
	context: IExecuteFunctions;
	/** The index of the input item. */
	item: number;
	policy: Policy;
}

/** How the work is done. Requests are described, not sent: sending is the engine's part. */
export type Work<Input> =
	/** One request per item. Identical GETs of a run are sent once and shared. */
	| { kind: 'request'; request: (input: Input) => ServiceRequest; answer: Answer }
	/** Several GETs per item, side by side, that make one item with a field for each. */
	| { kind: 'parts'; parts: (input: Input) => Record<string, Part> }
	/** Updates that travel together: one request for all items of a batch that have the same key. */
	| {
			kind: 'merged';
			key: (input: Input) => string;
			request: (inputs: Input[]) => ServiceRequest;
			answer: Answer;
	  }
	/** Anything else: gives the item, or the items. */
	| { kind: 'own'; perform: (input: Input, tools: Tools) => Promise<Outcome<IDataObject | IDataObject[]>> };

export interface Part {
	request: ServiceRequest;
	answer: Answer;
}

export interface Operation {
	/** The value that workflows save. Never rename it. */
	name: string;
	label: string;
	/** Sentence case, as the node panel lists it: "Create class". */
	action: string;
	description: string;
	/**
	 * `read` may find nothing; `write` gives exactly one item per input item and can take the item's own fields;
	 * `exchange` gives what comes back; `local` does not call the service.
	 */
	effect: 'read' | 'write' | 'exchange' | 'local';
	fields: Fields;
	/** Fields that the collection "Additional Fields" offers. */
	additionalFields?: Fields;
	/** Fields that the collection "Options" offers beside those of every operation. */
	optionFields?: Fields;
	/** Fields that stand only in the path: they stay parameters when the item's own fields are sent. */
	pathFields?: readonly string[];
	/** More parameters that only describe (notices). */
	notices?: readonly INodeProperties[];
	contract: Contract<unknown>;
	work: Work<unknown>;
	/** What work of the kind `own` gives, for output schemas and documents; other kinds say it in their answer. */
	output?: z.ZodMiniType;
}

/** Keeps the types of one operation together: what the contract gives is what its work is given. */
export function defineOperation<Input>(
	operation: Omit<Operation, 'contract' | 'work'> & { contract: Contract<Input>; work: Work<Input> },
): Operation {
	// The engine hands to `work` only what `contract` has accepted, so that the type is forgotten here on purpose.
	return operation as unknown as Operation;
}

export interface Resource {
	/** The value that workflows save. Never rename it. */
	name: string;
	label: string;
	description: string;
	/** The credential its operations use; none for work that stays in n8n. */
	credential: 'schoolPartnerOAuth2Api' | 'schoolPartnerOidcOAuth2Api' | undefined;
	operations: readonly Operation[];
}
