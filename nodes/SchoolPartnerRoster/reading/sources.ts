/** The CSV files that were given: single ones, and those in a zip. Nothing is unpacked before it is asked for. */
import { quoted } from '../../shared/contract/quoted';
import type { Turns } from '../roster/turns';

import { FILES } from './formats';
import { Stop } from './stop';
import { noZip } from './text';
import { zipEntries, isZip, unpack } from './zip';

export interface GivenFile {
	name: string;
	bytes: Uint8Array;
}

export interface NamedFile {
	/** Without the folders of a zip. */
	name: string;
	read: () => Promise<Buffer>;
}

export interface Sources {
	/** By name without `.csv`, in small letters. */
	byName: Map<string, NamedFile>;
	/** Names of files that are no CSV. */
	others: string[];
}

const READABLE = [...FILES, 'manifest'].map((name) => name.toLowerCase());

/** @param folder stands before the names of the files, where there are several exports */
export function sourcesOf(files: readonly GivenFile[], folder: string, turns: Turns): Sources {
	if (files.length === 0) {
		throw new Stop(
			'noFiles',
			'The input has no files',
			'Connect a node that gives the CSV files of the roster, or one zip of them, as binary data.',
		);
	}
	const sources: Sources = { byName: new Map(), others: [] };
	for (const { name, bytes: given } of files) {
		const shown = baseOf(name);
		// The same bytes, not a copy.
		const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
		if (bytes.length === 0) throw new Stop('fileEmpty', `${shown} is empty`);
		if (!isZip(bytes)) {
			if (/\.zip$/i.test(shown)) throw noZip(bytes, shown);
			add(sources, shown, folder, () => Promise.resolve(bytes));
			continue;
		}
		for (const entry of filesInZip(bytes, shown))
			add(sources, baseOf(entry.path), folder, () => unpack(bytes, entry, shown, turns));
	}
	if (![...sources.byName.keys()].some((name) => READABLE.includes(name))) throw nothingToRead(sources);
	return sources;
}

/** The files in a zip, without those that macOS puts beside them. */
function filesInZip(bytes: Buffer, zip: string) {
	const isOfTheSystem = (path: string) => path.startsWith('__MACOSX/') || baseOf(path).startsWith('.');
	const entries = zipEntries(bytes, zip).filter(({ path }) => !isOfTheSystem(path));
	if (entries.some(({ path }) => path === '[Content_Types].xml')) {
		throw new Stop(
			'notCsv',
			`${zip} is an Excel workbook or another document, not CSV`,
			'Save each sheet as CSV in UTF-8.',
		);
	}
	return entries;
}

/** The last step of a path, on one line. */
function baseOf(path: string): string {
	return quoted(path.split(/[/\\]/).at(-1) ?? '', 80) || 'A file without a name';
}

function add({ byName, others }: Sources, name: string, folder: string, read: NamedFile['read']): void {
	const short = /^(.+)\.csv$/i.exec(name)?.[1].toLowerCase();
	if (short !== undefined && byName.has(short)) {
		throw new Stop(
			'fileTwice',
			`${name} is there twice`,
			'Give the node one export: each file once, in one zip or as single files.',
		);
	}
	if (short === undefined) others.push(folder + name);
	else byName.set(short, { name: folder + name, read });
}

function nothingToRead({ byName, others }: Sources): Stop {
	const names = [...[...byName.values()].map(({ name }) => name), ...others];
	if (names.length === 0)
		return new Stop('noFiles', 'The zip holds no files', 'Have the roster exported again.');
	if (names.some((name) => /\.zip$/i.test(name))) {
		return new Stop(
			'zipInZip',
			'The zip holds another zip instead of CSV files',
			'Unpack the outer one first, and give the inner one to the node.',
		);
	}
	const shown = names.slice(0, 10).map((name) => quoted(name, 60));
	return new Stop(
		'format',
		`None of these is a file of OneRoster or SDS v2.1: ${shown.join(', ')}`,
		'Give the node users.csv, orgs.csv, classes.csv, enrollments.csv and the others with these very names, or one zip of them. A sheet of your own: make rows of it with Extract from File, and set Roster Comes From to Rows of a Sheet.',
	);
}
