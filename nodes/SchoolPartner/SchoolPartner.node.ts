import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { propertiesOf, subtitleOf } from './framework/describe';
import type { Resource } from './framework/operation';
import { runOperation } from './framework/run';
import { getProfiles, searchProfiles } from '../shared/pickLists/profiles';
import { schoolPartnerOidc } from '../shared/signOn/credentialTest';
import { searchEducationalStages, searchGrades } from '../shared/pickLists/stages';
import { resources } from './operations';

function resourcesWith(credential: Resource['credential']): string[] {
	return resources.filter((resource) => resource.credential === credential).map(({ name }) => name);
}

/**
 * Every action of the Partner Integration Service for Schools.
 *
 * Programmatic on purpose: n8n's declarative style pairs no items, fires all of them at once and never retries.
 */
export class SchoolPartner implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'School Partner',
		name: 'schoolPartner',
		icon: { light: 'file:../../icons/school-partner.svg', dark: 'file:../../icons/school-partner.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(resources),
		description: 'Provision, synchronise and enroll students, classes and responsible persons of schools',
		defaults: { name: 'School Partner' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'schoolPartnerOAuth2Api',
				required: true,
				displayOptions: { show: { resource: resourcesWith('schoolPartnerOAuth2Api') } },
			},
			{
				name: 'schoolPartnerOidcApi',
				required: true,
				testedBy: 'schoolPartnerOidc',
				displayOptions: {
					show: { resource: resourcesWith('schoolPartnerOidcApi') },
					hide: { user: ['connected'] },
				},
			},
			{
				name: 'schoolPartnerOidcOAuth2Api',
				required: true,
				displayOptions: {
					show: { resource: ['signOn'], operation: ['getUserInfo'], user: ['connected'] },
				},
			},
		],
		properties: propertiesOf(resources),
	};

	methods = {
		credentialTest: { schoolPartnerOidc },
		listSearch: { searchEducationalStages, searchGrades, searchProfiles },
		loadOptions: { getProfiles },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await runOperation(this, resources)];
	}
}
