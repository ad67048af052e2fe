/** Why a ledger cannot be read or written, for a person: what n8n threw becomes words that say what to do. */
import { byCode, type Words } from '../../shared/failure';

import { grantsFor, CREATE_TABLE, NEXT_ID } from './sql';
import { StoreError, type StoreFailure } from './store';

/** n8n's own limit for names of Data Tables. */
const MAX_LEDGER_NAME = 128;

/** What n8n, or a database, says when it says no, and what that means; tried in the order of the list. */
const THROWN: Record<string, Pick<StoreFailure, 'message' | 'next'> & { says: RegExp; isPassing?: true }> = {
	cancelled: {
		says: /execution (was|has been) cancel/i,
		message: 'The execution was cancelled',
		next: 'The next run whose export holds it goes on with what is left.',
	},
	dataTablesOff: {
		says: /attempted to use data table node but the module is disabled/i,
		message: 'Data Tables are switched off in this n8n',
		next: 'Take "data-table" out of N8N_DISABLED_MODULES and start n8n again, or set "Ledger" to PostgreSQL.',
	},
	dataTablesFull: {
		says: /data table size limit exceeded/i,
		message:
			'The Data Tables of this n8n have reached their size limit: rows can be neither added nor changed',
		next: 'Remove rows or tables that nobody needs, or raise N8N_DATA_TABLES_MAX_SIZE_BYTES. For a ledger of this size set "Ledger" to PostgreSQL.',
	},
	ledgerGone: {
		says: /data table with id .* could not be found|could not find the data table|relation "school_partner_roster" does not exist/i,
		message: 'The table of the ledger is no longer there',
		next: 'Bring it back from a backup before the next run. Without it, take over the last good export, then sync.',
	},
	idsTaken: {
		says: /school_partner_roster_pkey/,
		message:
			'The ids that the table of the ledger gives next are taken: it was filled with rows that had theirs',
		next: `Run this in the database, once: ${NEXT_ID}`,
	},
	readOnly: {
		says: /cannot modify data tables on a protected instance|read-only transaction|attempt to write a readonly database/i,
		message: 'The ledger can be read here, but not written',
		next: 'Run this workflow where its ledger may be written: n8n or its database says that it is read-only.',
	},
	credentialMissing: {
		says: /credential.* (does not exist|not found)|does not have (any credentials|access to the credential)|no access to credential|credentials not found|lacks? access to.*credential/i,
		message: 'The Postgres credential of this node is not there, or may not be used here',
		next: 'Choose a Postgres credential in this node that belongs to the project of the workflow, or is shared with it.',
	},
	credentialRefused: {
		says: /password authentication failed|no pg_hba\.conf entry|role ".*" does not exist|database ".*" does not exist|permission denied for database|SASL|credentials could not be decrypted|does not support SSL|self.signed certificate/i,
		message: 'PostgreSQL does not accept the credential of this node',
		next: 'Open the Postgres credential in n8n, test it, and correct its host, database, user, password or SSL.',
	},
	databaseUnavailable: {
		says: /SQLITE_BUSY|SQLITE_LOCKED|database is locked|connection (refused|terminated|timed out|reset|ended)|host not found|timeout exceeded|service refused the connection|connection .*closed|connection timed out|connection cannot be established|DNS server|host is unreachable|too many (clients|connections)|is (starting up|shutting down)|in recovery mode|terminating connection|deadlock detected|could not serialize|database is not ready|result count changed during pagination/i,
		isPassing: true,
		message: 'The database of the ledger does not answer as it should at the moment',
		next: 'Run it again. When it stays so, look at the database: whether it runs, can be reached, and is not locked by a backup.',
	},
};

/** They are final, where they do not say that they pass. */
function storeFailures<Table extends Words<Pick<StoreFailure, 'message' | 'next'> & Partial<StoreFailure>>>(
	table: Table,
) {
	return byCode<StoreFailure, Table>({ origin: 'n8n', effect: 'none', isPassing: false }, table);
}

export const storeErrors = storeFailures({
	nodeExcluded: (type: string) => ({
		message: `This n8n does not have its own node ${type}, which keeps the ledger`,
		next: `Take ${type} out of NODES_EXCLUDE (or add it to NODES_INCLUDE) and start n8n again.`,
	}),
	ledgerName: {
		message: `"Ledger Name" has to have 1 to ${MAX_LEDGER_NAME} characters`,
		next: 'Give the ledger the name that it has had before, such as "School Partner Roster". An expression there has to give it for the first item.',
	},
	ledgerColumns: (table: string, missing: readonly string[]) => ({
		message: `Table "${table}" is no ledger: it has no text columns ${missing.join(', ')}`,
		next: 'Give the ledger another name, so that a table of its own is made, or rename that table.',
	}),
	// A row that a person or another workflow has put into the table.
	ledgerForeignRow: (table: string, id: string) => ({
		message: `Row ${id} of ledger "${table}" was not written by this node`,
		next: 'Remove that row from the table, and let nothing but this node write into it.',
	}),
	ledgerUnavailable: (message: string) => ({
		isPassing: true,
		message: `The ledger could not be read or written. n8n says: ${message}`,
		next: "Run it again. When it stays so, look into n8n's log. The roster needs a ledger that can be read and written.",
	}),
	credentialMissing: {
		message: 'The ledger is to be kept in PostgreSQL, but this node has no Postgres credential',
		next: 'Choose a Postgres credential in this node, or set "Ledger" to Data Table.',
	},
	createRightMissing: (user: string) => ({
		message: 'The PostgreSQL user of this node may not create the table of the ledger',
		next: `Let somebody who may create tables run this in the same database, once:\n${CREATE_TABLE}\n${grantsFor(user)}`,
	}),
	rightMissing: (user: string) => ({
		message: 'The PostgreSQL user of this node may not read or write the table of the ledger',
		next: `Let the owner of the table run this in the same database, once:\n${grantsFor(user)}`,
	}),
});

/** The failure for what an inner node threw. What is not known counts as passing: PostgreSQL may speak any language. */
export function storeFailureOf(thrown: unknown, isCancelled = false): StoreFailure {
	const text = thrownText(thrown);
	const code = Object.keys(THROWN).find((one) => THROWN[one].says.test(text)) ?? (isCancelled && 'cancelled');
	if (code === false) return storeErrors.ledgerUnavailable(withoutContents(text));
	const { message, next, isPassing = false } = THROWN[code];
	return { origin: 'n8n', effect: 'none', code, isPassing, message, next };
}

/** Trap: `description` of what the Postgres node throws holds the whole statement, rows and all. Only `message` is read. */
function thrownText(thrown: unknown): string {
	if (thrown instanceof Error) return thrown.message;
	const { message } = (thrown ?? {}) as { message?: unknown };
	return typeof message === 'string' ? message : '';
}

/** Databases put values between quotation marks. */
function withoutContents(text: string): string {
	const plain = text.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '…').replace(/\s+/g, ' ');
	return plain === '' ? 'nothing' : plain.slice(0, 200);
}

/** Throws for a name that one of the two kinds of ledger cannot have. */
export function refuseName(name: string): void {
	const isPossible = name !== '' && name.length <= MAX_LEDGER_NAME && !name.includes('\0');
	if (!isPossible) throw new StoreError(storeErrors.ledgerName);
}
