import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { readCommandLine } from '../../sandbox/command-line.mts';
import { startSandbox } from '../../sandbox/start.mts';

describe('the command line of the sandbox', () => {
	it.each([
		[['--port', 'abc'], '--port must be a whole number from 0 to 65535, not "abc".'],
		[['--students', '0'], '--students must be a whole number from 1 to 200000, not "0".'],
		[['--duplicates', 'maybe'], '--duplicates must be refuse, accept or double, not "maybe".'],
		[['--colour'], "Unknown option '--colour'"],
		[['--authorization', 'basic'], '--authorization must be bearer, token or either, not "basic".'],
		[
			['--strict', 'scopes'],
			'--strict has no "scopes". It has: scope, authorization, members, query, content-type.',
		],
		[['--variant', 'empty-bodies,none'], '--variant has no "none". It has: plain-text-answers, '],
		[
			['--public-url', 'http://sandbox.example/path'],
			'--public-url must be an http or https address without a path, not "http://sandbox.example/path".',
		],
		[['--burst', '3'], '--burst says nothing without --rate.'],
		[['--queue', '3'], '--queue says nothing without --capacity.'],
		[
			['--rate', '3', '--retry-after', 'never'],
			'--retry-after must be a whole number from 0 to 86400, not "never".',
		],
	])('explains what is wrong with %j', (args, problem) => {
		const line = readCommandLine(args);
		expect('problem' in line && line.problem).toContain(problem);
	});

	it('reads every option', () => {
		const line =
			'--port 0 --seed 7 --students 9 --schools 2 --empty --token-lifetime 60 --latency 5 --duplicates accept --no-deviations' +
			' --redirect-uri app://done --redirect-uri http://localhost:9/x';
		expect(readCommandLine(line.split(' '))).toEqual({
			options: {
				port: 0,
				host: '127.0.0.1',
				publicUrl: undefined,
				seed: 7,
				students: 9,
				schools: 2,
				empty: true,
				tls: false,
				tokenLifetime: 60,
				latencyMs: 5,
				connectionLatencyMs: 0,
				rate: null,
				capacity: null,
				authorization: 'either',
				strict: [],
				variants: [],
				duplicates: 'accept',
				accounts: null,
				deviations: false,
				codeLifetime: 300,
				rotateRefreshTokens: false,
				redirectUris: ['app://done', 'http://localhost:9/x'],
				stopOnStdinEnd: false,
			},
		});
	});

	const settingsOf = (line: string): unknown => {
		const read = readCommandLine(line.split(' '));
		return 'options' in read ? read.options : read;
	};

	it('is strict in everything, or in parts', () => {
		const all = ['scope', 'authorization', 'members', 'query', 'content-type'];
		expect(settingsOf('--strict')).toMatchObject({ strict: all });
		expect(settingsOf('--strict --port 0')).toMatchObject({ strict: all, port: 0 });
		expect(settingsOf('--strict scope,members')).toMatchObject({ strict: ['scope', 'members'] });
	});

	it('takes variants one by one or together', () => {
		const line = '--variant empty-bodies,bare-errors --variant text-expires-in --authorization token';
		expect(settingsOf(line)).toMatchObject({
			variants: ['empty-bodies', 'bare-errors', 'text-expires-in'],
			authorization: 'token',
		});
	});

	it('puts the service far away and makes it busy', () => {
		const line =
			'--tls --connection-latency 30 --rate 100 --burst 20 --retry-after none --capacity 8 --work 50 --queue 40';
		expect(settingsOf(line)).toMatchObject({
			tls: true,
			connectionLatencyMs: 30,
			rate: { perSecond: 100, burst: 20, retryAfter: null },
			capacity: { atOnce: 8, workMs: 50, queue: 40 },
		});
	});

	it('starts with what a program asks for', async () => {
		const asked = {
			strict: ['scope' as const],
			variants: ['empty-bodies' as const, 'bare-errors' as const],
			authorization: 'token' as const,
			connectionLatencyMs: 1,
			rate: { perSecond: 9, burst: 2, retryAfter: null },
			capacity: { atOnce: 3, workMs: 1, queue: 5 },
		};
		const sandbox = await startSandbox({ students: 3, ...asked });
		expect((await sandbox.admin.health()).settings).toMatchObject(asked);
		await sandbox.stop();
	});

	it('listens on another address, and names the public one in discovery', async () => {
		const publicUrl = 'https://sandbox.example:8443';
		const sandbox = await startSandbox({ students: 3, host: '127.0.0.2', publicUrl });
		const own = new URL(sandbox.adminUrl).origin;
		expect(own).toMatch(/^http:\/\/127\.0\.0\.2:/);
		expect((await sandbox.admin.facts()).baseUrl).toBe(publicUrl);
		const answer = await fetch(`${own}/identity/.well-known/openid-configuration`);
		expect(await answer.json()).toMatchObject({
			issuer: `${publicUrl}/identity`,
			token_endpoint: `${publicUrl}/identity/connect/token`,
		});
		await sandbox.stop();
	});

	it('says so when the port is taken', async () => {
		const blocker = createServer();
		await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
		const { port } = blocker.address() as AddressInfo;
		await expect(startSandbox({ port })).rejects.toThrow(`Port ${port} is taken.`);
		await new Promise((resolve) => blocker.close(resolve));
	});

	it('stops cleanly on SIGINT', async () => {
		const args = ['--import', 'tsx', 'sandbox/main.mts', '--port', '0'];
		const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
		await new Promise((resolve) => {
			child.stdout.on('data', (chunk: Buffer) => chunk.includes('sandbox ready') && resolve(undefined));
		});
		const code = new Promise((resolve) => child.once('exit', resolve));
		child.kill('SIGINT');
		expect(await code).toBe(0);
	});

	it('makes the same network from the same seed, and another one from another', async () => {
		const factsOf = async (seed: number): Promise<unknown> => {
			const sandbox = await startSandbox({ seed, students: 12 });
			const { tenantId, schools, students, courses, counts } = await sandbox.admin.facts();
			await sandbox.stop();
			return { tenantId, schools, students, courses, counts };
		};
		const [first, again, other] = await Promise.all([factsOf(5), factsOf(5), factsOf(6)]);
		expect(again).toEqual(first);
		expect(other).not.toEqual(first);
	});
});
