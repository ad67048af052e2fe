import type { IDataObject } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

import { failed, success } from '../../../shared/failure';
import { defineOperation } from '../../framework/operation';

import { failureOf, issuers, signOnOf } from './client';

export const getDiscovery = defineOperation({
	name: 'getDiscovery',
	label: 'Get Discovery Document',
	action: 'Get discovery document',
	description:
		'Get what the sign-on says about itself: addresses, scopes, algorithms. It is fetched once an hour.',
	effect: 'exchange',
	isFetchedOnce: true,
	fields: {},
	contract: z.object({}),
	output: z.looseObject({ issuer: z.string(), jwks_uri: z.string() }),
	work: {
		kind: 'own',
		perform: async (_, tools) => {
			const signOn = await signOnOf(tools);
			if (!signOn.ok) return signOn;
			const { client, fetchJson } = signOn.value;
			const found = await issuers.discoveryOf(client.issuer, fetchJson, Date.now());
			return found.ok
				? success({ ...found.value } as IDataObject)
				: failed(failureOf(found.failure, 'signOn'));
		},
	},
});
