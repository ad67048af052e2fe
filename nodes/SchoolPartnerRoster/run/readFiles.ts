/** Read Files: the roster as records, without a ledger. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outspoken } from '../../shared/actions/expressions';
import { success, type Outcome } from '../../shared/failure';

import { Turns } from '../roster/turns';

import { itemsOf, origins } from './items';
import { HOST, rosterOf } from './roster';
import { readSettings } from './settings';

export async function readRoster(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	const items = context.getInputData();
	const expressions = outspoken(context);
	const settings = readSettings(expressions, items);
	if (!settings.ok) return settings;
	const read = await rosterOf(context, expressions, items, settings.value);
	if (!read.ok) return read;
	const { records, findings } = read.value.roster;
	const origin = origins(items.length);
	const turns = new Turns(HOST);
	const given: INodeExecutionData[] = [];
	for (const { kind, fields, source } of records) {
		if (turns.areDue()) await turns.give();
		given.push(...itemsOf([{ kind, ...fields, source }], () => origin(source)));
	}
	return success([given, itemsOf(findings, ({ places }) => origin(places[0] ?? null))]);
}
