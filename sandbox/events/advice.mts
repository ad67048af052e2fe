/** What a person can do about an answer of the webhook, in a sentence; nothing when the event was taken. */
export function adviceFor(status: number): string {
	if (status >= 200 && status < 300) return '';
	if (status === 0) return 'Nothing answers at this address: start n8n, or compare the port.';
	if (status === 401) {
		return 'The key is not the one that the workflow expects: register the API Key of its credential here.';
	}
	if (status === 404) {
		return 'No workflow listens at this address: activate it, and compare the address with its production URL.';
	}
	if (status === 400 || status === 422)
		return 'The workflow refuses what the event holds: its answer says which field.';
	if (status >= 500) return 'n8n could not take the event: its log says why. Send it again.';
	return 'The address answers, but does not take events: compare it with the production URL of the workflow.';
}
