/**
 * Synchronization: what the service's document says under "Synchronization resources" and in its table of
 * endpoints. Answers are read as they come (tolerances.ts heals what the document tells to tolerate); the
 * schemas here say what a workflow can count on.
 */
import * as z from 'zod/v4-mini';

import { textOrNumber } from './empty';
import { EMPTY_GUID, filledText, guid, mustBe } from './fields';
import { isSafeSegment, UNSAFE_SEGMENT } from './path';

/** The service's own words for a tenant that is missing or empty (Errors, synchronization endpoints, 409). */
const TENANT_MISSING = 'is empty. The service says of this: tenant_id is required.';
const TENANT_EMPTY = 'is the empty GUID. The service says of this: tenant_id cannot be an empty GUID.';

/** `tenant_id`: a GUID, and not the empty one. */
export function tenantId() {
	return z
		.pipe(z.transform((value: unknown) => value ?? ''), z.string({ error: mustBe('text') }))
		.check(
			z.refine((value) => value.trim() !== '', { error: TENANT_MISSING, abort: true }),
			z.refine((value) => value.trim() === '' || guid().safeParse(value).success, {
				error: 'must be a GUID, for example 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
			}),
			z.refine((value) => value !== EMPTY_GUID, { error: TENANT_EMPTY }),
		);
}

/** An id that stands as one segment of a path: text of at most 36 characters, as the tables of ids say. */
export function idInPath() {
	return textOrNumber(filledText(36).check(z.refine(isSafeSegment, { error: UNSAFE_SEGMENT })));
}

/** `account_id`: text of at most 36 characters. One with a slash is none: it was pasted from an address. */
export function accountId() {
	return z.pipe(
		idInPath(),
		z.string().check(z.refine((value) => !/[/\\]/.test(value), { error: 'must not hold a slash' })),
	);
}

export const tenantQuery = z.object({ tenant_id: tenantId() });

export const accountQuery = z.object({ account_id: accountId(), tenant_id: tenantId() });

export const cellPhone = z.looseObject({ ddi: z.nullable(z.string()), value: z.string() });

export const identityDocument = z.looseObject({ type: z.string(), value: z.string() });

/** Sponsor (responsible person): no academic e-mail, no login. */
export const sponsor = z.looseObject({
	hash: z.string(),
	id: z.string(),
	account_id: z.string(),
	external_id: z.nullable(z.string()),
	name: z.string(),
	date_of_birth: z.string(),
	cell_phone: z.nullable(cellPhone),
	email: z.nullable(z.string()),
	documents: z.nullable(z.array(identityDocument)),
});

/** Account user; a dependent has the same fields. */
export const accountUser = z.looseObject({
	...sponsor.shape,
	academic_email: z.nullable(z.string()),
	login: z.nullable(z.string()),
});

export const dependent = accountUser;

export const tenant = z.looseObject({
	hash: z.string(),
	id: z.string(),
	name: z.string(),
	external_id: z.nullable(z.string()),
	brand_name: z.string(),
});

export const address = z.looseObject({
	zip: z.string(),
	city: z.string(),
	state: z.string(),
	address: z.string(),
	number: z.string(),
	neighborhood: z.string(),
	complement: z.nullable(z.string()),
});

export const school = z.looseObject({
	hash: z.string(),
	id: z.string(),
	name: z.string(),
	cnpj: z.string(),
	external_id: z.nullable(z.string()),
	addresses: z.array(address),
	email: z.nullable(z.string()),
});

const named = z.looseObject({ id: z.string(), name: z.string() });

/** Class of a user. */
export const classOfUser = z.looseObject({
	hash: z.string(),
	id: z.string(),
	name: z.string(),
	school_id: z.string(),
	external_id: z.nullable(z.string()),
	course_code: z.nullable(z.string()),
	description: z.nullable(z.string()),
	year: z.int(),
	educational_stage: named,
	grade: named,
	profiles: z.array(named),
	subjects: z.array(named),
	shift: z.nullable(named),
});
