/** From what the pure parts give to n8n's items. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData, IPairedItemData } from 'n8n-workflow';

import { SHEET } from '../reading/readRows';
import type { Place } from '../roster/record';

type Paired = IPairedItemData | undefined;

/** An item of any data, with the item it comes from where that can be told. */
export function outputItem(data: object, pairedItem: Paired): INodeExecutionData {
	const json = data as IDataObject;
	return pairedItem === undefined ? { json } : { json, pairedItem };
}

/** What an item of the first input is called in the place of a file, by where the roster comes from. Trap: records of Read Files say the rows that these were made of. */
const CALLED: Readonly<Partial<Record<string, string>>> = { rows: SHEET, records: 'Item' };

/** Where the roster comes from: `files`, `rows` or `records`. */
export function rosterSource(context: IExecuteFunctions): string {
	return context.getNodeParameter('source', 0, 'files') as string;
}

/** The item of the first input from which something comes. One item is the origin of everything. */
export function origins(context: IExecuteFunctions): (place: Place | null) => Paired {
	const items = context.getInputData().length;
	if (items === 1) return () => ({ item: 0 });
	const called = CALLED[rosterSource(context)];
	return (place) =>
		place !== null && place.file === called && place.line <= items ? { item: place.line - 1 } : undefined;
}

/** A field of an item that a person fills in, or an id that the service gives; '' where it holds no text. */
export function itemText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
