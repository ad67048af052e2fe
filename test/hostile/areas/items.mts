/** Values that an item should not have. Every item must be accounted for, and what was not sent must not look done. */
import type { INode } from 'n8n-workflow';

import { Findings, shown, type Area, type Cell } from '../cell.mts';
import { friendly, json } from '../peers/servicePeer.mts';
import type { Seen } from '../runs.mts';
import type { HostileStage } from '../stage.mts';

import { unaccounted } from './accounting.mts';
import { CALLS, CREATE_BOND, GET_ACCOUNT, GUID, rowOf, UPDATE_ACCOUNT, type Call } from './calls.mts';

const ODD_VALUES: readonly unknown[] = [
	'\ud800',
	'\udfff',
	'a\ud83d',
	'',
	'   ',
	'.',
	'..',
	'a/b',
	'../profiles',
	'\u0000',
	'a\r\nx-evil: 1',
	'x'.repeat(37),
	'x'.repeat(10_000),
	null,
	true,
	12,
	1e21,
	[],
	['a'],
	{},
	{ toString: 1 },
	{ length: 3 },
	'__proto__',
	'constructor',
	'%2e%2e',
	'%',
	'%ud800',
	'\u202e',
	'a?b=c',
	'a#b',
	'={{ $env }}',
	'😀',
];

/** Texts that try to leave their place, all short enough for an id. */
const INJECTIONS = [
	'a?tenant_id=other',
	'a#fragment',
	'a&b=c',
	'a;b',
	'a%2Fb',
	'a%00b',
	'a b',
	'a\\b',
	'@evil.example',
	'http:evil.example',
	'={{ $env.PATH }}',
	'{{ 1 + 1 }}',
	"' OR 1=1 --",
	'<script>alert(1)</script>',
	'"},{"a":"b',
	'$(id)',
];

async function runWith(
	stage: HostileStage,
	call: Call,
	values: readonly unknown[],
	options: object = {},
	onError?: INode['onError'],
): Promise<{ seen: Seen; findings: string[] }> {
	const peer = await stage.peer(friendly);
	const credential = await stage.machineCredential(peer.url);
	const parameters = call.parameters(options);
	const seen = await stage.run({ parameters, rows: values.map(rowOf), credential, onError });
	return { seen, findings: unaccounted(seen, values, call, peer.calls()) };
}

const halfAnEmoji: Cell = {
	tries: 'half an emoji in the id of one of three items',
	holds: 'that item fails in words, and the others are sent',
	attempts: CALLS.length,
	attack: async (stage) => {
		const found = new Findings();
		for (const call of CALLS) {
			const { seen, findings } = await runWith(stage, call, ['one', '\ud800', 'three']);
			found.add(findings.slice(0, 1));
			if (findings.length === 0)
				found.hold(seen.success.length >= 2, `${call.name}: ${seen.success.length} items on the output`);
		}
		return found.list;
	},
};

const oneByOne: Cell = {
	tries: 'updates of four accounts, one at a time, one of them with half an emoji',
	holds: 'three are sent and leave as done, one fails',
	attempts: 1,
	attack: async (stage) => {
		const values = ['one', 'two', '\ud800', 'four'];
		const { seen, findings } = await runWith(stage, UPDATE_ACCOUNT, values, { concurrency: 1 });
		if (seen.success.length !== 3) findings.push(`${seen.success.length} items on the output`);
		return findings.slice(0, 1);
	},
};

const oddValues: Cell = {
	tries: `${ODD_VALUES.length} odd values as ids of every kind of request, between honest ones`,
	holds: 'every item is accounted for, nothing unsent looks done, and the honest ones are done',
	attempts: ODD_VALUES.length * CALLS.length,
	patienceMs: 180_000,
	attack: async (stage) => {
		const found = new Findings();
		for (const call of CALLS) {
			const values = ODD_VALUES.flatMap((odd, index) => [odd, `honest-${index}`]);
			const { seen, findings } = await runWith(stage, call, values);
			found.add(findings);
			const honest = seen.success.filter(({ item }) => item % 2 === 1).length;
			found.hold(honest === ODD_VALUES.length, `${call.name}: ${honest} honest items on the output`);
		}
		return found.list;
	},
};

const ODD_OPTIONS = ['timeout', 'maxRetries', 'concurrency', 'batchSize', 'whenNothingFound'];
const OPTION_VALUES: readonly unknown[] = [-1, 0.5, 1e12, 'abc', '', null, {}, [], '\ud800'];

const GOOD_OPTIONS = { timeout: 5_000, maxRetries: 0, concurrency: 2, batchSize: 2 };

const oddOptions: Cell = {
	tries: 'options that come from an item, and are none',
	holds: 'every item is accounted for, and nothing unsent looks done',
	attempts: ODD_OPTIONS.length * OPTION_VALUES.length,
	patienceMs: 180_000,
	attack: async (stage) => {
		const found = new Findings();
		for (const option of ODD_OPTIONS) {
			for (const value of OPTION_VALUES) {
				const peer = await stage.peer(friendly);
				const credential = await stage.machineCredential(peer.url);
				const call = option === 'whenNothingFound' ? GET_ACCOUNT : UPDATE_ACCOUNT;
				const values = ['one', 'two', 'three'];
				const rows = values.map((odd, n) => ({ ...rowOf(odd, n), option: value }));
				const parameters = call.parameters({ [option]: '={{ $json.option }}' });
				const seen = await stage.run({ parameters, rows, credential });
				const findings = unaccounted(seen, values, call, peer.calls());
				found.hold(findings.length === 0, `${option} ${shown(value)}: ${findings[0]}`);
			}
		}
		// The same with options that are some: otherwise the cell would hold whatever comes.
		for (const [option, value] of Object.entries(GOOD_OPTIONS)) {
			const { seen } = await runWith(stage, UPDATE_ACCOUNT, ['one'], { [option]: `={{ ${value} }}` });
			found.hold(seen.success.length === 1, `${option} ${value}: ${shown(seen.failure)}`);
		}
		return found.list;
	},
};

const ON_ERROR: Array<INode['onError']> = ['continueErrorOutput', 'continueRegularOutput', 'stopWorkflow'];

const onErrorSettings: Cell = {
	tries: 'an item that cannot be sent, under each setting of On Error',
	holds: 'no output shows it as done, and a stopped run says which item',
	attempts: ON_ERROR.length * 2,
	attack: async (stage) => {
		const found = new Findings();
		for (const call of [GET_ACCOUNT, UPDATE_ACCOUNT]) {
			for (const onError of ON_ERROR) {
				const { seen } = await runWith(stage, call, ['one', '\ud800', 'three'], {}, onError);
				const silent = seen.success.filter(({ item, json: { error } }) => item === 1 && error === undefined);
				found.hold(silent.length === 0, `${call.name}, ${onError}: the unsent item looks done`);
				if (onError === 'stopWorkflow') {
					found.hold(seen.status === 'error', `${call.name}: the run ends as ${seen.status}`);
					found.hold(/Item 1/.test(seen.error), `${call.name}: does not name the item: ${seen.error}`);
				}
			}
		}
		return found.list;
	},
};

const noCredential: Cell = {
	tries: 'a node without credential, and with one that was deleted',
	holds: 'nothing leaves as done',
	attempts: 4,
	attack: async (stage) => {
		const found = new Findings();
		const deleted = await stage.machineCredential('http://127.0.0.1:9');
		await stage.forget(deleted);
		for (const call of [GET_ACCOUNT, CREATE_BOND]) {
			for (const credential of [undefined, deleted]) {
				const what = `${call.name}, ${credential === undefined ? 'none' : 'deleted'}`;
				const rows = ['one', 'two'].map(rowOf);
				const seen = await stage.run({ parameters: call.parameters(), rows, credential });
				found.hold(seen.success.length === 0, `${what}: ${seen.success.length} unsent items look done`);
				const says = seen.failure.length === rows.length || seen.status === 'error';
				found.hold(says, `${what}: ${seen.failure.length} failures in a run that ends as ${seen.status}`);
			}
		}
		return found.list;
	},
};

const injections: Cell = {
	tries: 'values that try to leave their place in an address or a body',
	holds: 'each arrives as it is, in its place, or is refused in words',
	attempts: INJECTIONS.length * 2,
	attack: async (stage) => {
		const found = new Findings();
		for (const call of [GET_ACCOUNT, CREATE_BOND]) {
			const peer = await stage.peer(friendly);
			const credential = await stage.machineCredential(peer.url);
			const seen = await stage.run({
				parameters: call.parameters(),
				rows: INJECTIONS.map(rowOf),
				credential,
			});
			found.add(unaccounted(seen, INJECTIONS, call, peer.calls()));
			for (const { url, headers } of peer.calls()) {
				const { pathname, searchParams } = new URL(url, peer.url);
				const isInPlace =
					call === CREATE_BOND
						? pathname === '/integration/partner/v1/bond-user-class'
						: /^\/sync\/v1\/accounts\/[^/]+$/.test(pathname) && searchParams.get('tenant_id') === GUID;
				found.hold(isInPlace && [...searchParams.keys()].length <= 1, `${call.name}: ${url}`);
				found.hold(headers['x-evil'] === undefined, `${call.name}: a header of its own`);
			}
		}
		return found.list;
	},
};

const binaryOnly: Cell = {
	tries: 'an item that is a file and nothing else, with Map Automatically',
	holds: 'it fails and says what it is',
	attempts: 1,
	attack: async (stage) => {
		const peer = await stage.peer(friendly);
		const credential = await stage.machineCredential(peer.url);
		const mapped = { ...CREATE_BOND.parameters(), dataMode: 'autoMapInputData' };
		const code = `return [{ json: {}, binary: { data: { data: 'YQ==', mimeType: 'text/csv', fileName: 'a.csv' } } }];`;
		const { success, failure } = await stage.run({ parameters: mapped, code, credential });
		const says = String(failure[0]?.json.error);
		const isRight = success.length === 0 && /\b(binary|files?)\b/i.test(says);
		return isRight ? [] : [`${success.length} on the output, and the failure says ${shown(says)}`];
	},
};

const FAILING_EXPRESSIONS = [
	'={{ $("Nowhere").item.json.notes }}',
	'={{ JSON.parse("{") }}',
	'={{ $json.n.nothing() }}',
	'={{ (() => { throw new Error("no") })() }}',
];

const failingExpression: Cell = {
	tries: 'expressions that fail in a field that may be empty',
	holds: 'the item fails in words, and is not sent without the field',
	attempts: FAILING_EXPRESSIONS.length,
	attack: async (stage) => {
		const found = new Findings();
		for (const notes of FAILING_EXPRESSIONS) {
			const peer = await stage.peer(friendly);
			const credential = await stage.machineCredential(peer.url);
			const parameters = { ...UPDATE_ACCOUNT.parameters(), additionalFields: { notes } };
			const seen = await stage.run({ parameters, rows: [rowOf('one', 0)], credential });
			const isRight = seen.success.length === 0 && peer.calls().length === 0;
			found.hold(isRight, `${notes}: ${peer.calls().length} sent, ${seen.success.length} look done`);
		}
		return found.list;
	},
};

const STOPS: ReadonlyArray<[string, string[], object, number]> = [
	['four accounts, one at a time', ['a', 'b', 'c', 'd'], { concurrency: 1 }, 1],
	[
		'forty accounts, two at a time',
		Array.from({ length: 40 }, (_, n) => `account-${n}`),
		{ concurrency: 2 },
		4,
	],
	['four requests of one account', ['a', 'a', 'a', 'a'], { batchSize: 1 }, 1],
	['two hundred accounts', Array.from({ length: 200 }, (_, n) => `account-${n}`), {}, 100],
];

const stopped: Cell = {
	tries: 'updates of which the first is refused, with Stop Workflow',
	holds: 'nothing is begun after it',
	attempts: STOPS.length,
	attack: async (stage) => {
		const found = new Findings();
		for (const [what, accounts, options, most] of STOPS) {
			const peer = await stage.peer(json(403, {}));
			const credential = await stage.machineCredential(peer.url);
			const rows = accounts.map(rowOf);
			const parameters = UPDATE_ACCOUNT.parameters(options);
			const seen = await stage.run({ parameters, rows, credential, onError: 'stopWorkflow' });
			const sent = peer.calls().length;
			found.hold(
				seen.status === 'error' && sent <= most,
				`${what}: ${sent} requests, the run ends as ${seen.status}`,
			);
		}
		return found.list;
	},
};

export const items: Area = {
	name: 'items',
	cells: [
		halfAnEmoji,
		oneByOne,
		oddValues,
		oddOptions,
		onErrorSettings,
		noCredential,
		injections,
		binaryOnly,
		failingExpression,
		stopped,
	],
};
