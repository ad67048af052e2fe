/** What npm says when it cannot resolve or install, in one sentence. Pure. */

/** Packages that `npm ci` finds in no lockfile: npm leaves optional ones out when the registry lacks them. */
function missingFromLockfile(text) {
	return [...text.matchAll(/Missing: (@?[^\s@]+)@\S* from lock file/g)].map(([, name]) => name);
}

function addressIn(text) {
	return /https?:\/\/[^\s/]+/.exec(text)?.[0];
}

const READERS = {
	ETARGET: (text) => {
		const wanted = /No matching version found for (\S+?)\.?(?:\s|$)/.exec(text)?.[1];
		return wanted && `the registry has no ${wanted}`;
	},
	E404: (text) => {
		const wanted = /'((?:@[^/'\s]+\/)?[^'\s]+)' (?:is not in this registry|could not be found)/.exec(
			text,
		)?.[1];
		return wanted && `the registry has no ${wanted}`;
	},
	EUSAGE: (text) => {
		const missing = missingFromLockfile(text);
		return missing.length > 0 && `the registry lacks optional packages of it: ${missing.join(', ')}`;
	},
	ERESOLVE: () => 'its packages contradict one another (ERESOLVE)',
	ENOSPC: () => 'the disk is full',
};

const UNREACHABLE = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'E403']);

/**
 * @param {string} stdout of npm with `--json`: `{"error": {"code", "summary", "detail"}}`
 * @param {string} stderr is asked when there is no such error, e.g. for `npm ci`
 * @returns {string} what is in the way
 */
export function whatIsInTheWay(stdout, stderr) {
	const { code = /npm error code (\S+)/.exec(stderr)?.[1], summary = '', detail = '' } = errorIn(stdout);
	const text = `${summary}\n${detail}\n${stderr}`;
	if (UNREACHABLE.has(code)) return `${addressIn(text) ?? 'an address'} cannot be reached (${code})`;
	const said = (summary || stderr.replaceAll(/^npm error /gm, '')).trim().split('\n')[0];
	return (
		READERS[code]?.(text) || [said || 'npm gave no reason', code && `(${code})`].filter(Boolean).join(' ')
	);
}

function errorIn(stdout) {
	try {
		return JSON.parse(stdout).error ?? {};
	} catch {
		// Nothing, or not JSON: npm ended before it could write its report.
		return {};
	}
}
