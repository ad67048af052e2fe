/** Read Files: the roster as records, without a ledger. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outspoken } from '../../shared/actions/expressions';
import { success, type Outcome } from '../../shared/failure';

import { KINDS, type Kind, type Mention, type SAYINGS } from '../roster/record';
import type { Roster } from '../roster/roster';
import { Turns } from '../roster/turns';

import { itemsOf, origins } from './items';
import { HOST, rosterOf } from './roster';
import { readSettings } from './settings';

export async function readRoster(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	const items = context.getInputData();
	const expressions = outspoken(context);
	const settings = readSettings(expressions, items);
	if (!settings.ok) return settings;
	const read = await rosterOf(context, expressions, items, { ...settings.value, completeness: 'complete' });
	if (!read.ok) return read;
	const { records, findings } = read.value.roster;
	const origin = origins(items.length);
	const turns = new Turns(HOST);
	const given: INodeExecutionData[] = [];
	for (const { kind, fields, source } of records) {
		if (turns.areDue()) await turns.give();
		given.push(...itemsOf([{ kind, ...fields, source }], () => origin(source)));
	}
	given.push(...itemsOf(sayingsOf(read.value.roster), ({ source = null }) => origin(source)));
	return success([given, itemsOf(findings, ({ places }) => origin(places[0] ?? null))]);
}

type Saying = Pick<Partial<Mention>, 'source'> & { kind: (typeof SAYINGS)[number]; of: Kind };

/** What must not be lost on the way to Plan Changes: what could not be read, what has left, and of which kinds there may be more. */
function sayingsOf({ faulty, gone, completeness }: Roster): Saying[] {
	const say = (kind: Saying['kind']) => ({ kind: of, fields, source }: Mention) => ({ kind, of, ...fields, source });
	const parts = KINDS.filter((of) => completeness[of] !== 'whole').map((of) => ({ kind: 'faulty' as const, of }));
	return [...faulty.map(say('faulty')), ...gone.map(say('gone')), ...parts];
}
