/** The calls of provisioning (the service's document: Endpoints, Provisioning). */
import * as z from 'zod/v4-mini';

import {
	accountCreation,
	accountCreationQuery,
	bond,
	classCreated,
	classCreation,
	educationalStage,
	educationalStageQuery,
	profile,
	responsibleCreation,
	studentCreation,
	userCreation,
} from '../contract/provisioning';

import type { Answer } from './answer';
import { lookup, write } from './call';

const CLASS = '/integration/partner/v1/class';
const USER = '/integration/partner/v1/user';
const BOND = '/integration/partner/v1/bond-user-class';

export const getProfiles = lookup(z.object({}), () => ({ path: '/data/v1/profiles' }), {
	shape: 'list',
	within: 'data',
	schema: profile,
});

export const getEducationalStages = lookup(
	educationalStageQuery,
	(query) => ({ path: '/data/v1/educational-stages', query }),
	{ shape: 'list', within: 'data', schema: educationalStage },
);

/** What creations answer is not shown, but for that of a class. */
const CREATED: Answer = { shape: 'written', creates: true, already: 'exists' };

export const createClass = write(classCreation, (body) => ({ method: 'POST', path: CLASS, body }), {
	...CREATED,
	schema: classCreated,
});

export const createUser = write(userCreation, (body) => ({ method: 'POST', path: USER, body }), CREATED);

export const createResponsible = write(
	responsibleCreation,
	(body) => ({ method: 'POST', path: USER, body }),
	CREATED,
);

export const createStudent = write(
	studentCreation,
	({ other_profiles = [], profiles, ...person }) => ({
		method: 'POST',
		path: USER,
		body: { ...person, profiles: [...new Set([...profiles, ...other_profiles])] },
	}),
	CREATED,
);

export const createBond = write(bond, (body) => ({ method: 'POST', path: BOND, body }), CREATED);

/** The DELETE carries the bond as JSON in its body: the document shows no address for a single bond. */
export const deleteBond = write(bond, (body) => ({ method: 'DELETE', path: BOND, body }), {
	shape: 'written',
	adds: { deleted: true },
	already: 'gone',
});

/** The result of an account creation ("Callback result"). The names of its query are not shown. */
export const getAccountCreation = lookup(
	accountCreationQuery,
	({ parameter }) => ({
		path: '/integration/partner/v1/callback',
		query: parameter.map(({ name, value }): [string, string] => [name, value]),
	}),
	{ shape: 'entity', within: 'data', schema: accountCreation },
);
