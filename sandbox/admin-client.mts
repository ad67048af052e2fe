import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import axios, { type AxiosInstance } from 'axios';
import type {
	AccessRequest,
	DriftRequests,
	BondState,
	ClassState,
	CourseState,
	Facts,
	FaultAction,
	FaultMatch,
	FaultState,
	Health,
	LogoutDelivery,
	LogQuery,
	LoggedRequest,
	RegistrationState,
	ResetRequest,
	RequestLogAnswer,
	SignRequest,
	StateAnswer,
	StateQuery,
	UserState,
} from './admin-types.mts';
import type {
	DeliveryQuery,
	DeliveryRecord,
	LoadRequest,
	LoadResult,
	RawDelivery,
	ShownWebhook,
	Webhook,
} from './delivery-types.mts';
import type { RosterMapping } from './roster/mapping.mts';
import type { RosterChanges, RosterFormat, RosterQuery } from './roster-types.mts';
import type { PaceCounters, Settings } from './settings-types.mts';

/** A program's hand on a running sandbox. Every call rejects with the sandbox's own message when it is refused. */
export class AdminClient {
	readonly #http: AxiosInstance;

	readonly #agent: Agent;

	/**
	 * `adminUrl` as the sandbox prints it, e.g. `http://127.0.0.1:4010/_sandbox/`, and its certificate when it speaks HTTPS.
	 */
	constructor(adminUrl: string, certificate?: string) {
		const kept = { keepAlive: true, maxSockets: 4 };
		this.#agent = certificate === undefined ? new Agent(kept) : new TlsAgent({ ...kept, ca: certificate });
		this.#http = axios.create({
			baseURL: adminUrl,
			httpAgent: this.#agent,
			httpsAgent: this.#agent,
			proxy: false,
			maxBodyLength: Infinity,
			maxContentLength: Infinity,
		});
		this.#http.interceptors.response.use(undefined, (error: unknown) => {
			const answered = axios.isAxiosError<{ message?: unknown }>(error) ? error.response?.data : undefined;
			throw typeof answered?.message === 'string'
				? new Error(`The sandbox says: ${answered.message}`)
				: error;
		});
	}

	/** Settings, memory, open connections and the most at once. */
	async health(): Promise<Health> {
		return await this.#get('health');
	}

	/** Ids of the seeded network. */
	async facts(): Promise<Facts> {
		return await this.#get('facts');
	}

	/** The requests of the log alone. */
	async requests(query: Omit<LogQuery, 'countOnly'> = {}): Promise<LoggedRequest[]> {
		return (await this.requestLog(query)).requests;
	}

	/** How many of them there are. */
	async countRequests(query: LogQuery = {}): Promise<number> {
		return (await this.requestLog({ ...query, countOnly: true })).count;
	}

	/** The newest 100,000 requests, oldest first, without secrets; the id of the last, and the most at once. `path` (prefix), `method`, `status` (0: no answer was sent), `since` (an id), `limit`, `count-only`. */
	async requestLog({ countOnly, ...query }: LogQuery = {}): Promise<RequestLogAnswer> {
		return await this.#get('requests', { ...query, ...(countOnly ? { 'count-only': true } : {}) });
	}

	/** Empties the log and starts `maxInFlight` anew. */
	async clearRequests(): Promise<void> {
		await this.#http.delete('requests');
	}

	/** Arms a fault; gives its id. */
	async addFault(match: FaultMatch, fault: FaultAction): Promise<string> {
		const { data } = await this.#http.post<FaultState>('faults', { match, fault });
		return data.id;
	}

	/** The armed faults with how often they were matched and used. */
	async faults(): Promise<FaultState[]> {
		return await this.#get('faults');
	}

	/** Disarms one fault, or all of them. */
	async clearFaults(id?: string): Promise<void> {
		await this.#http.delete(id === undefined ? 'faults' : `faults/${id}`);
	}

	/** What the service holds now, a thousand at a time: `externalId`, `schoolExternalId`, `accountId`, `profile`, `provisioned` (created over the API), `limit`, `offset`. */
	async classes(query: StateQuery = {}): Promise<StateAnswer<ClassState>> {
		return await this.#get('state/classes', query);
	}

	/** The same. */
	async users(query: StateQuery = {}): Promise<StateAnswer<UserState>> {
		return await this.#get('state/users', query);
	}

	/** The same. */
	async bonds(query: StateQuery = {}): Promise<StateAnswer<BondState>> {
		return await this.#get('state/bonds', query);
	}

	/** The same. */
	async courses(query: StateQuery = {}): Promise<StateAnswer<CourseState>> {
		return await this.#get('state/courses', query);
	}

	/** The network as a roster, a zip of CSV files: `format`, `seed`, `students`, `schools`, `tonight`. */
	async roster(format: RosterFormat, query: RosterQuery = {}): Promise<Buffer> {
		const { data } = await this.#http.get<Buffer>('roster', {
			params: { format, ...query },
			responseType: 'arraybuffer',
		});
		return data;
	}

	/** What differs in the roster of the same query from the one without changes. */
	async rosterChanges(query: RosterQuery): Promise<RosterChanges> {
		return await this.#get('roster/changes', query);
	}

	/** What the roster node takes as its mapping for rosters of the sandbox. */
	async rosterMapping(): Promise<RosterMapping> {
		return await this.#get('roster/mapping');
	}

	/** Back to the state after the start. Tokens stay valid, sessions end. `seed`, `students`, `schools`, `empty`; with `keepConnections` webhook and registration stay. */
	async reset(change: ResetRequest = {}): Promise<void> {
		await this.#http.post('reset', change);
	}

	/** Every token given out so far is answered 401 from now on. */
	async expireTokens(): Promise<void> {
		await this.#http.post('tokens/expire');
	}

	/** Any of the settings. */
	async changeSettings(change: Partial<Settings>): Promise<Settings> {
		return (await this.#http.patch<Settings>('settings', change)).data;
	}

	/** Most in flight, at work and waiting; refused; waits in line (p50, p95); connections opened. */
	async pace(): Promise<PaceCounters> {
		return await this.#get('pace');
	}

	/** The counters of `pace` start anew. */
	async resetPace(): Promise<void> {
		await this.#http.delete('pace');
	}

	/**
	 * Refuses connections for `ms` milliseconds and breaks the open ones. Resolves when it has begun. This
	 * client's own kept connection survives.
	 */
	async refuseConnections(ms: number): Promise<void> {
		await this.#http.post('outage', { ms });
	}

	/** Where events go from now on: `url`, `apiKey` (without it the registered one stays), `retries`, `backoffMs`, `timeoutMs`. */
	async registerWebhook(webhook: Pick<Webhook, 'url' | 'apiKey'> & Partial<Webhook>): Promise<ShownWebhook> {
		return await this.#post('webhook', webhook);
	}

	/** Sends USER_ACCESS for `login`, `externalId`, `accountId` or `userId`. Resolves after the last attempt. */
	async grantAccess(request: AccessRequest): Promise<DeliveryRecord> {
		return await this.#post('access/grant', request);
	}

	/** Sends USER_ACCESS_REVOCATION in the same way. */
	async revokeAccess(request: AccessRequest): Promise<DeliveryRecord> {
		return await this.#post('access/revoke', request);
	}

	/** Changes something in the service as if by hand, behind the partner's back. */
	async drift<What extends keyof DriftRequests>(what: What, request: DriftRequests[What]): Promise<void> {
		await this.#http.post(`drift/${what}`, request);
	}

	/** Any body to the registered webhook; text goes out as it is. `body`, `apiKey`, `headers`, `requestId`. */
	async sendDelivery(delivery: RawDelivery): Promise<DeliveryRecord> {
		return await this.#post('deliveries/send', delivery);
	}

	/** Many deliveries; resolves when all are done. `count`, `concurrency`, `repeatShare`, `wrongKeyShare`, `malformedShare`, `revocationEvery`. */
	async runLoad(request: LoadRequest): Promise<LoadResult> {
		return await this.#post('deliveries/load', request);
	}

	/** The stored event records with their attempts, oldest first. */
	async deliveries(query: DeliveryQuery = {}): Promise<DeliveryRecord[]> {
		return await this.#get('deliveries', query);
	}

	/** Forgets them. */
	async clearDeliveries(): Promise<void> {
		await this.#http.delete('deliveries');
	}

	/** Redirect URIs, post-logout redirect URIs, logout callback and channel. */
	async registration(): Promise<RegistrationState> {
		return await this.#get('registration');
	}

	/** Changes them while it runs. */
	async changeRegistration(change: Partial<Omit<RegistrationState, 'clientId'>>): Promise<RegistrationState> {
		return (await this.#http.patch<RegistrationState>('registration', change)).data;
	}

	/** Ends every session of a user on both issuers and calls the registered back channel; gives what was delivered. */
	async logOut(request: AccessRequest): Promise<LogoutDelivery[]> {
		return await this.#post('logout', request);
	}

	/** Logouts that went to the partner, oldest first. */
	async logoutDeliveries(): Promise<LogoutDelivery[]> {
		return await this.#get('logout');
	}

	/** A JWT with any claims and header members, signed with an issuer's own key. */
	async signToken(request: SignRequest): Promise<string> {
		return (await this.#post<{ token: string }>('tokens/sign', request)).token;
	}

	/** Closes the kept connections. */
	close(): void {
		this.#agent.destroy();
	}

	async #post<T>(path: string, body: object): Promise<T> {
		return (await this.#http.post<T>(path, body)).data;
	}

	async #get<T>(path: string, params: object = {}): Promise<T> {
		return (await this.#http.get<T>(path, { params })).data;
	}
}
