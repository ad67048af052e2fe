/** What n8n itself says of its next major version (Settings > Migration report). */
import { N8nRequestError, type Session } from '../../playground/n8n-client.mts';

interface Report {
	targetVersion: string;
	instanceResults: Array<{ ruleId: string }>;
	workflowResults: unknown[];
}

/** Made anew; undefined where n8n has none on its version 3: 2.4.8 gives that on version 2, whichever is asked for, and those after it had none for a while. */
export async function reportOnVersion3(session: Session): Promise<Report | undefined> {
	const asked = session.request<{ report: Report }>('POST', '/breaking-changes/report/refresh?version=v3');
	const report = await asked.then(
		(answer) => answer.report,
		(error: unknown) => {
			if (error instanceof N8nRequestError && error.status === 404) return undefined;
			throw error;
		},
	);
	return report?.targetVersion === 'v3' ? report : undefined;
}
