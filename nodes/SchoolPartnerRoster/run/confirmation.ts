/** When a user who was created counts as there: what a person has chosen, checked. */
import type { Failure } from '../../shared/failure';
import type { Confirming } from '../night/accounts';
import type { LedgerMarks } from '../planning/conditions';
import { NAMES_ONE, placeholdersIn, PLACEHOLDERS } from '../service/accountQuery';

import type { Connection } from './connection';
import { inputFailure } from './failures';
import { accountAsker } from './sending';
import type { NightSettings } from './settings';

/** Undefined where the answer to a creation counts. */
export function confirmingOf(
	{ confirmation, confirmationQuery, confirmedStatuses }: NightSettings,
	connection: Connection,
	marks: LedgerMarks,
): Confirming | undefined {
	if (confirmation === 'answer') return undefined;
	const parameters = confirmationQuery.parameter ?? [];
	return { asker: (mayAsk) => accountAsker(connection, parameters, confirmedStatuses, mayAsk), marks };
}

/** Why accounts could not be asked for, or why the answer would be about anybody. */
export function contradictionInQuery(query: NightSettings['confirmationQuery'] = {}): Failure | undefined {
	const { parameter: parameters = [] } = query;
	if (parameters.length === 0) return WITHOUT_PARAMETER;
	const nameless = parameters.findIndex(({ name }) => name.trim() === '');
	if (nameless >= 0) return wrongQuery(`Row ${nameless + 1} of Confirmation Query: Parameter Name is empty`);
	const named = parameters.map(({ value }) => placeholdersIn(value));
	for (const [row, placeholders] of named.entries()) {
		const unknown = placeholders.find((one) => !(PLACEHOLDERS as readonly string[]).includes(one));
		if (unknown !== undefined) return wrongQuery(namesUnknown(row, unknown));
	}
	const isOfOne = named.flat().some((placeholder) => NAMES_ONE.has(placeholder));
	return isOfOne ? undefined : wrongQuery(NAMES_NOBODY);
}

const WITHOUT_PARAMETER = inputFailure({
	code: 'confirmationQuery',
	message: 'Confirmation is set to Callback, and Confirmation Query has no parameter',
	next: 'Under Options, add to Confirmation Query the parameters by which your service finds the result of a creation, for example Parameter Name external_id and Parameter Value {external_id}. Its document does not show the names: ask its operator. Nothing was read, and nothing was sent.',
});

const NAMES_NOBODY =
	'Confirmation Query names no user: no Parameter Value has {external_id} or {service_id} in it, and the answer would be about anybody';

const namesUnknown = (row: number, placeholder: string) =>
	`Row ${row + 1} of Confirmation Query: Parameter Value has {${placeholder}} in it; it may have ${PLACEHOLDERS.map((one) => `{${one}}`).join(', ')}`;

const wrongQuery = (message: string): Failure => ({ ...WITHOUT_PARAMETER, message });
