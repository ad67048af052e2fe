/** Approve: a person has looked at a hold, and lets it go or withdraws that. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failed, success } from '../../shared/failure';
import { hasEnded } from '../ledger/decisions';

import { CLOCK } from './clock';
import { decide, START_SYNC } from './decide';
import { failuresOf } from './failures';
import { itemText } from './items';

export async function approve(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await decide(context, (item, ledger) => {
		const [id, by] = [itemText(item.hold_id), itemText(item.by)];
		const isApproved =
			typeof item.approve === 'boolean' ? item.approve : YES_OR_NO.get(itemText(item.approve).toLowerCase());
		if (id === '' || by === '' || isApproved === undefined) return failed(approvalFailures.approveFields);
		const hold = ledger.decisions.holds.get(id);
		if (hold === undefined || hold.rows.length === 0) return failed(approvalFailures.holdUnknown(id));
		if (isApproved && hasEnded(hold, CLOCK.wall())) return failed(approvalFailures.holdOld(id));
		const state = isApproved ? 'approved' : 'withdrawn';
		const { reason, changes } = hold;
		return success({
			row: { kind: 'approve', key: id, state },
			answer: { hold_id: id, state, by, reason, changes: changes.size, what_to_do: START_SYNC },
		});
	});
}

/** A form gives text. */
const YES_OR_NO: ReadonlyMap<string, boolean> = new Map([
	['true', true],
	['yes', true],
	['false', false],
	['no', false],
]);

const approvalFailures = failuresOf('input', {
	approveFields: {
		message: 'An approval needs the fields hold_id, approve (true or false) and by (who has looked at it)',
		next: 'Give the item these fields, for example in a node Edit Fields. Nothing was noted for it.',
	},
	holdOld: (id: string) => ({
		message: `Hold ${id} was reported last more than seven days ago, so that an approval of it would let nothing go`,
		next: 'Start Sync: what it holds tonight stands in its output Summary. Approve that, and start Sync again. Nothing was noted for this item.',
	}),
	holdUnknown: (id: string) => ({
		message: `The ledger knows of no hold ${id}`,
		next: 'Run Sync first, and take the hold_id from its output Summary: only what Sync has reported can be approved. Look whether Ledger and Ledger Name are those of Sync.',
	}),
});
