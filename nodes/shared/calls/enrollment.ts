/** The calls of enrollment (the service's document: Endpoints, Enrollment). What the three writes answer is not shown. */
import type * as z from 'zod/v4-mini';

import {
	course,
	courseStatus,
	coursesQuery,
	statusUpdate,
	statusUpdateOfAccount,
	statusUpdateOfUser,
	timestampOf,
	type StatusUpdate,
} from '../contract/enrollment';
import { path } from '../contract/path';

import { lookup, type Call, type CallWork, type Contract } from './call';

type MergedCall<Input> = Call<Input, Extract<CallWork<Input>, { kind: 'merged' }>>;

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

/**
 * `school_id` and `course_code` stand in the path and in the message: the document's table has them in both. Messages about one student
 * and course go one after another, since the last one is what counts.
 */
export const postCourseStatus: MergedCall<z.output<typeof courseStatus>> = {
	effect: 'write',
	contract: courseStatus,
	work: {
		kind: 'merged',
		single: true,
		key: ({ school_id, course_code, user_id }) => JSON.stringify([school_id, course_code, user_id]),
		request: ([message]) => ({
			method: 'POST',
			path: path`/enrollment/v1/schools/${message.school_id}/courses/${message.course_code}/status`,
			body: { data: withTime(message) },
		}),
		answer: { shape: 'written', creates: true },
	},
};

/** Updates of one account or user travel in one PUT, in their order. */
function mergedUpdate<Input extends StatusUpdate>(
	contract: Contract<Input>,
	target: (input: Input) => string,
): MergedCall<Input> {
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

/** What stands in the path does not stand in the body again. */
function updateItem(update: StatusUpdate) {
	const fields = Object.entries(update).filter(([field]) => field in statusUpdate.shape);
	return withTime(Object.fromEntries(fields) as StatusUpdate);
}

/** `updated_at` is now where it is empty. */
function withTime<T extends { updated_at?: string }>(message: T) {
	return { ...message, updated_at: message.updated_at ?? timestampOf(new Date()) };
}
