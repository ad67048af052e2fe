import type { Resource } from '../../framework/operation';

import { getCourses } from './getCourses';
import { postCourseStatus } from './postCourseStatus';
import { updateByAccount } from './updateByAccount';
import { updateByUser } from './updateByUser';

export const enrollment: Resource = {
	name: 'enrollment',
	label: 'Enrollment',
	description: 'Courses of accounts and their enrollment status',
	credential: 'schoolPartnerOAuth2Api',
	operations: [getCourses, updateByAccount, updateByUser, postCourseStatus],
};
