/** n8n's image with the package, and the sandbox beside it, for whoever has Docker. */
import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

const { dependencies } = JSON.parse(readFileSync('playground/package.json', 'utf8')) as {
	dependencies: Record<string, string>;
};
const dockerfile = readFileSync('playground/Dockerfile', 'utf8');
const { services } = parse(readFileSync('playground/compose.yaml', 'utf8')) as {
	services: Record<string, { ports?: string[]; network_mode?: string; volumes?: string[] }>;
};

test('The image is the n8n of the end-to-end tests', () => {
	expect(dockerfile).toContain(`FROM n8nio/n8n:${dependencies.n8n}\n`);
});

test('The package lies outside of the volume, and goes into it at each start', () => {
	expect(services.n8n.volumes).toEqual(['n8n:/home/node/.n8n']);
	const [, image] = dockerfile.split('FROM n8nio/n8n');
	expect(image).toMatch(/^COPY --from=package \/opt\/package \/opt\/package$/m);
	const start = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(image)?.[1] ?? '[]') as string[];
	expect(start[4]).toMatch(
		/rm -rf (\S+)\/n8n-nodes-school-partner && cp -R \S+ \1\/ .*exec \/docker-entrypoint.sh "\$@"$/,
	);
});

test('Nobody but this machine reaches what compose starts', () => {
	const published = Object.values(services).flatMap(({ ports = [] }) => ports);
	expect(published).toEqual(['127.0.0.1:4010:4010', '127.0.0.1:5678:5678']);
});

test('A browser and n8n reach the sandbox at the same address, since both share one network', () => {
	expect(services.n8n.network_mode).toBe('service:sandbox');
});
