import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { readCommandLine } from '../../sandbox/command-line.mts';
import { startSandbox } from '../../sandbox/start.mts';

describe('the command line of the sandbox', () => {
	it.each([
		[['--port', 'abc'], '--port must be a whole number from 0 to 65535, not "abc".'],
		[['--students', '0'], '--students must be a whole number from 1 to 200000, not "0".'],
		[['--duplicates', 'maybe'], '--duplicates must be refuse or accept, not "maybe".'],
		[['--colour'], "Unknown option '--colour'"],
	])('explains what is wrong with %j', (args, problem) => {
		const line = readCommandLine(args);
		expect('problem' in line && line.problem).toContain(problem);
	});

	it('reads every option', () => {
		const line =
			'--port 0 --seed 7 --students 9 --token-lifetime 60 --latency 5 --duplicates accept --no-deviations' +
			' --redirect-uri app://done --redirect-uri http://localhost:9/x';
		expect(readCommandLine(line.split(' '))).toEqual({
			options: {
				port: 0,
				seed: 7,
				students: 9,
				tokenLifetime: 60,
				latencyMs: 5,
				duplicates: 'accept',
				deviations: false,
				codeLifetime: 300,
				rotateRefreshTokens: false,
				redirectUris: ['app://done', 'http://localhost:9/x'],
				stopOnStdinEnd: false,
			},
		});
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
