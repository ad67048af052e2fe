/**
 * The school of a bond is that of its class. Trap: where the export lacks the class, its enrollment may name the school of the pupil instead, and the
 * bond that the ledger has would be another one.
 */
import { idsIn } from '../ledger/key';
import type { Ledger } from '../ledger/ledger';
import type { RosterRecord } from '../roster/record';
import type { Roster } from '../roster/roster';
import type { Turns } from '../roster/turns';

/** Schools of the ledger that have a class, by the external id of the class. */
type SchoolsOfClasses = ReadonlyMap<unknown, ReadonlySet<unknown>>;

/** The roster, with the bonds of classes that it lacks where the ledger has these classes. */
export async function withSchoolsOfClasses(roster: Roster, ledger: Ledger, turns: Turns): Promise<Roster> {
	const schools = await schoolsOfLacking([roster.records, roster.gone], ledger, turns);
	if (schools.size === 0) return roster;
	const [records, faulty, gone] = [[], [...roster.faulty], []] as RosterRecord[][];
	await turns.forEach(roster.records, (record) => {
		records.push(placed(record, schools));
		if (mayBeOfSeveral(record, schools)) faulty.push(ofAnySchool(record));
	});
	await turns.forEach(roster.gone, (record) => gone.push(placed(record, schools)));
	return { ...roster, records, faulty, gone };
}

const lacksClass = ({ kind, unsaid }: RosterRecord) =>
	kind === 'bond' && unsaid?.includes('school_external_id') === true;

async function schoolsOfLacking(
	lists: readonly RosterRecord[][],
	{ entries }: Ledger,
	turns: Turns,
): Promise<SchoolsOfClasses> {
	const schools = new Map<unknown, Set<unknown>>();
	for (const list of lists)
		await turns.forEach(list, (record) => {
			if (lacksClass(record)) schools.set(record.fields.class_external_id, new Set());
		});
	if (schools.size === 0) return schools;
	await turns.forEach(entries.values(), ({ kind, key, school, there }) => {
		if (kind === 'class' && there !== 'no') schools.get(idsIn(key).external_id)?.add(school);
	});
	return schools;
}

/** The schools that the bond may be of; none where the one that it names has its class. */
function othersOf({ fields }: RosterRecord, schools: SchoolsOfClasses): readonly unknown[] {
	const known = schools.get(fields.class_external_id);
	return known === undefined || known.has(fields.school_external_id) ? [] : [...known];
}

function placed(record: RosterRecord, schools: SchoolsOfClasses): RosterRecord {
	const [school, ...more] = lacksClass(record) ? othersOf(record, schools) : [];
	if (school === undefined || more.length > 0) return record;
	return { ...record, fields: { ...record.fields, school_external_id: String(school) } };
}

const mayBeOfSeveral = (record: RosterRecord, schools: SchoolsOfClasses) =>
	lacksClass(record) && othersOf(record, schools).length > 1;

/** What may be of any school keeps the bonds of both ends. */
function ofAnySchool({ kind, source, fields }: RosterRecord): RosterRecord {
	const { class_external_id, user_external_id } = fields;
	return { kind, source, fields: { class_external_id, user_external_id } };
}
