import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Kept {
	readonly payload: AdapterPayload;
	readonly expiresAt: number;
}

/** Finds a record itself, e.g. clients that change at run time. */
type Finder = (id: string) => Promise<AdapterPayload | undefined>;

const SWEEP_EVERY = 5_000;

/**
 * What the provider remembers, in memory. The provider's own memory store forgets all but the newest 1,000
 * records, so that a load test would lose refresh tokens and sessions.
 */
export class IdentityMemory {
	readonly #kept = new Map<string, Kept>();

	#writes = 0;

	/** `models` may answer for a kind of record itself. */
	adapterFor(model: string, models: Record<string, Finder> = {}): Adapter {
		const own = Object.hasOwn(models, model) ? models[model] : undefined;
		return {
			upsert: async (id, payload, expiresIn) => this.set(model, id, payload, expiresIn),
			find: async (id) => (own ? await own(id) : this.get(model, id)),
			findByUid: async (uid) => this.#search(model, (payload) => payload.uid === uid),
			findByUserCode: async (userCode) => this.#search(model, (payload) => payload.userCode === userCode),
			consume: async (id) => {
				const payload = this.get(model, id);
				if (payload) payload.consumed = Math.floor(Date.now() / 1000);
			},
			destroy: async (id) => this.delete(model, id),
			revokeByGrantId: async (grantId) => {
				for (const [at, { payload }] of this.#kept) {
					if (payload.grantId === grantId) this.#kept.delete(at);
				}
			},
		};
	}

	/** Every record of one kind, with its id. */
	all(model: string): AdapterPayload[] {
		const prefix = `${model}:`;
		return [...this.#kept].filter(([at]) => at.startsWith(prefix)).map(([, { payload }]) => payload);
	}

	/** Forgets all records of one kind. */
	forget(model: string): void {
		for (const at of this.#kept.keys()) if (at.startsWith(`${model}:`)) this.#kept.delete(at);
	}

	set(model: string, id: string, payload: AdapterPayload, expiresIn: number | undefined): void {
		const expiresAt = expiresIn === undefined ? Infinity : Date.now() + expiresIn * 1000;
		this.#kept.set(`${model}:${id}`, { payload, expiresAt });
		this.#writes += 1;
		if (this.#writes % SWEEP_EVERY === 0) this.#sweep();
	}

	get(model: string, id: string): AdapterPayload | undefined {
		const found = this.#kept.get(`${model}:${id}`);
		return found && found.expiresAt > Date.now() ? found.payload : undefined;
	}

	delete(model: string, id: string): void {
		this.#kept.delete(`${model}:${id}`);
	}

	#search(model: string, fits: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
		return this.all(model).find(fits);
	}

	#sweep(): void {
		const now = Date.now();
		for (const [at, { expiresAt }] of this.#kept) if (expiresAt <= now) this.#kept.delete(at);
	}
}
