/** The end of the demo: an empty service is filled from an export once a person has approved it, and the night after sends nothing. */
import type { AdminClient } from '../../sandbox/admin-client.mts';
import type { Sandbox } from '../../sandbox/start.mts';
import {
	deleteDataTable,
	errorOf,
	getWorkflow,
	itemsOf,
	runAndWait,
	submitForm,
	waitForNextExecution,
} from '../n8n-client.mts';
import type { Execution, StoredWorkflow, WorkflowInput } from '../n8n-client.mts';
import { APPROVAL } from './connect.mts';
import { APPROVER } from './credentials.mts';
import type { RunningDemo } from './start.mts';

export const NIGHTLY = 'Sync the roster every night';
const EVERY_NIGHT = 'Every Night';
const SYNC = 'Sync the Roster';
/** Where the examples keep what was done. */
const LEDGERS = [
	'School Partner Roster',
	'School Partner Roster, North',
	'School Partner Roster, South',
	'Uploaded sheets',
	'Sheet of the Night',
];

/** Students of the export. */
export const STUDENTS = 300;

const ROSTER_NODE = 'n8n-nodes-school-partner.schoolPartnerRoster';
/** Wants a service that has everything already, which is the sandbox of the other examples. */
const OF_A_FULL_SERVICE = 'Take over a network that the service has already';

/** Whether an example works for the empty service. */
export function isFilledBy({ name, nodes }: WorkflowInput): boolean {
	return name !== OF_A_FULL_SERVICE && nodes.some(({ type }) => type === ROSTER_NODE);
}

/** The address of a sandbox's export. */
export const exportOf = ({ adminUrl }: Sandbox): string => `${adminUrl}roster?format=oneroster-1.2`;

/** Whether it is still as the demo needs it: for its sandbox, and with its form. */
function isOurs({ nodes }: StoredWorkflow, sandbox: Sandbox): boolean {
	const has = (isSo: (parameters: StoredWorkflow['nodes'][number]['parameters']) => boolean) =>
		nodes.some(({ parameters }) => isSo(parameters));
	return (
		has(({ url }) => url === exportOf(sandbox)) &&
		has(({ options }) => (options as { path?: string } | undefined)?.path === APPROVAL)
	);
}

/** What the demo has done: why the first night was held, who approved it, and how many requests that write the service received in each night. */
export interface Nights {
	heldBecause: string;
	approvedBy: string;
	held: number;
	approved: number;
	next: number;
}

/**
 * Runs the nightly example from an empty service and an empty ledger: a night that is held, the approval of a person, and the night
 * after. Undefined, and nothing is run, when somebody has changed the example so that it does not work for the demo any more.
 * @param say gets a line for each step that was done
 */
export async function fillFromRoster(
	{ session, examples, rosterSandbox, n8n }: RunningDemo,
	say: (line: string) => void,
): Promise<Nights | undefined> {
	const example = examples.find(({ name }) => name === NIGHTLY);
	if (example === undefined) throw new Error(`examples/ holds no workflow named "${NIGHTLY}"`);
	if (!isOurs(await getWorkflow(session, example.id), rosterSandbox)) return undefined;
	// This sandbox is a new one: what an earlier start of the demo wrote down was another's.
	for (const ledger of LEDGERS) await deleteDataTable(session, ledger);
	const { admin } = rosterSandbox;
	const night = async () => await runAndWait(session, example.id, { trigger: EVERY_NIGHT });

	await admin.clearRequests();
	const first = await night();
	const [{ hold_id: hold, reason }] = holdsOf(first);
	say(`The first night is held: ${reason}`);
	const held = await writesTo(admin);

	const approvedBy = `${session.account.firstName} ${session.account.lastName}`;
	await submitForm(n8n.baseUrl, APPROVAL, [hold, 'Yes', approvedBy], APPROVER);
	outcomeOf(await waitForNextExecution(session, example.id, first.id), 'done', 'attention');
	say(`${approvedBy} has approved it in the form, and it was done`);
	const approved = await writesTo(admin);

	outcomeOf(await night(), 'nothing', 'attention');
	say('The night after is done');
	return { heldBecause: reason, approvedBy, held, approved, next: await writesTo(admin) };
}

interface Summary {
	outcome: string;
	holds: Array<{ hold_id: string; reason: string }>;
}

/** The summary of a night; rejects when it did not end so. */
function outcomeOf(execution: Execution, ...expected: readonly string[]): Summary {
	const { status } = execution;
	if (status !== 'success')
		throw new Error(`"${NIGHTLY}" ended with ${status}: ${errorOf(execution)?.message ?? 'no message'}`);
	const summary = itemsOf(execution, SYNC)[0].json as unknown as Summary;
	if (!expected.includes(summary.outcome))
		throw new Error(`"${NIGHTLY}" ended with the outcome ${summary.outcome}, not ${expected.join(' or ')}`);
	return summary;
}

const holdsOf = (execution: Execution) => outcomeOf(execution, 'held').holds;

/** How many requests that write the service has received since this was asked last. */
async function writesTo(admin: AdminClient): Promise<number> {
	const path = '/integration/';
	const posts = await admin.countRequests({ path, method: 'POST' });
	const deletes = await admin.countRequests({ path, method: 'DELETE' });
	await admin.clearRequests();
	return posts + deletes;
}

/** What is not as it should be after the nights, at the service itself; empty when all is well. */
export async function whatIsWrong({ held, approved, next }: Nights, admin: AdminClient): Promise<string[]> {
	const all = { limit: 10_000 };
	const classes = await admin.classes(all);
	const users = await admin.users(all);
	const bonds = await admin.bonds(all);
	const students = users.items.filter(({ profiles }) => profiles.includes('student'));
	const inClass = new Set(bonds.items.map(({ user_external_id: id }) => id));
	const records = classes.count + users.count + bonds.count;
	return [
		...(students.length === STUDENTS ? [] : [`${students.length} students of ${STUDENTS} are there`]),
		...students
			.filter(({ external_id: id }) => !inClass.has(id))
			.map(({ external_id: id }) => `${id} is in no class`),
		...(held === 0 ? [] : [`the night that was held sent ${held} requests that write`]),
		...(approved === records ? [] : [`${approved} requests made ${records} records`]),
		...(next === 0 ? [] : [`the night after sent ${next} requests that write`]),
	];
}

/** What there is to see, in a line. */
export async function whatWasFilled(
	{ approvedBy, approved, next }: Nights,
	admin: AdminClient,
): Promise<string> {
	const one = { limit: 1 };
	const [classes, users, bonds] = [await admin.classes(one), await admin.users(one), await admin.bonds(one)];
	return (
		`${classes.count} classes, ${users.count} persons and ${bonds.count} bonds from tonight's export, with ${approved} requests, ` +
		`which ${approvedBy} approved; the night after sent ${next === 0 ? 'nothing' : `${next} requests`}`
	);
}
