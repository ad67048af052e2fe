/** Whom Explain is asked about. */
import type { INodeProperties } from 'n8n-workflow';

import type { OperationName } from './operation';
import { switchField, textField } from '../../shared/actions/properties';

const displayOptions = { show: { operation: ['explain'] satisfies OperationName[] } };

export const personProperties: INodeProperties[] = [
	textField({
		displayName: 'ID of the Person',
		name: 'externalId',
		default: '={{ $json.external_id }}',
		placeholder: 'e.g. student-001',
		displayOptions,
		description: 'External ID: by which the school system knows the person',
	}),
	textField({
		displayName: 'ID of the School',
		name: 'schoolExternalId',
		default: '={{ $json.school_external_id }}',
		placeholder: 'e.g. school-001',
		displayOptions,
		description: 'External ID of the school. It may be left out where the person is in one school.',
	}),
	switchField({
		name: 'askService',
		default: false,
		displayOptions,
		description:
			'Whether to look up what the service shows of the account now, for people whose account the ledger knows',
	}),
];
