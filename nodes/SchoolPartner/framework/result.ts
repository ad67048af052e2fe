/** From what was found for an item to the items that leave the node. Pure. */
import type { IDataObject } from 'n8n-workflow';

import type { Found } from '../../shared/calls/answer';
import type { ResultOf } from '../../shared/engine/outcomes';
import { failed, success, type Failure } from '../../shared/failure';

import { onlyFields } from './fieldsToReturn';
import { answerOf, type Operation } from './operation';
import type { Settings } from './settings';

/**
 * What leaves: one item for a write; for a read the chosen fields of what was found, or what the option says of nothing; else what came back.
 */
export function resultOf(
	operation: Operation,
	whenNothingFound: Settings['whenNothingFound'],
	fields: readonly string[],
): ResultOf {
	return (found) => {
		if (operation.effect === 'write') return success([writeResult(found, operation)]);
		if (operation.effect !== 'read' || found.length > 0 || whenNothingFound === 'none')
			return success(found.map((entry) => onlyFields(entry, fields)));
		return whenNothingFound === 'empty' ? success([{}]) : failed(NOTHING_FOUND);
	};
}

/** What the service answered, and what the operation adds to it: an object of its own for each item. */
function writeResult([answer]: Found, operation: Operation): IDataObject {
	const { adds } = answerOf(operation);
	return answer === undefined && adds === undefined ? { success: true } : { ...adds, ...answer };
}

const NOTHING_FOUND: Failure = {
	origin: 'service',
	effect: 'none',
	message: 'The service finds nothing for this item',
	next: 'Check the ids of the item, or choose another setting for When Nothing Found in the options of this node.',
};
