/**
 * Provisioning: what the service's document says under "Provisioning resources", one schema per message.
 *
 * The document gives no sizes for the creation payloads and does not show which of their fields are
 * required. Refused when empty is only what makes a record identifiable; everything else may be left out.
 */
import * as z from 'zod/v4-mini';

import {
	blankWhenEmpty,
	calendarDate,
	commaSeparated,
	dayOfMoment,
	filledField,
	filledText,
	freeField,
	isEmpty,
	isEmptyList,
	leftOutWhenEmpty,
	mustBe,
	nullWhenEmpty,
	textOrNumber,
	wholeNumber,
} from './blocks';

const listOf = (entries: string) => ({ error: mustBe(`a list of ${entries}`) });
const YEAR = 'must be a whole number of at most four digits, for example 2026';

/** Profile: the role of a user (`type` is the value that creation and bonds use). */
export const profile = z.looseObject({
	code: z.int(),
	name: z.string(),
	type: z.string(),
	description: z.string(),
});

/** Grade of an educational stage: `name` is what a class creation sends as `grade`. */
export const grade = z.looseObject({ name: z.string(), description: z.string() });

/** Educational stage: `name` is what a class creation sends as `educational_stage`. */
export const educationalStage = z.looseObject({
	name: z.string(),
	description: z.string(),
	grades: z.array(grade),
});

/** Query of the educational-stages lookup. */
export const educationalStageQuery = z.object({ school_external_id: filledField() });

/** Class creation payload. */
export const classCreation = z.object({
	school_external_id: filledField(),
	external_id: filledField(),
	educational_stage: filledField(),
	grade: filledField(),
	shift: nullWhenEmpty(freeField()),
	year: wholeNumber(YEAR, 1, 9999),
	code: filledField(),
	name: filledField(),
	description: blankWhenEmpty(freeField()),
	course: nullWhenEmpty(freeField()),
});

/** Class creation result (`data`). */
export const classCreated = z.looseObject({
	id: z.string(),
	external_id: z.string(),
	name: z.string(),
	status: z.string(),
});

const listOfProfiles = () => z.array(filledText(), listOf('profile types, for example ["student"]'));

/** A list, or text with commas: a cell of a sheet and the answer of a model give text. */
const profileTypes = () =>
	commaSeparated(listOfProfiles().check(z.minLength(1, { error: 'must name at least one profile' })));

/** The profiles of somebody who is created as one kind of user: that one alone when none is named, else those that are, with it among them. */
const profilesWith = (kind: string) =>
	z._default(
		z.pipe(
			z.transform((value: unknown) => (isEmpty(value) || isEmptyList(value) ? [kind] : value)),
			commaSeparated(
				listOfProfiles().check(
					z.refine((profiles) => profiles.includes(kind), {
						error: `must hold "${kind}", because a ${kind} is created here; other users are created with User: Create`,
					}),
				),
			),
		),
		[kind],
	);

const otherProfiles = () => leftOutWhenEmpty(commaSeparated(listOfProfiles()));

const listOfResponsibles = () =>
	z.array(filledField(), listOf('external ids of responsible users, or text with commas between them'));

/** A list of none is an empty field. */
const withoutEmptyList = z.transform((value: unknown) => (isEmptyList(value) ? undefined : value));

/** A sheet gives a single id as a number. */
const responsibleExternalIds = () =>
	z.optional(z.pipe(withoutEmptyList, leftOutWhenEmpty(textOrNumber(commaSeparated(listOfResponsibles())))));

/** Trap: of plus signs alone nothing is left, and what was read once must not change when it is read again: the roster sends what its plan says. */
function withoutPlus(ddi: string): string | undefined {
	const rest = ddi.replace(/^(\s*\+)+/, '');
	return isEmpty(rest) ? undefined : rest;
}

/**
 * User creation payload, any profiles. `ddi` is sent without the plus sign, as the table says. The responsible users are for students
 * only, says the document; who else names some hears from the service.
 */
export const userCreation = z.object({
	external_id: filledField(),
	first_name: filledField(),
	last_name: filledField(),
	birth_date: leftOutWhenEmpty(dayOfMoment(calendarDate())),
	document_type: leftOutWhenEmpty(freeField()),
	document_value: leftOutWhenEmpty(freeField()),
	ddi: leftOutWhenEmpty(z.pipe(freeField(), z.transform(withoutPlus))),
	cell_phone: leftOutWhenEmpty(freeField()),
	email: leftOutWhenEmpty(freeField()),
	responsible_external_id: responsibleExternalIds(),
	school_external_id: filledField(),
	profiles: profileTypes(),
});

/** User creation payload of a responsible. */
export const responsibleCreation = z.object({
	...userCreation.shape,
	profiles: profilesWith('responsible'),
});

/** User creation payload of a student, whose responsible users exist already. `other_profiles` join its `profiles` on the wire. */
export const studentCreation = z.object({
	...userCreation.shape,
	profiles: profilesWith('student'),
	other_profiles: otherProfiles(),
});

/** Bond payload: create and delete use the same shape. */
export const bond = z.object({
	school_external_id: filledField(),
	class_external_id: filledField(),
	user_external_id: filledField(),
	profile_name: filledField(),
});

/** Query of the creation result. The document does not show its parameters: any name and value is passed on. */
export const accountCreationQuery = z.object({
	parameter: z._default(
		z.array(z.object({ name: filledText(), value: freeField() }), listOf('names and values')),
		[],
	),
});

/** Creation result (`data` of the callback read). */
export const accountCreation = z.looseObject({
	account_id: z.string(),
	user_id: z.string(),
	status: z.string(),
});
