/** Verify: what the service shows against the ledger. It reads the service, heals nothing, and adds notes only, so that it needs no lease. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outspoken } from '../../shared/actions/expressions';
import { inputFailure, ThrownFailure } from '../../shared/failure';
import { knownAccounts } from '../ledger/access';
import { readLedger } from '../night/journal';
import { Turns } from '../roster/turns';
import { accountSlices } from '../service/accounts';
import { profilesOffered } from '../service/lookUp';
import { accountsToAsk, nextTurn, type VerifiedAccount } from '../verifying/asked';
import { believedResult } from '../verifying/believed';
import { ShownIds } from '../verifying/classes';
import {
	compareAccount,
	compareClass,
	keysWrittenAfter,
	withoutWritten,
	type ClassComparison,
	type PersonComparison,
} from '../verifying/compared';
import type { VerifyFinding } from '../verifying/findings';
import { learnedRows } from '../verifying/learned';

import { CLOCK, HOST } from './clock';
import { connect, serviceMark, type Connection } from './connection';
import { addRows, readExisting } from './existingLedger';
import { settingsOf } from './settings';
import { verifyOutputs } from './verifyOutputs';

export async function verify(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const began = CLOCK.steady();
	const settings = settingsOf('verify', outspoken(context), context.getInputData());
	const { share, tenantId = '', noAccessAfterDays, profileNames } = settings;
	const { store, ledger } = await readExisting(context);
	const connection = await connect(context, settings);
	const { service, salt } = ledger.lastDetail;
	if (service !== '' && service !== serviceMark(connection.baseUrl)) throw new ThrownFailure(ANOTHER_SERVICE);
	const turn = nextTurn(ledger, share);
	const asked = accountsToAsk(ledger, knownAccounts(ledger), tenantId, { share, turn });
	const offered = asked.accounts.length === 0 ? [] : await profilesOffered(connection.engine);
	const ids = new ShownIds(ledger, offered, profileNames);
	const { endedBecause, ...compared } = await compareAll(connection, asked.accounts, ids, salt);
	// What a run beside this one has begun or done since the ledger was read.
	const later = await readLedger(store, CLOCK, new Turns(HOST), undefined, ledger.lastId);
	const written = keysWrittenAfter(ledger.lastId, later);
	const people = compared.people.map((person) => withoutWritten(person, written));
	const classes = compared.classes.filter(({ key }) => !written.has(key));
	const result = believedResult(people, classes);
	// Whom a cancelled run has left out is asked for in the next one, and not when all others had their turn.
	const done = endedBecause === 'cancelled' ? undefined : turn;
	await addRows(store, learnedRows(ledger, [...people, ...classes], result.settled, done));
	return verifyOutputs({
		...{ asked, result, ledger, noAccessAfterDays, share, turn, now: CLOCK.wall(), endedBecause },
		...{ name: store.name, tookMs: CLOCK.steady() - began },
	});
}

interface Compared {
	people: PersonComparison[];
	/** Each once, however many are in it. */
	classes: ClassComparison[];
	/** Why not all were asked for. */
	endedBecause: VerifyFinding | 'cancelled' | undefined;
}

async function compareAll(
	connection: Connection,
	accounts: readonly VerifiedAccount[],
	ids: ShownIds,
	salt: string,
): Promise<Compared> {
	const people: PersonComparison[] = [];
	const classes = new Map<string, ClassComparison | undefined>();
	let endedBecause: Compared['endedBecause'];
	for await (const { answers, endedBy } of accountSlices(connection.engine, accounts, ids)) {
		for (const [account, answer] of answers) {
			people.push(...compareAccount(account, answer, ids, salt));
			for (const shown of answer.classes ?? []) {
				const key = ids.classKey(shown);
				if (key !== undefined && !classes.has(key))
					classes.set(key, compareClass(key, shown, ids.ledger, salt));
			}
		}
		endedBecause = connection.engine.signal?.aborted ? 'cancelled' : endedBy;
		if (endedBecause !== undefined) break;
	}
	connection.logRequests();
	const compared = [...classes.values()].filter((comparison) => comparison !== undefined);
	return { people, classes: compared, endedBecause };
}

const ANOTHER_SERVICE = inputFailure({
	code: 'anotherService',
	message: 'The ledger belongs to another service than the one in the credential',
	next: 'Look whether the credential, Ledger and Ledger Name are those of Sync. Nobody was asked for, and nothing was noted.',
});
