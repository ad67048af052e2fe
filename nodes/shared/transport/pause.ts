import { sleep } from 'n8n-workflow';

/** Waits, and ends the wait at once when the run is cancelled. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal === undefined) return await sleep(milliseconds);
	if (signal.aborted) return;
	await new Promise<void>((resolve) => {
		const done = () => {
			signal.removeEventListener('abort', done);
			resolve();
		};
		signal.addEventListener('abort', done);
		void sleep(milliseconds).then(done);
	});
}
