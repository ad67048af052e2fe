import { helpText, readCommandLine, type SandboxOptions } from './command-line.mts';
import { factsOf } from './admin/facts.mts';
import { exportHelpText, readExportLine } from './roster/command-line.mts';
import { writeExport } from './roster/write-export.mts';
import { runSandbox, type RunningSandbox } from './sandbox.mts';

const [first, ...others] = process.argv.slice(2);
if (first === 'export') await makeExport(others);
else await serve(process.argv.slice(2));

async function serve(args: readonly string[]): Promise<void> {
	const commandLine = readCommandLine(args);
	if ('help' in commandLine) process.stdout.write(helpText);
	else if ('problem' in commandLine) fail(`${commandLine.problem}\nTry: npm run sandbox -- --help`);
	else await start(commandLine.options);
}

async function makeExport(args: readonly string[]): Promise<void> {
	const line = readExportLine(args);
	if ('help' in line) return void process.stdout.write(exportHelpText);
	if ('problem' in line) return fail(`${line.problem}\nTry: npm run sandbox -- export --help`);
	try {
		process.stdout.write(`${(await writeExport(line.options)).join('\n')}\n`);
	} catch (error) {
		fail(`The roster could not be written: ${error instanceof Error ? error.message : String(error)}`);
	}
}

async function start(options: SandboxOptions): Promise<void> {
	let sandbox: RunningSandbox;
	try {
		sandbox = await runSandbox(options);
	} catch (error) {
		return fail(reasonFor(error, options));
	}
	const stop = (): void => void sandbox.stop().then(() => process.exit(0));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
	if (options.stopOnStdinEnd) process.stdin.once('end', stop).once('error', stop).resume();
	// Writing to a reader that is gone must not keep a stopping sandbox alive.
	process.stdout.on('error', stop);
	announce(sandbox);
}

function announce({ parts, adminUrl }: RunningSandbox): void {
	const { baseUrl, issuerUrl, testIssuerUrl, clientId } = parts.addresses;
	const { clientSecret } = parts.registration;
	const facts = factsOf(parts.world(), parts.addresses);
	const lines = [
		'School partner sandbox (everything in it is invented)',
		'',
		`  base address    ${baseUrl}`,
		`  issuer          ${issuerUrl}`,
		`  test issuer     ${testIssuerUrl}`,
		`  page and admin  ${adminUrl}`,
		`  client id       ${clientId}`,
		`  client secret   ${clientSecret}`,
		'',
		`  tenant_id       ${facts.tenantId}`,
		`  schools         ${facts.schools.map(({ externalId }) => externalId).join(', ')}`,
		...facts.students
			.slice(0, 1)
			.flatMap(({ externalId, accountId, login }) => [
				`  a student       ${externalId}, account ${accountId}`,
				`  a login         ${login} (the password is the login)`,
			]),
		`  counts          ${Object.entries(facts.counts)
			.map(([kind, count]) => `${count} ${kind}`)
			.join(', ')}`,
		...(parts.certificate ? [`  certificate     ${adminUrl}certificate`] : []),
		'',
		`sandbox ready ${JSON.stringify({ baseUrl, issuerUrl, testIssuerUrl, adminUrl, clientId, clientSecret, certificate: parts.certificate })}`,
	];
	process.stdout.write(`${lines.join('\n')}\n`);
}

function reasonFor(error: unknown, { port }: SandboxOptions): string {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE')
		return `Port ${port} is taken. Choose another with --port, or 0 for any free one.`;
	if (code === 'EACCES') return `Port ${port} may not be opened by this user. Choose one above 1023.`;
	return `The sandbox could not start: ${error instanceof Error ? error.message : String(error)}`;
}

function fail(message: string): void {
	process.stderr.write(`${message}\n`);
	process.exitCode = 1;
}
