/** What a user of the trigger fills in, and what follows from it: outputs, subtitle, and the settings of a delivery. */
import {
	NodeConnectionTypes,
	type ExpressionString,
	type INodeProperties,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { choiceField, collectionField, numberField, switchField } from '../shared/actions/properties';
import { EVENTS } from '../shared/contract/events/kinds';
import { isJsonObject } from '../shared/contract/json';

import type { DeliverySettings } from './deliveries/readDelivery';

/** What `options.maxBodySizeKb` is when it is left alone: many times the largest event that was ever seen. */
export const DEFAULT_MAX_BODY_KB = 1024;

export const properties: INodeProperties[] = [
	{
		displayName:
			'Open <b>Webhook URLs</b> above and register the <b>production URL</b> with the service as the address that receives events. Enter the key that the service sends as <b>x-api-key</b> in the credential: deliveries without that key are refused.',
		name: 'registrationNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		noDataExpression: true,
		options: EVENTS.map(({ name, value, description }) => ({ name, value, description })),
		default: ['userAccess', 'userAccessRevocation'],
	},
	collectionField({
		name: 'options',
		options: [
			choiceField({
				displayName: 'Deviating Deliveries',
				name: 'deviations',
				noDataExpression: true,
				choices: {
					accept: 'Start the workflow as usual; what deviates is listed in delivery.deviations',
					reject: 'Answer with status 400 and start nothing',
				},
				default: 'accept',
				description:
					'What to do with an event that differs from the field tables of the service: a required field that is empty, a value that is too long or of another type. Without request_id, action and payload a delivery is always refused.',
			}),
			switchField({
				name: 'ignoreRepeatedDeliveries',
				noDataExpression: true,
				description:
					'Whether a delivery whose request_id was taken before is answered with "duplicate" and starts nothing. The newest 2,000 are remembered, the newest 500 of them also over a restart.',
			}),
			switchField({
				name: 'includeRawBody',
				noDataExpression: true,
				default: false,
				description:
					'Whether the item also carries the body as it was sent, byte for byte, as text in delivery.raw. Its hash is there in any case.',
			}),
			numberField({
				displayName: 'Largest Body (KB)',
				name: 'maxBodySizeKb',
				noDataExpression: true,
				minValue: 1,
				default: DEFAULT_MAX_BODY_KB,
				description:
					'Larger deliveries are refused with status 413. The limit of n8n itself, 16 MB unless it was changed, comes before this one.',
			}),
			choiceField({
				name: 'otherActions',
				noDataExpression: true,
				choices: {
					acknowledge: 'Answer with success and start nothing',
					passOn: 'Start the workflow through one more output, the last one',
					reject: 'Answer with status 400 and start nothing',
				},
				default: 'acknowledge',
				description:
					'What to do with a delivery whose action has no output of its own: an event that is not chosen, or one that the service introduces later',
			}),
		],
	}),
];

const OUTPUT_LABELS = JSON.stringify(EVENTS.map(({ value, output }) => [value, output]));

/** n8n's expression for the outputs: one for each chosen event, in the order of the document, then one for other actions. */
export const EVENT_OUTPUTS: ExpressionString = `={{
	${OUTPUT_LABELS}
		.filter(([value]) => ($parameter.events ?? []).includes(value))
		.map(([, displayName]) => ({ type: "${NodeConnectionTypes.Main}", displayName }))
		.concat($parameter.options?.otherActions === "passOn" ? [{ type: "${NodeConnectionTypes.Main}", displayName: "Other" }] : [])
}}`;

const EVENT_NAMES = JSON.stringify(Object.fromEntries(EVENTS.map(({ value, name }) => [value, name])));

/** What stands under the node on the canvas: the event, when there is only one. */
export const EVENTS_SUBTITLE: ExpressionString = `={{
	($parameter.events ?? []).length === 1 ? ${EVENT_NAMES}[$parameter.events[0]] : "Access Events"
}}`;

export interface TriggerSettings extends DeliverySettings {
	ignoreRepeatedDeliveries: boolean;
}

/** The parameters, made safe: nothing in them may break a delivery. */
export function triggerSettings(context: IWebhookFunctions): TriggerSettings {
	const events: unknown = context.getNodeParameter('events', []);
	const given: unknown = context.getNodeParameter('options', {});
	const options = isJsonObject(given) ? given : {};
	const { otherActions } = options;
	const maxBodyBytes = Number(options.maxBodySizeKb) * 1024;
	return {
		events: EVENTS.map(({ value }) => value).filter(
			(value) => Array.isArray(events) && events.includes(value),
		),
		otherActions: otherActions === 'reject' || otherActions === 'passOn' ? otherActions : 'acknowledge',
		deviations: options.deviations === 'reject' ? 'reject' : 'accept',
		includeRawBody: options.includeRawBody === true,
		ignoreRepeatedDeliveries: options.ignoreRepeatedDeliveries !== false,
		maxBodyBytes: maxBodyBytes > 0 ? maxBodyBytes : DEFAULT_MAX_BODY_KB * 1024,
	};
}
