/** The options of Apply Changes: those of everything that sends, what counts as done, and when to stop. */
import type { INodeProperties } from 'n8n-workflow';

import { sendingOptions } from '../../shared/actions/sending';

const existsStatuses: INodeProperties = {
	displayName: 'Statuses That Mean It Exists',
	name: 'existsStatuses',
	type: 'string',
	default: '409',
	placeholder: 'e.g. 409, 422',
	description:
		'The statuses with which your service refuses what exists already, with commas between them: such a creation counts as done. Be careful with 400: other refusals may have it too.',
};

const stopAfterTroubles: INodeProperties = {
	displayName: 'Stop After Troubles',
	name: 'stopAfterTroubles',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 100,
	description:
		'After so many requests in a row that come to nothing because the service or the sign-on is in trouble, nothing more is sent. The rest comes again with the next plan.',
};

export const applyOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	displayOptions: { show: { operation: ['apply'] } },
	options: [...sendingOptions, existsStatuses, stopAfterTroubles].sort((one, other) =>
		one.displayName.localeCompare(other.displayName),
	),
};
