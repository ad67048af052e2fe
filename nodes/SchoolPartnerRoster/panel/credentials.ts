/** Which credentials the node asks for. */
import type { INodeCredentialDescription } from 'n8n-workflow';

/**
 * `postgres` is n8n's own type: the node never reads it, it only names it to n8n's own Postgres node, which keeps the ledger. n8n's lint wants
 * credentials of this package only, and looks at lists that stand in the node's class; docs/maintainers/verification.md tells reviewers of this one.
 */
export const credentials: INodeCredentialDescription[] = [
	{
		name: 'schoolPartnerOAuth2Api',
		required: true,
		displayOptions: {
			show: { operation: ['sync', 'preview', 'takeOver', 'verify', 'explain'] },
			// Only Explain has it: without it, it reads nothing but the ledger.
			hide: { askService: [false] },
		},
	},
	{
		name: 'postgres',
		required: true,
		displayOptions: { show: { ledger: ['postgres'] }, hide: { operation: ['readFiles'] } },
	},
];
