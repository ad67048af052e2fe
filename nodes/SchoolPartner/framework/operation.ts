/**
 * What an operation says about itself. A file per resource under operations/ declares them; display conditions, reading of parameters, concurrency, retries, merging, paired items and failure
 * handling come from the engine (engine.ts), the editor's panel from describe.ts.
 */
import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type * as z from 'zod/v4-mini';

import { labelOf } from '../../shared/actions/properties';
import type { Answer } from '../../shared/calls/answer';
import type { CallWork, Contract } from '../../shared/calls/call';
import type { OwnWork, Work } from '../../shared/engine/engine';
import type { Limiter } from '../../shared/transport/limiter';
import type { RetryPolicy } from '../../shared/transport/retry';

/** The field's name in the contract (the service's own name), and the parameter that fills it. */
export type PanelFields = Record<string, INodeProperties>;

/** What an operation that is more than one request is given to work with, for a whole run. */
export interface RunTools {
	context: IExecuteFunctions;
	policy: RetryPolicy;
	/** Where every request of the run waits for its turn. */
	limiter: Limiter;
	/** What `make` gives, made for the first item that asks and kept as long as the run. Pass a function of a module: it is the key. */
	once: <T>(make: (tools: RunTools) => T) => T;
}

/** The same, for one item. */
export interface Tools extends RunTools {
	/** Its index. */
	item: number;
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
	/** What it gives is fetched once for all items: there is nothing to set of how it is sent. */
	isFetchedOnce?: true;
	/** Gives tokens, or what stands for one: not for a model. */
	givesSecrets?: true;
	fields: PanelFields;
	/** Fields that the collection "Additional Fields" offers. */
	additionalFields?: PanelFields;
	/** Fields that the collection "Options" offers beside those of every operation. */
	optionFields?: PanelFields;
	/** The service's names that are taken of an item which sends its own fields, where those are not the ones of the panel. */
	itemFields?: readonly string[];
	/** Fields that stand only in the path: they stay parameters when the item's own fields are sent. */
	pathFields?: readonly string[];
	contract: Contract<unknown>;
	work: Work<Tools>;
	/** What work of the kind `own` gives, for output schemas and documents; other kinds say it in their answer. */
	output?: z.ZodMiniType;
}

/** How its one answer is read; nothing where there are several, or it does work of its own. */
export function answerOf({ work }: Operation): Partial<Answer> {
	return work.kind === 'request' || work.kind === 'merged' ? work.answer : {};
}

/** The fields of an item that are sent when it sends its own, by the service's names. */
export function itemFieldsOf({ itemFields, pathFields = [], ...own }: Operation): readonly string[] {
	const names = Object.keys({ ...own.fields, ...own.additionalFields });
	return itemFields ?? names.filter((name) => !pathFields.includes(name));
}

/** Keeps the types of one operation together: what the contract gives is what its work is given, that of a call or its own. */
export function defineOperation<Input>(
	operation: Omit<Operation, 'label' | 'contract' | 'work'> & {
		/** Default: as its name says. */
		label?: string;
		contract: Contract<Input>;
	} & ({ work: CallWork<Input> } | OwnWork<Input, Tools>),
): Operation {
	const { name, label = labelOf(name) } = operation;
	const { shape = {} } = operation.contract as Partial<z.ZodMiniObject>;
	const fields = Object.entries(operation.fields).map(([field, property]) => [
		field,
		isRequired(property, shape[field]) ? { ...property, required: true } : property,
	]);
	const own = 'perform' in operation && {
		work: { kind: 'own', check: operation.check, perform: operation.perform },
	};
	// The engine hands to `work` only what `contract` has accepted, so that the type is forgotten here on purpose.
	return { ...operation, label, fields: Object.fromEntries(fields), ...own } as unknown as Operation;
}

/** True for a parameter that starts empty and whose field the contract refuses when it is. */
function isRequired({ default: start }: INodeProperties, schema: z.core.$ZodType | undefined): boolean {
	const isEmptyAtFirst = start === '' || (Array.isArray(start) && start.length === 0);
	return isEmptyAtFirst && schema !== undefined && !(schema as z.ZodMiniType).safeParse(start).success;
}

export interface Resource {
	/** The value that workflows save. Never rename it. */
	name: string;
	label: string;
	description: string;
	/** The credential its operations use, but for the connected user of the sign-on; none for work that stays in n8n. */
	credential: 'schoolPartnerOAuth2Api' | 'schoolPartnerOidcApi' | undefined;
	operations: readonly Operation[];
}

/** Called as its name says, and with the credential of machine access, where it says nothing else. */
export function defineResource(own: Omit<Resource, 'label' | 'credential'> & Partial<Resource>): Resource {
	return { label: labelOf(own.name), credential: 'schoolPartnerOAuth2Api', ...own };
}

/** The operation that a saved workflow names; undefined for one that this version of the package does not have. */
export function operationNamed(resources: readonly Resource[], resource: string, operation: string) {
	const named = resources.find(({ name }) => name === resource);
	const found = named?.operations.find(({ name }) => name === operation);
	return named && found && { resource: named, operation: found };
}
