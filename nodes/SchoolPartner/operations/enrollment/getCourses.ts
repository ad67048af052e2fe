import { course, coursesQuery } from '../../../shared/contract/enrollment';
import { path } from '../../../shared/contract/path';
import { accountId } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

export const getCourses = defineOperation({
	name: 'getCourses',
	label: 'Get Courses',
	action: 'Get courses of account',
	description: 'Get the courses of an account with their enrollment status, one item for each',
	effect: 'read',
	fields: { account_id: accountId },
	contract: coursesQuery,
	work: {
		kind: 'request',
		request: ({ account_id }) => ({ method: 'GET', path: path`/enrollment/v1/accounts/${account_id}/courses` }),
		answer: { shape: 'list', within: 'data', schema: course },
	},
});
