/** The table "How the house is laid out" of CONTRIBUTING.md, as lint holds it. */
import { Linter } from 'eslint';

import { whoMayImport } from '../../../tools/who-may-import.mjs';

/** What lint says when a file imports something. */
function said(file: string, from: string): string {
	const messages = new Linter().verify(`import '${from}';`, whoMayImport, { filename: file });
	return messages.map(({ message }) => message).join('\n');
}

test.each([
	['nodes/shared/contract/provisioning.ts', 'n8n-workflow'],
	['nodes/shared/contract/events/events.ts', '../../transport/request'],
	['nodes/shared/signOn/jwt.ts', 'n8n-workflow'],
	['nodes/shared/clientRegistration/logos.ts', '../transport/request'],
	['nodes/SchoolPartnerTrigger/deliveries/body.ts', 'n8n-workflow'],
	['nodes/shared/webhooks/once.ts', '../../SchoolPartnerTrigger/settings'],
	['nodes/shared/calls/provisioning.ts', '../../SchoolPartner/fields/school'],
	['nodes/shared/transport/send.ts', '../../SchoolPartner/framework/run'],
	['nodes/SchoolPartner/framework/run.ts', '../operations/index'],
	['nodes/SchoolPartner/fields/school.ts', '../../shared/transport/send'],
	['nodes/SchoolPartner/SchoolPartner.node.ts', '../SchoolPartnerTrigger/settings'],
	['nodes/SchoolPartnerTrigger/settings.ts', '../SchoolPartner/framework/names'],
	['credentials/SchoolPartnerOAuth2Api.credentials.ts', '../nodes/shared/transport/requester'],
	['nodes/SchoolPartnerTrigger/settings.ts', '../SchoolPartnerLogoutTrigger/answers'],
])('%s may not import %s', (file, from) => {
	expect(said(file, from)).toMatch(/ knows nothing of .*: see "How the house is laid out"/);
});

test.each([
	['nodes/shared/contract/events/events.ts', '../fields'],
	['nodes/shared/signOn/jwt.ts', '../contract/path'],
	['nodes/shared/transport/send.ts', 'n8n-workflow'],
	['nodes/SchoolPartner/framework/run.ts', '../../shared/contract/fields'],
	['nodes/SchoolPartner/operations/class/create.ts', '../../fields/school'],
	['nodes/SchoolPartnerTrigger/settings.ts', '../shared/webhooks/once'],
	['nodes/SchoolPartnerTrigger/deliveries/body.ts', '../../shared/contract/json'],
	['credentials/SchoolPartnerOAuth2Api.credentials.ts', '../nodes/shared/contract/address'],
])('%s may import %s', (file, from) => {
	expect(said(file, from)).toBe('');
});
