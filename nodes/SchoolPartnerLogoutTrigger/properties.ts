/** What a person chooses in the logout trigger. */
import type { INodeProperties } from 'n8n-workflow';

export const properties: INodeProperties[] = [
	{
		displayName:
			'The operator of the service registers one logout address for your application: the production URL above, with the channel chosen below',
		name: 'registrationNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Channel',
		name: 'channel',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Back Channel',
				value: 'back',
				description:
					'The service itself sends a signed logout token. Needs no browser, and proves who sent it.',
			},
			{
				name: 'Front Channel',
				value: 'front',
				description: 'The browser of the user loads this address in a frame of the logout screen',
			},
		],
		default: 'back',
		description: 'How the service tells that a session has ended, as it is registered',
	},
];
