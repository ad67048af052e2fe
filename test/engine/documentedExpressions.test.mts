/** The expressions that the page of the operations shows for dates, names and documents, and of an example, in n8n's own engine. */
import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { studentParameters, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

const page = readFileSync('docs/operations.md', 'utf8');
const section = page.slice(page.indexOf('### Dates, names and documents'), page.indexOf('## Simplify'));

interface Shown {
	item: IDataObject;
	field: string;
	expression: string;
	sent: string;
}

/** The rows of the table. "the same" stands for the expression above. */
const shown = section
	.split('\n')
	.filter((line) => line.startsWith('| `'))
	.reduce<Shown[]>((rows, line) => {
		const [item, field, expression, sent] = line.slice(2, -2).split(' | ');
		const code = (cell: string): string => cell.replace(/^`|`(,.*)?$/g, '');
		const above = rows.at(-1)?.expression ?? '';
		const isSame = expression === 'the same';
		return [
			...rows,
			{
				item: JSON.parse(code(item)),
				field,
				expression: isSame ? above : `=${code(expression)}`,
				sent: code(sent),
			},
		];
	}, []);

const PARAMETERS: Record<string, [parameter: string, name: string]> = {
	'Birth Date': ['birthDate', 'birth_date'],
	'Document Value': ['documentValue', 'document_value'],
	'First Name': ['firstName', 'first_name'],
	'Last Name': ['lastName', 'last_name'],
};

async function sentFor({ field, expression }: Shown, item: IDataObject) {
	const [parameter, name] = PARAMETERS[field];
	const run = await workroom.run(studentParameters({ [parameter]: expression }), [
		{ id: 'student-1', ...item },
	]);
	return { run, value: ((await workroom.received()).at(0)?.body as IDataObject | undefined)?.[name] };
}

test('The page shows an expression for each of them', () => {
	expect(new Set(shown.map(({ field }) => field))).toEqual(new Set(Object.keys(PARAMETERS)));
});

test.each(shown)('$field of $item is sent as $sent', async (row) => {
	const { run, value } = await sentFor(row, row.item);
	expect(run.error).toBeUndefined();
	expect(value).toBe(row.sent);
});

test.each(shown)(
	'$field of an empty cell is left out, or refused where it is needed: $expression',
	async (row) => {
		for (const empty of [undefined, null, '']) {
			await workroom.admin.reset();
			const [column] = Object.keys(row.item);
			const { run, value } = await sentFor(row, { [column]: empty } as IDataObject);
			if (/Name/.test(row.field))
				expect(wordsOf(run).message).toBe(`${row.field} must not be empty [Item 0]`);
			else expect([run.error, value]).toEqual([undefined, undefined]);
		}
	},
);

test('A day that the calendar does not have is refused', async () => {
	const { run, value } = await sentFor(shown[0], { born: '31/02/2015' });
	expect(wordsOf(run).message).toBe(
		'The expression in Birth Date gives nothing for this item; give an empty text to leave the field out. [Item 0]',
	);
	expect(value).toBeUndefined();
});

describe('The condition that lets a run fail in which nothing could be done', () => {
	const condition = /\{\{ (.+\$json\.failure.+) \}\}/.exec(page.slice(page.indexOf('### A green run')))?.[1];

	/** Whether the condition holds for the item that failed in such a run. */
	async function endsTheRun(failing: Promise<Awaited<ReturnType<typeof workroom.run>>>): Promise<unknown> {
		const [{ json }] = (await failing).outputs[1];
		await workroom.admin.clearFaults();
		await workroom.run(studentParameters({ externalId: `={{ String(${condition}) }}` }), [json]);
		return ((await workroom.received('/integration/partner/v1/user')).at(-1)?.body as IDataObject)
			.external_id;
	}

	const run = async (changed: IDataObject, credentials = workroom.credentials) =>
		await workroom.run(studentParameters({ options: { maxRetries: 0 }, ...changed }), [{ id: 'student-1' }], {
			credentials,
			onError: 'continueErrorOutput',
		});

	test.each([
		['a wrong secret', { clientSecret: 'wrong' }],
		['a sign-on that does not answer', { issuerUrl: 'http://127.0.0.1:1' }],
		['an address that is none', { baseUrl: 'nowhere' }],
	])('holds for %s', async (_what, change) => {
		expect(await endsTheRun(run({}, await workroom.credentialWith(change)))).toBe('true');
	});

	test.each([401, 403])('holds for a client that may do nothing (%s)', async (status) => {
		await workroom.admin.addFault({ path: '/integration/partner/v1/user' }, { status });
		expect(await endsTheRun(run({}))).toBe('true');
	});

	test('does not hold for an item that is refused, here or by the service', async () => {
		expect(await endsTheRun(run({ birthDate: 'soon' }))).toBe('false');
		await workroom.admin.addFault({ path: '/integration/partner/v1/user' }, { status: 422 });
		expect(await endsTheRun(run({}))).toBe('false');
	});
});

describe('"Upsert users on access" notes of every event when access changed: a row without it is never updated again', () => {
	const example = JSON.parse(readFileSync('examples/upsert-users-on-access.json', 'utf8')) as {
		nodes: Array<{ parameters: { jsonOutput?: string } }>;
	};
	const expressions = example.nodes
		.flatMap(({ parameters: { jsonOutput = '' } }) => /changed_at: (.+),\n/.exec(jsonOutput)?.[1] ?? [])
		.map((code) => code.replace(/\$\('\w+'\)\.item\.json/g, '$json'));

	test.each([
		['2026-03-09T12:30:00Z', '2026-03-09T12:30:00.000Z'],
		['2026-03-09T12:30:00', '2026-03-09T12:30:00.000Z'],
		['2026-03-09T09:30:00-03:00', '2026-03-09T12:30:00.000Z'],
		...['soon', '', 1_773_059_400, null, undefined].map((created) => [created, '2026-03-09T12:30:01.250Z']),
	])('created_at %j: %s', async (created_at, changedAt) => {
		expect(expressions).toHaveLength(2);
		const event = { header: { created_at }, delivery: { received_at: '2026-03-09T12:30:01.250Z' } };
		for (const expression of expressions)
			await workroom.run(studentParameters({ externalId: `={{ ${expression} }}` }), [event]);
		const sent = await workroom.received('/integration/partner/v1/user');
		expect(sent.map(({ body }) => (body as IDataObject).external_id)).toEqual([changedAt, changedAt]);
	});
});
