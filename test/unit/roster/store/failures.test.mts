/** What a person is told when n8n or a database does not let a ledger be read or written. */
import type { Sent } from '../../../../nodes/SchoolPartnerRoster/night/changeSender';
import { unwritten } from '../../../../nodes/SchoolPartnerRoster/run/failures';
import {
	storeFailureOf,
	refuseName,
	storeErrors,
} from '../../../../nodes/SchoolPartnerRoster/store/failures';
import type { StoreError, StoreFailure } from '../../../../nodes/SchoolPartnerRoster/store/store';

const said = (message: string) => storeFailureOf(new Error(message));

it.each([
	['Attempted to use Data table node but the module is disabled', 'dataTablesOff', false],
	[
		'Validation error with data table request: Data table size limit exceeded: 201MB used, limit is 200MB',
		'dataTablesFull',
		false,
	],
	["Data table with ID 'a1' could not be found in this project", 'ledgerGone', false],
	['relation "school_partner_roster" does not exist', 'ledgerGone', false],
	[
		'Cannot modify data tables on a protected instance. This instance is in read-only mode.',
		'readOnly',
		false,
	],
	['Credential with ID "7" does not exist for type "postgres".', 'credentialMissing', false],
	['Node "Ledger" does not have access to the credential', 'credentialMissing', false],
	['password authentication failed for user "roster"', 'credentialRefused', false],
	['database "roster" does not exist', 'credentialRefused', false],
	['doppelter Schlüsselwert verletzt Unique-Constraint »school_partner_roster_pkey«', 'idsTaken', false],
	['The execution was cancelled manually', 'cancelled', false],
	['SQLITE_BUSY: database is locked', 'databaseUnavailable', true],
	['Connection refused', 'databaseUnavailable', true],
	['Connection terminated unexpectedly', 'databaseUnavailable', true],
	['terminating connection due to administrator command', 'databaseUnavailable', true],
	['the database system is starting up', 'databaseUnavailable', true],
	['synchronization error: result count changed during pagination', 'databaseUnavailable', true],
])('"%s" is %s; passing: %s', (message, code, isPassing) => {
	expect(said(message)).toMatchObject({ code, isPassing, origin: 'n8n', effect: 'none' });
});

it('what is not known is tried again, and told without the values that stand in it', () => {
	const failure = said(`value "Maria Silva" of 'b:1|2|3'`);
	expect(failure).toMatchObject({ code: 'ledgerUnavailable', isPassing: true });
	expect(failure.message).not.toMatch(/Maria|b:1/);
});

it('in a language that is not known, it is not taken for one before anything was sent', () => {
	const failure = said('Die Verbindung wurde getrennt');
	const done = { change: { action: 'create', key: 'u:1|2' }, result: { kind: 'done' }, state: 'applied' };
	for (const lost of [[], [done]])
		expect(unwritten({ unwritten: lost } as unknown as Sent, failure).next).not.toContain(
			'Nothing was sent and',
		);
});

it('no word of the statement that a database refuses reaches a person', () => {
	const thrown = Object.assign(new Error('syntax'), { description: 'Failed query: insert … Maria Silva' });
	expect(JSON.stringify(storeFailureOf(thrown))).not.toContain('Maria');
});

it('after a cancel, what is not known is the cancel', () => {
	expect(storeFailureOf(new Error('gone'), true)).toMatchObject({ code: 'cancelled', isPassing: false });
	expect(storeFailureOf(undefined, true)).toMatchObject({ code: 'cancelled' });
	expect(storeFailureOf({}, false)).toMatchObject({ code: 'ledgerUnavailable' });
});

it('who may not create a table gets the SQL, with the own name quoted', () => {
	const { next } = storeErrors.createRightMissing('o"brien');
	expect(next).toMatch(/^create table if not exists school_partner_roster \($/m);
	expect(next).toMatch(/where kind = 'lease';$/m);
	expect(next).toContain('to "o""brien";');
});

it.each(['', 'x'.repeat(129), 'a\0b'])('%j is no name of a ledger', (name) => {
	const failure = expect.objectContaining({ code: 'ledgerName', isPassing: false }) as StoreFailure;
	expect(() => refuseName(name)).toThrow(expect.objectContaining({ failure }) as StoreError);
});

it('names of 1 to 128 characters are', () => {
	expect(() => refuseName('x')).not.toThrow();
	expect(() => refuseName('x'.repeat(128))).not.toThrow();
});
