/** Where in an envelope the tolerated deviations can stand. */
import { canonicalClass, canonicalSchool, canonicalUser, each, inOrder, within } from '../tolerances';

const schoolAndClass = inOrder(within('school', canonicalSchool), within('class', canonicalClass));

/** The envelope that workflows see: every field under its documented name, in its documented form. */
export const canonicalEnvelope = within(
	'payload',
	inOrder(
		within('structure_school', schoolAndClass),
		within('structure_users', within('users', each(canonicalUser))),
	),
);
