import {
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type INodeCredentialTestResult,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { registeredByHand, takeOrAnswer } from '../shared/webhooks/webhook';

import { keyFault } from './deliveries/keys';
import { EVENT_OUTPUTS, EVENTS_SUBTITLE, properties } from './properties';
import { takeDelivery, tryAgainLater } from './takeDelivery';

/** Starts a workflow for every access event that the service delivers (the document's section "Events"). */
export class SchoolPartnerTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'School Partner Trigger',
		name: 'schoolPartnerTrigger',
		icon: { light: 'file:../../icons/school-partner.svg', dark: 'file:../../icons/school-partner.dark.svg' },
		group: ['trigger'],
		// Trap: for a trigger of version 1, n8n evaluates a legacy expression with every delivery.
		version: 2,
		subtitle: EVENTS_SUBTITLE,
		// Trap: n8n's node search shows this text for the action node too, because their names differ in "Trigger" only.
		description:
			'Provision, synchronise and enroll students, classes and responsible persons, or start a workflow when access is granted or revoked',
		eventTriggerDescription: 'Waiting for the service to deliver an event to the test URL',
		activationMessage: 'Events that the service delivers to the production URL now start this workflow.',
		defaults: { name: 'School Partner Trigger' },
		triggerPanel: {
			header: 'Receive access events',
			executionsHelp: {
				inactive:
					'<b>While you build</b>: click the button, then have an event delivered to the test URL, for example from the sandbox. <br /><br /><b>To run automatically</b>: publish the workflow, register its production URL with the service as the address that receives events, and enter the key that the service sends as x-api-key in the credential.',
				active:
					'<b>While you build</b>: click the button, then have an event delivered to the test URL, for example from the sandbox. <br /><br /><b>Running automatically</b>: events that the service delivers to the production URL start this workflow; see the <a data-key="executions">executions list</a>. The key that the service sends as x-api-key stands in the credential.',
			},
			activationHint:
				'Once the workflow is built, publish it and register its production URL with the service as the address that receives events.',
		},
		inputs: [],
		outputs: EVENT_OUTPUTS,
		credentials: [{ name: 'schoolPartnerWebhookApi', required: true, testedBy: 'schoolPartnerWebhookKey' }],
		// Trap: every expression in here costs an evaluation per delivery; and without an empty responseData n8n
		// answers the text "firstEntryJson".
		webhooks: [
			{ name: 'default', httpMethod: 'POST', path: 'events', responseMode: 'onReceived', responseData: '' },
		],
		properties,
		usableAsTool: undefined,
	};

	methods = {
		credentialTest: {
			/** Calls nothing: what can be wrong with a key can be seen. */
			async schoolPartnerWebhookKey(
				this: ICredentialTestFunctions,
				{ data = {} }: ICredentialsDecrypted,
			): Promise<INodeCredentialTestResult> {
				const fault = keyFault(data);
				return fault === undefined
					? { status: 'OK', message: 'The key can be sent as x-api-key.' }
					: { status: 'Error', message: fault };
			},
		},
	};

	webhookMethods = registeredByHand;

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await takeOrAnswer(this, takeDelivery, tryAgainLater);
	}
}
