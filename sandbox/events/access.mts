import { randomUUID } from 'node:crypto';
import type { AccessRequest } from '../admin-types.mts';
import type { DeliveryRecord } from '../delivery-types.mts';
import type { Store } from '../world/store.mts';
import type { User } from '../world/types.mts';
import type { Deliveries } from './deliveries.mts';
import type { Variant } from '../variants.mts';
import { makeEnvelope, type EventAction } from './envelopes.mts';
import { variedEnvelope } from './varied.mts';

export interface AccessParts {
	readonly world: () => Store;
	readonly deliveries: Deliveries;
	readonly clientId: string;
	readonly deviations: () => boolean;
	readonly variants: () => readonly Variant[];
}

/** Who has access to the product, and the events that tell the partner of a change ("States and transitions"). */
export class Access {
	readonly #granted = new Set<string>();

	constructor(private readonly parts: AccessParts) {}

	/** A user gains access: USER_ACCESS is sent. */
	async grant(request: AccessRequest): Promise<DeliveryRecord> {
		const user = findUser(this.parts.world(), request);
		const record = await this.#send('USER_ACCESS', user, request);
		this.#granted.add(user.id);
		return record;
	}

	/** A user loses access: USER_ACCESS_REVOCATION is sent. Only what was granted can be revoked. */
	async revoke(request: AccessRequest): Promise<DeliveryRecord> {
		const user = findUser(this.parts.world(), request);
		if (!this.#granted.has(user.id))
			throw new Error(`User "${user.externalId}" has no access that could be revoked.`);
		const record = await this.#send('USER_ACCESS_REVOCATION', user, request);
		this.#granted.delete(user.id);
		return record;
	}

	/** Drift: a user loses access, and nobody is told. */
	revokeWithoutEvent(request: AccessRequest): void {
		const user = findUser(this.parts.world(), request);
		if (!this.#granted.delete(user.id))
			throw new Error(`User "${user.externalId}" has no access that could be revoked.`);
	}

	isGranted(user: User): boolean {
		return this.#granted.has(user.id);
	}

	clear(): void {
		this.#granted.clear();
	}

	async #send(action: EventAction, user: User, request: AccessRequest): Promise<DeliveryRecord> {
		const { world, deliveries, clientId, deviations, variants } = this.parts;
		const requestId = request.requestId ?? randomUUID();
		const envelope = makeEnvelope(action, {
			world: world(),
			clientId,
			requestId,
			now: new Date(),
			deviations: deviations(),
			user,
			classExternalId: request.classExternalId,
		});
		const text = JSON.stringify(variedEnvelope(envelope, variants()));
		return await deliveries.deliver({ requestId, action, text });
	}
}

/** The user that a request names by account, user id, login or external id. */
export function findUser(world: Store, { accountId, userId, login, externalId }: AccessRequest): User {
	const found =
		(accountId !== undefined && world.usersOfAccount(accountId)[0]) ||
		(userId !== undefined && world.userById(userId)) ||
		(login !== undefined && world.userByLogin(login)) ||
		(externalId !== undefined && world.usersByExternalId(externalId)[0]);
	if (!found) throw new Error('There is no such user. Name one by accountId, userId, login or externalId.');
	return found;
}
