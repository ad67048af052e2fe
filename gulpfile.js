/**
 * The build: clean, typecheck, bundle each node and credential (its libraries inside, n8n-workflow outside),
 * copy icons and codex files, write output schemas, and say whose libraries are inside. `gulp build` leaves in dist/ what `npm pack` ships.
 */
const { spawn } = require('node:child_process');
const { readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');

const { cyclonedxEsbuildPlugin } = require('@cyclonedx/cyclonedx-esbuild');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

const { bundleOptions } = require('./tools/bundle.cjs');

const DIST = path.join(__dirname, 'dist');

/** Which libraries are inside, with the texts of their licences, in the same words at every build. */
const BILL_OF_MATERIALS = {
	outputFile: path.join(DIST, 'sbom.cdx.json'),
	specVersion: '1.6',
	mcType: 'library',
	gatherLicenseTexts: true,
	outputReproducible: true,
	validate: true,
	logLevel: 'error',
};

async function clean() {
	await rm(DIST, { recursive: true, force: true });
}

function typecheck() {
	return run(require.resolve('typescript/bin/tsc'), '--project', 'tsconfig.build.json');
}

async function bundle() {
	await esbuild.build({ ...bundleOptions(DIST), plugins: [cyclonedxEsbuildPlugin(BILL_OF_MATERIALS)] });
}

/** Their licences ask that their texts go with every copy. */
async function notices() {
	const { components = [] } = JSON.parse(await readFile(BILL_OF_MATERIALS.outputFile, 'utf8'));
	const parts = components.map(({ group, name, version, evidence }) => {
		const texts = (evidence?.licenses ?? []).map(({ license }) => textOf(license.text));
		if (texts.length === 0) throw new Error(`${name} ${version} comes without the text of its licence`);
		const title = `${group === undefined ? name : `${group}/${name}`} ${version}`;
		return `${title}\n\n${texts.join('\n\n').trim()}\n`;
	});
	const rule = `\n${'-'.repeat(80)}\n\n`;
	const head = 'Libraries that are inside the files of this package, each with its licence.\n';
	await writeFile(path.join(DIST, 'THIRD-PARTY-NOTICES.txt'), [head, ...parts].join(rule));
}

function textOf({ content, encoding }) {
	return Buffer.from(content, encoding ?? 'utf8').toString('utf8');
}

function icons() {
	return src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
}

function codex() {
	return src('nodes/*/*.node.json').pipe(dest('dist/nodes'));
}

/** `__schema__` of each node: what an operation gives, derived from the contract. */
function outputSchemas() {
	return run(require.resolve('tsx/cli'), 'tools/output-schemas.mts', 'dist');
}

function run(script, ...args) {
	return spawn(process.execPath, [script, ...args], { cwd: __dirname, stdio: 'inherit' });
}

exports.clean = clean;
exports.build = series(clean, typecheck, parallel(series(bundle, notices), icons, codex, outputSchemas));
exports.default = exports.build;
