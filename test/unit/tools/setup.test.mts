import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { lockfilesAgree } from '../../../tools/setup/lockfile.mjs';
import { compilerProblem, demand, nodeProblem, portProblem } from '../../../tools/setup/requirements.mjs';

describe('what is installed', () => {
	const wanted = {
		'': {},
		'node_modules/a': { version: '1.2.0' },
		'node_modules/b': { version: '2.0.0', optional: true },
	};

	it('is taken as it is when it agrees with the lockfile', () => {
		expect(lockfilesAgree(wanted, { 'node_modules/a': { version: '1.2.0' } })).toBe(true);
	});

	it('is installed anew when a package is missing, of another version, or no longer wanted', () => {
		const a = { 'node_modules/a': { version: '1.2.0' } };
		expect(lockfilesAgree(wanted, {})).toBe(false);
		expect(lockfilesAgree(wanted, { 'node_modules/a': { version: '1.2.1' } })).toBe(false);
		expect(lockfilesAgree(wanted, { ...a, 'node_modules/c': { version: '1.0.0' } })).toBe(false);
	});

	it('may lack what npm left in the lockfile although nothing needs it', () => {
		const leftOver = { ...wanted, 'node_modules/c': { version: '3.0.0', extraneous: true } };
		expect(lockfilesAgree(leftOver, { 'node_modules/a': { version: '1.2.0' } })).toBe(true);
	});

	it('may lack what is meant for another kind of machine', () => {
		expect(lockfilesAgree(wanted, { 'node_modules/a': { version: '1.2.0' } })).toBe(true);
		expect(lockfilesAgree({ ...wanted, 'node_modules/b': { version: '2.0.0' } }, {})).toBe(false);
	});
});

describe('a machine that lacks something', () => {
	it('is told which Node.js it needs', () => {
		expect(nodeProblem('20.18.3')).toContain('20.19.0 or newer');
		expect(nodeProblem('20.19.0')).toBeUndefined();
		expect(nodeProblem('24.1.0')).toBeUndefined();
	});

	it('is told by name which tools of a compilation are missing', () => {
		const have = (...names: string[]) =>
			compilerProblem((name) => (names.includes(name) ? `/usr/bin/${name}` : undefined));
		expect(have()).toMatch(/python3, make, a C\+\+ compiler/);
		expect(have('python3', 'make')).toMatch(/machine: a C\+\+ compiler/);
		expect(have('python3', 'make', 'clang++')).toBeUndefined();
	});

	it('is told that a port is taken, and how to choose another', async () => {
		const server = createServer().listen(0, '127.0.0.1');
		await new Promise((resolve) => server.once('listening', resolve));
		const { port } = server.address() as AddressInfo;
		const problem = await portProblem(port, 'n8n', '--port');
		expect(problem).toMatch(`Port ${port} for n8n is taken`);
		expect(problem).toMatch('--port');
		await new Promise((resolve) => server.close(resolve));
		expect(await portProblem(port, 'n8n', '--port')).toBeUndefined();
	});

	it('learns everything that is missing at once', () => {
		expect(() => demand(['no python3', undefined, 'no port'])).toThrow('no python3\n\nno port');
		expect(() => demand([undefined])).not.toThrow();
	});
});
