/** The package's own interface: as the code has it, and as it was written down. */
import { readFileSync, writeFileSync } from 'node:fs';

import { SchoolPartnerOAuth2Api } from '../../credentials/SchoolPartnerOAuth2Api.credentials.ts';
import { SchoolPartnerOidcApi } from '../../credentials/SchoolPartnerOidcApi.credentials.ts';
import { SchoolPartnerOidcOAuth2Api } from '../../credentials/SchoolPartnerOidcOAuth2Api.credentials.ts';
import { SchoolPartnerWebhookApi } from '../../credentials/SchoolPartnerWebhookApi.credentials.ts';
import { SchoolPartner } from '../../nodes/SchoolPartner/SchoolPartner.node.ts';
import { SchoolPartnerLogoutTrigger } from '../../nodes/SchoolPartnerLogoutTrigger/SchoolPartnerLogoutTrigger.node.ts';
import { SchoolPartnerRoster } from '../../nodes/SchoolPartnerRoster/SchoolPartnerRoster.node.ts';
import { SchoolPartnerTrigger } from '../../nodes/SchoolPartnerTrigger/SchoolPartnerTrigger.node.ts';
import { interfaceLines } from './interface.mts';

const FILE = 'test/unit/node/published-interface.txt';

export function currentInterface(): string[] {
	return interfaceLines(
		[SchoolPartner, SchoolPartnerRoster, SchoolPartnerTrigger, SchoolPartnerLogoutTrigger].map(
			(Node) => new Node().description,
		),
		[SchoolPartnerOAuth2Api, SchoolPartnerOidcApi, SchoolPartnerOidcOAuth2Api, SchoolPartnerWebhookApi].map(
			(Credential) => new Credential(),
		),
	);
}

export function readPublishedInterface(): string[] {
	return readFileSync(FILE, 'utf8').trimEnd().split('\n');
}

export function writePublishedInterface(lines: string[]): void {
	writeFileSync(FILE, `${lines.join('\n')}\n`);
}
