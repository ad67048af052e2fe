/** The files of the input items, as bytes. */
import type { IBinaryData, IBinaryKeyData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ThrownFailure } from '../../shared/failure';
import type { GivenFile } from '../reading/sources';

import { failuresOf } from './failures';

/** All files of each item, or those in the fields that are named. */
export async function filesOf(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
	named: readonly string[],
): Promise<GivenFile[][]> {
	const places = items.flatMap((given, item) =>
		Object.entries(filesIn(given)).map(([field, file]) => ({ item, field, file })),
	);
	if (places.length === 0)
		throw new ThrownFailure(fileFailures.noFiles(items.some(({ json }) => Object.keys(json).length > 0)));
	const missing = named.find((name) => !places.some(({ field }) => field === name));
	if (missing !== undefined) {
		const fields = [...new Set(places.map(({ field }) => `"${field}"`))];
		throw new ThrownFailure(fileFailures.fileFieldMissing(missing, fields.slice(0, MOST_FIELDS)));
	}
	const files = items.map((): GivenFile[] => []);
	for (const { item, field, file } of places) {
		if (named.length > 0 && !named.includes(field)) continue;
		const bytes = await context.helpers.getBinaryDataBuffer(item, file);
		files[item].push({ name: file.fileName ?? field, bytes });
	}
	return files;
}

/**
 * The files of an item, by their fields.
 *
 * Trap: in a workflow whose setting `binaryMode` is `combined`, n8n moves them into this field of the item's data.
 */
function filesIn({ json, binary = {} }: INodeExecutionData): IBinaryKeyData {
	const moved = Object.entries((json._files ?? {}) as IBinaryKeyData).filter(([, file]) => isFile(file));
	return { ...Object.fromEntries(moved), ...binary };
}

function isFile(value: unknown): value is IBinaryData {
	return (
		typeof value === 'object' && value !== null && 'mimeType' in value && ('id' in value || 'data' in value)
	);
}

const MOST_FIELDS = 20;

const fileFailures = failuresOf('input', {
	fileFieldMissing: (missing: string, fields: readonly string[]) => ({
		message: `No item of the input has a file in the field "${missing}": there are ${fields.join(', ')}`,
		next: 'Correct File Fields under Options, or leave it empty: then all files of all items are read. Nothing was planned.',
	}),
	noFiles: (hasData: boolean) => ({
		message: hasData
			? 'The items of the input have fields, but no files (binary data)'
			: 'The items of the input hold no files (binary data)',
		next: hasData
			? 'Take a node out that unpacks or reads the files before this one (Extract from File, Compression): this node does it itself. For the rows of a sheet, set Roster Comes From to Rows of a Sheet. Nothing was planned.'
			: 'Connect a node that gives the CSV files of the roster, or one zip of them, such as FTP, HTTP Request (response format: file) or Read Files from Disk. Nothing was planned.',
	}),
});
