/** `npm run dev`: the package in a running n8n is built anew at each change of its sources, and n8n loads it anew. */
import { join } from 'node:path';

import esbuild from 'esbuild';

import { bundleOptions } from '../../tools/bundle.cjs';

/** n8n loads a package anew when one of its files changes, only in development. Breakpoints are set in the sources. */
export const RELOADING = {
	NODE_ENV: 'development',
	N8N_DEV_RELOAD: 'true',
	NODE_OPTIONS: '--inspect=127.0.0.1:9229 --enable-source-maps',
};

/** Says what was built, and what could not be; the files of the last build that succeeded stay. */
const sayWhatWasBuilt: esbuild.Plugin = {
	name: 'say',
	setup(build) {
		let count = 0;
		build.onEnd(({ errors }) => {
			const time = new Date().toLocaleTimeString('en-GB');
			if (errors.length > 0) console.log(`  ${time}  not built: see above`);
			else if (count++ > 0) console.log(`  ${time}  built; n8n loads it`);
		});
	},
};

/** Builds into an installed package now and at each change of a source, until it is stopped. Icons, schemas and pages are those of the start. */
export async function rebuildOnChange(installed: string): Promise<{ stop(): Promise<void> }> {
	const context = await esbuild.context({
		...bundleOptions(join(installed, 'dist')),
		sourcemap: 'linked',
		plugins: [sayWhatWasBuilt],
	});
	await context.rebuild();
	await context.watch();
	return { stop: async () => await context.dispose() };
}
