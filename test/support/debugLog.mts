import { ExecuteContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';

interface Line {
	message: string;
	details: IDataObject;
}

/** Told of every run that sends. */
export const REQUESTS_OF_A_RUN = 'School Partner: the requests of a run';

/** The lines that nodes write to n8n's log at its level "debug" while something runs. */
export async function linesDuring(run: () => Promise<unknown>): Promise<Line[]> {
	const lines: Line[] = [];
	const quiet = () => {};
	const debug = (message: string, details: IDataObject) => lines.push({ message, details });
	const logger = { debug, info: quiet, warn: quiet, error: quiet };
	const looked = jest.spyOn(ExecuteContext.prototype, 'logger', 'get').mockReturnValue(logger as never);
	try {
		await run();
	} finally {
		looked.mockRestore();
	}
	return lines;
}
