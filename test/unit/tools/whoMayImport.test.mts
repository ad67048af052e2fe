/** The table "How the house is laid out" of CONTRIBUTING.md, as lint holds it. */
import { Linter } from 'eslint';

import { whoMayImport } from '../../../tools/who-may-import.mjs';

/** What lint says when a file imports something. */
function said(file: string, from: string): string {
	const messages = new Linter().verify(`import '${from}';`, whoMayImport, { filename: `nodes/${file}` });
	return messages.map(({ message }) => message).join('\n');
}

test.each([
	['shared/contract/provisioning.ts', 'n8n-workflow'],
	['shared/contract/events/events.ts', '../../transport/request'],
	['shared/signOn/jwt.ts', 'n8n-workflow'],
	['shared/clientRegistration/logos.ts', '../transport/request'],
	['SchoolPartnerTrigger/deliveries/body.ts', 'n8n-workflow'],
	['shared/webhooks/once.ts', '../../SchoolPartnerTrigger/settings'],
	['shared/calls/provisioning.ts', '../../SchoolPartner/fields/school'],
	['shared/transport/send.ts', '../../SchoolPartner/framework/run'],
	['SchoolPartner/framework/run.ts', '../operations/index'],
	['SchoolPartner/fields/school.ts', '../../shared/transport/send'],
	['SchoolPartner/SchoolPartner.node.ts', '../SchoolPartnerTrigger/settings'],
	['SchoolPartnerTrigger/settings.ts', '../SchoolPartner/framework/names'],
	['SchoolPartnerTrigger/settings.ts', '../SchoolPartnerLogoutTrigger/answers'],
])('%s may not import %s', (file, from) => {
	expect(said(file, from)).toMatch(/ knows nothing of .*: see "How the house is laid out"/);
});

test.each([
	['shared/contract/events/events.ts', '../fields'],
	['shared/signOn/jwt.ts', '../contract/path'],
	['shared/transport/send.ts', 'n8n-workflow'],
	['SchoolPartner/framework/run.ts', '../../shared/contract/fields'],
	['SchoolPartner/operations/class/create.ts', '../../fields/school'],
	['SchoolPartnerTrigger/settings.ts', '../shared/webhooks/once'],
	['SchoolPartnerTrigger/deliveries/body.ts', '../../shared/contract/json'],
])('%s may import %s', (file, from) => {
	expect(said(file, from)).toBe('');
});
