/** Every resource of the node. Add a new one at the end: the first is what a new node starts with. */
import type { Resource } from '../framework/operation';

import { account } from './account';
import { accountCreation } from './accountCreation';
import { bond } from './bond';
import { schoolClass } from './class';
import { clientRegistration } from './clientRegistration';
import { educationalStage } from './educationalStage';
import { enrollment } from './enrollment';
import { event } from './event';
import { profile } from './profile';
import { signOn } from './signOn';
import { tenant } from './tenant';
import { user } from './user';

export const resources: readonly Resource[] = [
	user,
	schoolClass,
	bond,
	profile,
	educationalStage,
	accountCreation,
	account,
	tenant,
	enrollment,
	event,
	signOn,
	clientRegistration,
];
