/** The trigger beside n8n's Webhook node with header auth: deliveries that are accepted, and such that are refused. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import type { INode, INodeParameters } from 'n8n-workflow';

import {
	activateWorkflow,
	createCredential,
	createWorkflow,
	credentialReference,
	waitForWebhook,
	type CredentialInput,
	type Session,
	type StoredCredential,
} from '../../../playground/n8n-client.mts';
import type { AdminClient } from '../../../sandbox/admin-client.mts';
import { setStage, type Stage } from '../../support/stage.mts';

import { ratiosOf, spreadOf } from '../measuring/statistics.mts';
import type { Comparison, Plan } from '../results.mts';

const KEY = 'the-key-of-the-bench';
const AT_ONCE = 10;

interface Receiver {
	workflowId: string;
	url: string;
}

interface Engine {
	id: 'default' | 'lazy';
	name: string;
	env: Record<string, string>;
	/** Deliveries of one measurement: some seconds' worth. */
	accepted: number;
	refused: number;
	targets: { accepted: number; refused: number };
}

const ENGINES: Engine[] = [
	{
		id: 'default',
		name: 'default settings',
		env: {},
		accepted: 150,
		refused: 300,
		targets: { accepted: 1, refused: 1 },
	},
	{
		id: 'lazy',
		name: 'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true',
		env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		accepted: 400,
		refused: 4_000,
		targets: { accepted: 1.1, refused: 1.3 },
	},
];

export async function measureDeliveries(plan: Plan): Promise<Comparison[]> {
	const results: Comparison[] = [];
	for (const engine of ENGINES) results.push(...(await measureEngine(engine, plan)));
	return results;
}

async function measureEngine(engine: Engine, plan: Plan): Promise<Comparison[]> {
	const stage = await setStage({ env: engine.env, sandbox: { students: 200 } });
	try {
		const { session } = stage;
		const key = await createCredential(session, {
			name: 'Key of the bench',
			type: 'schoolPartnerWebhookApi',
			data: { apiKey: KEY, previousApiKey: '' },
		});
		const once = await receiver(session, ourTrigger(key, {}));
		const everyTime = await receiver(session, ourTrigger(key, { ignoreRepeatedDeliveries: false }));
		const plain = await receiver(session, webhookNode(await createCredential(session, HEADER_AUTH)));
		const against = 'Webhook node with header auth';
		const accepting = { count: engine.accepted, wrongKeyShare: 0 };
		const contests: Array<{ id: string; what: string; contest: Omit<Contest, 'stage'> }> = [
			{
				// The Webhook node does not look for repeats: the same work on both sides.
				id: 'accepted',
				what: 'deliveries accepted, repeats not ignored',
				contest: { ...accepting, ours: everyTime, theirs: plain, against, target: engine.targets.accepted },
			},
			{
				id: 'refused',
				what: 'deliveries refused',
				contest: {
					ours: once,
					theirs: plain,
					against,
					count: engine.refused,
					wrongKeyShare: 1,
					target: engine.targets.refused,
				},
			},
			{
				id: 'once',
				what: 'deliveries accepted, repeats ignored',
				contest: {
					...accepting,
					ours: once,
					theirs: everyTime,
					against: 'the same trigger, repeats not ignored',
					target: 0.9,
				},
			},
		];
		const results: Comparison[] = [];
		for (const { id: name, what, contest } of contests) {
			const id = `${name}-${engine.id}`;
			if (!plan.wants(id)) continue;
			plan.say(`${what}, ${engine.name}`);
			results.push({
				id,
				what: `${what}, ${engine.name}`,
				...(await alternate({ ...contest, stage }, plan.rounds)),
			});
		}
		return results;
	} finally {
		await stage.end();
	}
}

interface Contest {
	stage: Stage;
	ours: Receiver;
	theirs: Receiver;
	against: string;
	count: number;
	wrongKeyShare: number;
	target: number;
}

async function alternate(
	{ stage, ours, theirs, against, count, wrongKeyShare, target }: Contest,
	rounds: number,
): Promise<Omit<Comparison, 'id' | 'what'>> {
	const rate = async (receiver: Receiver) => await rateOf(stage, receiver, count, wrongKeyShare);
	// Trap: n8n gets faster for minutes after its start. Both are warmed, and each begins as often as the other.
	await rate(ours);
	await rate(theirs);
	const measured = { ours: [] as number[], theirs: [] as number[] };
	for (let round = 0; round < rounds + (rounds % 2); round++) {
		const order = round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const);
		for (const side of order) measured[side].push(await rate(side === 'ours' ? ours : theirs));
	}
	return {
		against,
		unit: 'deliveries/s',
		target: { atLeast: target },
		ours: spreadOf(measured.ours),
		theirs: spreadOf(measured.theirs),
		ratio: spreadOf(ratiosOf(measured.ours, measured.theirs)),
	};
}

/** Answers per second, ten deliveries on their way at a time; begins and ends with nothing else running in n8n. */
async function rateOf(
	{ session, sandbox }: Stage,
	{ workflowId, url }: Receiver,
	count: number,
	wrongKeyShare: number,
): Promise<number> {
	await register(sandbox.admin, url);
	const { perSecond, statuses } = await sandbox.admin.runLoad({ count, concurrency: AT_ONCE, wrongKeyShare });
	const [right, wrong] = [
		statuses.valid[200] ?? 0,
		(statuses.wrongKey[401] ?? 0) + (statuses.wrongKey[403] ?? 0),
	];
	if (right + wrong !== count) throw new Error(`Unexpected answers: ${JSON.stringify(statuses)}`);
	await untilNothingRuns(session, workflowId);
	await sandbox.admin.clearDeliveries();
	return perSecond;
}

async function register(admin: AdminClient, url: string): Promise<void> {
	await admin.registerWebhook({ url, apiKey: KEY });
}

async function untilNothingRuns(session: Session, workflowId: string): Promise<void> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['new', 'running'] }));
	for (;;) {
		const { results } = await session.request<{ results: unknown[] }>(
			'GET',
			`/executions?filter=${filter}&limit=1`,
		);
		if (results.length === 0) return;
		await wait(250);
	}
}

const HEADER_AUTH: CredentialInput = {
	name: 'Header',
	type: 'httpHeaderAuth',
	data: { name: 'x-api-key', value: KEY },
};

function ourTrigger(credential: StoredCredential, options: INodeParameters): INode {
	return {
		...trigger('n8n-nodes-school-partner.schoolPartnerTrigger', 2, { events: ['userAccess'], options }),
		credentials: credentialReference(credential),
	};
}

/** n8n's own, as it comes: it answers at once. */
function webhookNode(credential: StoredCredential): INode {
	const parameters = { httpMethod: 'POST', path: randomUUID(), authentication: 'headerAuth', options: {} };
	return {
		...trigger('n8n-nodes-base.webhook', 2, parameters),
		credentials: credentialReference(credential),
	};
}

function trigger(type: string, typeVersion: number, parameters: INodeParameters): INode {
	return {
		id: 'trigger',
		name: 'Trigger',
		type,
		typeVersion,
		position: [0, 0],
		webhookId: randomUUID(),
		parameters,
	};
}

/** Publishes a workflow of the trigger and one node behind it. */
async function receiver(session: Session, first: INode): Promise<Receiver> {
	const second: INode = {
		id: 'after',
		name: 'After',
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [200, 0],
		parameters: {},
	};
	const { id } = await createWorkflow(session, {
		name: first.type,
		nodes: [first, second],
		connections: { Trigger: { main: [[{ node: 'After', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	await activateWorkflow(session, id);
	const { path } = first.parameters;
	const address = typeof path === 'string' ? path : `${first.webhookId}/events`;
	await waitForWebhook(session.baseUrl, address);
	return { workflowId: id, url: `${session.baseUrl}/webhook/${address}` };
}
