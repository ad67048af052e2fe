/** The compose file of docs/scaling.md cannot be started here without a Docker engine: it is held against what is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { MAIN_ENVIRONMENT, queueEnvironment } from '../../e2e/trigger/queue-cluster.mts';

interface Service {
	image?: string;
	command?: string;
	environment?: Record<string, string>;
	deploy?: { replicas: number };
	build?: { context: string; dockerfile_inline: string };
}

const root = join(__dirname, '..', '..', '..');
const text = readFileSync(join(root, 'docs', 'scaling', 'compose.yaml'), 'utf8');
const { services, configs } = parse(text, { merge: true }) as {
	services: Record<string, Service>;
	configs: { balancer: { content: string } };
};

const OWN_TO_THE_MACHINE = /_HOST$|_PORT$|_KEY$/;

test.each(['main', 'webhook', 'worker'])(
	'the %s process has the settings with which the queue mode is tested',
	(name) => {
		const tested = { ...queueEnvironment({ redisPort: 1, postgresPort: 2 }), ...MAIN_ENVIRONMENT };
		const settings = Object.entries(tested).filter(([setting]) => !OWN_TO_THE_MACHINE.test(setting));
		expect(settings.length).toBeGreaterThan(6);
		expect(services[name]?.environment).toMatchObject(Object.fromEntries(settings));
		for (const setting of Object.keys(tested)) expect(services[name]?.environment).toHaveProperty(setting);
	},
);

test('every process of n8n runs the version that is tested, with the package in it', () => {
	const manifest = readFileSync(join(root, 'playground', 'package.json'), 'utf8');
	const { dependencies } = JSON.parse(manifest) as { dependencies: { n8n: string } };
	for (const name of ['main', 'webhook', 'worker']) {
		expect(services[name]?.build?.dockerfile_inline).toContain(`FROM n8nio/n8n:${dependencies.n8n}\n`);
		expect(services[name]?.build?.dockerfile_inline).toContain('n8n-nodes-school-partner');
	}
});

test('there are two webhook processes and two workers, as in the test', () => {
	expect(services.webhook).toMatchObject({ command: 'webhook', deploy: { replicas: 2 } });
	expect(services.worker).toMatchObject({ command: 'worker --concurrency=30', deploy: { replicas: 2 } });
});

test('the image is built from the package that was packed beside the file: it need not be on npm', () => {
	for (const name of ['main', 'webhook', 'worker']) {
		expect(services[name]?.build).toMatchObject({ context: '.' });
		expect(services[name]?.build?.dockerfile_inline).toContain('COPY n8n-nodes-school-partner-*.tgz /tmp/\n');
		expect(services[name]?.build?.dockerfile_inline).toMatch(
			/npm install .* \/tmp\/n8n-nodes-school-partner-\*\.tgz\n$/,
		);
	}
});

test('it asks for the values that the command of the page gives, and names nothing else that Docker Compose would fill in', () => {
	const asked = [...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name);
	const [, given = ''] =
		/^(.*) docker compose --file/m.exec(readFileSync(join(root, 'docs', 'scaling.md'), 'utf8')) ?? [];
	expect([...new Set(asked)].sort()).toEqual(
		given
			.split(' ')
			.map((value) => value.split('=')[0])
			.sort(),
	);
	// A dollar of the proxy's own is written twice.
	const left = text.replaceAll('$$', '').replaceAll(/\$\{\w+:(\?|-[^}]*)\}/g, '');
	expect(left).not.toContain('$');
});

/** Where the proxy sends a request: its regular expression comes first, as nginx looks at it. */
function targetOf(path: string): string | undefined {
	const locations = [...configs.balancer.content.matchAll(/location (~ )?(\S+) \{\s+set \S+ (\w+);/g)];
	const fits = (regular: string | undefined, pattern: string) =>
		regular === undefined ? path.startsWith(pattern) : new RegExp(pattern).test(path);
	return locations.find(([, regular, pattern = '']) => fits(regular, pattern))?.[3];
}

test.each([
	['/webhook/an-id/events', 'webhook'],
	['/webhook-waiting/7', 'webhook'],
	['/webhook-test/an-id/events', 'main'],
	['/rest/oauth2-credential/callback', 'main'],
	['/', 'main'],
])('%s goes to the %s processes', (path, target) => {
	expect(targetOf(path)).toBe(target);
});
