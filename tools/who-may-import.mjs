/** Who may import whom in the shipped code, as lint rules. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const NODES = join(import.meta.dirname, '..', 'nodes');
const N8N = 'n8n-workflow';

/** What each folder may know of its neighbours and of n8n. One that is not named here knows nothing of them. */
const OF_SHARED = {
	oidc: ['contract'],
	transport: ['contract', 'oidc', 'pace', N8N],
	calls: ['contract', 'transport', N8N],
	engine: ['calls', 'contract', 'transport', N8N],
	actions: ['contract', 'engine', 'pace', 'transport', N8N],
	pickLists: ['calls', 'contract', 'transport', N8N],
	signOn: ['contract', 'oidc', 'transport', N8N],
	webhooks: ['contract', N8N],
};
const OF_THE_ACTION_NODE = {
	framework: [N8N, 'shared'],
	operations: ['framework', 'registration', 'browser', N8N, 'shared'],
	// Without n8n.
	registration: ['shared/contract'],
	browser: ['shared/contract', 'shared/oidc'],
};
const OF_THE_ROSTER = {
	// Without n8n.
	reading: ['ledger', 'roster', 'shared/contract'],
	ledger: ['roster'],
	planning: ['ledger', 'roster', 'shared/calls', 'shared/contract'],
	explaining: ['ledger', 'planning'],
	sending: ['ledger', 'planning'],
	verifying: ['ledger', 'planning', 'roster', 'shared/contract'],
	night: ['ledger', 'planning', 'roster', 'sending', 'store'],
	// The edge.
	store: ['ledger', N8N],
	panel: ['reading', N8N, 'shared'],
	service: ['planning', 'reading', 'roster', 'verifying', N8N, 'shared'],
	run: [
		...[
			'explaining',
			'ledger',
			'night',
			'panel',
			'planning',
			'reading',
			'roster',
			'sending',
			'service',
			'store',
			'verifying',
		],
		N8N,
		'shared',
	],
};

function foldersIn(path) {
	return readdirSync(path, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => name);
}

/** One folder: none of these names may stand in the address of an import. `part` is a regular expression. */
function rule(folder, forbidden) {
	return {
		files: [`${folder}/**/*.ts`],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					patterns: forbidden.map(({ name, part = `${name}(/|$)` }) => ({
						regex: name === N8N ? '^@?n8n' : `^(\\.\\./)+${part}`,
						message: `${folder} knows nothing of ${name}: see tools/who-may-import.mjs.`,
					})),
				},
			],
		},
	};
}

/** What of `name` is closed to whoever may know these; nothing where all of it is open. `shared/contract` opens that part of `shared` alone; failures are open to everybody. */
function closed(name, mayKnow) {
	if (mayKnow.includes(name)) return [];
	const open = mayKnow.flatMap((known) =>
		known.startsWith(`${name}/`) ? [known.slice(name.length + 1)] : [],
	);
	if (name !== 'shared') return [{ name }];
	if (open.length === 0) return [{ name, part: `${name}/(?!failure$)` }];
	return [
		{ name: `${name} but for ${open.join(' and ')}`, part: `${name}/(?!failure$|(${open.join('|')})/)` },
	];
}

/** Each folder in `parent` against its neighbours, n8n and the folders `elsewhere`, but for what it may know. */
function rulesIn(parent, mayKnow, elsewhere) {
	const folders = foldersIn(join(NODES, parent));
	return folders.map((folder) =>
		rule(
			`nodes/${parent}/${folder}`,
			[...folders, N8N, ...elsewhere]
				.filter((name) => name !== folder)
				.flatMap((name) => closed(name, mayKnow[folder] ?? [])),
		),
	);
}

const nodes = foldersIn(NODES).filter((name) => name !== 'shared');
const others = (node) => nodes.filter((name) => name !== node);

const rulesWithin = (node, mayKnow) => rulesIn(node, mayKnow, ['shared', ...others(node)]);

/** Configurations of ESLint. Trap: of several that fit a file, the last one counts. */
export const whoMayImport = [
	// Of the nodes, credentials know what an address may be, and how fields are made.
	rule('credentials', [
		{
			name: 'nodes but for the contract and fields',
			part: 'nodes/(?!shared/(contract/|actions/properties$)).+',
		},
	]),
	...nodes.map((node) =>
		rule(
			`nodes/${node}`,
			others(node).map((name) => ({ name })),
		),
	),
	...rulesWithin('SchoolPartner', OF_THE_ACTION_NODE),
	...rulesWithin('SchoolPartnerTrigger', { deliveries: ['shared/contract'] }),
	...rulesWithin('SchoolPartnerLogoutTrigger', { logouts: ['shared/contract', 'shared/oidc'] }),
	...rulesWithin('SchoolPartnerRoster', OF_THE_ROSTER),
	...rulesIn('shared', OF_SHARED, nodes),
];
