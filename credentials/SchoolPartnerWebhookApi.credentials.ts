import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { secretField, textField } from '../nodes/shared/actions/properties';

/**
 * The x-api-key of incoming deliveries (the service's document: Authentication, events sent to the partner).
 * Nothing is called with it, so the trigger that uses it tests it by itself: length, characters, spaces.
 */
export class SchoolPartnerWebhookApi implements ICredentialType {
	name = 'schoolPartnerWebhookApi';

	displayName = 'School Partner Webhook API';

	icon: Icon = { light: 'file:../icons/school-partner.svg', dark: 'file:../icons/school-partner.dark.svg' };

	documentationUrl =
		'https://github.com/school-partner/n8n-nodes-school-partner/blob/main/docs/credentials.md';

	properties: INodeProperties[] = [
		secretField({
			name: 'apiKey',
			description:
				'The key that the service sends as x-api-key with every event, 1 to 1024 characters. Register the same key with the service, together with the production URL of the trigger.',
		}),
		textField({
			name: 'previousApiKey',
			typeOptions: { password: true },
			description:
				'The key before the current one, while the service is being moved to the new one: both are accepted. Empty it when the service sends the new key.',
		}),
	];
}
