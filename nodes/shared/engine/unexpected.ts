/** What a step throws although it was to give an outcome. There is no other place where the engine catches anything. */
import { BaseError, ExecutionBaseError } from 'n8n-workflow';

import { quoted } from '../contract/quoted';
import { failed, ThrownFailure, type Failure, type Outcome } from '../failure';

/** Whether the service may have got something of a step: nothing at all, or nobody can say. */
export type Reach = Exclude<Failure['effect'], 'done'>;

const NEXT_STEP: Record<Reach, string> = {
	none: 'Nothing was sent for this item.',
	unknown: 'It may be done all the same: look for the record before you run the item again.',
};

/** Takes a step. What it throws becomes its failure, so that it fails for the items that it is for, and for no other. */
export async function outcomeOf<T>(reach: Reach, step: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
	try {
		return await step();
	} catch (thrown) {
		return failed(thrown instanceof ThrownFailure ? thrown.failure : unexpected(thrown, reach));
	}
}

function unexpected(thrown: unknown, effect: Reach): Failure {
	if (isOfN8n(thrown)) {
		const { message, description } = thrown;
		return {
			origin: 'n8n',
			effect,
			message,
			next: [description, NEXT_STEP[effect]].filter((line) => line).join('\n'),
		};
	}
	return {
		origin: 'n8n',
		effect,
		message: `The node cannot handle this item (${inWords(thrown)})`,
		next: `${NEXT_STEP[effect]} Please report this to the maintainers of this node.`,
	};
}

/** n8n's own words are made to be shown, like those about a credential that is missing. */
function isOfN8n(thrown: unknown): thrown is Error & { description?: string | null } {
	return thrown instanceof ExecutionBaseError || thrown instanceof BaseError;
}

/** Kinds whose messages speak of the code. Trap: others may quote the data, as the one about text that is not JSON does. */
const WITHOUT_DATA: readonly string[] = ['TypeError', 'ReferenceError', 'URIError'];

/** A thrown value by its kind, with its message where that cannot hold personal data. */
export function inWords(thrown: unknown): string {
	if (!(thrown instanceof Error)) return 'without a reason';
	return WITHOUT_DATA.includes(thrown.name) ? quoted(`${thrown.name}: ${thrown.message}`) : thrown.name;
}
