/**
 * Synchronization: what the service's document says under "Synchronization resources" and in its table of
 * endpoints. Answers are read as they come (tolerances.ts heals what the document tells to tolerate); the
 * schemas here say what a workflow can count on.
 */
import * as z from 'zod/v4-mini';

import { calendarDate, EMPTY_GUID, guid, pathId, text } from './blocks';

/** The service's own words for a tenant that is missing or empty (Errors, synchronization endpoints, 409). */
const TENANT_MISSING = 'is empty. The service says of this: tenant_id is required.';
const TENANT_EMPTY = 'is the empty GUID. The service says of this: tenant_id cannot be an empty GUID.';

/** `tenant_id`: a GUID, and not the empty one. */
export function tenantId() {
	const there = text().check(
		z.refine((value) => value.trim() !== '', { error: TENANT_MISSING, abort: true }),
	);
	const named = guid().check(z.refine((value) => value !== EMPTY_GUID, { error: TENANT_EMPTY }));
	return z.pipe(
		z.transform((value: unknown) => value ?? ''),
		z.pipe(there, named),
	);
}

/** `account_id`: text of at most 36 characters. One with a slash is none: it was pasted from an address. */
export function accountId() {
	return z.pipe(
		pathId(36),
		z.string().check(z.refine((value) => !/[/\\]/.test(value), { error: 'must not hold a slash' })),
	);
}

export const tenantQuery = z.object({ tenant_id: tenantId() });

export const accountQuery = z.object({ account_id: accountId(), tenant_id: tenantId() });

/** The sizes of the tables. Which of these fields are always there is not shown: those that samples lack may be null. */
const id = () => text(36);
const hash = () => text(500);
const externalId = () => z.nullable(text(50));
const named = (size: number) => z.looseObject({ id: id(), name: text(size) });

/** `ddi` is null where the service sent the phone as one text. */
export const cellPhone = z.looseObject({ ddi: z.nullable(text(5)), value: text(20) });

export const identityDocument = z.looseObject({ type: text(20), value: text(20) });

/** Sponsor (responsible person): no academic e-mail, no login. */
export const sponsor = z.looseObject({
	hash: hash(),
	id: id(),
	account_id: id(),
	external_id: externalId(),
	name: text(100),
	date_of_birth: z.nullable(calendarDate()),
	cell_phone: z.nullable(cellPhone),
	email: z.nullable(text(200)),
	documents: z.nullable(z.array(identityDocument)),
});

/** Account user; a dependent has the same fields. */
export const accountUser = z.looseObject({
	...sponsor.shape,
	academic_email: z.nullable(text(200)),
	login: z.nullable(text(50)),
});

export const dependent = accountUser;

export const tenant = z.looseObject({
	hash: hash(),
	id: id(),
	name: text(100),
	external_id: externalId(),
	brand_name: text(50),
});

export const address = z.looseObject({
	zip: text(10),
	city: text(50),
	state: text(2),
	address: text(100),
	number: text(10),
	neighborhood: text(50),
	complement: z.nullable(text(50)),
});

export const school = z.looseObject({
	hash: hash(),
	id: id(),
	name: text(50),
	cnpj: text(18),
	external_id: externalId(),
	addresses: z.array(address),
	email: z.nullable(text(200)),
});

/** Class of a user. */
export const classOfUser = z.looseObject({
	hash: hash(),
	id: id(),
	name: text(100),
	school_id: id(),
	external_id: externalId(),
	course_code: z.nullable(text(50)),
	description: z.nullable(text(500)),
	year: z.int(),
	educational_stage: named(80),
	grade: named(80),
	profiles: z.array(named(64)),
	subjects: z.array(named(50)),
	shift: z.nullable(named(80)),
});
