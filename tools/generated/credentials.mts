/** What a person fills into a credential. */
import type { ICredentialType, INodeProperties } from 'n8n-workflow';

import { SchoolPartnerOAuth2Api } from '../../credentials/SchoolPartnerOAuth2Api.credentials.ts';
import { SchoolPartnerOidcApi } from '../../credentials/SchoolPartnerOidcApi.credentials.ts';
import { SchoolPartnerOidcOAuth2Api } from '../../credentials/SchoolPartnerOidcOAuth2Api.credentials.ts';
import { SchoolPartnerWebhookApi } from '../../credentials/SchoolPartnerWebhookApi.credentials.ts';
import { table } from './table.mts';

const CREDENTIALS: ICredentialType[] = [
	new SchoolPartnerOAuth2Api(),
	new SchoolPartnerOidcApi(),
	new SchoolPartnerOidcOAuth2Api(),
	new SchoolPartnerWebhookApi(),
];

/** The table of one credential, by the name that workflows save. */
export function credentialTable(name: string): string {
	const credential = CREDENTIALS.find((each) => each.name === name);
	if (credential === undefined) throw new Error(`There is no credential "${name}"`);
	const fields = credential.properties.filter(({ type }) => type !== 'hidden' && type !== 'notice');
	return table(['Field', 'Required', 'Default', 'What it is'], fields.map(row));
}

function row({
	displayName,
	required,
	default: value,
	options = [],
	description,
	hint,
}: INodeProperties): string[] {
	const chosen = options.find((option) => 'value' in option && option.value === value);
	return [
		displayName,
		required === true ? 'yes' : 'no',
		chosen === undefined ? textOf(value) : `*${chosen.name}*`,
		[description, hint].filter((text) => text !== undefined).join('. '),
	];
}

/** A text that the field begins with. */
const textOf = (value: unknown): string => (typeof value === 'string' && value !== '' ? `\`${value}\`` : '');
