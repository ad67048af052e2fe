/** An n8n that writes a CPU profile when it ends. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CpuProfile } from './cpu-profile.mts';

/**
 * Gives `measure` the settings with which n8n has to be started; by the time it resolves n8n must have ended.
 * @returns what it gave, and the profile of n8n
 */
export async function profiled<T>(
	measure: (env: Record<string, string>) => Promise<T>,
): Promise<{ result: T; profile: CpuProfile }> {
	const folder = mkdtempSync(join(tmpdir(), 'school-partner-profile-'));
	try {
		const result = await measure({ NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` });
		return { result, profile: largestProfileIn(folder) };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** n8n's main process has run longest; its task runner writes one as well. */
function largestProfileIn(folder: string): CpuProfile {
	const profiles = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
	const largest = profiles.sort((one, other) => other.length - one.length)[0];
	if (largest === undefined) throw new Error('n8n has written no profile');
	return JSON.parse(largest) as CpuProfile;
}
