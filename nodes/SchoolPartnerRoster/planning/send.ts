/** Which call of the service a record becomes, and what tells its content from another. */
import {
	createBond,
	createClass,
	createResponsible,
	createStudent,
	createUser,
	deleteBond,
} from '../../shared/calls/provisioning';
import type { Fields, Kind } from '../roster/record';

/** The call that creates this record, or removes this bond. The action node makes the same. */
export function callOf(action: 'create' | 'remove', kind: Kind, { profiles }: Fields) {
	if (action === 'remove') return deleteBond;
	if (kind === 'class') return createClass;
	if (kind === 'bond') return createBond;
	const only = Array.isArray(profiles) && profiles.length === 1 ? String(profiles[0]) : profiles;
	if (only === 'student') return createStudent;
	return only === 'responsible' ? createResponsible : createUser;
}
