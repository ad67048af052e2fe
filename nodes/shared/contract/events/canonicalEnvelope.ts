/** Where in an envelope the tolerated deviations can stand, and how each of them is healed. */
import {
	canonicalClass,
	canonicalSchool,
	documentedUser,
	each,
	inOrder,
	withCellPhone,
	within,
} from '../tolerances';

const schoolAndClass = inOrder(within('school', canonicalSchool), within('class', canonicalClass));

const everyUser = (heal: typeof withCellPhone) =>
	within('payload', within('structure_users', within('users', each(heal))));

/** The envelope with every field under its documented name: the form to judge by the field tables. */
export const documentedEnvelope = inOrder(
	within('payload', within('structure_school', schoolAndClass)),
	everyUser(documentedUser),
);

/** The envelope that workflows see, from one that was judged: a `phone` text has become a `cell_phone`. */
export const canonicalEnvelope = everyUser(withCellPhone);
