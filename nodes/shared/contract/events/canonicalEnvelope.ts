/** Where in an envelope the tolerated deviations can stand, and how each of them is healed. */
import { isJsonObject } from '../json';
import { canonicalClass, canonicalSchool, documentedUser, withCellPhone, withField } from '../tolerances';

type Heal = (value: unknown) => unknown;

/** Heals one field of an object. What is no object, and a field that is absent, stay as they are. */
function within(name: string, heal: Heal): Heal {
	return (value) => (isJsonObject(value) ? withField(value, name, heal) : value);
}

function each(heal: Heal): Heal {
	return (value) => {
		if (!Array.isArray(value)) return value;
		const healed = value.map((entry: unknown) => heal(entry));
		return healed.every((entry, index) => entry === value[index]) ? value : healed;
	};
}

function inOrder(...heals: Heal[]): Heal {
	return (value) => heals.reduce((healed, heal) => heal(healed), value);
}

const schoolAndClass = inOrder(within('school', canonicalSchool), within('class', canonicalClass));

const everyUser = (heal: Heal) => within('payload', within('structure_users', within('users', each(heal))));

/** The envelope with every field under its documented name: the form to judge by the field tables. */
export const documentedEnvelope: Heal = inOrder(
	within('payload', within('structure_school', schoolAndClass)),
	everyUser(documentedUser),
);

/** The envelope that workflows see, from one that was judged: a `phone` text has become a `cell_phone`. */
export const canonicalEnvelope: Heal = everyUser(withCellPhone);
