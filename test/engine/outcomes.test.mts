/** Every item has an outcome of its own: what cannot be sent fails by itself, and never looks done. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Facts } from '../../sandbox/admin-types.mts';
import type { NodeRun, OnError } from '../support/engine.mts';
import { CLASS_PATH, studentParameters, students, USER_PATH, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom({ students: 40 });

let facts: Facts;
beforeAll(async () => {
	facts = await workroom.admin.facts();
});

/** What is left of a text that was cut in the middle of an emoji. */
const HALF_AN_EMOJI = '\ud83d';
/** So many lists within each other. */
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const CONTINUES: OnError[] = ['continueErrorOutput', 'continueRegularOutput'];

const itemsOf = (items: INodeExecutionData[]) =>
	items.map(({ pairedItem }) => (pairedItem as { item: number }).item);

/** The items that failed, wherever On Error lets them out. */
function failedOf({ outputs }: NodeRun): INodeExecutionData[] {
	return outputs.flat().filter(({ json }) => typeof json.error === 'string');
}

function doneOf({ outputs }: NodeRun): INodeExecutionData[] {
	return outputs[0].filter(({ json }) => typeof json.error !== 'string');
}

const account = (id: string) => ({ account: id, tenant: facts.tenantId });
const lookup: INodeParameters = {
	resource: 'account',
	operation: 'get',
	accountId: '={{ $json.account }}',
	tenantId: '={{ $json.tenant }}',
};
const update: INodeParameters = {
	resource: 'enrollment',
	operation: 'updateByAccount',
	accountId: '={{ $json.account }}',
	schoolId: '={{ $json.school }}',
	courseCode: '={{ $json.course }}',
	status: 'cancelled',
};
const updates = (count: number) =>
	Array.from({ length: count }, (_, row) => {
		const { accountId, schoolId, code } = facts.courses[row % facts.courses.length];
		return { account: accountId, school: schoolId, course: code };
	});

describe.each(CONTINUES)('With On Error "%s"', (onError) => {
	test('an id with half an emoji fails its item, by the name of the field, and the others are looked up', async () => {
		await workroom.storeToken();
		const { items } = await workroom.admin.users({ profile: 'student' });
		const rows = [account(items[0].account_id), account(HALF_AN_EMOJI), account(items[1].account_id)];
		const run = await workroom.run(lookup, rows, { onError });
		expect(run.error).toBeUndefined();
		expect(itemsOf(doneOf(run))).toEqual([0, 2]);
		expect(itemsOf(failedOf(run))).toEqual([1]);
		expect(failedOf(run)[0].json.error).toMatch(/^Account ID must .*half.* \[Item 1\]\nNothing was sent/);
		expect(await workroom.received()).toHaveLength(2);
	});

	test('of updates for four accounts one cannot be sent, and the other three are', async () => {
		await workroom.storeToken();
		const rows = updates(4).map((row, index) => (index === 2 ? { ...row, account: HALF_AN_EMOJI } : row));
		const run = await workroom.run({ ...update, options: { concurrency: 1 } }, rows, { onError });
		expect(run.error).toBeUndefined();
		expect(itemsOf(failedOf(run))).toEqual([2]);
		expect(itemsOf(doneOf(run))).toEqual([0, 1, 3]);
	});

	test.each<[string, INodeParameters, RegExp]>([
		[
			'an option that comes from an item and is out of range',
			studentParameters({ options: { concurrency: '={{ $json.many }}' } }),
			/^Concurrency must be a whole number from 0 to \d+ \[Item \d\]\nChange it under Options/,
		],
		[
			'an option whose expression fails',
			studentParameters({ options: { timeout: '={{ $("Nowhere").first().json.ms }}' } }),
			/^The expression in Timeout cannot be evaluated \[Item \d\]/,
		],
		[
			'an operation that this version does not have',
			studentParameters({ operation: 'obliterate' }),
			/^There is no operation "obliterate" of "user" in this version of the package \[Item \d\]/,
		],
	])('%s fails every item, and nothing is sent', async (_what, parameters, words) => {
		const rows = students(3).map((row) => ({ ...row, many: 500 }));
		const run = await workroom.run(parameters, rows, { onError });
		expect(run.error).toBeUndefined();
		expect(doneOf(run)).toEqual([]);
		expect(itemsOf(failedOf(run))).toEqual([0, 1, 2]);
		for (const { json } of failedOf(run)) expect(json.error).toMatch(words);
		expect(failedOf(run)[1].json).toMatchObject(rows[1]);
		expect(await workroom.received()).toEqual([]);
	});

	test.each<[string, INodeParameters]>([
		['the service', studentParameters()],
		['the sign-on', { resource: 'signOn', operation: 'getMachineToken' }],
		[
			'nothing but the credential',
			{ resource: 'signOn', operation: 'getAuthorizationUrl', redirectUri: 'https://app.example/back' },
		],
	])('a missing credential fails every item of an operation that needs %s', async (_what, parameters) => {
		const run = await workroom.run(parameters, students(3), { onError, credentials: undefined });
		expect(run.error).toBeUndefined();
		expect(doneOf(run)).toEqual([]);
		expect(itemsOf(failedOf(run))).toEqual([0, 1, 2]);
		expect(failedOf(run)[2].json.error).toMatch(/credentials.* \[Item 2\]\n/);
	});
});

describe('An answer that is nested too deep', () => {
	const rows = async () => {
		const { items } = await workroom.admin.users({ profile: 'student' });
		return [account(items[0].account_id), account(items[0].account_id), account(items[1].account_id)];
	};

	test.each([
		['Simplify on', true, 100_000],
		['Simplify off', false, 100_000],
		['one level too many', true, 64],
	])('fails the items that share it, and no other (%s)', async (_what, simplify, levels) => {
		const items = await rows();
		const body = `{"id":"x","more":${deep(levels)}}`;
		await workroom.admin.addFault(
			{ pathPattern: `${items[0].account}$` },
			{ status: 200, body, contentType: 'application/json' },
		);
		const run = await workroom.run({ ...lookup, simplify }, items, { onError: 'continueErrorOutput' });
		expect(run.error).toBeUndefined();
		expect(itemsOf(run.outputs[0])).toEqual([2]);
		expect(itemsOf(run.outputs[1])).toEqual([0, 1]);
		expect(run.outputs[1][0].json.error).toMatch(/^The answer .* nested deeper than 64 levels \[Item 0\]\n/);
		// n8n keeps what ran as JSON: it has to be possible to write it.
		expect(() => JSON.stringify(run.run.data)).not.toThrow();
	});

	test('of as many levels as are allowed is passed on', async () => {
		const items = await rows();
		const body = `{"id":"x","more":${deep(63)}}`;
		await workroom.admin.addFault(
			{ pathPattern: `${items[0].account}$` },
			{ status: 200, body, contentType: 'application/json' },
		);
		const { outputs } = await workroom.run(lookup, items, { onError: 'continueErrorOutput' });
		expect(itemsOf(outputs[0])).toEqual([0, 1, 2]);
	});

	test('within the text of a stored event stays that text', async () => {
		const payload = `{"header":{},"payload":${deep(100_000)}}`;
		const body = { payload, message: '', status: 200, sentAt: '', isSuccessful: true };
		await workroom.admin.addFault({ path: '/webhook/v1/' }, { status: 200, body });
		const stored = { resource: 'event', operation: 'get', requestId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' };
		const { outputs } = await workroom.run(stored, [{}], { onError: 'continueErrorOutput' });
		expect(outputs[0][0].json).toMatchObject({ event: null, payload });
	});

	test('to a creation comes as text: it was done', async () => {
		await workroom.admin.addFault(
			{ path: USER_PATH },
			{ status: 200, body: deep(100_000), contentType: 'application/json' },
		);
		const { outputs } = await workroom.run(studentParameters(), students(1));
		expect(outputs[0][0].json).toMatchObject({ data: deep(100_000) });
	});

	test('of a refusal is a refusal like any other', async () => {
		await workroom.admin.addFault(
			{ path: USER_PATH },
			{ status: 422, body: `{"Error":${deep(100_000)}}`, contentType: 'application/json' },
		);
		const { outputs } = await workroom.run(studentParameters(), students(2), {
			onError: 'continueErrorOutput',
		});
		expect(outputs.map((items) => items.length)).toEqual([0, 2]);
		expect(outputs[1][1].json.error).toMatch(/^The service refuses the request \(422\) \[Item 1\]/);
	});

	test.each(['getUserInfo', 'getMachineToken'])('of the sign-on fails its item (%s)', async (operation) => {
		const credentials = await workroom.signOnCredential();
		const body = `{"access_token":"t","more":${deep(100_000)}}`;
		await workroom.admin.addFault(
			{ path: '/identity/connect/' },
			{ status: 200, body, contentType: 'application/json' },
		);
		const parameters = { resource: 'signOn', operation, accessToken: 'a-token' };
		const { outputs, error } = await workroom.run(parameters, [{}], {
			onError: 'continueErrorOutput',
			credentials,
		});
		expect(error).toBeUndefined();
		expect(outputs.map((items) => items.length)).toEqual([0, 1]);
	});
});

describe('With On Error "Stop Workflow" nothing is begun after the first failure:', () => {
	test('no other update of the same account', async () => {
		await workroom.storeToken();
		await workroom.admin.addFault({ method: 'PUT', nth: 2 }, { status: 403 });
		const [row] = updates(1);
		const rows = Array.from({ length: 6 }, () => row);
		const run = await workroom.run({ ...update, options: { batchSize: 1, concurrency: 1 } }, rows);
		expect(wordsOf(run).message).toMatch(/^The service does not allow this \(403\) \[Item 1\]$/);
		expect(await workroom.received()).toHaveLength(2);
	});

	test('no other half of the updates that are halved', async () => {
		await workroom.storeToken();
		const rows = Array.from({ length: 8 }, (_, index) => ({
			...updates(1)[0],
			...(index === 0 && { course: 'NO-SUCH-COURSE' }),
		}));
		const run = await workroom.run(update, rows);
		expect(wordsOf(run).message).toMatch(/^The service refuses the data \(400\).* \[Item 0\]$/);
		// All eight, four, two, and the one that is refused.
		expect(await workroom.received()).toHaveLength(4);
	});

	test('no other account, also when nothing found counts as a failure', async () => {
		await workroom.storeToken();
		const { items } = await workroom.admin.users({ profile: 'student' });
		await workroom.admin.addFault({ pathPattern: `${items[1].account_id}$` }, { status: 200 });
		const rows = items.slice(0, 5).map(({ account_id }) => account(account_id));
		const run = await workroom.run(
			{ ...lookup, options: { concurrency: 1, whenNothingFound: 'fail' } },
			rows,
		);
		expect(wordsOf(run).message).toBe('The service finds nothing for this item [Item 1]');
		expect(await workroom.received()).toHaveLength(2);
	});
});

describe('An expression that fails in a field that may be empty', () => {
	const FAILS = [
		'={{ $json.mail.toLowerCase() }}',
		'={{ JSON.parse("x") }}',
		'={{ $("Nowhere").first() }}',
		'=x{{ $json.a.b() }}',
	];
	const post = {
		resource: 'enrollment',
		operation: 'postCourseStatus',
		schoolId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
		courseCode: 'c',
		userId: '3f2504e0-4f89-41d3-9a0c-0305e82c3302',
		status: 'x',
	};

	test.each(
		FAILS.flatMap(
			(fails): Array<[string, INodeParameters, string]> => [
				[fails, studentParameters({ additionalFields: { ddi: '55', email: fails } }), 'Email'],
				[fails, studentParameters({ birthDate: fails }), 'Birth Date'],
				[fails, studentParameters({ responsibleExternalIds: fails }), 'Responsible External IDs'],
				[fails, studentParameters({ externalId: fails }), 'External ID'],
				[
					fails,
					{ ...post, responsibles: { responsible: [{ name: 'A' }, { email: fails }] } },
					'Responsible Persons',
				],
				[fails, studentParameters({ options: { timeout: fails } }), 'Timeout'],
			],
		),
	)('%s is refused by the name of the field', async (_expression, parameters, label) => {
		const run = await workroom.run(parameters, [{ id: 'student-1' }]);
		expect(wordsOf(run).message.replace(' [Item 0]', '')).toBe(
			`The expression in ${label} cannot be evaluated`,
		);
		expect(await workroom.received()).toEqual([]);
	});

	test('is refused in an option of the operation alone, for the item that it is for', async () => {
		const credentials = await workroom.signOnCredential();
		const options = { scope: '={{ $json.scope.trim() }}' };
		const rows: IDataObject[] = [{ scope: 'platform-account' }, {}];
		const run = await workroom.run({ resource: 'signOn', operation: 'getMachineToken', options }, rows, {
			credentials,
			onError: 'continueErrorOutput',
		});
		expect(itemsOf(run.outputs[0])).toEqual([0]);
		expect(run.outputs[1][0].json.error).toMatch(/^The expression in Scope cannot be evaluated \[Item 1\]\n/);
	});

	test('does not quote the data that it fails on', async () => {
		const run = await workroom.run(studentParameters({ birthDate: '={{ JSON.parse($json.secret) }}' }), [
			{ id: 'student-1', secret: 'abelia-fontela' },
		]);
		expect(JSON.stringify(wordsOf(run))).not.toContain('abelia-fontela');
	});

	test.each([
		...[
			'={{ $json.nothing }}',
			'={{ $json.a?.b }}',
			'={{ $("Items").item.json.nothing }}',
			'={{ $input.item.json.nothing }}',
		],
		...['={{ null }}', '={{ $json.a ?? "" }}', '=', "={{ $fromAI('Email', ``, 'string') }}"],
	])('is not one that finds nothing: %s leaves the field out', async (email) => {
		const run = await workroom.run(studentParameters({ additionalFields: { email } }), [{ id: 'student-1' }]);
		expect(run.error).toBeUndefined();
		expect((await workroom.received(USER_PATH))[0].body).not.toHaveProperty('email');
	});
});

describe('A computed expression that gives nothing', () => {
	const LOST = (place: string) =>
		`The expression in ${place} gives nothing for this item; give an empty text to leave the field out.`;

	/** What becomes of a student whose birth date is computed so. */
	async function born(birthDate: string, ...rows: IDataObject[]) {
		return await workroom.run(studentParameters({ birthDate }), rows, { onError: 'continueErrorOutput' });
	}

	test('fails its item alone, by the name of the field and with what to do: a day that the calendar does not have', async () => {
		const run = await born(
			"={{ DateTime.fromFormat($json.born, 'dd/MM/yyyy').toISODate() }}",
			{ id: 'student-1', born: '31/02/2015' },
			{ id: 'student-2', born: '28/02/2015' },
		);
		expect(run.outputs[1].map(({ json }) => json)).toEqual([
			{
				id: 'student-1',
				born: '31/02/2015',
				error: `${LOST('Birth Date')} [Item 0]\nNothing was sent for this item. Correct its values and run it again.`,
				failure: {
					origin: 'input',
					effect: 'none',
					next: 'Nothing was sent for this item. Correct its values and run it again.',
				},
			},
		]);
		expect((await workroom.received(USER_PATH)).map(({ body }) => body)).toEqual([
			expect.objectContaining({ external_id: 'student-2', birth_date: '2015-02-28' }),
		]);
	});

	test.each([
		'={{ $json.mail || null }}',
		'={{ $json.mails?.find((mail) => mail.school) }}',
		'={{ $json.kind === "a" ? $json.mail : undefined }}',
	])('fails its item in an additional field: %s', async (email) => {
		const run = await workroom.run(studentParameters({ additionalFields: { email } }), [
			{ id: 'student-1', mails: [] },
		]);
		expect(wordsOf(run).message).toBe(`${LOST('Email')} [Item 0]`);
		expect(await workroom.received(USER_PATH)).toEqual([]);
	});

	test('leaves the field out where it gives an empty text instead, as the message says', async () => {
		const run = await born("={{ DateTime.fromFormat($json.born, 'dd/MM/yyyy').toISODate() ?? '' }}", {
			id: 'student-1',
			born: '31/02/2015',
		});
		expect(run.outputs[1]).toEqual([]);
		expect((await workroom.received(USER_PATH))[0].body).not.toHaveProperty('birth_date');
	});

	test('is told beside everything else that is wrong with the item', async () => {
		const parameters = studentParameters({
			birthDate: '={{ $json.x || null }}',
			firstName: '={{ $json.first }}',
		});
		const { message, description } = wordsOf(await workroom.run(parameters, [{ id: 'student-1' }]));
		expect([message.replace(' [Item 0]', ''), ...description.split('\n')]).toEqual([
			'First Name must be text, but is empty',
			LOST('Birth Date'),
			'Nothing was sent for this item. Correct its values and run it again.',
		]);
	});

	test('is told once, and by the check of the field, where the field must not be empty', async () => {
		const { message, description } = wordsOf(
			await workroom.run(studentParameters({ externalId: '={{ $json.id || null }}' }), [{}]),
		);
		expect(message).toBe('External ID must be text, but is empty [Item 0]');
		expect(description).not.toContain('gives nothing');
	});

	test('is named with the entry and the member that it stands in', async () => {
		const [{ schoolId, code: courseCode, userId }] = (await workroom.admin.facts()).courses;
		const responsible = [
			{ name: 'Otto Brandt' },
			{ name: 'Marina Torres', dateOfBirth: '={{ $json.born || null }}' },
		];
		const parameters = {
			resource: 'enrollment',
			operation: 'postCourseStatus',
			schoolId,
			courseCode,
			userId,
			status: 'x',
		};
		const { message } = wordsOf(await workroom.run({ ...parameters, responsibles: { responsible } }, [{}]));
		expect(message).toBe(`${LOST('Entry 2 of Responsible Persons: Date of Birth')} [Item 0]`);
		expect(await workroom.received()).toEqual([]);
	});
});

test('An item with nothing but a file says so, and what to do, when its own fields are to be sent', async () => {
	const binary = { data: { data: '', mimeType: 'text/csv' } };
	const parameters = { resource: 'class', operation: 'create', dataMode: 'autoMapInputData' };
	const { message, description } = wordsOf(
		await workroom.run(parameters, undefined, { inputs: [{ json: {}, binary }] }),
	);
	expect(message).toBe('The input item has no fields, only a file (binary data) [Item 0]');
	expect(description).toMatch(/Extract from File.*Define Below/s);
	expect(await workroom.received(CLASS_PATH)).toEqual([]);
});
