/** What a person chooses in the logout trigger. */
import type { INodeProperties } from 'n8n-workflow';

import { choiceField, collectionField } from '../shared/actions/properties';

export const properties: INodeProperties[] = [
	{
		displayName:
			'The operator of the service registers one logout address for your application: the production URL above, with the channel chosen below',
		name: 'registrationNotice',
		type: 'notice',
		default: '',
	},
	choiceField({
		name: 'channel',
		noDataExpression: true,
		choices: {
			back: {
				name: 'Back Channel',
				description:
					'The service itself sends a signed logout token. Needs no browser, and proves who sent it.',
			},
			front: {
				name: 'Front Channel',
				description: 'The browser of the user loads this address in a frame of the logout screen',
			},
		},
		default: 'back',
		description: 'How the service tells that a session has ended, as it is registered',
	}),
	collectionField({
		name: 'options',
		displayOptions: { show: { channel: ['back'] } },
		options: [
			choiceField({
				displayName: 'Accept Tokens Without',
				name: 'acceptWithout',
				type: 'multiOptions',
				noDataExpression: true,
				choices: {
					exp: {
						name: 'End (Exp)',
						description:
							"Gives up the issuer's own end: such a token is taken for a day after it was issued (iat)",
					},
					jti: {
						name: 'Identifier (Jti)',
						description:
							'Gives up knowing a logout again that was signed anew: only the very same token is a repeat',
					},
					events: {
						name: 'Logout Event (Events)',
						description:
							'Gives up the mark of a logout: another token of the issuer for your application, such as an ID token without nonce, passes for one',
					},
					subAndSid: {
						name: 'User and Session (Sub and Sid)',
						description:
							'Gives up knowing who is logged out: sub and sid can both be null, and only another claim may tell',
					},
				},
				default: [],
				description:
					'What a logout token may lack, if the service leaves it out. Signature, issuer and audience are always checked.',
			}),
		],
	}),
];
