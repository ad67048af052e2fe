/** The event kinds of the document's section "Events", in the order in which the trigger has its outputs. */
import { userAccessPayload, userAccessRevocationPayload } from './tables';

/** `output` is the name short enough to stand beside an output of a node. */
export const EVENTS = [
	{
		value: 'userAccess',
		action: 'USER_ACCESS',
		name: 'User Access',
		output: 'User Access',
		description: 'A user gained access to a product: carries the school, the class and the user',
		payload: userAccessPayload,
	},
	{
		value: 'userAccessRevocation',
		action: 'USER_ACCESS_REVOCATION',
		name: 'User Access Revocation',
		output: 'Revocation',
		description: "A user's access to a product was removed: carries the bond that ended",
		payload: userAccessRevocationPayload,
	},
] as const;

export type AccessEvent = (typeof EVENTS)[number];

/** The name by which the trigger's parameters know an event. */
export type EventName = AccessEvent['value'];

/** The event that `header.action` names; undefined for an action that the document does not know. */
export function eventOfAction(action: string): AccessEvent | undefined {
	return EVENTS.find((event) => event.action === action);
}
