/** The end of the demo: an empty service is filled from an export, and the night after sends nothing. */
import type { AdminClient } from '../../sandbox/admin-client.mts';
import type { Sandbox } from '../../sandbox/start.mts';
import { deleteDataTable, errorOf, getWorkflow, runAndWait } from '../n8n-client.mts';
import type { Session, WorkflowInput } from '../n8n-client.mts';
import type { RunningDemo } from './start.mts';

export const NIGHTLY = 'Sync the roster every night';
/** Where the examples keep what was done. */
const LEDGERS = ['Roster ledger', 'Ledger of the uploaded sheets'];
const BY_HAND = 'When Clicking Execute';

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

/** What the service received that writes, in the first night and in the second. */
interface Nights {
	first: number;
	second: number;
}

/**
 * Runs the nightly example twice, from an empty service and an empty ledger. Undefined, and nothing is run, when
 * somebody has changed the example so that it does not work for the demo's sandbox any more.
 */
export async function fillFromRoster({
	session,
	examples,
	rosterSandbox,
}: RunningDemo): Promise<Nights | undefined> {
	const example = examples.find(({ name }) => name === NIGHTLY);
	if (example === undefined) throw new Error(`examples/ holds no workflow named "${NIGHTLY}"`);
	const { nodes } = await getWorkflow(session, example.id);
	if (!nodes.some(({ parameters }) => parameters.url === exportOf(rosterSandbox))) return undefined;
	// This sandbox is a new one: what an earlier start of the demo wrote down was another's.
	for (const ledger of LEDGERS) await deleteDataTable(session, ledger);
	const night = async () => await writesOfNight(session, example.id, rosterSandbox.admin);
	return { first: await night(), second: await night() };
}

async function writesOfNight(session: Session, workflowId: string, admin: AdminClient): Promise<number> {
	await admin.clearRequests();
	const execution = await runAndWait(session, workflowId, { trigger: BY_HAND });
	const { status } = execution;
	if (status !== 'success')
		throw new Error(`"${NIGHTLY}" ended with ${status}: ${errorOf(execution)?.message ?? 'no message'}`);
	const path = '/integration/';
	return (
		(await admin.countRequests({ path, method: 'POST' })) +
		(await admin.countRequests({ path, method: 'DELETE' }))
	);
}

/** What is not as it should be after the two nights, at the service itself; empty when all is well. */
export async function whatIsWrong({ first, second }: Nights, admin: AdminClient): Promise<string[]> {
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
		...(first === records ? [] : [`${first} requests made ${records} records`]),
		...(second === 0 ? [] : [`the second night sent ${second} requests that write`]),
	];
}

/** What there is to see, in a line. */
export async function whatWasFilled({ first, second }: Nights, admin: AdminClient): Promise<string> {
	const one = { limit: 1 };
	const [classes, users, bonds] = [await admin.classes(one), await admin.users(one), await admin.bonds(one)];
	return (
		`${classes.count} classes, ${users.count} persons and ${bonds.count} bonds from tonight's export, with ${first} requests; ` +
		`the night after sent ${second === 0 ? 'nothing' : `${second} requests`}`
	);
}
