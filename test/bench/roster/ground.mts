/** Where first loads of rosters are measured: a service that has schools and nobody in them, and an n8n of its own for each load. */
import type { INode, INodeParameters } from 'n8n-workflow';

import {
	createCredential,
	credentialReference,
	type StoredCredential,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/start.mts';
import {
	decisionWorkflow,
	nightOf,
	nightWorkflow,
	ROSTER,
	type NightWorkflow,
} from '../../e2e/roster/stage.mts';
import { heldBy, networkOf } from '../../support/held.mts';
import { machineAccess } from '../../support/stage.mts';

import { creations, CREATING } from './creations.mts';
import { House, type Run } from './house.mts';
import { LOOKING_UP, lookUpCount, lookUps } from './lookUps.mts';

/** A first load, and the night after, in which nothing is different. */
export interface Nights {
	load: Run;
	second: Run;
	/** Requests that write which the second night has sent. */
	secondWrites: number;
}

/** How long the lookups of everybody take, and how many they are. */
export interface LookUps {
	people: number;
	lookups: number;
	/** Verify, of everybody. */
	everybody: LookedUp;
	/** Verify, of every seventh. */
	seventh: LookedUp;
	/** The same lookups by nodes School Partner. */
	alone: LookedUp;
}

export interface LookedUp extends Run {
	/** That the service got, tokens and what is asked once among them. */
	requests: number;
}

const SCHOOL_SIZE = 500;

/** The service tells the account of somebody who was created, so that Verify can ask for it. */
const CONFIRMED: INodeParameters = {
	confirmation: 'callback',
	confirmationQuery: {
		parameter: ['external_id', 'school_external_id'].map((name) => ({ name, value: `{${name}}` })),
	},
};

export class Ground {
	private constructor(
		readonly students: number,
		private readonly sandbox: Sandbox,
		/** Keys of everything that has to be there in the end. */
		private readonly network: readonly string[],
	) {}

	static async open(students: number): Promise<Ground> {
		const size = { students, schools: Math.ceil(students / SCHOOL_SIZE) };
		const sandbox = await startSandbox({ ...size, empty: true });
		return new Ground(students, sandbox, await networkOf(sandbox.admin));
	}

	/** How many classes, users and bonds there are. */
	get records(): number {
		return this.network.length;
	}

	/** @param heapMb of n8n at most */
	async nights(latencyMs: number, heapMb?: number): Promise<Nights> {
		const work = async (house: House): Promise<Nights> => {
			await house.begin();
			const workflow = nightWorkflow(await this.night(house));
			await approveFirst(house, workflow);
			await house.startAgain();
			const load = await house.measured(await house.store(workflow), [ROSTER]);
			await this.holdIsThere();
			await house.startAgain();
			await this.sandbox.admin.clearRequests();
			const second = await house.measured(await house.store(workflow), [ROSTER]);
			return { load, second, secondWrites: await this.sandbox.admin.countRequests({ path: '/integration' }) };
		};
		return await this.during(latencyMs, work, heapMb);
	}

	/**
	 * A first load into a ledger in PostgreSQL, in whose table there are others already. The service begins empty.
	 * @param database where it lies, as n8n's credential
	 */
	async part(house: House, ledgerName: string, database: StoredCredential): Promise<Run> {
		await this.sandbox.admin.reset();
		const night = await this.night(house);
		const parameters = { ledger: 'postgres', ledgerName };
		const toDatabase = credentialReference(database);
		const node = { credentials: { ...credentialReference(night.credential), ...toDatabase } };
		const workflow = nightWorkflow({ ...night, parameters, node });
		await approveFirst(house, workflow, parameters, { credentials: toDatabase });
		await house.startAgain();
		const load = await house.measured(await house.store(workflow), [ROSTER]);
		await this.holdIsThere();
		return load;
	}

	/** Everybody in the ledger with the account, one by one; then what the service shows of them. */
	async lookUps(latencyMs: number): Promise<LookUps> {
		const { admin } = this.sandbox;
		return await this.during(0, async (house) => {
			await house.begin();
			const night = await this.night(house);
			const workflow = nightWorkflow({ ...night, parameters: { options: CONFIRMED } });
			await approveFirst(house, workflow);
			await house.execution(await house.store(workflow));
			await this.holdIsThere();
			await admin.changeSettings({ latencyMs });
			const { tenantId } = await admin.facts();
			const measured = async (stored: WorkflowInput, nodes: readonly string[]) => {
				await house.startAgain();
				await admin.clearRequests();
				const run = await house.measured(await house.store(stored), nodes);
				// Trap: the log keeps the newest 100,000, and counts no others.
				const { lastId: requests } = await admin.requestLog({ countOnly: true });
				return { ...run, requests };
			};
			const verify = (share: number) =>
				measured(
					decisionWorkflow(
						[{}],
						{ operation: 'verify', options: { tenantId, share } },
						{ credentials: credentialReference(night.credential) },
					),
					[ROSTER],
				);
			const everybody = await verify(1);
			const { items } = await admin.users({ limit: 1_000_000 });
			const alone = await measured(lookUps(items, tenantId, night.credential), LOOKING_UP);
			const seventh = await verify(7);
			return { everybody, seventh, alone, people: items.length, lookups: lookUpCount(items) };
		});
	}

	/** The same creations by nodes School Partner, records in, without a ledger. */
	async alone(latencyMs: number): Promise<Run> {
		return await this.during(latencyMs, async (house) => {
			await house.begin();
			const run = await house.measured(await house.store(creations(await this.night(house))), CREATING);
			await this.holdIsThere();
			return run;
		});
	}

	async end(): Promise<void> {
		await this.sandbox.stop();
	}

	private async night({ session }: House): Promise<NightWorkflow> {
		const credential = await createCredential(session, {
			name: 'Service',
			type: 'schoolPartnerOAuth2Api',
			data: machineAccess(this.sandbox),
		});
		const mapping = (await this.sandbox.admin.rosterMapping()) as unknown as INodeParameters;
		return { credential, mapping, url: `${this.sandbox.adminUrl}roster?format=oneroster-1.2` };
	}

	private async during<T>(
		latencyMs: number,
		work: (house: House) => Promise<T>,
		heapMb?: number,
	): Promise<T> {
		await this.sandbox.admin.reset();
		await this.sandbox.admin.changeSettings({ latencyMs });
		const house = new House(heapMb);
		try {
			return await work(house);
		} finally {
			await house.end();
		}
	}

	/** A fast load that did not do the work would be worth nothing. */
	private async holdIsThere(): Promise<void> {
		const held = await heldBy(this.sandbox.admin);
		if (held.join() !== this.network.join())
			throw new Error(`The service holds ${held.length} records instead of ${this.network.length}`);
	}
}

/** The first night is held; a person approves it. */
async function approveFirst(
	house: House,
	workflow: WorkflowInput,
	parameters: INodeParameters = {},
	node: Partial<INode> = {},
): Promise<void> {
	const first = nightOf(await house.execution(await house.store(workflow)));
	const approval = (first.summary.holds as Array<{ hold_id: string }>).map(({ hold_id }) => ({
		...{ hold_id, approve: true, by: 'Ana' },
	}));
	const approve = decisionWorkflow(approval, { operation: 'approve', ...parameters }, node);
	await house.execution(await house.store(approve));
}
