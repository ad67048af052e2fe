import { timestampOf, type StatusUpdate } from '../../../shared/contract/enrollment';

/** The body of a status update of one account or user: its updates, in the order of the items. */
export function statusUpdates(updates: StatusUpdate[]): { data: StatusUpdate[] } {
	const now = timestampOf(new Date());
	return {
		data: updates.map(({ school_id, course_code, status, payer_id, operator, notes, updated_at = now }) => ({
			school_id,
			course_code,
			status,
			...(payer_id !== undefined && { payer_id }),
			...(operator !== undefined && { operator }),
			...(notes !== undefined && { notes }),
			updated_at,
		})),
	};
}
