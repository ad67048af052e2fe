/** The items of Verify: Summary, Differences. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Ledger } from '../ledger/ledger';
import { accessReport, type AccessReport } from '../planning/accessReport';
import { asItem } from '../roster/finding';
import type { Verdict } from '../verifying/believed';
import { verifyCauses, type VerifyCause } from '../verifying/causes';
import type { People } from '../verifying/people';

import { itemsOf } from './items';

interface Verified {
	people: People;
	verdict: Verdict;
	ledger: Ledger;
	noAccessAfterDays: number;
	/** Milliseconds since 1970. */
	now: number;
	share: number;
	turn: number;
	endedBecause: VerifyCause | 'cancelled' | undefined;
	name: string;
	rows: number;
	tookMs: number;
}

export function verifyOutputs(verified: Verified): INodeExecutionData[][] {
	const origin = () => ({ item: 0 });
	return [itemsOf([summaryOf(verified)], origin), itemsOf(verified.verdict.differences, origin)];
}

function summaryOf(verified: Verified): IDataObject {
	const { people, verdict, share, turn, endedBecause, name, rows, tookMs } = verified;
	const { asked, same, different, notSeen, differences } = verdict;
	const access = accessOf(verified);
	return {
		outcome: outcomeOf(verified),
		coverage: {
			...{ people: people.people, with_account: people.withAccount, asked, same, different },
			not_seen: notSeen,
		},
		differences: differences.length,
		access: { ...access.counts, items: access.items.slice(0, MOST_ITEMS).map(asItem) },
		share: { of: share, turn: turn + 1 },
		causes: [
			...(typeof endedBecause === 'object' ? [endedBecause] : []),
			...(people.withoutTenant > 0 ? [verifyCauses.tenantUnknown(people.withoutTenant)] : []),
			...verdict.causes,
			...accessCauses(access),
		],
		ledger: { name, rows },
		took_ms: tookMs,
	} as unknown as IDataObject;
}

function outcomeOf({ endedBecause, verdict, people }: Verified): string {
	if (endedBecause !== undefined) return 'unfinished';
	if (verdict.differences.length > 0 || verdict.causes.length > 0 || people.withoutTenant > 0)
		return 'attention';
	return verdict.asked === 0 ? 'nothing' : 'done';
}

/** Items of access in Summary at most. */
const MOST_ITEMS = 1_000;

/** Without a single recorded event nobody is missed. */
function accessOf({ ledger, noAccessAfterDays, now }: Verified): AccessReport {
	const report = accessReport(ledger, noAccessAfterDays, now);
	return { ...report, items: ledger.decisions.access.size === 0 ? [] : report.items };
}

/** What is said of access, by code. */
function accessCauses({ items }: AccessReport): VerifyCause[] {
	const causes = new Map<string, VerifyCause>();
	for (const { code, severity, message, what_to_do } of items) {
		const cause = causes.get(code) ?? { code, severity, message, what_to_do, count: 0 };
		cause.count += 1;
		causes.set(code, cause);
	}
	return [...causes.values()];
}
