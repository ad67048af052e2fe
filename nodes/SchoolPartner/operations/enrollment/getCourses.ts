import * as calls from '../../../shared/calls/enrollment';
import { accountId } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

export const getCourses = defineOperation({
	...calls.getCourses,
	name: 'getCourses',
	label: 'Get Courses',
	action: 'Get courses of account',
	description: 'Get the courses of an account with their enrollment status, one item for each',
	fields: { account_id: accountId },
});
