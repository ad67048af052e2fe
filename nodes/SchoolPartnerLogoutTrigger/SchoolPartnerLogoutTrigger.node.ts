import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { schoolPartnerOidc } from '../shared/signOn/credentialTest';
import { registeredByHand, takeOrAnswer } from '../shared/webhooks/webhook';
import { answerTrouble } from './logoutAnswers';
import { properties } from './properties';
import { takeLogout } from './takeLogout';

const AT_LOGOUT = { path: 'logout', responseMode: 'onReceived', responseData: '' } as const;

/** Starts a workflow when the service ends the session of a user (the document's "Logout callback to the partner"). */
export class SchoolPartnerLogoutTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'School Partner Logout Trigger',
		name: 'schoolPartnerLogoutTrigger',
		icon: { light: 'file:../../icons/school-partner.svg', dark: 'file:../../icons/school-partner.dark.svg' },
		group: ['trigger'],
		// Trap: for a trigger of version 1, n8n evaluates a legacy expression with every request.
		version: 2,
		subtitle: '={{ $parameter["channel"] === "front" ? "Front Channel" : "Back Channel" }}',
		description:
			'Starts the workflow when a user logs out of the platform, so that your own session of that user ends too',
		eventTriggerDescription: 'Waiting for a logout at the test URL',
		activationMessage: 'Logouts that the service sends to the production URL now start this workflow.',
		defaults: { name: 'School Partner Logout Trigger' },
		triggerPanel: {
			header: 'Receive logouts',
			executionsHelp: {
				inactive:
					'<b>While you build</b>: click the button, then have a logout sent to the test URL. <br /><br /><b>To run automatically</b>: publish the workflow and have the production URL registered as logout callback of your application, with the channel that is chosen in this node.',
				active:
					'<b>While you build</b>: click the button, then have a logout sent to the test URL. <br /><br /><b>Running automatically</b>: logouts that the service sends to the production URL start this workflow; see the <a data-key="executions">executions list</a>.',
			},
			activationHint:
				'Once the workflow is built, publish it and have its production URL registered as logout callback of your application.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'schoolPartnerOidcApi', required: true, testedBy: 'schoolPartnerOidc' }],
		// Trap: every expression in here costs an evaluation per request; and without an empty responseData n8n
		// answers the text "firstEntryJson". Both methods are always there: a method that n8n does not know for an
		// address is answered 404, and the sender would look for a mistyped address.
		webhooks: [
			{ ...AT_LOGOUT, name: 'default', httpMethod: 'POST', ndvHideMethod: true },
			{ ...AT_LOGOUT, name: 'setup', httpMethod: 'GET', ndvHideUrl: true },
		],
		properties,
		usableAsTool: undefined,
	};

	methods = { credentialTest: { schoolPartnerOidc } };

	webhookMethods = registeredByHand;

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await takeOrAnswer(this, takeLogout, answerTrouble);
	}
}
