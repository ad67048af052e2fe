/** How the package's files are bundled: by the build into dist/, and by `npm run dev` into the n8n that it runs. */
const path = require('node:path');

const ROOT = path.join(__dirname, '..');
const manifest = require('../package.json');

/** One bundle for each file that the manifest names: n8n loads them one by one. Libraries are inside, n8n-workflow is not. */
exports.bundleOptions = (outdir) => ({
	absWorkingDir: ROOT,
	entryPoints: [...manifest.n8n.nodes, ...manifest.n8n.credentials].map((output) =>
		output.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
	),
	outdir,
	outbase: ROOT,
	bundle: true,
	platform: 'node',
	format: 'cjs',
	target: 'es2022',
	external: Object.keys(manifest.peerDependencies),
	// Licences stand in THIRD-PARTY-NOTICES.txt.
	legalComments: 'none',
	logLevel: 'warning',
});
