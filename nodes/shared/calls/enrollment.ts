/** The calls of enrollment (the service's document: Endpoints, Enrollment). What the three writes answer is not shown. */
import {
	course,
	courseStatus,
	coursesQuery,
	statusUpdateOfAccount,
	statusUpdateOfUser,
	timestampOf,
	type StatusUpdate,
} from '../contract/enrollment';
import { path } from '../contract/path';

import { creation, lookup, type Call, type CallWork, type Contract } from './call';

export const getCourses = lookup(
	coursesQuery,
	({ account_id }) => ({ path: path`/enrollment/v1/accounts/${account_id}/courses` }),
	{ shape: 'list', within: 'data', schema: course },
);

export const updateByAccount = mergedUpdate(
	statusUpdateOfAccount,
	({ account_id }) => path`/enrollment/v1/accounts/${account_id}`,
);

export const updateByUser = mergedUpdate(
	statusUpdateOfUser,
	({ user_id }) => path`/enrollment/v1/user/${user_id}`,
);

/** `school_id` and `course_code` stand in the path and in the message: the document's table has them in both. */
export const postCourseStatus = creation(courseStatus, (message) => ({
	path: path`/enrollment/v1/schools/${message.school_id}/courses/${message.course_code}/status`,
	body: { data: { ...message, updated_at: message.updated_at ?? timestampOf(new Date()) } },
}));

/** Updates of one account or user travel in one PUT, in their order. */
function mergedUpdate<Input extends StatusUpdate>(
	contract: Contract<Input>,
	target: (input: Input) => string,
): Call<Input, Extract<CallWork<Input>, { kind: 'merged' }>> {
	return {
		effect: 'write',
		contract,
		work: {
			kind: 'merged',
			request: (updates) => ({
				method: 'PUT',
				path: target(updates[0]),
				body: { data: updates.map(updateItem) },
			}),
			answer: { shape: 'written' },
		},
	};
}

/** What stands in the path does not stand in the body again. `updated_at` is now where it is empty. */
function updateItem({
	school_id,
	course_code,
	status,
	payer_id,
	operator,
	notes,
	updated_at,
}: StatusUpdate): StatusUpdate {
	return {
		school_id,
		course_code,
		status,
		...(payer_id !== undefined && { payer_id }),
		...(operator !== undefined && { operator }),
		...(notes !== undefined && { notes }),
		updated_at: updated_at ?? timestampOf(new Date()),
	};
}
