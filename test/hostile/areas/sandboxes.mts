/** The sandbox, whose admin has no key: what odd definitions and foreign web pages can do to it. */
import { startSandbox, type Sandbox } from '../../../sandbox/start.mts';
import { Findings, shown, type Area, type Cell } from '../cell.mts';
import { sendRaw } from '../raw.mts';

const RESETS: readonly unknown[] = [
	{ students: 1e9 },
	{ students: -1 },
	{ students: 'many' },
	{ students: 1.5 },
	{ students: null },
	{ students: [1e9] },
	{ seed: 'a' },
	{ seed: {} },
];

const FAULTS: readonly unknown[] = [
	{ match: { pathPattern: '(' }, fault: { status: 500 } },
	{ match: { pathPattern: 7 }, fault: { status: 500 } },
	{ match: { method: 7 }, fault: { status: 500 } },
	{ match: { path: {} }, fault: { status: 500 } },
	{ match: { bodyContains: {} }, fault: { status: 500 } },
	{ match: { nth: 'first' }, fault: { status: 500 } },
	{ match: { nth: -1 }, fault: { status: 500 } },
	{ match: { every: 0 }, fault: { status: 500 } },
	{ match: { every: 'second' }, fault: { status: 500 } },
	{ match: { times: -1 }, fault: { status: 500 } },
	{ match: { after: 'noon' }, fault: { status: 500 } },
	{ match: [], fault: { status: 500 } },
	{ match: { path: '/' }, fault: [] },
	{ fault: { status: 99 } },
	{ fault: { status: 1_000 } },
	{ fault: { status: 'teapot' } },
	{ fault: { status: 200.5 } },
	{ fault: { status: 101 } },
	{ fault: { statusMessage: 'a\r\nx: y', status: 500 } },
	{ fault: { status: 500, headers: { 'a b': 'c' } } },
	{ fault: { status: 500, headers: { a: 'b\r\nc: d' } } },
	{ fault: { status: 500, headers: { a: {} } } },
	{ fault: { status: 500, headers: 'none' } },
	{ fault: { status: 500, contentType: 'text/html\r\nx: y' } },
	{ fault: { delayMs: -1 } },
	{ fault: { delayMs: 'long' } },
	{ fault: { delayMs: 1e12 } },
	{ fault: { status: 503, retryAfter: 'a\r\nb: c' } },
	{ fault: { status: 503, retryAfter: {} } },
	{ fault: { documented: 999 } },
	{ fault: { drop: 'sideways' } },
	{ fault: {} },
	{ fault: null },
	null,
];

/** Sends JSON as a program on this machine would. */
async function post(sandbox: Sandbox, path: string, body: unknown, headers: string[] = []) {
	return await sendRaw(`${sandbox.adminUrl}${path}`, {
		headers: ['content-type: application/json', ...headers],
		body: JSON.stringify(body),
	});
}

async function isAlive(sandbox: Sandbox): Promise<boolean> {
	const { status } = await sendRaw(`${sandbox.adminUrl}health`, { method: 'GET', headers: [] });
	return status === 200;
}

const isRefused = ({ status, text }: { status: number; text: string }) =>
	status >= 400 && status < 500 && /"message":"(\\.|[^"]){5,}/.test(text);

/** A sandbox of its own, and another one when it has died. */
async function withSandbox(
	entries: readonly unknown[],
	tryOne: (sandbox: Sandbox, entry: unknown) => Promise<string[]>,
) {
	const found: string[] = [];
	let sandbox = await startSandbox({ students: 10 });
	try {
		for (const entry of entries) {
			const wrong = await tryOne(sandbox, entry);
			if (!(await isAlive(sandbox))) {
				wrong.push('it is dead');
				await sandbox.stop();
				sandbox = await startSandbox({ students: 10 });
			}
			if (wrong.length > 0) found.push(`${shown(entry, 80)}: ${wrong.join(', ')}`);
		}
	} finally {
		await sandbox.stop();
	}
	return found;
}

const resets: Cell = {
	tries: 'resets to a billion students, and to none that make sense',
	holds: 'each is refused with a message, and the sandbox goes on',
	attempts: RESETS.length,
	patienceMs: 240_000,
	waits: true,
	attack: async () =>
		await withSandbox(RESETS, async (sandbox, entry) => {
			const answer = await post(sandbox, 'reset', entry);
			return isRefused(answer) ? [] : [`answered ${answer.status}`];
		}),
};

const faults: Cell = {
	tries: 'definitions of faults that are none',
	holds: 'each is refused with a message, and the sandbox serves on',
	attempts: FAULTS.length,
	patienceMs: 180_000,
	waits: true,
	attack: async () =>
		await withSandbox(FAULTS, async (sandbox, entry) => {
			const found = new Findings();
			const answer = await post(sandbox, 'faults', entry);
			found.hold(isRefused(answer), `answered ${answer.status}`);
			if (isRefused(answer)) return found.list;
			await sendRaw(`${sandbox.baseUrl}/data/v1/profiles`, {
				method: 'GET',
				headers: [],
				hangUpAfterMs: 500,
			});
			await sendRaw(`${sandbox.adminUrl}faults`, { method: 'DELETE', headers: [] });
			return found.list;
		}),
};

const FOREIGN: ReadonlyArray<[string, string[]]> = [
	['another origin', ['origin: https://evil.example']],
	['another port', ['origin: http://127.0.0.1:1']],
	['no origin to be told', ['origin: null']],
	['a name that leads here', ['host: evil.example']],
	['a name that begins like ours', ['host: 127.0.0.1.evil.example']],
	['a page elsewhere', ['origin: https://evil.example', 'sec-fetch-site: cross-site']],
];

const foreign: Cell = {
	tries: 'web pages of others that post to its admin, under their origin and their name',
	holds: 'nothing is done for them; its own page and programs are served',
	attempts: FOREIGN.length + 2,
	waits: true,
	attack: async () => {
		const sandbox = await startSandbox({ students: 10 });
		const found = new Findings();
		const rule = { match: { path: '/' }, fault: { status: 500 } };
		try {
			for (const [what, headers] of FOREIGN) {
				const { status } = await post(sandbox, 'faults', rule, headers);
				found.hold(status >= 400, `${what}: answered ${status}`);
			}
			found.hold((await sandbox.admin.faults()).length === 0, 'faults of others are in force');
			const own = await post(sandbox, 'faults', rule, [`origin: ${new URL(sandbox.baseUrl).origin}`]);
			found.hold(own.status === 201, `its own page is answered ${own.status}`);
			const program = await post(sandbox, 'faults', rule);
			found.hold(program.status === 201, `a program is answered ${program.status}`);
			return found.list;
		} finally {
			await sandbox.stop();
		}
	},
};

export const sandboxes: Area = { name: 'sandbox', cells: [resets, faults, foreign] };
