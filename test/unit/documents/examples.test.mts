import { readdirSync, readFileSync } from 'node:fs';

const page = readFileSync('examples/README.md', 'utf8');
const examples = readdirSync('examples').filter((name) => name.endsWith('.json'));

test('there are at least ten examples', () => {
	expect(examples.length).toBeGreaterThanOrEqual(10);
});

test.each(examples)('the page of examples has a row, a link and a picture of %s', (file) => {
	const { name } = JSON.parse(readFileSync(`examples/${file}`, 'utf8')) as { name: string };
	const picture = file.replace(/json$/, 'png');
	expect(page).toContain(`\n## ${name}\n`);
	// GitHub leaves apostrophes out of the names of sections.
	expect(page).toContain(`\n| [${name}](#${name.toLowerCase().replaceAll("'", '').replaceAll(' ', '-')}) |`);
	expect(page).toContain(`[${file}](${file})`);
	expect(page).toContain(`](../docs/images/examples/${picture})`);
});

test.each(examples)('%s holds no secret, and no address of a machine', (file) => {
	const text = readFileSync(`examples/${file}`, 'utf8');
	expect(text).not.toMatch(/"(clientSecret|apiKey|access_token|refresh_token|password)"\s*:/);
	expect(text).not.toMatch(/localhost|127\.0\.0\.1|"instanceId"/);
});

interface Placed {
	name: string;
	type: string;
	position: [number, number];
	parameters: { width?: number; height?: number };
}

/** n8n draws a node 96 pixels wide, with its name below. */
const NODE = { width: 96, height: 136 };

function overlap(one: Placed, other: Placed): boolean {
	const [left, right] = [one, other].map(({ position: [x, y], parameters }) => ({
		x,
		y,
		right: x + (parameters.width ?? NODE.width),
		bottom: y + (parameters.height ?? NODE.height),
	}));
	return left.x < right.right && right.x < left.right && left.y < right.bottom && right.y < left.bottom;
}

test.each(examples)('no note of %s covers a node or another note', (file) => {
	const { nodes } = JSON.parse(readFileSync(`examples/${file}`, 'utf8')) as { nodes: Placed[] };
	const notes = nodes.filter(({ type }) => type.endsWith('.stickyNote'));
	const covered = notes.flatMap((note) =>
		nodes
			.filter((other) => other !== note && overlap(note, other))
			.map((other) => `${note.name}: ${other.name}`),
	);
	expect(covered).toEqual([]);
});

test('no Data Table of an example has a name that holds the name of another: n8n looks for a part of a name, and would take the wrong one', () => {
	const text = examples.map((file) => readFileSync(`examples/${file}`, 'utf8')).join('\n');
	const tables = [
		...new Set([...text.matchAll(/"tableName": "([^"]+)"/g)].map(([, name = '']) => name.toLowerCase())),
	];
	expect(tables.length).toBeGreaterThan(3);
	expect(tables.filter((name) => tables.some((other) => other !== name && other.includes(name)))).toEqual([]);
});

interface OfTable {
	name: string;
	parameters: { dataTableId?: { mode: string } };
}

const ofLedgers = examples.filter(
	(file) => readFileSync(`examples/${file}`, 'utf8').match(/"tableName": "[^"]*ledger/i) !== null,
);

test.each(ofLedgers)(
	'%s names the table of its ledger once: the other nodes take it by its id, which no other table has',
	(file) => {
		const { nodes } = JSON.parse(readFileSync(`examples/${file}`, 'utf8')) as { nodes: OfTable[] };
		const modes = nodes.flatMap(({ parameters: { dataTableId } }) =>
			dataTableId === undefined ? [] : [dataTableId.mode],
		);
		expect(modes).not.toEqual([]);
		expect(modes.filter((mode) => mode !== 'id')).toEqual([]);
	},
);
