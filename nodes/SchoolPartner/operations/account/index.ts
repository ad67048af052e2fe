import type { Resource } from '../../framework/operation';

import { get } from './get';
import { getClasses } from './getClasses';
import { getDependents } from './getDependents';
import { getSchools } from './getSchools';
import { getSnapshot } from './getSnapshot';
import { getSponsors } from './getSponsors';

export const account: Resource = {
	name: 'account',
	label: 'Account',
	description: 'Persons, with their families, schools and classes',
	credential: 'schoolPartnerOAuth2Api',
	operations: [getSnapshot, get, getSponsors, getDependents, getSchools, getClasses],
};
