/** Explain: why somebody is, or is not, where they should be, after real nights against the sandbox. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { BOND_PATH, USER_PATH } from './workroom.mts';
import { LEDGER, useOffice, withoutBond, type NightOptions } from './rosterStage.mts';

const office = useOffice();

async function explain(items: IDataObject[], more: NightOptions = {}): Promise<IDataObject[]> {
	const roster = items.map((json) => ({ json }));
	const run = await office.run('explain', { roster, credentials: undefined, ...more });
	if (run.error !== undefined) throw run.error;
	return run.items;
}

const about = async (id: string, more: NightOptions = {}) => (await explain([{ external_id: id }], more))[0];

describe('An expression', () => {
	const [good, bad] = [{ id: 'ros-student-1', school: { code: 'school-001' } }, { id: 'ros-student-2' }];

	test.each<[string, INodeParameters, RegExp, string | undefined]>([
		[
			'in ID of the Person cannot be evaluated',
			{ externalId: "={{ $json.school ? $json.id : $('Nobody').item.json.id }}" },
			/^The expression in ID of the Person cannot be evaluated \[Item 1\]/,
			undefined,
		],
		[
			'in ID of the Person leaves nothing but the text around it',
			{ externalId: '=ros-student-{{ $json.school ? 1 : undefined }}' },
			/^ID of the Person is empty: .* \[Item 1\]/,
			'externalId',
		],
		[
			'in ID of the School fails: somebody of another school would be meant',
			{ externalId: '={{ $json.id }}', schoolExternalId: '={{ $json.school.code.trim() }}' },
			/^The expression in ID of the School cannot be evaluated \[Item 1\]/,
			undefined,
		],
		[
			'in ID of the School gives nothing: somebody of another school would be meant',
			{ externalId: '={{ $json.id }}', schoolExternalId: '={{ $json.school?.code ?? null }}' },
			/^The expression in ID of the School gives nothing for this item \[Item 1\]/,
			'schoolExternalId',
		],
	])('%s: the item says so, and the others are answered', async (_what, parameters, words, code) => {
		await office.begin();
		const more = { credentials: undefined, parameters };
		const { message } = await office.stop('explain', { roster: [{ json: good }, { json: bad }], ...more });
		expect(message).toMatch(words);
		const items = await explain([good, bad], { parameters, onError: 'continueRegularOutput' });
		const failure = expect.objectContaining({ origin: 'input', ...(code && { code }) });
		expect(items).toMatchObject([
			{ code: 'inPlace' },
			{ ...bad, error: expect.stringMatching(words), failure },
		]);
	});

	test('that only names a field may give no school', async () => {
		await office.begin();
		const parameters = { externalId: '={{ $json.id }}', schoolExternalId: '={{ $json.school?.code }}' };
		expect(await explain([good, bad], { parameters })).toMatchObject([
			{ code: 'inPlace' },
			{ code: 'inPlace' },
		]);
	});
});

/** A first night in which the service does this to one record. */
async function nightWith(path: string, bodyContains: string, status: number): Promise<void> {
	await office.approve(await office.sync());
	await office.workroom.admin.addFault({ path, bodyContains }, { status });
	await office.sync();
}

test('Without a credential and from the ledger alone: one item for each question, in their order', async () => {
	await office.begin();
	const items = await explain([
		{ external_id: 'ros-student-1', school_external_id: 'school-001' },
		{ external_id: 'nobody' },
		{ external_id: 'ros-mother-1' },
	]);
	expect(items.map(({ code, external_id }) => [external_id, code])).toEqual([
		['ros-student-1', 'inPlace'],
		['nobody', 'unknown'],
		['ros-mother-1', 'noBond'],
	]);
	expect(items[0]).toMatchObject({
		verdict: 'The person is in class ros-class-1, as far as the ledger knows',
		user: { key: 'u:school-001|ros-student-1', state: 'applied', history: [{ state: 'applied' }] },
		bonds: [{ class_external_id: 'ros-class-1', profile: 'student', state: 'applied' }],
		service: null,
	});
	expect(JSON.stringify(items)).not.toMatch(/Abelia|Fontela|Celestina/);
	expect(await office.workroom.received('/sync')).toEqual([]);
});

test('A night that is held: the hold is named, and after its approval the next step is to start Sync', async () => {
	const held = await office.sync();
	const question = { external_id: 'ros-student-1', school_external_id: 'school-001' };
	const [item] = await explain([question]);
	const [{ hold_id: id }] = held.summary.holds as IDataObject[];
	expect(item).toMatchObject({ code: 'held', hold_id: id, key: 'u:school-001|ros-student-1' });
	expect(await about('ros-student-1')).toMatchObject({ code: 'unknown', key: '' });
	await office.approve(held);
	expect((await explain([question]))[0]).toMatchObject({
		code: 'approved',
		what_to_do: expect.stringMatching(/^Start Sync[.]/),
	});
});

test('A student waits for a responsible person who is refused; both say so', async () => {
	await nightWith(USER_PATH, 'mother@family.example', 422);
	const ids = ['ros-student-1', 'ros-mother-1'];
	const [student, mother] = await explain(ids.map((external_id) => ({ external_id })));
	const place = { file: 'users.csv', line: expect.any(Number) as number };
	expect(student).toMatchObject({ code: 'blocked', ...place, user: { state: 'blocked', ...place } });
	expect(mother).toMatchObject({ code: 'refused', ...place, user: { state: 'failed', status: 422 } });
	expect(mother.line).not.toBe(student.line);
	expect((mother.user as IDataObject).refused).toMatchObject({ next_try: expect.any(String) as string });
});

test.each<[string, string, string, number, string]>([
	['uncertain', USER_PATH, 'ros-student-1', 500, 'uncertain'],
	['refused in a class', BOND_PATH, 'ros-student-1', 404, 'bondRefused'],
])('A student who is %s', async (_what, path, contains, status, code) => {
	await nightWith(path, contains, status);
	expect(await about('ros-student-1')).toMatchObject({ code });
});

test('Who has left a class, who is asked for in another school, and whose id is written otherwise', async () => {
	await office.begin();
	await office.sync({ roster: [withoutBond('e2')] });
	const items = await explain([
		{ external_id: 'ros-student-2' },
		{ external_id: 'ros-student-1', school_external_id: 'school-002' },
		{ external_id: 'ROS-Student-1' },
	]);
	expect(items.map(({ code }) => code)).toEqual(['left', 'otherSchool', 'similarId']);
	const [{ bonds }] = items;
	expect((bonds as IDataObject[])[0].history).toMatchObject([{ state: 'applied' }, { state: 'removed' }]);
});

test('A question without an id fails by its number, or leaves by the failure output', async () => {
	await office.begin();
	const night = {
		roster: [{ json: { external_id: 'ros-student-1' } }, { json: {} }],
		credentials: undefined,
	};
	const { message } = await office.stop('explain', night);
	expect(message).toBe('ID of the Person is empty: nobody can say whom this is about [Item 1]');
	const continued = await office.run('explain', { ...night, onError: 'continueErrorOutput' });
	expect(continued.outputs.map((items) => items.length)).toEqual([1, 1]);
});

test('An agent may ask, by the parameters of the tool', async () => {
	await office.begin();
	const parameters = { externalId: 'ros-student-1', schoolExternalId: '' };
	expect(await explain([{}], { isTool: true, parameters })).toMatchObject([{ code: 'inPlace' }]);
});

describe('With Ask Service', () => {
	const parameters = { askService: true };

	/** The ledger knows the account of a student, as an event would have told it. */
	async function knownAccount(): Promise<void> {
		await office.begin();
		const [student] = (await office.workroom.admin.users({ externalId: 'ros-student-1' })).items;
		const { tenantId } = await office.workroom.admin.facts();
		const [row] = office.tables.rows(LEDGER).filter(({ key }) => key === 'u:school-001|ros-student-1');
		row.account_id = student.account_id;
		const detail = JSON.stringify({ tenant_id: tenantId });
		const event = { kind: 'access', key: 'u:school-001|other', school_external_id: 'school-001', detail };
		office.tables.rows(LEDGER).push({ ...row, ...event, state: 'granted', service_id: 'x', id: row.id });
	}

	test('the service is asked for account and classes, and what it shows is told', async () => {
		await knownAccount();
		const { credentials } = office.workroom;
		const item = await about('ros-student-1', { credentials, parameters });
		expect(item).toMatchObject({ code: 'noAccess', service: { seen: true, classes: ['ros-class-1'] } });
		expect((await office.workroom.received('/sync')).map(({ method }) => method)).toEqual(['GET', 'GET']);
	});

	test('of a class that was made by hand in the service, and has no external id, there is nothing to show', async () => {
		await knownAccount();
		const classes = [{ external_id: 'ros-class-1' }, { external_id: null }];
		await office.workroom.admin.addFault({ pathPattern: '/classes' }, { status: 200, body: classes });
		const { credentials } = office.workroom;
		const item = await about('ros-student-1', { credentials, parameters });
		expect(item).toMatchObject({ service: { seen: true, classes: ['ros-class-1'] } });
	});

	test.each([204, 404, 403])(
		'whoever is answered with %d was not seen, and nobody is called gone',
		async (status) => {
			await knownAccount();
			await office.workroom.admin.addFault({ path: '/sync/v1/accounts' }, { status });
			const { credentials } = office.workroom;
			const item = await about('ros-student-1', { credentials, parameters });
			expect(item).toMatchObject({ code: 'noAccess', service: { seen: false, classes: [] } });
		},
	);

	test('without a credential it says which is missing', async () => {
		await office.begin();
		const roster = [{ json: { external_id: 'ros-student-1' } }];
		const { message } = await office.stop('explain', { roster, credentials: undefined, parameters });
		expect(message).toMatch(/credential/i);
	});
});
