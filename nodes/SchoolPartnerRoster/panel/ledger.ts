/** Where the node keeps what it has done. */
import type { INodeProperties } from 'n8n-workflow';

import type { OperationName } from './operation';
import { choiceField, textField } from '../../shared/actions/properties';

const displayOptions = { hide: { operation: ['readFiles'] satisfies OperationName[] } };

const DEFAULT_LEDGER_NAME = 'School Partner Roster';

export const ledgerProperties: INodeProperties[] = [
	choiceField({
		name: 'ledger',
		default: 'dataTable',
		noDataExpression: true,
		displayOptions,
		description:
			'Where the node remembers what the service has. Without it everything would be created again.',
		choices: {
			dataTable: "A table in n8n, in this workflow's project. The first run makes it.",
			postgres: {
				name: 'PostgreSQL',
				description: 'A table in a database of yours, for networks beyond some 50,000 students',
			},
		},
	}),
	textField({
		name: 'ledgerName',
		default: DEFAULT_LEDGER_NAME,
		placeholder: `e.g. ${DEFAULT_LEDGER_NAME}`,
		displayOptions,
		description:
			'Name of the Data Table, or of the part of the table in PostgreSQL. Nodes with the same name share one ledger. A network that is too large for one run has a name for each part.',
	}),
];
