/** Preview: what Sync would do with this roster. Nothing is sent, nothing is written; a ledger that is not there counts as empty. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { leaseState } from '../night/lease';
import { emptyLedger, type Ledger } from '../ledger/ledger';
import { readLedger } from '../night/journal';
import { unconfirmedFindings } from '../planning/unconfirmed';
import { Turns } from '../roster/turns';
import type { LedgerStore } from '../store/store';

import { attentionReport } from './attention';
import { CLOCK, HOST } from './clock';
import { connect, ledgerMarks } from './connection';
import { storeOf } from './openStore';
import { nightOutputs } from './outputs';
import { readInput } from './rosterInput';
import { planner } from './syncRun';

export async function preview(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const input = await readInput(context, 'night');
	const { settings: options, identity, roster, began } = input;
	const connection = await connect(context, options);
	const marks = ledgerMarks(connection, identity);
	const store = storeOf(context);
	const { ledger, rowsExpected } = await ledgerOrEmpty(store);
	const plan = await planner(input, connection, marks)(ledger, rowsExpected);
	const asksFew = ledger.lastDetail.asksFew === true;
	const findings = [...unconfirmedFindings(plan.unconfirmed, asksFew, CLOCK.wall()), ...plan.findings];
	const report = await attentionReport({
		...{ ...input, plan, done: [], findings, isPreview: true, told: ledger.told, options },
		turns: new Turns(HOST),
	});
	return nightOutputs(context, {
		...{ runId: '', plan, report, isUnfinished: false },
		...{ ledger: { name: store.name, rows: ledger.rows }, files: roster.files },
		tookMs: CLOCK.steady() - began,
	});
}

/** A ledger, and how many rows its lease says that it has. */
async function ledgerOrEmpty(store: LedgerStore): Promise<{ ledger: Ledger; rowsExpected: number }> {
	if ((await store.open(false)) === 'absent') return { ledger: emptyLedger(), rowsExpected: 0 };
	const leases = await store.leaseRows();
	const rowsExpected = leases.length === 0 ? 0 : leaseState(leases[0]).rows;
	return { ledger: await readLedger(store, CLOCK, new Turns(HOST)), rowsExpected };
}
