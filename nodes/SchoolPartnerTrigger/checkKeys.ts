/** The Test button of the webhook credential. Nothing is called: what can be wrong with a key can be seen. */
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

import { keyFinding } from './deliveries/keyForm';

/** Green when both keys can be sent as a header; red with the reason otherwise. */
export function checkKeys(keys: ICredentialDataDecryptedObject | undefined): INodeCredentialTestResult {
	const finding = keyFinding('API Key', keys?.apiKey) ?? previousFinding(keys?.previousApiKey);
	if (finding !== undefined) return { status: 'Error', message: finding };
	return { status: 'OK', message: 'The key can be sent as x-api-key.' };
}

function previousFinding(previous: unknown): string | undefined {
	const isThere = previous !== undefined && previous !== null && previous !== '';
	return isThere ? keyFinding('Previous API Key', previous) : undefined;
}
