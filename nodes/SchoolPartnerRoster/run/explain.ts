/** Explain: why somebody is, or is not, where they should be. It reads the ledger, and the service where it is asked to. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outspoken } from '../../shared/actions/expressions';
import { failureItem } from '../../shared/actions/nodeFailure';
import { parameterReader, valuesOf } from '../../shared/actions/parameters';
import { getAccount, getClasses } from '../../shared/calls/synchronization';
import {
	failed,
	failureOfItem,
	inputFailure,
	success,
	ThrownFailure,
	type Outcome,
} from '../../shared/failure';
import { explanationOf, isAbout, type RowsByKey, type Seen } from '../explaining/explanation';
import { factsOf, type PersonFacts, type Question } from '../explaining/facts';
import { personProperties } from '../panel/person';
import { addTo } from '../planning/desiredState';
import { lookUpAll } from '../service/lookUp';

import { CLOCK } from './clock';
import { connect } from './connection';
import { AT_ONCE, readExisting } from './existingLedger';
import { itemText } from './items';
import { SENDING_DEFAULTS } from './settings';

export async function explain(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const inputs = context.getInputData();
	const questionOf = questionReader(context);
	const asked = inputs.map((_input, item) => questionOf(item));
	for (const [item, question] of asked.entries())
		if (!question.ok && !context.continueOnFail())
			throw new ThrownFailure(failureOfItem(question.failure, item));
	const questions = asked.flatMap((question) => (question.ok ? question.value : []));
	const ids = new Set(questions.map(({ externalId }) => externalId));
	const rows: RowsByKey = new Map();
	const { ledger } = await readExisting(context, AT_ONCE, (row) => {
		if (isAbout(row, ids)) addTo(rows, row.key, row);
	});
	const people = factsOf(questions, ledger, CLOCK.wall());
	const seen =
		context.getNodeParameter('askService', 0, false) === true ? await ask(context, people) : undefined;
	const answers = new Map(
		people.map((person, place) => [questions[place], explanationOf(person, rows, seen?.get(person))]),
	);
	const given = asked.map((question, item) => {
		if (!question.ok) return failureItem(context, inputs[item], question.failure, item);
		return { json: answers.get(question.value) as unknown as IDataObject, pairedItem: { item } };
	});
	return [given];
}

/** Gives whom an item is about, or why nobody can say. Trap: where the school is lost, somebody else may be meant. */
function questionReader(context: IExecuteFunctions): (item: number) => Outcome<Question> {
	const [expressions, inputs] = [outspoken(context), context.getInputData()];
	const ids = personProperties.filter(({ type }) => type === 'string');
	const sources = ids.map(({ name: field, displayName: label }) => ({
		...{ field, label },
		read: parameterReader(expressions, inputs, field, ''),
	}));
	return (item) => {
		const read = valuesOf(sources, item);
		if (!read.ok) return read;
		const { values, nothing } = read.value;
		const externalId = itemText(values.externalId);
		if (externalId === '') return failed(NAMELESS);
		if (nothing.length > 0) return failed(SCHOOL_LOST);
		return success({ externalId, school: itemText(values.schoolExternalId) });
	};
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

const SCHOOL_LOST = inputFailure({
	code: 'schoolExternalId',
	message: 'The expression in ID of the School gives nothing for this item',
	next: 'Correct it, or let it give an empty text where the school is not known.',
});

const NAMELESS = inputFailure({
	code: 'externalId',
	message: 'ID of the Person is empty: nobody can say whom this is about',
	next: 'Give the item the field external_id, or fill in ID of the Person. It is the external id, that of the person in the school system.',
});
