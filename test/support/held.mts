/** What a sandbox holds, by the keys that the ledger gives to records. */
import type { AdminClient } from '../../sandbox/admin-client.mts';
import type { BondState } from '../../sandbox/admin-types.mts';

/** As many as there are. */
const ALL = { limit: 1_000_000 };

/** In order, and as often as it is there. A person in two schools is two users. */
export async function heldBy(admin: AdminClient): Promise<string[]> {
	const [classes, users, bonds] = [await admin.classes(ALL), await admin.users(ALL), await admin.bonds(ALL)];
	return [
		...classes.items.map((each) => `c:${each.school_external_id}|${each.external_id}`),
		...users.items.map((each) => `u:${each.school_external_id}|${each.external_id}`),
		...bonds.items.map(bondKey),
	].sort();
}

export const bondKey = (bond: BondState): string =>
	`b:${bond.school_external_id}|${bond.class_external_id}|${bond.user_external_id}|${bond.profile_name}`;

/** Resets the sandbox, and gives what the network of its export holds: told by a sandbox that is seeded with it and was never written to. */
export async function networkOf(admin: AdminClient, size: { students?: number } = {}): Promise<string[]> {
	await admin.reset({ ...size, empty: false });
	const network = [...new Set(await heldBy(admin))];
	await admin.reset(size);
	return network;
}
