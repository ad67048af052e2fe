/** The sandbox can be run without the rest of the project: with its own package.json, and in an image. */
import { readdirSync, readFileSync } from 'node:fs';

interface Manifest {
	dependencies: Record<string, string>;
	devDependencies: Record<string, string>;
}

const manifest = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Manifest;
const { dependencies } = manifest('sandbox/package.json');

/** The packages that its modules import. */
function imported(): string[] {
	const files = readdirSync('sandbox', { recursive: true, encoding: 'utf8' }).filter(
		(file) => file.endsWith('.mts') && !file.includes('node_modules'),
	);
	const named = files.flatMap((file) =>
		[...readFileSync(`sandbox/${file}`, 'utf8').matchAll(/from '([a-z][^':]*)'/g)].map(
			([, name = '']) => name.split('/')[0] ?? '',
		),
	);
	return [...new Set(named)].sort();
}

test('It asks for what it imports, and for tsx, which runs it', () => {
	expect(Object.keys(dependencies).sort()).toEqual([...imported(), 'tsx'].sort());
});

test('It asks for the versions that the project has', () => {
	const { devDependencies } = manifest('package.json');
	for (const [name, version] of Object.entries(dependencies))
		expect([name, version]).toEqual([name, devDependencies[name]]);
});

test('The image is built of the folder, by the same Node.js as the checks, and needs no compiler', () => {
	const lines = readFileSync('sandbox/Dockerfile', 'utf8').split('\n');
	expect(lines.filter((line) => /^(FROM|RUN)/.test(line))).toEqual([
		'FROM node:24-bookworm-slim',
		'RUN npm install --ignore-scripts --no-audit --no-fund',
	]);
});
