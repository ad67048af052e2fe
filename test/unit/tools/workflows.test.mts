/** GitHub runs these files where nobody here can see it: what can be known without it is held here. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';

import { TESTED_VERSIONS } from '../../../playground/capabilities.mts';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	permissions?: Record<string, string>;
	'timeout-minutes'?: number;
	strategy?: { matrix: Record<string, string[]> };
	steps: Step[];
}

interface Workflow {
	on: Record<string, unknown>;
	permissions: Record<string, string>;
	concurrency: { group: string; 'cancel-in-progress': boolean };
	jobs: Record<string, Job>;
}

const FOLDER = '.github/workflows';
const names = readdirSync(FOLDER);
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** What a folder's package.json says. */
const pinnedN8n = (folder: string) =>
	(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: { n8n: string } })
		.dependencies.n8n;

function parsed(file: string): unknown {
	const document = parseDocument(readFileSync(file, 'utf8'), { strict: true, uniqueKeys: true });
	expect(document.errors).toEqual([]);
	expect(document.warnings).toEqual([]);
	return document.toJS();
}

const workflow = (name: string): Workflow => parsed(join(FOLDER, name)) as Workflow;
const jobsOf = (name: string): Job[] => Object.values(workflow(name).jobs);
const stepsOf = (name: string): Step[] => jobsOf(name).flatMap(({ steps }) => steps);

/** Every command line, the ones that come from a matrix too. */
const commandsOf = (name: string): string[] =>
	jobsOf(name).flatMap(({ steps, strategy }) => [
		...steps.map(({ run = '' }) => run),
		...(strategy?.matrix.command ?? []),
	]);

test('There is a workflow for changes, one for publishing, and one for every week', () => {
	expect(names.sort()).toEqual(['ci.yml', 'publish.yml', 'weekly.yml']);
});

describe.each(names)('%s', (name) => {
	const text = readFileSync(join(FOLDER, name), 'utf8');

	test('may read the repository and nothing else, unless a job asks for more', () => {
		expect(workflow(name).permissions).toEqual({ contents: 'read' });
	});

	test('holds no secret, no token and no address of a registry', () => {
		expect(text).not.toMatch(/secrets\.|github\.token|GITHUB_TOKEN|NPM_TOKEN|NODE_AUTH_TOKEN|_authToken/);
		expect(text).not.toMatch(/registry-url|--registry|https?:\/\//);
	});

	test('uses actions of one fixed commit each, their version beside it', () => {
		const uses = text.split('\n').filter((line) => /^\s*(- )?uses:/.test(line));
		expect(uses.length).toBeGreaterThan(0);
		expect(
			uses.filter((line) => !/uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
		).toEqual([]);
	});

	test('leaves no credential of the repository behind for later steps', () => {
		const checkouts = stepsOf(name).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
		expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false));
	});

	test('ends by itself, and says what happens to two runs at once', () => {
		for (const job of jobsOf(name)) expect(job['timeout-minutes']).toBeLessThanOrEqual(120);
		expect(workflow(name).concurrency.group).toMatch(/./);
	});

	test('runs scripts that package.json has', () => {
		const named = commandsOf(name).flatMap((line) =>
			[...line.matchAll(/npm run (?:--silent )?([a-z:]+)/g)].map(([, script = '']) => script),
		);
		expect(named.length).toBeGreaterThan(0);
		expect(named.filter((script) => !(script in scripts))).toEqual([]);
	});

	test('never puts text from outside into a command line', () => {
		const inserted = stepsOf(name).flatMap(({ run = '' }) => run.match(/\$\{\{.*?\}\}/g) ?? []);
		expect(inserted.filter((text) => !/^\$\{\{ matrix\.\w+ \}\}$/.test(text))).toEqual([]);
	});
});

test('Every change is checked on the lowest supported Node.js and on 24', () => {
	const { MINIMUM_NODE } = jest.requireActual<{ MINIMUM_NODE: string }>(
		'../../../tools/setup/node-version.mjs',
	);
	const { package: job } = workflow('ci.yml').jobs;
	expect(job?.strategy?.matrix.node).toEqual([MINIMUM_NODE, '24']);
	for (const what of ['run lint', 'run build', 'test --silent -- unit sandbox engine', 'run scan'])
		expect(commandsOf('ci.yml')).toContain(`npm ${what}`);
});

describe('Every week', () => {
	const commands = commandsOf('weekly.yml');

	test('attacks, faults, crashes and nights are run', () => {
		for (const what of ['hostile', 'chaos', 'crash', 'nights'])
			expect(commands).toContain(`npm run --silent ${what}`);
	});

	test('each n8n that the README names is tried, and the newest', () => {
		const [oldest = '', ...others] = TESTED_VERSIONS;
		expect(oldest).toBe(pinnedN8n('playground/oldest'));
		const between = others.filter((version) => version !== pinnedN8n('playground'));
		const tried = ['', ...[...between, 'newest'].map((version) => ` -- ${version}`)];
		expect(commands.filter((line) => line.includes('compatibility'))).toEqual(
			tried.map((version) => `npm run --silent compatibility${version}`),
		);
		expect(commands).toContain('npm test --silent -- build e2e');
	});
});

describe('Publishing', () => {
	const { jobs, concurrency, on } = workflow('publish.yml');

	test('starts at a version tag and at nothing else', () => {
		expect(on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
	});

	test('is the only job that may prove who it is to npm', () => {
		expect(jobs.publish?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
		const others = names.flatMap(jobsOf).filter(({ permissions }) => permissions !== undefined);
		expect(others).toHaveLength(1);
	});

	test('comes after the checks, with provenance', () => {
		const commands = commandsOf('publish.yml').filter((line) => line !== '');
		expect(commands.at(-1)).toBe('npm publish "$TARBALL" --provenance --access public');
		for (const check of ['lint', 'build', 'scan', 'release:check'])
			expect(commands.findIndex((line) => line.startsWith(`npm run ${check}`))).toBeGreaterThan(0);
		expect(commands).toContain('npm test --silent -- unit sandbox engine');
	});

	test('packs once: what the end-to-end tests ran on is the file that is published', () => {
		const commands = commandsOf('publish.yml');
		const packing = commands.filter((line) => /npm pack/.test(line));
		expect(packing).toEqual([expect.stringContaining('TARBALL=')]);
		const [packed, tested, published] = [/npm pack/, /test --silent -- e2e/, /npm publish/].map((what) =>
			commands.findIndex((line) => what.test(line)),
		);
		expect([packed > 0, tested > packed, published > tested]).toEqual([true, true, true]);
		expect(commands.slice(packed + 1).filter((line) => /run build|npm pack/.test(line))).toEqual([]);
	});

	test('is of a commit of main, and of nothing else', () => {
		const commands = commandsOf('publish.yml');
		expect(commands.findIndex((line) => line === 'git merge-base --is-ancestor HEAD origin/main')).toBe(
			commands.findIndex((line) => line.startsWith('npm ci')) + 1,
		);
	});

	test('is not cut off, and takes nothing from the cache of another run', () => {
		expect(concurrency['cancel-in-progress']).toBe(false);
		const [setUp] = stepsOf('publish.yml').filter(({ uses }) => uses?.startsWith('actions/setup-node@'));
		expect(setUp?.with).toEqual({ 'node-version': '24', 'package-manager-cache': false });
	});
});

test('Dependabot looks after the actions, the tools and the pinned n8n', () => {
	const { updates } = parsed('.github/dependabot.yml') as {
		updates: Array<{ 'package-ecosystem': string; directory: string }>;
	};
	expect(updates.map((update) => [update['package-ecosystem'], update.directory])).toEqual([
		['github-actions', '/'],
		['npm', '/'],
		['npm', '/playground'],
	]);
});
