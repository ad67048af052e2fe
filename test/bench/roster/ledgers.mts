/** What was there last night: the ledger of a network, and what somebody would keep who compares with n8n's own nodes. */
import type { LedgerRow } from '../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { readFiles } from '../../../nodes/SchoolPartnerRoster/reading/readFiles.ts';
import { applied, nightOf, planned } from '../../unit/roster/night.mts';
import { Service } from '../../unit/roster/service.mts';

import { AS_OF, NETWORK_GRADES, networkFiles } from './network.mts';

/** One class is new tonight: its students, as many responsible persons, a teacher, and the bonds. */
export const ABSENT_STUDENTS = 25;
export const ABSENT_RECORDS = 1 + 2 * ABSENT_STUDENTS + 1 + ABSENT_STUDENTS + 1;

/** The ledger after a first night in which everything was done. */
export async function ledgerOf(students: number): Promise<LedgerRow[]> {
	const files = Object.entries(networkFiles(students)).map(([name, text]) => ({
		name,
		bytes: new TextEncoder().encode(text),
	}));
	const host = { pause: async () => {}, clock: Date.now };
	const read = await readFiles(files, { grades: NETWORK_GRADES, asOf: AS_OF }, 'automatic', host);
	if (!read.ok) throw new Error(read.failure.message);
	const identity = { schoolIdFrom: 'sourcedId', classIdFrom: 'sourcedId', userIdFrom: 'sourcedId' };
	const { changes, ledgerRows } = await planned(
		nightOf(0),
		read.value,
		[],
		{ firstRun: true, mostChanges: 1_000_000 },
		{ identity },
	);
	return [...ledgerRows, ...(await applied(changes, new Service(), nightOf(0)))];
}

/** What somebody who compares with n8n's own nodes would keep: the id of each row of the files, in the columns of a ledger. */
export function idsOf(students: number): LedgerRow[] {
	const files = networkFiles(students);
	const kinds = [
		['class', 'classes.csv'],
		['user', 'users.csv'],
		['bond', 'enrollments.csv'],
	] as const;
	return kinds.flatMap(([kind, file]) =>
		files[file]
			.trimEnd()
			.split('\r\n')
			.slice(1)
			.map(
				(line, index): LedgerRow => ({
					...{
						run_id: '20260302T020000000-tail',
						sequence: String(index + 1),
						kind,
						key: line.slice(0, line.indexOf(',')),
					},
					...{ school_external_id: 'school', state: 'applied', hash: `h${String(index).padStart(32, '0')}` },
					...{ service_id: '', missing_since: '', detail: '', at: '2026-03-02T02:00:00.000Z' },
				}),
			),
	);
}
