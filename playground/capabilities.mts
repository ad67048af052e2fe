/**
 * What the versions of n8n that the package is tested on do differently. A test whose promise n8n itself cannot keep asserts
 * what that version really does; it is never left out. README.md and the pages under docs/ say the same to users.
 */
import { N8N_VERSION } from './installation.mjs';

export interface Capabilities {
	/** "Execute workflow" runs the stored draft; older ones run what the editor sends along. */
	runsTheStoredDraft: boolean;
	/** A red Test of a credential shows the texts of its own rules for 401 and 404; older ones show n8n's texts. */
	showsOwnTextsOfCredentialTest: boolean;
	/** JSON may begin with a byte order mark; older ones answer 422 by themselves. */
	readsByteOrderMark: boolean;
	/** n8n answers 400 to a multipart body that does not parse; older ones leave it to the trigger, which answers 415. */
	answersBrokenMultipart: boolean;
	/** Connect asks for the scopes that are chosen in the credential; older ones ask for its default. */
	connectsWithChosenScopes: boolean;
	/** Connect sends secret and scope in the form, as the service's document shows; older ones send HTTP Basic with PKCE, and no scope. */
	connectsWithSecretInTheForm: boolean;
	/** The token that is stored for a credential can be thrown away; older ones keep it until it runs out or is refused. */
	forgetsTokens: boolean;
	/** A delivery is answered after its run was recorded; older ones answer first, and lose what they had not recorded. */
	recordsBeforeAnswering: boolean;
	/** After a crash, n8n marks the runs that were under way as crashed; older ones leave those that had not begun "new". */
	endsWhatACrashCutOff: boolean;
	/** Calls that a model makes in one answer are run in their order; older ones begin with the last. */
	runsToolsInOrder: boolean;
	/** An agent hands the message of a tool that fails to its model; older ones end, unless the tool carries `onError`. */
	tellsTheModelWhatFailed: boolean;
	/** A node without credential offers to connect, and a new credential that is green closes its dialog. */
	connectsFromTheNode: boolean;
	/** n8n says which workflows its version 3 will touch. */
	reportsOnVersion3: boolean;
}

const TODAY: Capabilities = {
	runsTheStoredDraft: true,
	showsOwnTextsOfCredentialTest: true,
	readsByteOrderMark: true,
	answersBrokenMultipart: true,
	connectsWithChosenScopes: true,
	connectsWithSecretInTheForm: true,
	forgetsTokens: true,
	recordsBeforeAnswering: true,
	endsWhatACrashCutOff: true,
	runsToolsInOrder: true,
	tellsTheModelWhatFailed: true,
	connectsFromTheNode: true,
	reportsOnVersion3: true,
};

const OLDER: Record<string, Capabilities | undefined> = {
	'2.4.8': {
		runsTheStoredDraft: false,
		showsOwnTextsOfCredentialTest: false,
		readsByteOrderMark: false,
		answersBrokenMultipart: false,
		connectsWithChosenScopes: false,
		connectsWithSecretInTheForm: false,
		forgetsTokens: false,
		recordsBeforeAnswering: false,
		endsWhatACrashCutOff: false,
		runsToolsInOrder: false,
		tellsTheModelWhatFailed: false,
		connectsFromTheNode: false,
		reportsOnVersion3: false,
	},
};

/** Of the n8n that is run now. */
export const capabilities: Capabilities = OLDER[N8N_VERSION] ?? TODAY;
