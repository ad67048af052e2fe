/** The roster that the input items hold, whatever form they have. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outspoken, type Expressions } from '../../shared/actions/expressions';
import { inputFailure, ThrownFailure, valueOf } from '../../shared/failure';
import { Turns } from '../roster/turns';
import type { Mapping } from '../reading/mapping';
import { readExports } from '../reading/readExports';
import { readFiles, type FormatName } from '../reading/readFiles';
import { readRecords } from '../reading/readRecords';
import { readRows } from '../reading/readRows';
import { Findings } from '../roster/findings';
import type { Roster } from '../roster/roster';

import { CLOCK, HOST } from './clock';
import { filesOf } from './files';
import { gradeOfService, gradesOfService, offerGrades } from './gradesOfService';
import { rosterSource } from './items';
import { sheetOf } from './rows';
import { settingsOf, type NightSettings, type ReadSettings, type SettingsByName } from './settings';

/** What an operation was given: its options, the roster, and what of its reading a ledger must agree with. */
export interface RosterInput<Settings = unknown> {
	/** When reading began, by the steady clock. */
	began: number;
	settings: Settings;
	roster: Roster;
	/** The day for which it was read, YYYY-MM-DD. */
	asOf: string;
	/** The day in the time zone of the workflow, YYYY-MM-DD. */
	today: string;
	/** Where ids come from, and where they are unique: with other ones everything would be new. Of records only the latter: somebody else chose their ids. */
	identity: Readonly<Record<string, string>>;
}

export async function readInput<Name extends 'night' | 'takeOver' | 'readFiles'>(
	context: IExecuteFunctions,
	name: Name,
): Promise<RosterInput<SettingsByName[Name]>> {
	const began = CLOCK.steady();
	const items = context.getInputData();
	const expressions = outspoken(context);
	const settings = settingsOf(name, expressions, items);
	const given: ReadSettings & Partial<NightSettings> = settings;
	const source = rosterSource(context);
	const { userIdsUniqueWithin: userKeys, disabledUsers = 'keep' } = given;
	// Of records it is not shown, and n8n drops what it does not show.
	const mapped = settingsOf('mapping', expressions, items);
	const today = dayIn(context.getTimezone(), HOST.clock());
	const asOf = mapped.asOf || today;
	const mapping: Mapping = { ...mapped, asOf, userKeys, disabledUsers };
	const read = READERS[source] ?? readFromFiles;
	// For other nodes, what is read is all there is; a ledger learns what that means from the option.
	const isAll = name === 'readFiles' || given.missingRowsMean === 'hasLeft';
	const completeness: ReaderInput['completeness'] = isAll ? 'whole' : 'partial';
	const input = { context, expressions, items, completeness, ...given };
	const readWith: ReadWith = async (grades) => await read({ ...input, mapping: { ...mapping, grades } });
	const roster =
		name === 'readFiles'
			? await readWith(mapping.grades)
			: await readWithGradesOfService(context, name, readWith, mapping.grades, given);
	const identity = { ...identityOf(source, mapping), userIdsUniqueWithin: userKeys };
	return { began, settings, roster, asOf, today, identity };
}

type ReadWith = (grades: Mapping['grades']) => Promise<Roster>;

/** Reads once more where the service has grades of the names that nobody has mapped; of the others it says which there are to choose from. */
async function readWithGradesOfService(
	context: IExecuteFunctions,
	name: string,
	read: ReadWith,
	mapped: Mapping['grades'],
	settings: Partial<NightSettings>,
): Promise<Roster> {
	const first = await read(mapped);
	const { rows, schools } = await gradesOfService(context, name, first, settings);
	const roster = rows.length === 0 ? first : await read([...mapped, ...rows]);
	const findings = new Findings();
	for (const row of rows) findings.add(gradeOfService(row));
	offerGrades(roster, schools);
	roster.findings.push(...findings.list());
	return roster;
}

function identityOf(
	source: string,
	{ schoolIdFrom, classIdFrom, userIdFrom, responsibleIds }: Mapping,
): RosterInput['identity'] {
	if (source === 'files') return { schoolIdFrom, classIdFrom, userIdFrom };
	// For rows an identifier and a sourcedId are the same column.
	const ofRows = classIdFrom === 'identifierAndYear' ? classIdFrom : 'sourcedId';
	return source === 'rows' ? { classIdFrom: ofRows, responsibleIds } : {};
}

/** YYYY-MM-DD. Trap: at two in the morning in São Paulo it is a day later in Auckland. */
export function dayIn(timeZone: string, now: number): string {
	return new Date(now).toLocaleDateString('sv', { timeZone });
}

interface ReaderInput extends ReadSettings {
	context: IExecuteFunctions;
	expressions: Expressions;
	items: readonly INodeExecutionData[];
	mapping: Mapping;
	/** What rows and records say of what is not there. */
	completeness: 'whole' | 'partial';
}

async function readFromFiles({ context, items, mapping, fileFields }: ReaderInput): Promise<Roster> {
	const format = context.getNodeParameter('format', 0, 'automatic') as FormatName;
	const files = await filesOf(context, items, fileFields);
	const isEachItem = context.getNodeParameter('exports', 0, 'together') === 'eachItem';
	return valueOf(
		isEachItem
			? await readExports(files, mapping, format, HOST)
			: await readFiles(files.flat(), mapping, format, HOST),
	);
}

async function readFromRows({ expressions, items, mapping, completeness }: ReaderInput): Promise<Roster> {
	const sheet = await sheetOf(expressions, items, mapping.dateFormat, new Turns(HOST));
	const read = await readRows(sheet.rows, mapping, completeness, HOST);
	return { ...read, findings: [...read.findings, ...sheet.findings] };
}

async function readFromRecords({ items, userIdsUniqueWithin, completeness }: ReaderInput): Promise<Roster> {
	const records = items.map(({ json }) => json);
	const roster = await readRecords(records, userIdsUniqueWithin, completeness, HOST);
	const { records: sound, faulty, gone, findings } = roster;
	const isNothing = [sound, faulty, gone].every(({ length }) => length === 0);
	const isTold = findings.some(({ code }) => code === 'goneWithoutIds');
	if (isNothing && !isTold) throw new ThrownFailure(NO_RECORDS);
	return roster;
}

const READERS: Readonly<Partial<Record<string, typeof readFromFiles>>> = {
	rows: readFromRows,
	records: readFromRecords,
};

const NO_RECORDS = inputFailure({
	code: 'noRecords',
	message: 'None of the items is a record of a class, user or bond',
	next: 'Connect the output Records of Read Files, or give each item its kind (class, user or bond) and the fields of the service. For files or the columns of a sheet, choose another value in Roster Comes From. Nothing was planned.',
});
