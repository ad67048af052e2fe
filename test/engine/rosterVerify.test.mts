/**
 * Verify: a service in which people have changed things by hand, and one that does not show what it has, against what the ledger knows. The
 * sandbox drifts behind the node's back, and its own lists say what came of it.
 */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { until } from '../../playground/eventually.mts';
import type { UserState } from '../../sandbox/admin-types.mts';
import type { PersonField } from '../../sandbox/world/drift.mts';

import { DataTables } from '../support/dataTables.mts';

import { LEDGER, useOffice, type NightOptions } from './rosterStage.mts';
import { BOND_PATH, TOKEN_PATH } from './workroom.mts';

const office = useOffice({ empty: true });
const { workroom } = office;

/** Students; each has a mother. `VERIFIED_STUDENTS=1000` is the world of 2,000 people. */
const STUDENTS = Number(process.env.VERIFIED_STUDENTS ?? 120);
const CLASSES = Math.max(8, Math.round(STUDENTS / 15));
const SCHOOL = { school_external_id: 'school-001' };

const FIRST = ['Abelia', 'Bento', 'Celestina', 'Dario', 'Ana Maria'];
const LAST = ['Fontela', 'Imaginária', 'de Souza Lima'];

const classOf = (student: number, place: number) => `c${(student + place * 3) % CLASSES}`;

function person(external_id: string, n: number): IDataObject {
	return {
		...{ kind: 'user', ...SCHOOL, external_id, first_name: FIRST[n % 5], last_name: `${LAST[n % 3]} ${n}` },
		...{ birth_date: `20${10 + (n % 5)}-01-0${1 + (n % 9)}`, email: `${external_id}@family.example` },
		...{ document_type: 'TAX_ID', document_value: String(10_000_000_000 + n) },
		...{ ddi: '55', cell_phone: String(11_900_000_000 + n) },
	};
}

/** Every student is in three classes. */
function roster(): INodeExecutionData[] {
	const records: IDataObject[] = [];
	for (let c = 0; c < CLASSES; c++) {
		const stage = { educational_stage: 'EF1', grade: '5º ano', year: 2026, code: `C${c}` };
		records.push({ kind: 'class', ...SCHOOL, external_id: `c${c}`, name: `Turma ${c}`, ...stage });
	}
	for (let n = 0; n < STUDENTS; n++) {
		records.push({ ...person(`m${n}`, n + 7_000), profiles: ['responsible'] });
		records.push({ ...person(`s${n}`, n), profiles: ['student'], responsible_external_id: [`m${n}`] });
		for (const place of [0, 1, 2]) {
			const ends = { class_external_id: classOf(n, place), user_external_id: `s${n}` };
			records.push({ kind: 'bond', ...SCHOOL, ...ends, profile_name: 'student' });
		}
	}
	return records.map((json) => ({ json }));
}

const byId = ['external_id', 'school_external_id'].map((name) => ({ name, value: `{${name}}` }));
const NIGHT: NightOptions = {
	roster: roster(),
	parameters: { source: 'records' },
	options: { confirmation: 'callback', confirmationQuery: { parameter: byId }, missingRowsMean: 'hasLeft' },
};

let tenantId = '';

/** A network whose ledger and service agree, with all accounts known. */
async function begin(): Promise<void> {
	tenantId = (await workroom.admin.facts()).tenantId;
	await office.begin(NIGHT);
	await workroom.admin.clearRequests();
}

interface Verified {
	summary: IDataObject & { coverage: IDataObject; causes: IDataObject[] };
	differences: IDataObject[];
}

async function verify(options: INodeParameters = {}, more: NightOptions = {}): Promise<Verified> {
	const run = await office.run('verify', {
		...{ roster: [{ json: {} }], options: { tenantId, maxRetries: 0, ...options }, ...more },
	});
	if (run.error !== undefined) throw run.error;
	const [[summary], differences] = run.outputs.map((items) => items.map(({ json }) => json));
	return { summary: summary as Verified['summary'], differences };
}

const told = ({ differences }: Pick<Verified, 'differences'>) =>
	differences
		.map(({ key, difference, fields = [] }) => [key, difference, ...(fields as string[])].join(' '))
		.sort();
const codes = ({ summary }: Verified) => summary.causes.map(({ code }) => code);
/** Codes, and of `notSeen` why. */
const causes = ({ summary }: Verified) =>
	summary.causes.flatMap(({ code, message }) =>
		code === 'notSeen'
			? (/\((.*)\)$/.exec(String(message))?.[1].split('; ') ?? []).map((why) => `${code} ${why}`)
			: [code],
	);

const users = async () => (await workroom.admin.users({ limit: 100_000 })).items;

/** The same numbers in each run. */
function chance(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

const FIELDS: ReadonlyArray<[PersonField, string, value: string]> = [
	['firstName', 'first_name', 'Zenaide'],
	['lastName', 'last_name', 'Outrora'],
	['birthDate', 'birth_date', '1999-09-09'],
	['documentType', 'document_type', 'PASSPORT'],
	['documentValue', 'document_value', '99'],
	['ddi', 'ddi', '351'],
	['cellPhone', 'cell_phone', '21900000000'],
	['email', 'email', 'zenaide@family.example'],
	['externalId', 'external_id', 'by-hand'],
];

/** Twelve kinds of drift, so many of each, each on somebody else. Gives what Verify has to say. */
async function drift(each: number, seed: number): Promise<string[]> {
	const { admin } = workroom;
	const draw = chance(seed);
	const left = (await users()).filter(({ profiles }) => profiles.includes('student'));
	const take = (): UserState => left.splice(draw(left.length), 1)[0];
	const expected: string[] = [];
	for (let n = 0; n < each; n++) {
		for (const [field, name, value] of FIELDS) {
			const { user_id: userId, external_id: id } = take();
			await admin.drift('change', { userId, field, value: name === 'external_id' ? `${value}-${n}` : value });
			expected.push(`u:school-001|${id} field ${name}`);
		}
		const [dropped, added, orphan] = [take(), take(), take()];
		const bondOf = (id: string, place: number) => classOf(Number(id.slice(1)), place);
		const gone = { classExternalId: bondOf(dropped.external_id, draw(3)), profile: 'student' };
		await admin.drift('drop-bond', { userId: dropped.user_id, ...gone });
		expected.push(`b:school-001|${gone.classExternalId}|${dropped.external_id}|student missing`);
		const come = { classExternalId: bondOf(added.external_id, 0), profile: 'coordinator' };
		await admin.drift('add-bond', { userId: added.user_id, ...come });
		expected.push(`b:school-001|${come.classExternalId}|${added.external_id}|coordinator extra`);
		await admin.drift('responsibles', { userId: orphan.user_id, responsibleExternalIds: [`m${n}`] });
		if (orphan.external_id !== `s${n}`)
			expected.push(`u:school-001|${orphan.external_id} responsible responsible_external_id`);
	}
	return expected.sort();
}

test('Every drift of twelve kinds is found, and none is invented; what Resolve was given is mended by the next Sync, and the rest is found again', async () => {
	await begin();
	const inOrder = await verify();
	expect([inOrder.differences, inOrder.summary.causes]).toEqual([[], []]);
	expect(inOrder.summary).toMatchObject({
		outcome: 'done',
		coverage: {
			...{ people: STUDENTS * 2, with_account: STUDENTS * 2, asked: STUDENTS * 2 },
			...{ same: STUDENTS * 2, different: 0, not_seen: 0 },
		},
	});
	const expected = await drift(Math.max(3, Math.round(STUDENTS / 100)), 27);
	const found = await verify();
	expect(told(found)).toEqual(expected);
	expect(found.summary).toMatchObject({ outcome: 'attention', differences: expected.length });
	expect(JSON.stringify([found, office.ledger])).not.toMatch(/Zenaide|Outrora|1999-09|2190000|by-hand/);

	const resolved = await office.decide('resolve', found.differences);
	const missing = expected.filter((one) => one.endsWith(' missing'));
	const noted = resolved.items
		.filter(({ state }) => state === 'notInService')
		.map(({ key }) => `${String(key)} missing`);
	expect(noted.sort()).toEqual(missing);
	await workroom.admin.clearRequests();
	await office.sync(NIGHT);
	const written = (await office.sent()).filter(({ method }) => method !== 'GET');
	const keys = written.map(({ path, body }) => {
		const bond = body as Record<string, string>;
		expect(path).toBe(BOND_PATH);
		return `b:school-001|${bond.class_external_id}|${bond.user_external_id}|${bond.profile_name} missing`;
	});
	expect(keys.sort()).toEqual(missing);
	expect(told(await verify())).toEqual(expected.filter((one) => !one.endsWith(' missing')));
}, 600_000);

test('A class that has another name in the service is told once, by its key', async () => {
	await begin();
	const names = { ...{ schoolExternalId: 'school-001', classExternalId: 'c2' }, field: 'name' } as const;
	await workroom.admin.drift('change-class', { ...names, value: 'Turma do Sol' });
	expect(told(await verify())).toEqual(['c:school-001|c2 field name']);
});

describe('Nothing is ever taken for gone', () => {
	test.each([204, 500])('by a service that answers %i to everything', async (status) => {
		await begin();
		await workroom.admin.addFault({ path: '/sync/' }, status === 204 ? { status } : { documented: status });
		const { summary, differences } = await verify();
		expect(differences).toEqual([]);
		expect(summary.coverage).toMatchObject({ same: 0, different: 0 });
		expect(summary.outcome).toBe(status === 204 ? 'attention' : 'unfinished');
	});

	test.each([
		['half of each list', { showEvery: 2 }, 'listsShort'],
		['one of three', { showEvery: 3 }, 'notSeen no classes, or less than half of what was sent'],
		['lists without two classes', { classExternalIds: ['c1', 'c2'] }, 'classesHidden'],
	])('by a service that shows %s', async (_what, hidden, cause) => {
		await begin();
		await workroom.admin.drift('hide-classes', hidden);
		const verified = await verify();
		expect(verified.differences).toEqual([]);
		expect(causes(verified).join()).toContain(cause);
		expect(verified.summary.coverage.not_seen).toBeGreaterThan(0);
	});

	test('somebody who was removed, and somebody whom the service cannot show, were not seen; the others are the same', async () => {
		await begin();
		const named = async (externalId: string) => ({
			userId: (await workroom.admin.users({ externalId })).items[0].user_id,
		});
		await workroom.admin.drift('remove', await named('s1'));
		await workroom.admin.drift('answer', { ...(await named('s2')), status: 204 });
		await workroom.admin.drift('answer', { ...(await named('s3')), status: 500 });
		const verified = await verify();
		expect(verified.differences).toEqual([]);
		expect(verified.summary.coverage).toMatchObject({ not_seen: 3, same: STUDENTS * 2 - 3 });
		expect(causes(verified)).toEqual(['notSeen account not found: 2', 'notSeen an error, or no answer: 1']);
	});
});

test.each([401, 403])(
	'When the first 20 are refused with %i it ends with one cause that names the scope',
	async (status) => {
		await begin();
		await workroom.admin.addFault({ path: '/sync/' }, { status });
		const verified = await verify();
		expect([codes(verified)[0], verified.summary.outcome]).toEqual(['scopeMissing', 'unfinished']);
		expect(verified.summary.causes[0].what_to_do).toContain('platform-account');
		const asked = (await workroom.received('/sync/')).map(({ path }) => path);
		expect(new Set(asked).size).toBe(20);
	},
);

describe('When all of the first 20 fail, and it is not the service that refuses them, the cause has the words of what failed', () => {
	const ended = ({ summary: { causes, outcome } }: Verified) => [
		outcome,
		causes[0].message,
		causes[0].what_to_do,
	];

	test('where the sign-on does not accept the client', async () => {
		await begin();
		const credentials = await workroom.credentialWith({ clientSecret: 'wrong' });
		expect(ended(await verify({}, { credentials }))).toEqual([
			'unfinished',
			expect.stringContaining('The sign-on area gives no token: invalid_client'),
			expect.stringMatching(
				/^Check Client ID and Client Secret in the credential\.\nNobody else was asked\./,
			),
		]);
		expect(await workroom.received('/sync/')).toEqual([]);
	});

	test('but not where only one of them failed in that way', async () => {
		await begin();
		await workroom.admin.addFault({ path: '/sync/' }, { status: 403 });
		await verify();
		const [{ path }] = await workroom.received('/sync/');
		await workroom.admin.clearFaults();
		await workroom.admin.addFault({ path }, { drop: 'before' });
		await workroom.admin.addFault({ path: '/sync/' }, { status: 403 });
		const [outcome, message] = ended(await verify());
		expect([outcome, message]).toEqual(['unfinished', 'The service answered none of 20 lookups in a row']);
	});

	test('where a token was withdrawn, and another one is refused with a status that the service has too', async () => {
		await begin();
		await workroom.admin.expireTokens();
		await workroom.admin.addFault({ path: TOKEN_PATH }, { status: 403, htmlPage: true });
		expect(ended(await verify())).toEqual([
			'unfinished',
			expect.stringMatching(/^The sign-on area at .* gives no token \(403\)$/),
			expect.stringMatching(/^Check that Issuer URL in the credential .*\nNobody else was asked\./),
		]);
	});

	test('and a page of a proxy with 403 says nothing of a scope', async () => {
		await begin();
		await workroom.admin.addFault({ path: '/sync/' }, { status: 403, htmlPage: true });
		const [outcome, message, advice] = ended(await verify());
		expect([outcome, message]).toEqual(['unfinished', 'The service answered none of 20 lookups in a row']);
		expect(advice).not.toContain('scope');
	});
});

test('One of whom the service does not answer at the end says nothing of the others: all were asked for', async () => {
	const few = roster().filter(({ json }) => /^(c\d+|[ms]\d|m10)$/.test(String(json.external_id)));
	tenantId = (await workroom.admin.facts()).tenantId;
	await office.begin({ ...NIGHT, roster: few });
	await workroom.admin.clearRequests();
	await verify();
	const asked = (await workroom.received('/sync/')).map(({ path }) => /accounts\/([^/?]+)$/.exec(path)?.[1]);
	const last = asked.findLast((id) => id !== undefined);
	const userId = (await users()).find(({ account_id: id }) => id === last)?.user_id;
	await workroom.admin.drift('answer', { userId, status: 500 });
	const verified = await verify();
	expect([codes(verified), verified.summary.outcome]).toEqual([['notSeen'], 'attention']);
});

test('A Tenant ID that is no GUID is named, and nobody is asked for', async () => {
	await begin();
	const { message } = await office.stop('verify', {
		roster: [{ json: {} }],
		options: { tenantId: 'tenant-1' },
	});
	expect(message).toContain('Tenant ID must be a GUID');
	expect(await workroom.received('/sync/')).toEqual([]);
});

test('A ledger that belongs to another service asks nobody, and learns nothing', async () => {
	await begin();
	const run = office.ledger.findLast(({ kind }) => kind === 'run');
	Object.assign(run ?? {}, {
		detail: JSON.stringify({ ...JSON.parse(run?.detail ?? ''), service: 'other' }),
	});
	const rows = office.ledger.length;
	const { message } = await office.stop('verify', { roster: [{ json: {} }], options: { tenantId } });
	expect(message).toContain('belongs to another service');
	expect([office.ledger.length, await workroom.received('/sync/')]).toEqual([rows, []]);
});

test('A share asks for everybody once, by turns that the ledger remembers, and the service hears nothing twice', async () => {
	await begin();
	const shares = [];
	for (let night = 0; night < 3; night++) shares.push((await verify({ share: 3 })).summary);
	expect(shares.map(({ share }) => share)).toEqual([1, 2, 3].map((turn) => ({ of: 3, turn })));
	const sum = shares.reduce((all, { coverage }) => all + Number(coverage.asked), 0);
	expect(sum).toBe(STUDENTS * 2);
	const asked = (await workroom.received('/sync/')).map(({ path }) => path);
	expect(new Set(asked).size).toBe(asked.length);
	expect((await verify({ share: 3 })).summary.share).toEqual({ of: 3, turn: 1 });
});

test('A share that is cancelled has its turn again, so that whom it left out does not wait for all others', async () => {
	await begin();
	// Behind the first 20 people, of whom each is asked for up to three times.
	const slow = await workroom.admin.addFault({ path: '/sync/', after: 65 }, { delayMs: 20_000 });
	const isUnderWay = async () => (await workroom.admin.countRequests({ path: '/sync/' })) > 65;
	const { run } = await office.run('verify', {
		...{ roster: [{ json: {} }], options: { tenantId, maxRetries: 0, share: 3 } },
		whenStarted: (cancel) => void until(isUnderWay).then(cancel),
	});
	expect(run.status).toBe('canceled');
	await workroom.admin.clearFaults(slow);
	expect((await verify({ share: 3 })).summary.share).toEqual({ of: 3, turn: 1 });
});

test('The coverage is that of the service: accounts that nobody has seen, and a tenant that nobody knows', async () => {
	const mothers = roster().filter(({ json }) => ['m1', 'm2', 'm3'].includes(String(json.external_id)));
	await office.begin({ roster: mothers, parameters: { source: 'records' } });
	await begin();
	const { count } = await workroom.admin.users();
	const { summary } = await verify();
	expect(summary.coverage).toMatchObject({ people: count, with_account: count - 3, asked: count - 3 });
	const unknown = await verify({ tenantId: '' });
	expect(unknown.summary.coverage).toMatchObject({ with_account: count - 3, asked: 0 });
	expect(codes(unknown)).toEqual(['tenantUnknown']);
});

test('A ledger that was taken over knows people by their events, and classes by their external ids: a school is asked for once', async () => {
	await begin();
	office.tables = new DataTables();
	await office.takeOver({ ...NIGHT, options: {} });
	await workroom.admin.registerWebhook({ url: 'http://127.0.0.1:9/', apiKey: 'key' });
	for (const externalId of ['s1', 's2', 's3']) await workroom.admin.grantAccess({ externalId });
	const deliveries = await workroom.admin.deliveries();
	const events = deliveries.map(({ payload }) => JSON.parse(payload) as IDataObject);
	await office.run('recordAccess', { roster: events.map((json) => ({ json })) });
	await workroom.admin.drift('drop-bond', { externalId: 's2', classExternalId: 'c2' });
	await workroom.admin.clearRequests();
	const verified = await verify({ tenantId: '' });
	expect(told(verified)).toEqual(['b:school-001|c2|s2|student missing']);
	// Of each event the mother too.
	expect(verified.summary).toMatchObject({
		coverage: { people: STUDENTS * 2, with_account: 6, asked: 6, same: 5, different: 1 },
		access: { granted: 3, revoked: 0 },
	});
});

test('A class that a run beside has written since the ledger was read is not compared: the service may show the one or the other', async () => {
	await begin();
	const names = { ...{ schoolExternalId: 'school-001', classExternalId: 'c2' }, field: 'name' } as const;
	await workroom.admin.drift('change-class', { ...names, value: 'Turma do Sol' });
	const rows = office.tables.rows(LEDGER);
	const written = rows.find(({ key }) => key === 'c:school-001|c2');
	office.tables.before = async () => {
		const isAsked = (await workroom.received('/sync/')).length > 0;
		if (isAsked && written !== undefined && rows.at(-1)?.key !== written.key)
			rows.push({ ...written, id: Math.max(...rows.map(({ id }) => Number(id))) + 1 });
	};
	const verified = await verify();
	office.tables.before = () => undefined;
	expect([verified.differences, codes(verified)]).toEqual([[], []]);
	expect(told(await verify())).toEqual(['c:school-001|c2 field name']);
});

test('A school whose lookup fails is asked for with another account, three at most: all in it are compared', async () => {
	await begin();
	for (const row of office.tables.rows(LEDGER)) if (row.kind === 'class') row.service_id = '';
	await workroom.admin.addFault({ path: '/sync/v1/schools/' }, { status: 500 });
	await verify();
	const [failing, ...others] = (await workroom.received('/sync/v1/schools/')).map(({ path }) => path);
	expect(new Set([failing, ...others]).size).toBe(3);
	expect(others).toHaveLength(2);
	await workroom.admin.clearFaults();
	await workroom.admin.clearRequests();
	await workroom.admin.addFault({ path: failing }, { status: 500 });
	const { summary, differences } = await verify();
	const asked = (await workroom.received('/sync/')).filter(({ path }) =>
		path.startsWith('/sync/v1/schools/'),
	);
	expect(asked.map(({ status }) => status)).toEqual([500, 200]);
	expect([differences, codes({ summary, differences })]).toEqual([[], []]);
	expect(summary.coverage).toMatchObject({ same: STUDENTS * 2, not_seen: 0 });
});

test('What was corrected by hand is no longer told: the roster has another name, the service is corrected, Verify sees it, and Sync is silent', async () => {
	await begin();
	const renamed: NightOptions = {
		...NIGHT,
		roster: roster().map(({ json }) => ({
			json: json.kind === 'user' && json.external_id === 's5' ? { ...json, first_name: 'Zenaide' } : json,
		})),
	};
	const changed = async () =>
		(await office.sync(renamed)).attention
			.filter(({ key }) => key === 'u:school-001|s5')
			.map(({ fields }) => fields);
	expect(await changed()).toEqual([['first_name']]);
	expect(await changed()).toEqual([['first_name']]);
	await workroom.admin.drift('change', { externalId: 's5', field: 'firstName', value: 'Zenaide' });
	expect(told(await verify())).toEqual(['u:school-001|s5 field first_name']);
	expect(await changed()).toEqual([]);
	expect(told(await verify())).toEqual([]);
	expect(await changed()).toEqual([]);
});
