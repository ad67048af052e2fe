import {
	accountId,
	accountQuery,
	accountUser,
	classOfUser,
	dependent,
	school,
	sponsor,
	tenantId,
	tenantQuery,
} from '../../../nodes/shared/contract/synchronization.ts';
import { canonicalClass, canonicalSchool, canonicalUser } from '../../../nodes/shared/contract/tolerances.ts';

const GUID = 'a3f1c6de-4f89-41d3-9a0c-0305e82c3301';
const NO_GUID = 'must be a GUID, for example 3f2504e0-4f89-41d3-9a0c-0305e82c3301';

interface Checked {
	success: boolean;
	error?: { issues: Array<{ path: PropertyKey[]; message: string }> };
}

/** What is found against a value, or nothing. */
function findingsOf(checked: Checked): string[] {
	return checked.error?.issues.map(({ path, message }) => [...path, message].join(' ')) ?? [];
}

const tenantFinding = (tenant_id: unknown) => findingsOf(tenantId().safeParse(tenant_id));
const accountFinding = (account_id: unknown) => findingsOf(accountId().safeParse(account_id));

describe('A tenant id', () => {
	test.each([GUID, GUID.toUpperCase(), 'ffffffff-ffff-ffff-ffff-ffffffffffff'])('may be %s', (value) => {
		expect(tenantFinding(value)).toEqual([]);
	});

	test.each([
		['is missing', undefined],
		['is null', null],
		['is empty text', ''],
		['is nothing but spaces', '  '],
	])("is refused in the service's words when it %s", (_what, value) => {
		expect(tenantFinding(value)).toEqual(['is empty. The service says of this: tenant_id is required.']);
	});

	test("is refused in the service's words when it is the empty GUID", () => {
		expect(tenantFinding('00000000-0000-0000-0000-000000000000')).toEqual([
			'is the empty GUID. The service says of this: tenant_id cannot be an empty GUID.',
		]);
	});

	test.each(['tenant-001', GUID.replaceAll('-', ''), `{${GUID}}`, ` ${GUID}`, `${GUID}0`, `${GUID}\n`])(
		'is refused when it is %j, which is no GUID',
		(value) => expect(tenantFinding(value)).toEqual([NO_GUID]),
	);

	test.each([
		[7, 'is a number'],
		[{ id: GUID }, 'is an object'],
		[[GUID], 'is a list'],
	])('is refused when it is %j, which is no text', (value, kind) => {
		expect(tenantFinding(value)).toEqual([`must be text, but ${kind}`]);
	});

	test('is asked for by every lookup', () => {
		expect(findingsOf(tenantQuery.safeParse({}))).toHaveLength(1);
		expect(findingsOf(accountQuery.safeParse({ account_id: 'a' }))).toEqual([
			'tenant_id is empty. The service says of this: tenant_id is required.',
		]);
	});
});

describe('An account id', () => {
	test.each([GUID, 'a', 'x'.repeat(36), '😀'.repeat(36), 'a b?c=ü&d#e%', '...', '.a', 'a..b', '-'])(
		'may be %s',
		(value) => expect(accountFinding(value)).toEqual([]),
	);

	test('may come as a whole number, as sheets give it', () => {
		expect(accountId().parse(1042)).toBe('1042');
	});

	test.each([
		['', 'must not be empty'],
		['   ', 'must not be empty'],
		['.', 'must not be "." or ".."'],
		['..', 'must not be "." or ".."'],
		['a/b', 'must not hold a slash'],
		[`/sync/v1/accounts/${GUID}`.slice(0, 36), 'must not hold a slash'],
		['..\\a', 'must not hold a slash'],
		['x'.repeat(37), 'must be at most 36 characters long'],
		['😀'.repeat(37), 'must be at most 36 characters long'],
		[1.5, 'must be text, but is a number'],
		[null, 'must be text, but is empty'],
		[true, 'must be text, but is true or false'],
	])('is refused when it is %j', (value, finding) => {
		expect(accountFinding(value)).toEqual([finding]);
	});
});

/** Names and sizes as the tables of the document have them; where there is no size, the value itself. */
type Table = Record<string, number | unknown[] | object>;

const cellPhone = { ddi: '55', value: '11955550101' };
const documents = [{ type: 'TAX_ID', value: '00000000191' }];
const named = { id: GUID, name: 'Morning' };
const birth = '2010-05-03';

const sponsorTable = {
	hash: 500,
	id: 36,
	account_id: 36,
	external_id: 50,
	name: 100,
	date_of_birth: { value: birth },
	cell_phone: { value: cellPhone },
	email: 200,
	documents: { value: documents },
};
const accountTable = { ...sponsorTable, academic_email: 200, login: 50 };
const addressTable = {
	zip: 10,
	city: 50,
	state: 2,
	address: 100,
	number: 10,
	neighborhood: 50,
	complement: 50,
};
const addressOf = (table: Table) => filled(table, (size) => 'x'.repeat(size));

const schoolTable = {
	hash: 500,
	id: 36,
	name: 50,
	cnpj: 18,
	external_id: 50,
	addresses: { value: [addressOf(addressTable)] },
	email: 200,
};
const classTable = {
	hash: 500,
	id: 36,
	name: 100,
	school_id: 36,
	external_id: 50,
	course_code: 50,
	description: 500,
	year: { value: 2026 },
	educational_stage: { value: named },
	grade: { value: named },
	profiles: { value: [named] },
	subjects: { value: [named] },
	shift: { value: named },
};

function filled(table: Table, ofSize: (size: number) => string): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(table).map(([name, row]) => [
			name,
			typeof row === 'number' ? ofSize(row) : (row as { value: unknown }).value,
		]),
	);
}

describe('The contract has the size of the document', () => {
	const schoolClass = (own: object) => classOfUser.safeParse({ ...filled(classTable, () => 'x'), ...own });

	test.each([
		['the name of a stage', 80, (name: string) => schoolClass({ educational_stage: { id: GUID, name } })],
		['the name of a grade', 80, (name: string) => schoolClass({ grade: { id: GUID, name } })],
		['the name of a shift', 80, (name: string) => schoolClass({ shift: { id: GUID, name } })],
		['the name of a profile', 64, (name: string) => schoolClass({ profiles: [named, { id: GUID, name }] })],
		['the name of a subject', 50, (name: string) => schoolClass({ subjects: [named, { id: GUID, name }] })],
	])('for %s: %d characters', (_field, size, check) => {
		expect(check('1'.repeat(size)).success).toBe(true);
		expect(check('1'.repeat(size + 1)).success).toBe(false);
	});
});

/** "Known deviations in the samples, to be tolerated by consumers": each of them, in an otherwise full record. */
describe('What comes out of a deviating answer is what the contract promises', () => {
	const text = (length: number) => 'x'.repeat(Math.min(length, 20));
	const full = (table: Table, ...without: string[]) =>
		Object.fromEntries(Object.entries(filled(table, text)).filter(([name]) => !without.includes(name)));

	const { zip, city, state, ...restOfAddress } = addressOf(addressTable);
	const cnpj = '11.222.333/0001-81';

	test.each([
		{
			deviation: 'the account sample uses user_id where the table says id',
			...{ schema: accountUser, heal: canonicalUser },
			sample: { user_id: 'u-1', ...full(accountTable, 'id') },
			healed: { ...full(accountTable), id: 'u-1' },
		},
		{
			deviation: 'the school sample capitalizes Zip, City, State and spells the tax id cpnj',
			...{ schema: school, heal: canonicalSchool },
			sample: {
				...full(schoolTable, 'cnpj'),
				cpnj: cnpj,
				addresses: [{ Zip: zip, City: city, State: state, ...restOfAddress }],
			},
			healed: { ...full(schoolTable), cnpj, addresses: [addressOf(addressTable)] },
		},
		{
			deviation: 'one dependent sample carries a single phone string instead of cell_phone',
			...{ schema: dependent, heal: canonicalUser },
			sample: { ...full(accountTable, 'cell_phone'), phone: '11955550101' },
			healed: { ...full(accountTable), cell_phone: { ddi: null, value: '11955550101' } },
		},
		{
			deviation: 'one sponsor sample gives date_of_birth with a time part',
			...{ schema: sponsor, heal: canonicalUser },
			sample: { ...full(sponsorTable), date_of_birth: '1984-02-11T00:00:00' },
			healed: { ...full(sponsorTable), date_of_birth: '1984-02-11' },
		},
		{
			deviation: 'the class sample names the shift identifier tagId',
			...{ schema: classOfUser, heal: canonicalClass },
			sample: { ...full(classTable), shift: { tagId: GUID, name: 'Morning' } },
			healed: full(classTable),
		},
	])('$deviation', ({ schema, heal, sample, healed }) => {
		expect(schema.safeParse(sample).success).toBe(false);
		expect(findingsOf(schema.safeParse(heal(sample)))).toEqual([]);
		expect(heal(sample)).toEqual(healed);
	});

	test('fields that no table names are kept, at every depth', () => {
		const extra = { new_field: { a: [1] } };
		const person = { ...full(accountTable), cell_phone: { ...cellPhone, ...extra }, ...extra };
		expect(accountUser.parse(canonicalUser(person))).toEqual(person);
		const one = { ...full(schoolTable), addresses: [{ ...addressOf(addressTable), ...extra }], ...extra };
		expect(school.parse(canonicalSchool(one))).toEqual(one);
		const schoolClass = { ...full(classTable), shift: { ...named, ...extra }, ...extra };
		expect(classOfUser.parse(canonicalClass(schoolClass))).toEqual(schoolClass);
	});
});
