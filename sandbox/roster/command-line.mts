import { parseArgs } from 'node:util';
import { defaultOptions, LIMITS, wholeNumber, word } from '../command-line.mts';
import type { RosterFormat, RosterQuery } from '../roster-types.mts';
import { rosterFormats } from './export.mts';

export interface ExportOptions {
	readonly format: RosterFormat;
	readonly query: Required<RosterQuery>;
	/** Where the zip goes; the other two are written when they are named. */
	readonly out: string;
	readonly changes?: string;
	readonly mapping?: string;
}

export const exportHelpText = `The network of the sandbox as a roster: a zip of CSV files, as a school's own system exports it.

  npm run sandbox -- export --format WORD --out FILE [options]

  --format WORD           ${rosterFormats.join(', ')}
  --out FILE              where the zip goes
  --seed N                what the network is made from (${defaultOptions.seed})
  --students N            size of the network (${defaultOptions.students})
  --schools N             schools that they go to (${defaultOptions.schools})
  --tonight N             so many changes: new, gone, moved, renamed, a new responsible person (0)
  --changes FILE          the list of these changes goes here, as JSON
  --mapping FILE          the mapping that fits the sandbox goes here, as JSON
  --help                  this text
`;

const definitions = {
	format: { type: 'string' },
	out: { type: 'string' },
	seed: { type: 'string' },
	students: { type: 'string' },
	schools: { type: 'string' },
	tonight: { type: 'string' },
	changes: { type: 'string' },
	mapping: { type: 'string' },
	help: { type: 'boolean' },
} as const;

/** Reads what stands after `export`; never throws. */
export function readExportLine(
	args: readonly string[],
): { readonly options: ExportOptions } | { readonly help: true } | { readonly problem: string } {
	try {
		const { values } = parseArgs({ args: [...args], options: definitions, allowPositionals: false });
		if (values.help) return { help: true };
		if (values.format === undefined || values.out === undefined)
			return { problem: 'An export needs --format and --out.' };
		const number = (name: 'seed' | 'students' | 'schools'): number => {
			const text = values[name];
			const [least, most] = LIMITS[name];
			return text === undefined ? defaultOptions[name] : wholeNumber(`--${name}`, text, least, most);
		};
		return {
			options: {
				format: word('--format', values.format, rosterFormats, 'sds'),
				query: {
					seed: number('seed'),
					students: number('students'),
					schools: number('schools'),
					tonight: wholeNumber('--tonight', values.tonight ?? '0', ...LIMITS.tonight),
				},
				out: values.out,
				changes: values.changes,
				mapping: values.mapping,
			},
		};
	} catch (error) {
		return { problem: error instanceof Error ? error.message.split('\n')[0] : String(error) };
	}
}
