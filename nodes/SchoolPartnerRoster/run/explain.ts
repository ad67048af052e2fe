/** Explain: why somebody is, or is not, where they should be. It reads the ledger, and the service where it is asked to. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asNodeFailure, failureItem } from '../../shared/actions/nodeFailure';
import { failed, success, type Outcome } from '../../shared/failure';
import { explanationOf, isAbout, type Seen } from '../explaining/explanation';
import { factsOf, type PersonFacts, type Question } from '../explaining/facts';
import type { StoredRow } from '../ledger/row';
import { readLedger } from '../night/reading';
import { Turns } from '../roster/turns';
import { accountsSeen } from '../service/seen';
import { storeOf } from '../store/openStore';

import { CLOCK, HOST } from './clock';
import { inputFailures, ledgerAbsent } from './failures';
import { openSending } from './sending';

export async function explain(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	const inputs = context.getInputData();
	const questions = inputs.map((_input, item) => questionOf(context, item));
	const nameless = questions.findIndex(({ externalId }) => externalId === '');
	if (nameless >= 0 && !context.continueOnFail()) throw asNodeFailure(context, problems.externalId, nameless);
	const store = storeOf(context);
	const opened = await store.open(false);
	if (!opened.ok) return opened;
	if (opened.value === 'absent') return failed(ledgerAbsent(store.name));
	const ids = new Set(questions.map(({ externalId }) => externalId));
	const rows: StoredRow[] = [];
	const take = (row: StoredRow) => void (isAbout(row, ids) && rows.push(row));
	const read = await readLedger(store, CLOCK, new Turns(HOST), take);
	if (!read.ok) return read;
	const people = factsOf(questions, read.value, CLOCK.wall());
	const seen =
		context.getNodeParameter('askService', 0, false) === true ? await ask(context, people) : undefined;
	const given = people.map((person, item) => {
		if (person.externalId === '') return failureItem(context, inputs[item], problems.externalId, item);
		const json = explanationOf(person, rows, seen?.get(person)) as unknown as IDataObject;
		return { json, pairedItem: { item } };
	});
	return success([given]);
}

function questionOf(context: IExecuteFunctions, item: number): Question {
	const textOf = (name: string) => {
		const value: unknown = context.getNodeParameter(name, item, '');
		return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	};
	return { externalId: textOf('externalId'), school: textOf('schoolExternalId') };
}

/** Whose account and tenant are not known cannot be asked for: they were not seen. */
async function ask(
	context: IExecuteFunctions,
	people: readonly PersonFacts[],
): Promise<Map<PersonFacts, Seen>> {
	const { means } = await openSending(context, AS_USUAL);
	const known = people.filter(({ account }) => account !== undefined && account.tenantId !== '');
	const accounts = known.map(({ account }) => ({
		account_id: account?.accountId ?? '',
		tenant_id: account?.tenantId ?? '',
	}));
	const shown = await accountsSeen(means, accounts);
	const seen = new Map<PersonFacts, Seen>(people.map((person) => [person, { seen: false, classes: [] }]));
	for (const [place, person] of known.entries()) seen.set(person, shown[place]);
	return seen;
}

const AS_USUAL = {
	...{ concurrency: 0, maxConcurrency: 64, timeout: 30_000, maxRetries: 3, creationsAgainOn503: true },
};

const problems = inputFailures({
	externalId: {
		message: 'ID of the Person is empty: nobody can say whom this is about',
		next: 'Give the item the field external_id, or fill in ID of the Person. It is the external id, that of the person in the school system.',
	},
});
