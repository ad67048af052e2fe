/** Verify: what the service shows against the ledger. It reads the service, heals nothing, and adds notes only, so that it needs no lease. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outspoken } from '../../shared/actions/expressions';
import { failed, success, type Outcome } from '../../shared/failure';
import { knownAccounts } from '../ledger/access';
import { type Ledger, LedgerReader } from '../ledger/ledger';
import { ledgerRow, type LedgerRow } from '../ledger/row';
import { patiently } from '../night/patience';
import { readLedger } from '../night/reading';
import { Turns } from '../roster/turns';
import { storeOf } from '../store/openStore';
import { MOST_ROWS, type LedgerStore, type Stored } from '../store/store';
import { learnedRows, nextTurn } from '../verifying/learned';
import { peopleToAsk } from '../verifying/people';
import { untouched } from '../verifying/person';
import { verdictOf } from '../verifying/believed';

import { CLOCK, HOST } from './clock';
import { inputFailure, ledgerAbsent } from './failures';
import { serviceMark } from './marks';
import { openSending } from './sending';
import { settingsOf } from './settings';
import { seenIn } from './seen';
import { verifyOutputs } from './verifyOutputs';

/** How long a ledger that is locked is tried again. Milliseconds. */
const PATIENCE_MS = 60_000;

export async function verify(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	const began = CLOCK.steady();
	const settings = settingsOf('verify', outspoken(context), context.getInputData());
	if (!settings.ok) return settings;
	const { share, tenantId, noAccessAfterDays } = settings.value;
	const store = storeOf(context);
	const opened = await patiently(CLOCK, PATIENCE_MS, async () => await store.open(false));
	if (!opened.ok) return opened;
	if (opened.value === 'absent') return failed(ledgerAbsent(store.name));
	const read = await readLedger(store, CLOCK, new Turns(HOST));
	if (!read.ok) return read;
	const ledger = read.value;
	const sending = await openSending(context, settings.value);
	const { service = '', salt = '' } = ledger.lastRun?.detail ?? {};
	if (service !== '' && service !== serviceMark(sending.baseUrl)) return failed(ANOTHER_SERVICE);
	const turn = nextTurn(ledger, share);
	const people = peopleToAsk(ledger, knownAccounts(ledger), { tenantId, share, turn });
	const seen = await seenIn(context, sending, { ledger, salt, people, ...settings.value });
	const touched = await keysWrittenAfter(store, ledger.lastId);
	if (!touched.ok) return touched;
	const persons = seen.persons.map((person) => untouched(person, touched.value));
	const verdict = verdictOf(persons, seen.classes);
	const learned = learnedRows(ledger, [...persons, ...seen.ofClasses], verdict.settled, turn);
	const written = await append(store, learned);
	if (!written.ok) return written;
	return success(
		verifyOutputs({
			...{ people, verdict, ledger, noAccessAfterDays, share, turn, now: CLOCK.wall() },
			...{ endedBecause: seen.endedBecause, name: store.name, rows: ledger.rows },
			tookMs: CLOCK.steady() - began,
		}),
	);
}

/** What a run beside this one has begun or done since the ledger was read. */
async function keysWrittenAfter(store: LedgerStore, lastId: number): Promise<Stored<ReadonlySet<string>>> {
	const reader = new LedgerReader();
	for (let last = lastId; ; ) {
		const after = last;
		const page = await patiently(CLOCK, PATIENCE_MS, async () => await store.rowsAfter(after, MOST_ROWS));
		if (!page.ok) return page;
		for (const row of page.value) {
			reader.take(row);
			last = Math.max(last, row.id);
		}
		if (page.value.length < MOST_ROWS) break;
	}
	const { entries }: Ledger = await reader.ledger(new Turns(HOST));
	return success(new Set(entries.keys()));
}

async function append(store: LedgerStore, rows: ReadonlyArray<Partial<LedgerRow>>): Promise<Stored<void>> {
	const at = new Date(CLOCK.wall()).toISOString();
	for (let start = 0; start < rows.length; start += MOST_ROWS) {
		const part = rows.slice(start, start + MOST_ROWS).map((row) => ledgerRow({ ...row, at }));
		const written = await patiently(CLOCK, PATIENCE_MS, async () => await store.append(part));
		if (!written.ok) return written;
	}
	return success(undefined);
}

const ANOTHER_SERVICE = inputFailure({
	code: 'anotherService',
	message: 'The ledger belongs to another service than the one in the credential',
	next: 'Look whether the credential, Ledger and Ledger Name are those of Sync. Nobody was asked for, and nothing was noted.',
});
