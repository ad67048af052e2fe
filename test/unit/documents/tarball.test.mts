import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

import { ensureBuilt } from '../../../playground/package-under-test.mts';
import { allOperations } from '../../support/operations/index.mts';

interface Packed {
	files: Array<{ path: string }>;
	/** Bytes. */
	size: number;
	unpackedSize: number;
}

function packed(): Packed {
	const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const [tarball] = JSON.parse(listed) as [Packed];
	return tarball;
}

beforeAll(ensureBuilt);

test('What is published is the manifest, README, licences, the bundles and what is in them, icons, search words and output shapes, and nothing else', () => {
	const { n8n } = JSON.parse(readFileSync('package.json', 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const shapes = allOperations.map(
		({ resource, operation }) => `dist/nodes/SchoolPartner/__schema__/v1.0.0/${resource}/${operation}.json`,
	);
	const files = packed().files.map(({ path }) => path);
	expect(files.sort()).toEqual(
		[
			'LICENSE',
			'README.md',
			'package.json',
			...['dist/THIRD-PARTY-NOTICES.txt', 'dist/sbom.cdx.json'],
			'dist/icons/school-partner.dark.svg',
			'dist/icons/school-partner.svg',
			...n8n.credentials,
			...n8n.nodes,
			...n8n.nodes.map((file) => file.replace(/\.js$/, '.json')),
			...shapes,
			...[
				'approve',
				'explain',
				'preview',
				'readFiles',
				'recordAccess',
				'resolve',
				'sync',
				'takeOver',
				'verify',
			].map((operation) => `dist/nodes/SchoolPartnerRoster/__schema__/v1.0.0/${operation}.json`),
		].sort(),
	);
});

test('What is published says of every library that is in it which version it is, and has the text of its licence', () => {
	const { components } = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8')) as {
		components: Array<{ name: string; version: string }>;
	};
	const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
		packages: Record<string, { version: string }>;
	};
	const sources = readdirSync('nodes', { recursive: true, encoding: 'utf8' }).filter((name) =>
		name.endsWith('.ts'),
	);
	const imports = sources.flatMap((name) => [
		...readFileSync(`nodes/${name}`, 'utf8').matchAll(
			/^(?:import|export) (?!type\b)[^;]*? from '([a-z@][^']*)';$/gm,
		),
	]);
	const isOurs = (name: string) => !name.startsWith('node:') && name !== 'n8n-workflow';
	const libraries = new Set(imports.map(([, name]) => name.split('/')[0]).filter(isOurs));
	expect(libraries.size).toBeGreaterThan(5);
	const listed = components.map(({ name, version }) => `${name} ${version}`);
	expect(listed).toEqual(
		expect.arrayContaining(
			[...libraries].map((name) => `${name} ${packages[`node_modules/${name}`].version}`),
		),
	);
	const parts = readFileSync('dist/THIRD-PARTY-NOTICES.txt', 'utf8')
		.split(/\n-{80}\n\n/)
		.slice(1);
	expect(parts.map((part) => part.split('\n')[0])).toEqual(listed);
	for (const part of parts)
		expect(part).toMatch(/Copyright[^]*(permission is hereby granted|Permission to use)/i);
});

test('What is published is updated by itself, apart from the tools', () => {
	const { components } = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8')) as {
		components: Array<{ name: string }>;
	};
	const [, patterns = ''] =
		/shipped:\s+patterns: \[(.*)\]/.exec(readFileSync('.github/dependabot.yml', 'utf8')) ?? [];
	expect(patterns.split(', ')).toEqual(components.map(({ name }) => `'${name}'`));
});

test('What is published names no folder of the machine that it was built on', () => {
	for (const file of ['sbom.cdx.json', 'THIRD-PARTY-NOTICES.txt'])
		expect(readFileSync(`dist/${file}`, 'utf8')).not.toContain(process.cwd());
});

test('What is published needs no other package, and of its machine nothing but cryptography: no file, no process, no network', () => {
	const { n8n, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
		dependencies?: object;
	};
	expect(manifest.dependencies ?? {}).toEqual({});
	const code = [...n8n.nodes, ...n8n.credentials].map((file) => readFileSync(file, 'utf8')).join('\n');
	const required = [...code.matchAll(/\b(?:require|import)\(\s*([^)]*?)\s*\)/g)].map(([, name]) => name);
	expect([...new Set(required)].sort()).toEqual(['"n8n-workflow"', '"node:crypto"']);
	// Trap: `not.toMatch` would print all of the code.
	expect(code.match(/\bprocess\.|\bXMLHttpRequest\b|\bWebSocket\b|\bfetch\((?!\))/g)).toBeNull();
});

test('The README says how large the package is, to a tenth', () => {
	const said = /It is (\d+) KB to download, (\d+) KB on the disk/.exec(
		readFileSync('README.md', 'utf8').replaceAll(/(?<=\d),(?=\d{3} KB)/g, ''),
	);
	const { size, unpackedSize } = packed();
	expect(Math.abs(Number(said?.[1]) - size / 1000)).toBeLessThan(size / 10_000);
	expect(Math.abs(Number(said?.[2]) - unpackedSize / 1000)).toBeLessThan(unpackedSize / 10_000);
});
