/** What Explain gives of one person: the verdict first, then all that it stands on. Pure. */
import { idsIn } from '../ledger/key';
import type { StoredRow } from '../ledger/row';

import type { BondFacts, PersonFacts, RecordFacts } from './facts';
import { verdictOf, verdictWithService } from './verdictOf';

/** What the service shows when it is asked; nothing of a failure is worth more than that somebody was not seen. */
export interface Seen {
	seen: boolean;
	/** External ids of the classes that it shows. */
	classes: string[];
}

/** Rows of a record that a person reads. */
const MOST_ROWS = 50;

/** Rows of the ledger, as they were written, by their keys. */
export type RowsByKey = Map<string, StoredRow[]>;

/** @param service undefined where it was not asked */
export function explanationOf(person: PersonFacts, rows: RowsByKey, service: Seen | undefined) {
	const { externalId, school, key, user, bonds, account, access } = person;
	const judged = verdictOf(person);
	const { code, verdict, what_to_do, ...blame } =
		service?.seen === true ? verdictWithService(judged, person, service.classes) : judged;
	const blamed = [user, ...bonds].find((record) => record?.key === blame.key);
	return {
		...{ verdict, what_to_do, code, external_id: externalId, school_external_id: school },
		key: blame.key ?? (user === undefined ? '' : key),
		hold_id: blame.hold_id ?? '',
		...blamed?.place,
		user: user === undefined ? null : recordItem(user, rows),
		bonds: bonds.map((bond) => bondItem(bond, rows)),
		ids: account
			? { account_id: account.accountId, user_id: account.userId, tenant_id: account.tenantId }
			: null,
		access: access ? { state: access.state, since: access.since, request_id: access.lastEvent } : null,
		service: service ?? null,
	};
}

/** What is not known is not there. */
function recordItem(record: RecordFacts, rows: RowsByKey) {
	const { key, state, at, missingSince, status, code, place, refused, hold } = record;
	return {
		...{ key, state: state === '' ? 'held' : state, at },
		...(missingSince !== '' && { missing_since: missingSince }),
		...(status !== undefined && { status }),
		...(code !== undefined && { code }),
		...place,
		...(refused && { refused }),
		...(hold && { hold_id: hold.hold_id, hold: hold.reason, approved: hold.isApproved }),
		history: (rows.get(key) ?? [])
			.slice(-MOST_ROWS)
			.map((row) => ({ at: row.at, kind: row.kind, state: row.state, run_id: row.run_id })),
	};
}

function bondItem(bond: BondFacts, rows: RowsByKey) {
	const { class_external_id, profile, classState } = bond;
	return { ...recordItem(bond, rows), class_external_id, profile, class_state: classState };
}

/** Whether a row is about somebody with one of these external ids. */
export function isAbout({ kind, key }: StoredRow, externalIds: ReadonlySet<string>): boolean {
	return OF_PEOPLE.has(kind) && /^[ub]:/.test(key) && externalIds.has(idsIn(key).external_id);
}

const OF_PEOPLE = new Set(['user', 'bond', 'resolve', 'access']);
