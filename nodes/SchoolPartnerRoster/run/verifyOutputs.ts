/** The items of Verify: Summary, Differences. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { KnownAccount } from '../ledger/access';
import type { Ledger } from '../ledger/ledger';
import { DAY_MS } from '../planning/days';
import type { Verdict } from '../verifying/believed';
import { verifyCauses, type VerifyCause } from '../verifying/causes';
import type { People } from '../verifying/people';

import { itemsOf } from './items';

interface Verified {
	people: People;
	verdict: Verdict;
	accounts: ReadonlyMap<string, KnownAccount>;
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
	return {
		outcome: outcomeOf(verified),
		coverage: {
			...{ people: people.people, with_account: people.withAccount, asked, same, different },
			not_seen: notSeen,
		},
		differences: differences.length,
		access: accessOf(verified),
		share: { of: share, turn: turn + 1 },
		causes: [
			...(typeof endedBecause === 'object' ? [endedBecause] : []),
			...(people.withoutTenant > 0 ? [verifyCauses.tenantUnknown(people.withoutTenant)] : []),
			...verdict.causes,
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

/** How many have access, had it, or never had it although they have been there for so many days. */
function accessOf({ accounts, ledger, noAccessAfterDays, now }: Verified) {
	const counts = { granted: 0, revoked: 0, never: 0 };
	for (const { kind, there, key, row } of ledger.entries.values()) {
		if (kind !== 'user' || there === 'no') continue;
		const access = accounts.get(key)?.access ?? '';
		if (access !== '') counts[access] += 1;
		else if (now - Date.parse(row.at) >= noAccessAfterDays * DAY_MS) counts.never += 1;
	}
	return counts;
}
