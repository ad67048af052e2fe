/** Access events that come while a night runs: none is lost, and the night does what it would have done. `ACCESS_EVENTS=20000 ACCESS_STUDENTS=5000` is a first day of school. */
import type { INode } from 'n8n-workflow';

import { tableRows, type WorkflowInput } from '../../../playground/n8n-client.mts';
import { eventually, until } from '../../../playground/eventually.mts';
import { heldBy } from '../../support/held.mts';
import { KEY, LAZY, LONG_MS, openTrigger } from '../trigger/support.mts';

import { ROSTER_NODE, RosterStage } from './stage.mts';

const EVENTS = Number(process.env.ACCESS_EVENTS ?? 200);
const SIZE = { students: Number(process.env.ACCESS_STUDENTS ?? 100), schools: 3 };
const LEDGER = 'School Partner Roster';

let roster: RosterStage;

beforeAll(async () => void (roster = await RosterStage.set(SIZE, LAZY)), LONG_MS);
afterAll(async () => await roster?.end());

/** The trigger, and Record Access behind its grants. */
function recording(workflow: WorkflowInput): WorkflowInput {
	const nodes = workflow.nodes.map(
		(node): INode =>
			node.name === 'Granted'
				? { ...node, type: ROSTER_NODE, parameters: { operation: 'recordAccess' } }
				: node,
	);
	return { ...workflow, nodes };
}

test(
	`${EVENTS} events that come while a night runs are all in the ledger, and the service has everything once`,
	async () => {
		const { stage, network } = roster;
		const { admin } = stage.sandbox;
		const zip = await network.admin.roster('oneroster-1.2', {});
		await roster.approve(await roster.night(zip));
		const { url } = await openTrigger(stage.session, recording);
		await network.admin.registerWebhook({ url, apiKey: KEY });
		await admin.changeSettings({ latencyMs: 100 });

		const night = await roster.begin(zip);
		await until(async () => (await admin.users({ limit: 1 })).count > 0);
		const { statuses, perSecond } = await network.admin.runLoad({ count: EVENTS, concurrency: 10 });
		const whole = await roster.endOf(night);
		expect(statuses.valid).toEqual({ 200: EVENTS });
		expect([whole.said, whole.summary.outcome]).toEqual(['', 'done']);
		expect(await heldBy(admin)).toEqual([...new Set(await heldBy(network.admin))]);
		const recorded = await eventually(async () => {
			const rows = (await tableRows(stage.session, LEDGER)).filter(({ kind }) => kind === 'access');
			return rows.length >= EVENTS ? rows : undefined;
		}, LONG_MS);
		expect(recorded).toHaveLength(EVENTS);
		console.log(`${EVENTS} events during a night: ${perSecond} a second`);
	},
	LONG_MS * 2,
);
