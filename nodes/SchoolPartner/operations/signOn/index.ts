import { defineResource } from '../../framework/operation';

import { exchangeCode } from './exchangeCode';
import { getAuthorizationUrl } from './getAuthorizationUrl';
import { getDiscovery } from './getDiscovery';
import { getLogoutUrl } from './getLogoutUrl';
import { getMachineToken } from './getMachineToken';
import { getUserInfo } from './getUserInfo';
import { refreshToken } from './refreshToken';
import { validateToken } from './validateToken';

export const signOn = defineResource({
	name: 'signOn',
	label: 'Sign-On',
	description: 'Log users in with their platform login, and out again',
	credential: 'schoolPartnerOidcApi',
	operations: [
		getAuthorizationUrl,
		exchangeCode,
		refreshToken,
		getMachineToken,
		getUserInfo,
		getLogoutUrl,
		getDiscovery,
		validateToken,
	],
});
