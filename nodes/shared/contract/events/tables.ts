/**
 * The field tables of the document's section "Event resources", one schema per table: what is required, of
 * which type and how long. Optional fields may be null or absent; fields that no table names are kept.
 *
 * The schemas judge an envelope whose names are healed already (see canonicalEnvelope.ts).
 */
import * as z from 'zod/v4-mini';

import { calendarDate, filledText, mustBe, sizeOf, text, utcTimestamp } from '../blocks';
import { hasPhoneInstead } from '../tolerances';

/** How many findings an answer or an item carries: enough to repair a sender, too few to make the answer a weapon. */
export const MOST_ISSUES = 50;

const LARGEST_YEAR = 9999;
const PHONE_SIZE = 20;

/** An object of the given fields. Whatever else it holds is kept. */
function table<T extends z.core.$ZodLooseShape>(fields: T) {
	return z.looseObject(fields, { error: mustBe('an object') });
}

/**
 * A list whose entries are all of one kind. It may be empty: the tables give no smallest length. Trap: left to
 * itself, zod collects every finding of every entry, and a list of a hundred thousand empty users takes
 * seconds and gigabytes; here the entries are judged one by one until there are findings enough.
 */
function manyOf(entry: z.ZodMiniType) {
	return z.array(z.unknown(), { error: mustBe('a list') }).check((context) => {
		for (const [index, value] of context.value.entries()) {
			const { error } = z.safeParse(entry, value);
			for (const { path, message } of error?.issues ?? []) {
				context.issues.push({ code: 'custom', path: [index, ...path], message, input: value });
			}
			if (context.issues.length > MOST_ISSUES) return;
		}
	});
}

/*
 * One schema for all fields of a kind, not one for each field. Trap: between two deliveries n8n runs through code enough
 * to empty the processor's caches, and every further object to walk through costs again.
 */
const id = filledText(36);
const hash = filledText(500);
const externalId = z.nullish(text(50));
const filled20 = filledText(20);
const filled50 = filledText(50);
const filled80 = filledText(80);
const filled100 = filledText(100);
const upTo50 = z.nullish(text(50));
const upTo200 = z.nullish(text(200));

const NOT_A_YEAR = 'must be a whole number of at most 4 digits';
const year = z.number({ error: NOT_A_YEAR }).check(
	z.refine((value) => Number.isInteger(value) && value >= 0 && value <= LARGEST_YEAR, {
		error: NOT_A_YEAR,
	}),
);

/** EducationalStage, Grade and Shift have the same two fields. */
const named = table({ id, name: filled80 });

/** Header of every event. The size 20 of `created_at` is not enforced: any ISO 8601 UTC time is read. */
export const header = table({
	request_id: id,
	client_id: filledText(200),
	action: filled100,
	created_at: utcTimestamp(),
});

export const tenant = table({
	hash,
	id,
	name: filled100,
	external_id: externalId,
	brand_name: filled50,
});

export const school = table({
	hash,
	id,
	name: filled50,
	cnpj: filledText(18),
	external_id: externalId,
});

/** Class (in events). */
export const schoolClass = table({
	hash,
	id,
	name: filled100,
	school_id: id,
	code: filled50,
	external_id: externalId,
	course_code: upTo50,
	description: z.nullish(text(500)),
	year,
	educational_stage: named,
	grade: named,
	shift: z.nullish(named),
});

export const cellPhone = table({ ddi: filledText(5), value: filledText(PHONE_SIZE) });

/** Document: `type` is for example identity, passport, tax id. */
export const document = table({ type: filled20, value: filled20 });

/** User (in events). A `phone` text that stands for a missing `cell_phone` has the size of its `value`. */
export const user = table({
	hash,
	id,
	account_id: id,
	name: filled100,
	date_of_birth: calendarDate(),
	cell_phone: z.nullish(cellPhone),
	email: upTo200,
	academic_email: upTo200,
	login: upTo50,
	external_id: externalId,
	documents: z.nullish(manyOf(document)),
	responsible_ids: z.nullish(manyOf(id)),
}).check((context) => {
	const person = context.value;
	if (!hasPhoneInstead(person) || sizeOf(String(person.phone)) <= PHONE_SIZE) return;
	context.issues.push({
		code: 'custom',
		path: ['phone'],
		input: person.phone,
		message: `must be at most ${PHONE_SIZE} characters long`,
	});
});

/** Profile (in events). */
export const profile = table({ id, name: filledText(64) });

export const subject = table({ id, name: filled50 });

export const bond = table({
	user_id: id,
	class_id: id,
	profiles: manyOf(profile),
	subjects: z.nullish(manyOf(subject)),
});

export const structureSchool = table({ hash, tenant, school, class: schoolClass });

export const structureUsers = table({ hash, users: manyOf(user), bond });

/** Payload of USER_ACCESS. */
export const userAccessPayload = table({
	structure_school: structureSchool,
	structure_users: structureUsers,
});

/** Payload of USER_ACCESS_REVOCATION. */
export const userAccessRevocationPayload = table({ bond });

/** Payload of an action that the document does not name: every event has one, of a shape nobody knows. */
export const unknownPayload = table({});
