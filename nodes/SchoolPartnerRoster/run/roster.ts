/** The roster that the input items hold, whatever form they have. */
import { sleep, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import type { Expressions } from '../../shared/actions/expressions';
import { failed, success, type Failure, type Outcome } from '../../shared/failure';

import { Turns } from '../roster/turns';
import type { Mapping } from '../reading/mapping';
import { dayOf, readFiles, type FormatName } from '../reading/readFiles';
import { readRecords } from '../reading/readRecords';
import { readRows } from '../reading/readRows';
import type { Host } from '../roster/turns';
import type { Roster } from '../roster/roster';

import { filesOf } from './files';
import { SHEET } from './items';
import { sheetOf } from './rows';
import { mappingOf, type NightSettings } from './settings';

/** n8n's process, as the pure parts see it. */
export const HOST: Host = { pause: async () => await sleep(0), clock: () => Date.now() };

/** A roster, and what of its reading a ledger must agree with. */
export interface ReadRoster {
	roster: Roster;
	/** The day for which it was read, YYYY-MM-DD. */
	asOf: string;
	/** Where ids come from: with other ones everything would be new. Nothing for rows and records, which have the ids that somebody else chose. */
	identity: Readonly<Record<string, string>>;
}

export type ReadingSettings = Pick<NightSettings, 'fileFields' | 'userIdsUniqueWithin'> &
	Partial<Pick<NightSettings, 'missingRowsMean'>>;

/** Where the roster comes from: `files`, `rows` or `records`. */
export function sourceOf(context: IExecuteFunctions): string {
	return context.getNodeParameter('source', 0, 'files') as string;
}

/** Reads the items of the first input. */
export async function rosterOf(
	context: IExecuteFunctions,
	expressions: Expressions,
	items: readonly INodeExecutionData[],
	{ fileFields, userIdsUniqueWithin: userKeys, missingRowsMean }: ReadingSettings,
): Promise<Outcome<ReadRoster>> {
	const source = sourceOf(context);
	const mapped: Outcome<Mapping> =
		source === 'records' ? success({ userKeys }) : mappingOf(expressions, items, userKeys);
	if (!mapped.ok) return mapped;
	const mapping = mapped.value;
	const {
		asOf = '',
		schoolIdFrom = 'sourcedId',
		classIdFrom = 'sourcedId',
		userIdFrom = 'sourcedId',
	} = mapping;
	const said = missingRowsMean === 'hasLeft' ? 'whole' : 'changes';
	const read = async (): Promise<Outcome<Roster>> => {
		if (source === 'records')
			return await readRecords(
				items.map(({ json }) => json),
				userKeys,
				said,
				HOST,
			);
		if (source === 'rows') {
			const sheet = await sheetOf(expressions, items, mapping.dateFormat ?? 'YYYY-MM-DD', new Turns(HOST));
			if (!sheet.ok) return sheet;
			const fromRows = await readRows(sheet.value.rows, mapping, said, HOST, SHEET);
			return fromRows.ok
				? success({ ...fromRows.value, findings: [...fromRows.value.findings, ...sheet.value.findings] })
				: fromRows;
		}
		const format = context.getNodeParameter('format', 0, 'automatic') as FormatName;
		const files = await filesOf(context, items, fileFields);
		return files.ok ? await readFiles(files.value, mapping, format, HOST) : files;
	};
	const roster = await read();
	if (!roster.ok) return roster;
	if (source === 'records' && hasNoRecord(roster.value)) return failed(NO_RECORDS);
	const identity: ReadRoster['identity'] =
		source === 'files' ? { schoolIdFrom, classIdFrom, userIdFrom } : {};
	return success({ roster: roster.value, asOf: asOf.trim() || dayOf(HOST), identity });
}

function hasNoRecord({ records, faulty }: Roster): boolean {
	return records.length === 0 && faulty.length === 0;
}

const NO_RECORDS: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'noRecords',
	message: 'None of the items is a record of a class, user or bond',
	next: 'Connect the output Records of Read Files, or give each item its kind (class, user or bond) and the fields of the service. For files or the columns of a sheet, choose another value in Roster Comes From. Nothing was planned.',
};
