/** Read Files: the roster as records, without a ledger. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { withoutInternalFields } from '../roster/finding';
import { KINDS, type Kind, type RosterRecord, type SAYINGS } from '../roster/record';
import type { Roster } from '../roster/roster';
import { Turns } from '../roster/turns';

import { HOST } from './clock';
import { outputItem, origins } from './items';
import { readInput } from './rosterInput';

export async function readRosterFiles(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { roster } = await readInput(context, 'readFiles');
	const findings = roster.findings.map(withoutInternalFields);
	const origin = origins(context);
	const given: INodeExecutionData[] = [];
	await new Turns(HOST).forEach(givenItems(roster), (one) => {
		given.push(outputItem(one, origin(one.source ?? null)));
	});
	return [given, findings.map((finding) => outputItem(finding, origin(finding.places[0] ?? null)))];
}

type GivenItem = Pick<Partial<RosterRecord>, 'source'> & { kind: Kind | (typeof SAYINGS)[number]; of?: Kind };

/** The records; and what must not be lost on the way to Sync: what could not be read, what has left, and of which kinds there may be more. */
export function* givenItems({ records, faulty, gone, completeness }: Roster): Generator<GivenItem> {
	for (const { kind, fields, source } of records) yield { kind, ...fields, source };
	for (const { kind: of, fields, source } of faulty) yield { kind: 'faulty', of, ...fields, source };
	for (const { kind: of, fields, source } of gone) yield { kind: 'gone', of, ...fields, source };
	for (const of of KINDS) if (completeness[of] !== 'whole') yield { kind: 'faulty', of };
}
