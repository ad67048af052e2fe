/** Whether the pinned n8n can be moved on, and, when asked, the end-to-end tests on the newer one. */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLAYGROUND } from '../../playground/installation.mjs';
import { ROOT } from '../setup/install.mjs';
import { candidates } from './candidates.mjs';
import { helpText, readOptions } from './options.mjs';
import { askRegistry, resolve } from './registry.mjs';

const FILES = ['package.json', 'package-lock.json'];

/** Newest first, until one can be had. */
async function firstThatResolves(folder, manifest, { versions, time }) {
	for (const version of versions) {
		console.log(`  ${version}: asking npm for all of its packages (some minutes) …`);
		const { problems, before, packages } = await resolve({
			folder,
			manifest,
			version,
			publishedAt: time[version],
		});
		if (problems.length === 0) return { version, before, packages };
		for (const problem of problems) console.log(`  ${version} cannot be installed: ${problem}.`);
	}
	return undefined;
}

/** The same end-to-end tests that `npm test` runs, on the n8n in `folder`. */
async function testsPass(folder) {
	const child = spawn(process.execPath, [join(ROOT, 'tools', 'test.mjs'), 'build', 'e2e'], {
		cwd: ROOT,
		env: { ...process.env, PLAYGROUND_N8N: folder },
		stdio: 'inherit',
	});
	return await new Promise((done) => {
		child.once('error', () => done(false));
		child.once('close', (code) => done(code === 0));
	});
}

function takeOver(folder) {
	for (const file of FILES) copyFileSync(join(folder, file), join(PLAYGROUND, file));
}

function describe({ version, before, packages }) {
	const others = Object.entries(packages).map(([name, own]) => `${name} ${own}`);
	const how = before ? `, resolved with --before=${before}` : '';
	return `n8n ${version} can be had${how}. It comes with ${others.join(' and ')}, which the engine tests use too.`;
}

async function upkeep(folder, options) {
	const manifest = JSON.parse(readFileSync(join(PLAYGROUND, 'package.json'), 'utf8'));
	const pinned = manifest.dependencies.n8n;
	const { versions, time } = await askRegistry();
	const wanted = options.version ? [options.version] : candidates(versions, pinned);
	const unknown = wanted.filter((version) => !versions.includes(version));
	if (unknown.length > 0) throw new Error(`The registry has no n8n ${unknown.join(', ')}.`);
	console.log(`  Pinned is n8n ${pinned}. Newer in the registry: ${wanted.join(', ') || 'none'}.`);
	const found = await firstThatResolves(folder, manifest, { versions: wanted, time });
	if (found === undefined) return `n8n ${pinned} stays: nothing newer can be installed from here.`;
	if (!options.run) return `${describe(found)} Try it: npm run upkeep -- --run`;
	if (!(await testsPass(folder)))
		throw new Error(`n8n ${pinned} stays: the tests did not pass on ${found.version}.`);
	if (!options.write) return `${describe(found)} All tests passed. Take it over: npm run upkeep -- --write`;
	takeOver(folder);
	return `${describe(found)} All tests passed; playground/ has it now. Say so in the README's table.`;
}

/** @param {string[]} args the command line; rejects when the registry does not answer or the tests do not pass */
export async function runUpkeep(args) {
	const options = readOptions(args);
	if (options.help) return helpText;
	const folder = mkdtempSync(join(tmpdir(), 'school-partner-upkeep-'));
	try {
		return await upkeep(folder, options);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
