/** tools/who-may-import.mjs, as lint holds it. */
import { Linter } from 'eslint';

import { whoMayImport } from '../../../tools/who-may-import.mjs';

/** What lint says when a file imports something. */
function said(file: string, from: string): string {
	const messages = new Linter().verify(`import '${from}';`, whoMayImport, { filename: file });
	return messages.map(({ message }) => message).join('\n');
}

test.each([
	['nodes/shared/contract/provisioning.ts', 'n8n-workflow'],
	['nodes/shared/contract/events/kinds.ts', '../../transport/request'],
	['nodes/shared/oidc/jwt.ts', 'n8n-workflow'],
	['nodes/SchoolPartner/registration/logos.ts', '../../shared/transport/request'],
	['nodes/SchoolPartner/registration/logos.ts', '../../shared/oidc/jwt'],
	['nodes/SchoolPartner/browser/sealedState.ts', 'n8n-workflow'],
	['nodes/SchoolPartnerLogoutTrigger/logouts/logoutToken.ts', '../../shared/transport/request'],
	['nodes/SchoolPartnerTrigger/deliveries/body.ts', 'n8n-workflow'],
	['nodes/shared/webhooks/once.ts', '../../SchoolPartnerTrigger/properties'],
	['nodes/shared/calls/provisioning.ts', '../../SchoolPartner/operations/ids'],
	['nodes/shared/transport/send.ts', '../../SchoolPartner/framework/run'],
	['nodes/SchoolPartner/framework/run.ts', '../operations/index'],
	['nodes/SchoolPartner/SchoolPartner.node.ts', '../SchoolPartnerTrigger/properties'],
	['nodes/SchoolPartnerTrigger/properties.ts', '../SchoolPartner/framework/input'],
	['credentials/SchoolPartnerOAuth2Api.credentials.ts', '../nodes/shared/transport/requester'],
	['nodes/SchoolPartnerTrigger/properties.ts', '../SchoolPartnerLogoutTrigger/logoutAnswers'],
	['nodes/SchoolPartnerRoster/reading/readFiles.ts', 'n8n-workflow'],
	['nodes/SchoolPartnerRoster/reading/readFiles.ts', '../../shared/transport/send'],
	['nodes/SchoolPartnerRoster/reading/readFiles.ts', '../../shared/calls/provisioning'],
	['nodes/SchoolPartnerRoster/reading/readFiles.ts', '../../SchoolPartner/framework/run'],
	['nodes/SchoolPartnerRoster/roster/record.ts', '../reading/readFiles'],
	['nodes/SchoolPartnerRoster/ledger/key.ts', 'n8n-workflow'],
	['nodes/SchoolPartnerRoster/ledger/row.ts', '../planning/plan'],
	['nodes/SchoolPartnerRoster/ledger/row.ts', '../../shared/calls/provisioning'],
	['nodes/SchoolPartnerRoster/planning/plan.ts', 'n8n-workflow'],
	['nodes/SchoolPartnerRoster/planning/plan.ts', '../../shared/transport/send'],
	['nodes/SchoolPartnerRoster/planning/plan.ts', '../sending/batch'],
	['nodes/SchoolPartnerRoster/sending/batch.ts', '../../shared/engine/engine'],
	['nodes/SchoolPartnerRoster/night/night.ts', 'n8n-workflow'],
	['nodes/SchoolPartnerRoster/night/night.ts', '../run/settings'],
	['nodes/SchoolPartnerRoster/store/dataTable.ts', '../night/clock'],
	['nodes/SchoolPartnerRoster/ledger/row.ts', '../store/store'],
])('%s may not import %s', (file, from) => {
	expect(said(file, from)).toMatch(/ knows nothing of .*: see tools\/who-may-import/);
});

test.each([
	['nodes/shared/contract/events/kinds.ts', '../blocks'],
	['nodes/shared/oidc/jwt.ts', '../contract/json'],
	['nodes/shared/transport/send.ts', 'n8n-workflow'],
	['nodes/SchoolPartner/framework/run.ts', '../../shared/contract/blocks'],
	['nodes/SchoolPartner/operations/class.ts', '../framework/operation'],
	['nodes/SchoolPartnerTrigger/properties.ts', '../shared/webhooks/once'],
	['nodes/SchoolPartnerTrigger/deliveries/body.ts', '../../shared/contract/json'],
	['nodes/SchoolPartner/registration/registeredAddress.ts', '../../shared/contract/address'],
	['nodes/SchoolPartner/browser/sealedState.ts', '../../shared/failure'],
	['nodes/SchoolPartnerLogoutTrigger/logouts/logoutToken.ts', '../../shared/oidc/jwt'],
	['nodes/SchoolPartnerRoster/reading/readFiles.ts', '../../shared/contract/quoted'],
	['nodes/SchoolPartnerRoster/reading/readFiles.ts', '../../shared/failure'],
	['nodes/SchoolPartnerRoster/reading/readFiles.ts', '../roster/roster'],
	['credentials/SchoolPartnerOAuth2Api.credentials.ts', '../nodes/shared/contract/address'],
	['nodes/SchoolPartnerRoster/store/store.ts', '../../shared/failure'],
	['nodes/SchoolPartnerRoster/store/dataTable.ts', 'n8n-workflow'],
	['nodes/SchoolPartnerRoster/night/night.ts', '../store/store'],
	['nodes/SchoolPartnerRoster/planning/change.ts', '../../shared/calls/provisioning'],
	['nodes/SchoolPartnerRoster/sending/batch.ts', '../planning/change'],
])('%s may import %s', (file, from) => {
	expect(said(file, from)).toBe('');
});
