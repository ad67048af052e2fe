/** The expressions that the page of the operations shows for dates, names and documents, in n8n's own engine. */
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
