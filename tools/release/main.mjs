/** `npm run release -- minor` and, in the publishing workflow, `npm run release:check -- v1.2.0`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../setup/install.mjs';
import { release } from './release.mjs';
import { tagProblems } from './version.mjs';

function checkTag(tag) {
	const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
	const problems = tagProblems({ tag, version, changelog: readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8') });
	if (problems.length > 0) throw new Error(problems.join('\n'));
	return `${tag} is the version of the manifest and stands in the changelog.`;
}

function makeRelease(asked) {
	const version = release({ root: ROOT, asked, date: new Date().toISOString().slice(0, 10) });
	return `Committed and tagged v${version}. Look at it (git show v${version}), then publish it: git push origin main v${version}`;
}

const [first, second] = process.argv.slice(2);
try {
	console.log(first === '--check' ? checkTag(second ?? '') : makeRelease(first));
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
}
