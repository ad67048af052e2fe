import type { IDataObject } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

import { failed, success, type Outcome } from '../../../shared/failure';
import { fetchDiscovery, type Discovery } from '../../../shared/oidc/discovery';
import { defineOperation, type RunTools } from '../../framework/operation';

import { signOnFailure, signOnOf } from './signOnClient';

async function discoveryOfRun(tools: RunTools): Promise<Outcome<Discovery>> {
	const signOn = await signOnOf(tools);
	if (!signOn.ok) return signOn;
	const { client, fetchJson } = signOn.value;
	const fetched = await fetchDiscovery(client.issuer, fetchJson);
	return fetched.ok ? fetched : failed(signOnFailure(fetched.failure, 'signOn'));
}

export const getDiscovery = defineOperation({
	name: 'getDiscovery',
	label: 'Get Discovery Document',
	action: 'Get discovery document',
	description: 'Get what the sign-on says about itself: addresses, scopes, algorithms',
	effect: 'exchange',
	isFetchedOnce: true,
	fields: {},
	contract: z.object({}),
	output: z.looseObject({ issuer: z.string(), jwks_uri: z.string() }),
	perform: async (_, { once }) => {
		const discovery = await once(discoveryOfRun);
		return discovery.ok ? success({ ...discovery.value } as IDataObject) : discovery;
	},
});
