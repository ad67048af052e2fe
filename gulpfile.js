/**
 * The build: clean, typecheck, bundle each node and credential (its libraries inside, n8n-workflow outside),
 * copy icons and codex files, write output schemas. `gulp build` leaves in dist/ what `npm pack` ships.
 */
const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const path = require('node:path');

const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

const DIST = path.join(__dirname, 'dist');
const manifest = require('./package.json');

async function clean() {
	await rm(DIST, { recursive: true, force: true });
}

function typecheck() {
	return run(require.resolve('typescript/bin/tsc'), '--project', 'tsconfig.build.json');
}

/** One bundle for each file that the manifest names: n8n loads them one by one. */
async function bundle() {
	const outputs = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	await esbuild.build({
		entryPoints: outputs.map((output) => output.replace(/^dist\//, '').replace(/\.js$/, '.ts')),
		outdir: DIST,
		outbase: __dirname,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'es2022',
		external: Object.keys(manifest.peerDependencies),
		legalComments: 'none',
		logLevel: 'warning',
	});
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
exports.build = series(clean, typecheck, parallel(bundle, icons, codex, outputSchemas));
exports.default = exports.build;
