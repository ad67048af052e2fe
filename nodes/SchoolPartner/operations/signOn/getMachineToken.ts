import { tokenResponse } from '../../../shared/contract/token';
import { askForTokens } from '../../../shared/signOn/tokens';
import { defineOperation } from '../../framework/operation';

import { withSignOn } from './signOnClient';
import { machineTokenWish } from './contract';
import { scope } from './fields';

export const getMachineToken = defineOperation({
	name: 'getMachineToken',
	action: 'Get machine token',
	description: 'Get an access token of the application itself, with client ID and client secret',
	effect: 'exchange',
	givesSecrets: true,
	fields: {},
	optionFields: {
		scope: {
			...scope,
			placeholder: 'e.g. platform-account',
			description: `${scope.description}. Empty: none is asked for.`,
		},
	},
	contract: machineTokenWish,
	output: tokenResponse,
	perform: withSignOn(
		async ({ scope: wanted }, signOn) => await askForTokens(signOn, 'client_credentials', { scope: wanted }),
	),
});
