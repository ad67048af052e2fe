/**
 * `npm run scan`: the analysis n8n runs on a community package before it verifies it, on the source and on what
 * `npm pack` makes of it. n8n lets warnings pass; here every finding counts.
 */
import {
	SOURCE_FILE_PATTERNS,
	analyzePackage,
	buildScanConfig,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './setup/install.mjs';

// What the scanner itself passes for the published tarball.
const TARBALL_FILE_PATTERNS = ['**/*.js', 'package.json'];

/** `npm pack`, unpacked as n8n's installer leaves it. */
function unpackTarball(folder) {
	const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
		cwd: ROOT,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const target = join(folder, 'package');
	mkdirSync(target);
	execFileSync('tar', [
		'-xzf',
		join(folder, JSON.parse(packed)[0].filename),
		'-C',
		target,
		'--strip-components=1',
	]);
	return target;
}

/**
 * The scanner's verdict hides warnings when there are no errors, so its configuration is run once more for the whole list.
 * @returns {Promise<{ files: number, findings: string[] }>}
 */
async function allFindings(folder, patterns) {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
		errorOnUnmatchedPattern: false,
	});
	const results = await eslint.lintFiles(patterns);
	const findings = results.flatMap(({ filePath, messages }) =>
		messages.map(
			({ line, column, severity, ruleId, message }) =>
				`${filePath.slice(folder.length + 1)}:${line}:${column} ${severity === 2 ? 'error' : 'warning'} ${ruleId}: ${message}`,
		),
	);
	return { files: results.length, findings };
}

/** @returns {Promise<boolean>} true when this leg is clean */
async function scan(what, folder, patterns) {
	const verdict = await analyzePackage(folder, patterns);
	const { files, findings } = await allFindings(folder, patterns);
	// Fewer than two: package.json alone, which means that nothing of the package was looked at.
	const looked = files > 1;
	const clean = verdict.passed && looked && findings.length === 0;
	console.log(`${clean ? 'ok    ' : 'FAILED'} ${what}: ${files} files, ${findings.length} findings`);
	for (const finding of findings) console.log(`       ${finding}`);
	if (!looked) console.log('       no source files were found there');
	if (!verdict.passed && findings.length === 0)
		console.log(`       ${verdict.message}\n${verdict.details ?? ''}`);
	return clean;
}

if (!existsSync(join(ROOT, 'dist'))) {
	console.error('There is no build yet. Run npm run build first.');
	process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'school-partner-scan-'));
try {
	const sourceIsClean = await scan('source', ROOT, SOURCE_FILE_PATTERNS);
	const tarballIsClean = await scan('packed tarball', unpackTarball(folder), TARBALL_FILE_PATTERNS);
	process.exitCode = sourceIsClean && tarballIsClean ? 0 : 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
