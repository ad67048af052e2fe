/** The parameters of a trigger, read once per delivery and made safe: nothing in them may break a delivery. */
import type { IWebhookFunctions } from 'n8n-workflow';

import { EVENTS } from '../shared/contract/events/kinds';
import { isJsonObject } from '../shared/contract/json';
import type { DeviatingDeliveries, DeliverySettings, OtherActions } from './deliveries/readDelivery';
import { DEFAULT_MAX_BODY_KB } from './properties';

export interface TriggerSettings extends DeliverySettings {
	ignoreRepeatedDeliveries: boolean;
}

const OTHER_ACTIONS: readonly OtherActions[] = ['acknowledge', 'reject', 'passOn'];
const DEVIATIONS: readonly DeviatingDeliveries[] = ['accept', 'ownOutput', 'reject'];

export function settingsOf(context: IWebhookFunctions): TriggerSettings {
	const events: unknown = context.getNodeParameter('events', []);
	const given: unknown = context.getNodeParameter('options', {});
	const options = isJsonObject(given) ? given : {};
	return {
		events: EVENTS.map(({ value }) => value).filter(
			(value) => Array.isArray(events) && events.includes(value),
		),
		otherActions: OTHER_ACTIONS.find((action) => action === options.otherActions) ?? 'acknowledge',
		deviations: DEVIATIONS.find((choice) => choice === options.deviations) ?? 'accept',
		includeRawBody: options.includeRawBody === true,
		ignoreRepeatedDeliveries: options.ignoreRepeatedDeliveries !== false,
		maxBodyBytes: bytesOf(options.maxBodySizeKb) ?? DEFAULT_MAX_BODY_KB * 1024,
	};
}

function bytesOf(kilobytes: unknown): number | undefined {
	const bytes = Number(kilobytes) * 1024;
	return bytes > 0 ? bytes : undefined;
}
