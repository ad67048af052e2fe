/** When a user who was created counts as there: how the result of a creation is asked for, and what it says. */
import { getAccountCreation } from '../../shared/calls/provisioning';
import type { Found } from '../../shared/calls/answer';
import { inputFailure, type Failure, type Outcome } from '../../shared/failure';
import type { Account, AskedUser, Confirming } from '../night/accountRounds';
import type { LedgerMarks } from '../planning/conditions';
import { lookUpAll } from '../service/lookUp';

import type { Connection } from './connection';
import { itemText } from './items';
import type { NightSettings } from './settings';

export interface QueryParameter {
	name: string;
	/** Text with placeholders in it. */
	value: string;
}

/** What stands for something of a user in the value of a parameter. */
const PLACEHOLDERS: readonly string[] = ['external_id', 'school_external_id', 'service_id'];

/** What tells one user of a school from another. */
const OF_ONE_USER: readonly string[] = ['external_id', 'service_id'];

const PLACEHOLDER = /\{([a-z_]+)\}/g;

function placeholdersIn(value: string): string[] {
	return [...value.matchAll(PLACEHOLDER)].map(([, name]) => name);
}

/** Undefined where the answer to a creation counts. */
export function confirmingOf(
	{ confirmation, confirmationQuery, confirmedStatuses }: NightSettings,
	connection: Connection,
	marks: LedgerMarks,
): Confirming | undefined {
	if (confirmation === 'answer') return undefined;
	const asker: Confirming['asker'] = (mayAsk) => async (users) => {
		const queries = users.map((user) => filledQuery(confirmationQuery, user));
		const inputs = queries.filter((query) => query !== undefined).map((parameter) => ({ parameter }));
		const { maySend } = connection;
		// Asked before each request leaves, retries included.
		connection.maySend = mayAsk;
		const outcomes = await lookUpAll(connection.engine, getAccountCreation, inputs);
		connection.maySend = maySend;
		const accounts = outcomes.map((outcome) => confirmedAccount(outcome, confirmedStatuses));
		return queries.map((query) => (query === undefined ? undefined : accounts.shift()));
	};
	return { asker, marks };
}

/** The parameters for one user. Undefined where an id is not known: a query without it would mean somebody else. */
function filledQuery(
	parameters: readonly QueryParameter[],
	{ external_id, school_external_id, service_id }: AskedUser,
): QueryParameter[] | undefined {
	const ids = new Map(Object.entries({ external_id, school_external_id, service_id }));
	const needed = parameters.flatMap(({ value }) => placeholdersIn(value));
	if (needed.some((name) => !ids.get(name))) return undefined;
	return parameters.map(({ name, value }) => ({
		name,
		value: value.replace(PLACEHOLDER, (_all, placeholder: string) => ids.get(placeholder) ?? ''),
	}));
}

/** What cannot be asked for was not seen: no failure of it is worth more than that. */
function confirmedAccount(outcome: Outcome<Found>, statuses: readonly string[]): Account | undefined {
	const [{ status, account_id, user_id } = {}] = outcome.ok ? outcome.value : [];
	const comparable = (text: string) => text.trim().toLowerCase();
	const isConfirmed =
		typeof status === 'string' && statuses.some((one) => comparable(one) === comparable(status));
	return isConfirmed ? { accountId: itemText(account_id), userId: itemText(user_id) } : undefined;
}

/** Why accounts could not be asked for, or why the answer would be about anybody. */
export function contradictionInQuery(parameters: readonly QueryParameter[] = []): Failure | undefined {
	if (parameters.length === 0) return WITHOUT_PARAMETER;
	const nameless = parameters.findIndex(({ name }) => name.trim() === '');
	if (nameless >= 0) return wrongQuery(`Row ${nameless + 1} of Confirmation Query: Parameter Name is empty`);
	const placeholders = parameters.map(({ value }) => placeholdersIn(value));
	for (const [row, names] of placeholders.entries()) {
		const unknown = names.find((name) => !PLACEHOLDERS.includes(name));
		if (unknown !== undefined) return wrongQuery(unknownPlaceholder(row, unknown));
	}
	const isOfOne = placeholders.flat().some((name) => OF_ONE_USER.includes(name));
	return isOfOne ? undefined : wrongQuery(OF_NO_USER);
}

const WITHOUT_PARAMETER = inputFailure({
	code: 'confirmationQuery',
	message: 'Confirmation is set to Callback, and Confirmation Query has no parameter',
	next: 'Under Options, add to Confirmation Query the parameters by which your service finds the result of a creation, for example Parameter Name external_id and Parameter Value {external_id}. Its document does not show the names: ask its operator. Nothing was read, and nothing was sent.',
});

const OF_NO_USER =
	'Confirmation Query names no user: no Parameter Value has {external_id} or {service_id} in it, and the answer would be about anybody';

const unknownPlaceholder = (row: number, placeholder: string) =>
	`Row ${row + 1} of Confirmation Query: Parameter Value has {${placeholder}} in it; it may have ${PLACEHOLDERS.map((one) => `{${one}}`).join(', ')}`;

const wrongQuery = (message: string): Failure => ({ ...WITHOUT_PARAMETER, message });
