/** Explain: why somebody is, or is not, where they should be. It reads the ledger, and the service where it is asked to. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failureItem } from '../../shared/actions/nodeFailure';
import { getAccount, getClasses } from '../../shared/calls/synchronization';
import { failed, failureOfItem, inputFailure, success, type Outcome } from '../../shared/failure';
import { explanationOf, isAbout, type RowsByKey, type Seen } from '../explaining/explanation';
import { factsOf, type PersonFacts, type Question } from '../explaining/facts';
import { addTo } from '../planning/desiredState';
import { lookUpAll } from '../service/lookUp';

import { CLOCK } from './clock';
import { connect } from './connection';
import { AT_ONCE, readExisting } from './existingLedger';
import { itemText } from './items';
import { SENDING_DEFAULTS } from './settings';

export async function explain(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	const inputs = context.getInputData();
	const questions = inputs.map((_input, item) => questionOf(context, item));
	const nameless = questions.findIndex(({ externalId }) => externalId === '');
	if (nameless >= 0 && !context.continueOnFail()) return failed(failureOfItem(NAMELESS, nameless));
	const ids = new Set(questions.map(({ externalId }) => externalId));
	const rows: RowsByKey = new Map();
	const existing = await readExisting(context, AT_ONCE, (row) => {
		if (isAbout(row, ids)) addTo(rows, row.key, row);
	});
	if (!existing.ok) return existing;
	const people = factsOf(questions, existing.value.ledger, CLOCK.wall());
	const seen =
		context.getNodeParameter('askService', 0, false) === true ? await ask(context, people) : undefined;
	const given = people.map((person, item) => {
		if (person.externalId === '') return failureItem(context, inputs[item], NAMELESS, item);
		const json = explanationOf(person, rows, seen?.get(person)) as unknown as IDataObject;
		return { json, pairedItem: { item } };
	});
	return success([given]);
}

function questionOf(context: IExecuteFunctions, item: number): Question {
	const textOf = (name: string) => itemText(context.getNodeParameter(name, item, ''));
	return { externalId: textOf('externalId'), school: textOf('schoolExternalId') };
}

/** Whose account and tenant are not known cannot be asked for: they were not seen. */
async function ask(
	context: IExecuteFunctions,
	people: readonly PersonFacts[],
): Promise<Map<PersonFacts, Seen>> {
	const { engine } = await connect(context, SENDING_DEFAULTS);
	const known = people.filter(({ account }) => account !== undefined && account.tenantId !== '');
	const accounts = known.map(({ account }) => ({
		account_id: account?.accountId ?? '',
		tenant_id: account?.tenantId ?? '',
	}));
	const shown = await lookUpAll(engine, getAccount, accounts);
	const lists = await lookUpAll(engine, getClasses, accounts);
	const seen = new Map<PersonFacts, Seen>(people.map((person) => [person, { seen: false, classes: [] }]));
	for (const [place, person] of known.entries()) {
		const [account, list] = [shown[place], lists[place]];
		const classes = list.ok ? list.value.map(({ external_id: id }) => itemText(id)).filter(Boolean) : [];
		seen.set(person, { seen: account.ok && account.value.length > 0 && list.ok, classes });
	}
	return seen;
}

const NAMELESS = inputFailure({
	code: 'externalId',
	message: 'ID of the Person is empty: nobody can say whom this is about',
	next: 'Give the item the field external_id, or fill in ID of the Person. It is the external id, that of the person in the school system.',
});
