/** Enrollment: what the service's document says under "Enrollment resources". */
import * as z from 'zod/v4-mini';

import {
	dayOfMoment,
	filledField,
	freeField,
	leftOutWhenEmpty,
	mustBe,
	pathId,
	presentGuid,
	text,
	utcTimestamp,
} from './blocks';
import { accountId } from './synchronization';

/** Longest `notes` of a status update (Limits). */
const NOTES_SIZE = 512;

export const coursesQuery = z.object({ account_id: accountId() });

/** Course of an account. Allowed values of `status`: not shown. */
export const course = z.looseObject({
	school_id: z.string(),
	code: z.string(),
	name: z.string(),
	grade_id: z.string(),
	grade: z.string(),
	educational_stage_id: z.string(),
	educational_stage: z.string(),
	year: z.int(),
	shift_id: z.string(),
	shift: z.string(),
	status: z.string(),
});

/** Status update item. `updated_at` is filled in by the node when it is empty. */
export const statusUpdate = z.object({
	school_id: presentGuid(),
	course_code: filledField(),
	status: filledField(),
	payer_id: leftOutWhenEmpty(freeField(36)),
	operator: leftOutWhenEmpty(freeField()),
	notes: leftOutWhenEmpty(freeField(NOTES_SIZE)),
	updated_at: leftOutWhenEmpty(utcTimestamp()),
});

export type StatusUpdate = z.output<typeof statusUpdate>;

export const statusUpdateOfAccount = z.object({ account_id: accountId(), ...statusUpdate.shape });

export const statusUpdateOfUser = z.object({ user_id: pathId(), ...statusUpdate.shape });

/** Trap: what a date that does not exist turns into as text, in expressions (luxon, JavaScript). */
const NO_DAY = /^Invalid Date(Time)?$/;

const person = {
	external_id: leftOutWhenEmpty(freeField()),
	name: leftOutWhenEmpty(freeField()),
	email: leftOutWhenEmpty(freeField()),
	phone: leftOutWhenEmpty(freeField()),
	document_type: leftOutWhenEmpty(freeField()),
	document: leftOutWhenEmpty(freeField()),
	// Any text, since the document shows no form for it; but no number, which is how sheets count their days.
	date_of_birth: leftOutWhenEmpty(
		dayOfMoment(text().check(z.refine((day) => !NO_DAY.test(day), { error: 'must be a day that exists' }))),
	),
};

/** Course status message (`data` of the course status operation). `school_id` and `course_code` stand in the path too. */
export const courseStatus = z.object({
	school_id: presentGuid(),
	course_code: pathId(),
	user_id: presentGuid(),
	status: filledField(),
	updated_at: leftOutWhenEmpty(utcTimestamp()),
	...person,
	responsible: leftOutWhenEmpty(
		z.pipe(
			z.array(
				z.object({ user_id: leftOutWhenEmpty(freeField()), ...person }, { error: mustBe('an object') }),
				{
					error: mustBe('a list of responsible persons'),
				},
			),
			// Columns of a second guardian are there in every row, and mostly blank.
			z.transform((persons) => {
				const filled = persons.filter((one) => Object.values(one).some((value) => value !== undefined));
				return filled.length === 0 ? undefined : filled;
			}),
		),
	),
});

/** A moment as the service writes it: ISO 8601, UTC, whole seconds. */
export function timestampOf(moment: Date): string {
	return `${moment.toISOString().slice(0, 19)}Z`;
}
