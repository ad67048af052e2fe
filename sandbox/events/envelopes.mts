import {
	bondsByClass,
	classFields,
	hashOf,
	idAndName,
	profileOf,
	schoolFields,
	shownTenant,
	userFields,
} from '../areas/shapes.mts';
import type { Store } from '../world/store.mts';
import type { Bond, SchoolClass, User } from '../world/types.mts';

export type EventAction = 'USER_ACCESS' | 'USER_ACCESS_REVOCATION';

/** Envelope of every event: `header` and `payload` ("Event resources" of the document). */
export interface Envelope {
	header: { request_id: string; client_id: string; action: EventAction; created_at: string };
	payload: Record<string, unknown>;
}

export interface EnvelopeInput {
	readonly world: Store;
	readonly clientId: string;
	readonly requestId: string;
	readonly now: Date;
	readonly deviations: boolean;
	readonly user: User;
	/** External id of the class the event is about; without it the user's first. */
	readonly classExternalId?: string;
}

/** `created_at` has room for 20 characters: seconds, and a Z. */
const createdAt = (now: Date): string => `${now.toISOString().slice(0, 19)}Z`;

/** Builds an event about a user and one of its classes. Throws a sentence when there is nothing to tell. */
export function makeEnvelope(action: EventAction, input: EnvelopeInput): Envelope {
	const { requestId, clientId, now } = input;
	const header = { request_id: requestId, client_id: clientId, action, created_at: createdAt(now) };
	return { header, payload: action === 'USER_ACCESS' ? accessPayload(input) : { bond: bondOf(input) } };
}

function accessPayload(input: EnvelopeInput): Record<string, unknown> {
	const { world, user, deviations } = input;
	const people = [user, ...user.responsibles];
	const nameless = people.find(({ birthDate }) => birthDate === null);
	if (nameless) throw new Error(`An event needs a birth date, and "${nameless.externalId}" has none.`);
	const [schoolClass] = classAndBonds(input);
	return {
		structure_school: {
			hash: hashOf(world.tenant.id, user.school.id, schoolClass.id),
			tenant: shownTenant(world.tenant),
			school: schoolFields(user.school, deviations),
			class: eventClass(schoolClass),
		},
		structure_users: {
			hash: hashOf(...people.map(({ id }) => id), schoolClass.id),
			users: people.map((person) => ({
				...userFields(person, deviations),
				responsible_ids: person.responsibles.map(({ id }) => id),
			})),
			bond: bondOf(input),
		},
	};
}

function eventClass(schoolClass: SchoolClass): Record<string, unknown> {
	const { code, shift } = schoolClass;
	return { ...classFields(schoolClass), code, shift: shift && idAndName(shift) };
}

function bondOf(input: EnvelopeInput): Record<string, unknown> {
	const [schoolClass, bonds] = classAndBonds(input);
	return {
		user_id: input.user.id,
		class_id: schoolClass.id,
		profiles: bonds.map(({ profile }) => profileOf(input.world, profile)),
		subjects: bonds.flatMap(({ subjects }) => subjects),
	};
}

function classAndBonds({ user, classExternalId }: EnvelopeInput): [SchoolClass, Bond[]] {
	const all = [...bondsByClass([user])];
	const found =
		classExternalId === undefined ? all[0] : all.find(([{ externalId }]) => externalId === classExternalId);
	if (!found) throw new Error(`User "${user.externalId}" has no such class: bond it to one first.`);
	return found;
}
