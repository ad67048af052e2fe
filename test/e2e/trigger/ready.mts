/** Whether an n8n process of any kind takes its work. */
export async function isReady(baseUrl: string): Promise<boolean> {
	try {
		return (await fetch(`${baseUrl}/healthz/readiness`, { signal: AbortSignal.timeout(2_000) })).ok;
	} catch {
		// Nobody listens yet.
		return false;
	}
}
