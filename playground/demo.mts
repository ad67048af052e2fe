/** The demo, once everything is installed. demo.mjs checks, installs and then calls one of these two. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { PLAYGROUND } from './installation.mjs';
import { listOfCreated, readCreated, whatIsMissing } from './demo/created.mts';
import { APPROVAL, UPLOAD, loginAddress } from './demo/connect.mts';
import { APPROVER } from './demo/credentials.mts';
import { MAIN_EXAMPLE } from './demo/examples.mts';
import type { ImportedExample } from './demo/examples.mts';
import { NIGHTLY, fillFromRoster, whatIsWrong, whatWasFilled } from './demo/roster.mts';
import { startDemo } from './demo/start.mts';
import type { DemoOptions, RunningDemo } from './demo/start.mts';
import { errorOf, getWorkflow, runAndWait } from './n8n-client.mts';

const HOME = join(PLAYGROUND, 'home');
const MANUAL_TRIGGER = 'n8n-nodes-base.manualTrigger';

function say(line: string): void {
	console.log(`  ${line} …`);
}

/** Of a step that is done. */
function did(line: string): void {
	console.log(`    ${line}`);
}

function describe(
	{ n8n, session, sandbox, rosterSandbox, webhookKey, examples }: RunningDemo,
	filled: string,
): string {
	const { email, password } = session.account;
	const addressOf = ({ id }: ImportedExample) => `${n8n.baseUrl}/workflow/${id}`;
	const workflows = examples.map(
		(example) => `  ${example.active ? 'active  ' : '        '}  ${addressOf(example)}  ${example.name}`,
	);
	const at = (wanted: string) =>
		examples
			.filter(({ name }) => name === wanted)
			.map(addressOf)
			.join('');
	return [
		'',
		`n8n        ${n8n.baseUrl}`,
		`log in     ${email}   ${password}`,
		`sandbox    ${sandbox.adminUrl}`,
		`roster     ${rosterSandbox.adminUrl}   ${filled}`,
		`x-api-key  ${webhookKey}   of the events, should you register the webhook anew`,
		`n8n's log  ${relative(process.cwd(), n8n.process.logFile)}`,
		'workflows',
		...workflows,
		'',
		'Open one of these addresses and log in there: it leads to the workflow. The first page of n8n shows its assistant, and no workflows.',
		'',
		`Provision a school  ${at(MAIN_EXAMPLE)}`,
		'  Click Execute workflow: the page of the sandbox lists what it creates.',
		`Sync the roster     ${at(NIGHTLY)}`,
		'  Point at Every Night and click the Execute workflow beside it: nothing is sent. Put &tonight=100 behind the address in "Export of Tonight", and click it again: what 100 changes in the',
		'  school system come to. "Message to a Person" tells it. Put &students=150 there: what is too much for one night is held.',
		'  It is published, so that it also runs by itself at two in the morning, New York time, as it was when it was last published.',
		`Approve a hold      ${n8n.baseUrl}/form/${APPROVAL}   log in as ${APPROVER.username}   ${APPROVER.password}`,
		'  The message has this address with the hold in it.',
		`Upload a sheet      ${n8n.baseUrl}${UPLOAD}`,
		'  The form of an office: give it examples/alunos.csv. The page asks for a confirmation: give the form the same file and the code.',
		`Sign somebody in    ${loginAddress(n8n.baseUrl)}`,
		'Grant or revoke access on the sandbox\'s page: the events go to "Upsert users on access".',
		'Everything in the sandbox is invented. Stop with Ctrl+C.',
	].join('\n');
}

/** Settles at the first request to stop: Ctrl+C, a terminal that is closed, `kill`. */
function stopRequested(): Promise<void> {
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
	});
}

/** Starts the demo and stays until it is stopped (exit code 0) or n8n ends by itself (exit code 1). */
export async function stayUntilStopped(options: DemoOptions): Promise<void> {
	const asked = stopRequested();
	const demo = await startDemo(HOME, options, say);
	say('Filling an empty service from a roster');
	console.log(describe(demo, await filledNow(demo)));
	// Nothing else keeps this process alive while it waits.
	const alive = setInterval(() => undefined, 60_000);
	const ending = await Promise.race([asked, demo.n8n.process.ended]);
	clearInterval(alive);
	console.log(ending ? `\nn8n ended by itself. Its log: ${demo.n8n.process.logFile}` : '\nStopping …');
	await demo.stop();
	console.log('Stopped.');
	process.exit(ending ? 1 : 0);
}

/** What the page of the roster's sandbox shows. */
async function filledNow(demo: RunningDemo): Promise<string> {
	const nights = await fillFromRoster(demo, did);
	return nights === undefined
		? 'empty: the address in "Export of Tonight" was changed. Put it back, or delete playground/home, and start again'
		: await whatWasFilled(nights, demo.rosterSandbox.admin);
}

async function runMainExample({ session, examples }: RunningDemo): Promise<void> {
	const example = examples.find(({ name }) => name === MAIN_EXAMPLE);
	if (example === undefined) throw new Error(`examples/ holds no workflow named "${MAIN_EXAMPLE}"`);
	const { nodes } = await getWorkflow(session, example.id);
	const trigger = nodes.find(({ type }) => type === MANUAL_TRIGGER);
	if (trigger === undefined) throw new Error(`"${MAIN_EXAMPLE}" has no Manual Trigger`);
	const execution = await runAndWait(session, example.id, { trigger: trigger.name });
	if (execution.status === 'success') return;
	const error = errorOf(execution);
	throw new Error(`"${MAIN_EXAMPLE}" ended with ${execution.status}: ${error?.message ?? 'no message'}`);
}

async function runRosterOnce(demo: RunningDemo): Promise<void> {
	say('Filling an empty service from a roster');
	const { admin } = demo.rosterSandbox;
	const nights = await fillFromRoster(demo, did);
	if (nights === undefined) throw new Error('The example of the roster does not name the sandbox');
	console.log(`\nThe roster: ${await whatWasFilled(nights, admin)}.\n`);
	const wrong = await whatIsWrong(nights, admin);
	if (wrong.length > 0) throw new Error(`The roster is not as it should be: ${wrong.join(', ')}`);
	console.log('The sandbox holds the whole roster, each record once.');
}

/** Runs the examples in a new n8n and checks at the sandboxes. Exit code 0 only when everything it should create is there. */
export async function runOnce(options: DemoOptions): Promise<void> {
	const home = mkdtempSync(join(tmpdir(), 'school-partner-demo-'));
	let demo: RunningDemo | undefined;
	try {
		demo = await startDemo(home, options, say);
		say(`Running "${MAIN_EXAMPLE}"`);
		await runMainExample(demo);
		const created = await readCreated(demo.sandbox.admin);
		console.log(`\nCreated in the sandbox:\n${listOfCreated(created)}\n`);
		const missing = whatIsMissing(created);
		if (missing.length > 0) throw new Error(`The sandbox does not hold: ${missing.join(', ')}`);
		console.log('The sandbox holds all of it.');
		await runRosterOnce(demo);
	} finally {
		await demo?.stop();
		rmSync(home, { recursive: true, force: true });
	}
}
