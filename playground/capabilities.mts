/**
 * What the versions of n8n that the package is tested on do differently: the first of them that does it. A test whose promise
 * n8n itself cannot keep asserts what that version really does; it is never left out. docs/running.md says the same to
 * users. "First" is among the versions that are run.
 */
import { N8N_VERSION } from './installation.mjs';

/** The versions that the end-to-end tests are run on, and README.md and docs/running.md name. */
export const TESTED_VERSIONS = ['2.4.8', '2.14.2', '2.22.6', '2.33.7', '2.40.7', '2.41.1'] as const;

type Version = (typeof TESTED_VERSIONS)[number];

const SINCE = {
	/** "Execute workflow" runs the stored draft; older ones run what the editor sends along. */
	runsTheStoredDraft: '2.14.2',
	/** A red Test of a credential shows the texts of its own rules for 401 and 404; older ones show n8n's texts. */
	showsOwnTextsOfCredentialTest: '2.40.7',
	/** The Test of a machine credential asks for a token with what is typed, and keeps it; older ones go on with the one that is stored. */
	testsWithANewToken: '2.41.1',
	/** n8n notices a multipart body that does not parse, and fails (500); older ones leave it to the trigger, which answers 415. */
	noticesBrokenMultipart: '2.22.6',
	/** It answers 400 to such a body. */
	answersBrokenMultipart: '2.40.7',
	/** Connect asks for the scopes that are chosen in the credential; older ones ask for its default. */
	connectsWithChosenScopes: '2.22.6',
	/** Connect sends secret and scope in the form, as the service's document shows; older ones send HTTP Basic with PKCE, and no scope. */
	connectsWithSecretInTheForm: '2.14.2',
	/** The token that is stored for a credential can be thrown away; older ones keep it until it runs out or is refused. */
	forgetsTokens: '2.33.7',
	/** A delivery is answered after its run was recorded; older ones answer first, and lose what they had not recorded. */
	recordsBeforeAnswering: '2.14.2',
	/** After a crash, n8n marks the runs that were under way as crashed; older ones leave those that had not begun "new". */
	endsWhatACrashCutOff: '2.40.7',
	/** Calls that a model makes in one answer are run in their order; older ones begin with the last. */
	runsToolsInOrder: '2.40.7',
	/** An agent hands the message of a tool that fails to its model; older ones end, unless the tool carries `onError`. */
	tellsTheModelWhatFailed: '2.33.7',
	/** A node without credential offers to connect, and the credential's dialog has a button for that of its own. */
	connectsFromTheNode: '2.14.2',
	/** A new credential that is green or connected closes its dialog; one that is connected can be disconnected there. */
	closesGreenCredentials: '2.33.7',
	/** The list of executions is paged by a cursor; older ones page by the id of the last one. */
	pagesByCursor: '2.41.1',
	/** A workflow that is imported in the editor gets the credentials that were changed last; older ones look for the name that the file gives, and the examples give none. */
	choosesCredentialsOnImport: '2.40.7',
	/** n8n says which workflows its version 3 will touch. */
	reportsOnVersion3: '2.40.7',
} satisfies Record<string, Version>;

const isAtLeast = (version: string) => N8N_VERSION.localeCompare(version, 'en', { numeric: true }) >= 0;

/** Of the n8n that is run now. */
export const capabilities = Object.fromEntries(
	Object.entries(SINCE).map(([name, version]) => [name, isAtLeast(version)] as const),
) as Record<keyof typeof SINCE, boolean>;
