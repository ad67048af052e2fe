import type { AccountCreation, Settings } from '../settings-types.mts';
import { uuidFrom } from '../world/random.mts';
import type { User } from '../world/types.mts';

/** `never`: the account of this user is not there, and does not come while the setting stays. */
export type AccountState = 'created' | 'pending' | 'never';

/** Whether the account of a user is there. Seeded users have theirs. @param seed of the world */
export function accountState(
	{ provisioned, createdAt, externalId }: User,
	{ accounts }: Readonly<Pick<Settings, 'accounts'>>,
	seed: number,
): AccountState {
	if (!provisioned || accounts === null) return 'created';
	if (hasNone(externalId, accounts, seed)) return 'never';
	return Date.now() - createdAt < (accounts.delayMs ?? 0) ? 'pending' : 'created';
}

/** The same seed and the same external id say the same in every run. */
function hasNone(externalId: string, { never, neverShare = 0 }: AccountCreation, seed: number): boolean {
	const drawn = Number.parseInt(uuidFrom(seed, 'no account', externalId).slice(0, 8), 16) / 2 ** 32;
	return never?.includes(externalId) === true || drawn < neverShare;
}
