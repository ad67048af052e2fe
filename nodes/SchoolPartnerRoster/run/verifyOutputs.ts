/** The items of Verify: Summary, Differences. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Ledger } from '../ledger/ledger';
import { type AccessReport, accessReport } from '../verifying/accessReport';
import type { AccountsToAsk } from '../verifying/asked';
import type { BelievedResult } from '../verifying/believed';
import { verifyFindings, type VerifyFinding } from '../verifying/findings';

import { outputItem } from './items';

interface Verified {
	asked: AccountsToAsk;
	result: BelievedResult;
	ledger: Ledger;
	noAccessAfterDays: number;
	/** Milliseconds since 1970. */
	now: number;
	share: number;
	turn: number;
	endedBecause: VerifyFinding | 'cancelled' | undefined;
	name: string;
	tookMs: number;
}

export function verifyOutputs(verified: Verified): INodeExecutionData[][] {
	const outputs = [[summaryOf(verified)], verified.result.differences];
	return outputs.map((all) => all.map((one) => outputItem(one, { item: 0 })));
}

function summaryOf(verified: Verified): IDataObject {
	const { asked, result, ledger, share, turn, endedBecause, name, tookMs } = verified;
	const access = accessOf(verified);
	return {
		outcome: verifyOutcome(verified, access),
		coverage: {
			...{ people: asked.people, with_account: asked.withAccount, asked: result.asked },
			...{ same: result.same, different: result.different, not_seen: result.notSeen },
		},
		differences: result.differences.length,
		access: { ...access.counts, items: access.items.slice(0, MOST_ACCESS_ITEMS) },
		share: { of: share, turn: turn + 1 },
		causes: [
			...(typeof endedBecause === 'object' ? [endedBecause] : []),
			...(asked.withoutTenant > 0 ? [verifyFindings.tenantUnknown(asked.withoutTenant)] : []),
			...result.findings,
			...accessFindings(access),
		],
		ledger: { name, rows: ledger.rows },
		took_ms: tookMs,
	} as unknown as IDataObject;
}

function verifyOutcome({ endedBecause, result, asked }: Verified, { items }: AccessReport): string {
	if (endedBecause !== undefined) return 'unfinished';
	if (result.differences.length > 0 || result.findings.length > 0 || asked.withoutTenant > 0)
		return 'attention';
	if (items.some(({ severity }) => severity !== 'information')) return 'attention';
	return result.asked === 0 ? 'nothing' : 'done';
}

/** Items of access in Summary at most. */
const MOST_ACCESS_ITEMS = 1_000;

/** Without a single recorded event nobody is missed. */
function accessOf({ ledger, noAccessAfterDays, now }: Verified): AccessReport {
	const report = accessReport(ledger, noAccessAfterDays, now);
	return { ...report, items: ledger.decisions.access.size === 0 ? [] : report.items };
}

/** What is said of access, by code. */
function accessFindings({ items }: AccessReport): VerifyFinding[] {
	const causes = new Map<string, VerifyFinding>();
	for (const { code, severity, message, what_to_do } of items) {
		const cause = causes.get(code) ?? { code, severity, message, what_to_do, count: 0 };
		cause.count += 1;
		causes.set(code, cause);
	}
	return [...causes.values()];
}
