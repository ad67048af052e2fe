/** Options of `npm run upkeep`. */
import { parseArgs } from 'node:util';

export const helpText = `npm run upkeep                tells whether the pinned n8n can be moved on
npm run upkeep -- --run       also installs the newest that can be had, and runs the end-to-end tests on it
npm run upkeep -- --write     the same, and takes it over into playground/ when all tests have passed
npm run upkeep -- --version 2.41.3   asks about this version only`;

/** @returns {{ run: boolean, write: boolean, version?: string, help: boolean }} throws when an option is not known */
export function readOptions(args) {
	const { values } = parseArgs({
		args,
		options: {
			run: { type: 'boolean', default: false },
			write: { type: 'boolean', default: false },
			version: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	return { ...values, run: values.run || values.write };
}
