/** Resolve: a person, or Verify, has found out whether the service has single records. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failed, success } from '../../shared/failure';
import { RESOLUTIONS } from '../ledger/decisions';
import { isKey } from '../ledger/key';
import type { Ledger } from '../ledger/ledger';

import { decide, START_SYNC } from './decide';
import { failuresOf } from './failures';
import { itemText } from './items';

export async function resolve(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await decide(context, (item, ledger) => {
		const [key, is, by] = [itemText(item.key), itemText(item.is), itemText(item.by)];
		if (is === '') return success({ answer: { key, state: 'skipped', what_to_do: WITHOUT_IS } });
		if (key === '' || by === '' || !(RESOLUTIONS as readonly string[]).includes(is))
			return failed(resolveFailures.resolveFields);
		const entry = ledger.entries.get(key);
		// Of somebody who only looks like a known one, the ledger has nothing yet.
		if (entry === undefined && (is !== 'notInService' || !isKey(key) || isOfOtherUsers(key, ledger)))
			return failed(resolveFailures.keyUnknown(key));
		return success({
			row: { kind: 'resolve', key, school_external_id: entry?.school ?? '', state: is },
			answer: { key, state: is, by, what_to_do: START_SYNC },
		});
	});
}

/** Trap: where ids are those of the network, the key of a user has no school; elsewhere, one without it would count in every school. */
function isOfOtherUsers(key: string, { entries }: Ledger): boolean {
	if (!key.startsWith('u:')) return false;
	if (key.includes('|')) return entries.has(`u:${key.split('|').at(-1)}`);
	return [...entries.keys()].some((known) => known.startsWith('u:') && known.includes('|'));
}

const WITHOUT_IS = 'The item says nothing in "is", so that nothing was noted.';

const resolveFailures = failuresOf('input', {
	resolveFields: {
		message:
			'To resolve a record, an item needs the fields key, is (inService or notInService) and by (who has looked)',
		next: 'Give the item these fields, for example in a node Edit Fields. Nothing was noted for it.',
	},
	keyUnknown: (key: string) => ({
		message: `The ledger knows nothing of ${key}`,
		next: 'Take the key as the outputs of Sync give it. Look whether Ledger and Ledger Name are those of Sync.',
	}),
});
