/** `npm run upkeep`. This file runs before anything is installed; upkeep.mjs goes on from there. */
import { ensureRootInstalled } from '../setup/install.mjs';

try {
	await ensureRootInstalled();
	const { runUpkeep } = await import('./upkeep.mjs');
	console.log(await runUpkeep(process.argv.slice(2)));
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
}
