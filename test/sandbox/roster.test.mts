/** The network of the sandbox as a roster: what is in it, what differs from night to night, and that the service takes it. */
import type { RosterMapping } from '../../sandbox/roster/mapping.mts';
import type { RosterFormat, RosterUser } from '../../sandbox/roster-types.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { filesOf, readRoster, rowsOf, sorted, type ReadRoster, type ReadUser } from './read-roster.mts';
import { Api, send } from './support.mts';

const FORMATS: RosterFormat[] = ['oneroster-1.1', 'oneroster-1.2', 'sds'];
const ALL = { limit: 100_000 };

let sandbox: Sandbox;
let mapping: RosterMapping;

beforeAll(async () => {
	sandbox = await startSandbox({ students: 300, schools: 7 });
	mapping = await sandbox.admin.rosterMapping();
});
afterAll(async () => await sandbox.stop());

const roster = async (format: RosterFormat, tonight = 0): Promise<ReadRoster> =>
	readRoster(await sandbox.admin.roster(format, { tonight }), format, mapping);

/** What the service holds, in the form of what was read. */
async function held({ admin }: Sandbox): Promise<ReadRoster> {
	const [{ schools }, classes, users, bonds] = await Promise.all([
		admin.facts(),
		admin.classes(ALL),
		admin.users(ALL),
		admin.bonds(ALL),
	]);
	return sorted({
		schools: schools.map(({ externalId }) => externalId),
		classes: classes.items.map((one) => ({
			school_external_id: one.school_external_id,
			external_id: one.external_id,
			name: one.name,
			code: one.code,
			educational_stage: one.educational_stage,
			grade: one.grade,
			year: one.year,
			// A class without a course is in the general one of its grade: both formats have the grade, or the course, from there.
			course: one.course ?? `${one.grade} ${one.educational_stage}`,
		})),
		users: users.items.map((one) => ({
			school_external_id: one.school_external_id,
			external_id: one.external_id,
			first_name: one.first_name,
			last_name: one.last_name,
			birth_date: one.birth_date ?? '',
			document_value: one.document_value ?? '',
			email: one.email ?? '',
			phone: `+${one.ddi}${one.cell_phone}`,
			profiles: one.profiles,
			responsible_external_id: one.responsible_external_id,
		})),
		bonds: bonds.items,
	});
}

describe.each(FORMATS)('%s', (format) => {
	test('has exactly the schools, classes, people and bonds of the world, with every field', async () => {
		const world = await held(sandbox);
		expect([world.schools.length, world.users.length > 600]).toEqual([7, true]);
		expect(await roster(format)).toEqual(world);
	});

	test('with changes it differs from the night before exactly by the list of them', async () => {
		const [before, after] = [await roster(format), await roster(format, 100)];
		const { changes, users, bonds } = await sandbox.admin.rosterChanges({ tonight: 100 });
		const kinds = ['new', 'gone', 'moved', 'renamed', 'newResponsible'];
		expect(kinds.map((kind) => changes.filter(({ change }) => change === kind).length)).toEqual([
			20, 20, 20, 20, 20,
		]);
		const keysOf = (all: readonly RosterUser[]): string[] => all.map(keyOf).toSorted();
		const was = byKey(before.users);
		const is = byKey(after.users);
		expect(keysOf(after.users.filter((user) => !was.has(keyOf(user))))).toEqual(keysOf(users.new));
		expect(keysOf(before.users.filter((user) => !is.has(keyOf(user))))).toEqual(keysOf(users.gone));
		const isOther = (...fields: Array<keyof ReadUser>) =>
			before.users.filter((user) => {
				const now = is.get(keyOf(user));
				return now && fields.some((field) => String(now[field]) !== String(user[field]));
			});
		expect(keysOf(isOther('last_name'))).toEqual(keysOf(users.renamed));
		expect(keysOf(isOther('responsible_external_id'))).toEqual(keysOf(users.withNewResponsible));
		expect(
			isOther('first_name', 'birth_date', 'document_value', 'email', 'phone', 'profiles').map(keyOf),
		).toEqual([]);

		const bondsOf = ({ bonds: all }: Pick<ReadRoster, 'bonds'>) => all.map((bond) => JSON.stringify(bond));
		const minus = (all: string[], others: string[]) => all.filter((one) => !others.includes(one)).toSorted();
		expect(minus(bondsOf(after), bondsOf(before))).toEqual(bondsOf({ bonds: bonds.new }).toSorted());
		expect(minus(bondsOf(before), bondsOf(after))).toEqual(bondsOf({ bonds: bonds.gone }).toSorted());
		expect([after.schools, after.classes]).toEqual([before.schools, before.classes]);
	});

	test('a student who is new or has a new responsible person names only people who are there', async () => {
		const { users } = await roster(format, 100);
		const there = byKey(users);
		const missing = users.flatMap(({ school_external_id, responsible_external_id }) =>
			responsible_external_id.filter((external_id) => !there.has(keyOf({ school_external_id, external_id }))),
		);
		expect(missing).toEqual([]);
	});
});

const keyOf = ({ school_external_id, external_id }: RosterUser): string =>
	`${school_external_id}|${external_id}`;

const byKey = (users: readonly ReadUser[]): Map<string, ReadUser> =>
	new Map(users.map((user) => [keyOf(user), user]));

describe('the files', () => {
	const BOTH = {
		'manifest.csv': 'propertyName,value',
		'orgs.csv': 'sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId',
		'academicSessions.csv':
			'sourcedId,status,dateLastModified,title,type,startDate,endDate,parentSourcedId,schoolYear',
		'courses.csv':
			'sourcedId,status,dateLastModified,schoolYearSourcedId,title,courseCode,grades,orgSourcedId,subjects,subjectCodes',
		'classes.csv':
			'sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds,subjects,subjectCodes,periods',
		'enrollments.csv':
			'sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate',
		'demographics.csv':
			'sourcedId,status,dateLastModified,birthDate,sex,americanIndianOrAlaskaNative,asian,blackOrAfricanAmerican,nativeHawaiianOrOtherPacificIslander,white,demographicRaceTwoOrMoreRaces,hispanicOrLatinoEthnicity,countryOfBirthCode,stateOfBirthAbbreviation,cityOfBirth,publicSchoolResidenceStatus',
	};
	test.each<[RosterFormat, Record<string, string>]>([
		[
			'oneroster-1.1',
			{
				...BOTH,
				'users.csv':
					'sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password',
			},
		],
		[
			'oneroster-1.2',
			{
				...BOTH,
				'users.csv':
					'sourcedId,status,dateLastModified,enabledUser,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password,userMasterIdentifier,preferredGivenName,preferredMiddleName,preferredFamilyName,primaryOrgSourcedId,pronouns',
				'roles.csv':
					'sourcedId,status,dateLastModified,userSourcedId,roleType,role,beginDate,endDate,orgSourcedId,userProfileSourcedId',
			},
		],
		[
			'sds',
			{
				'orgs.csv': 'sourcedId,name,type,parentSourcedId',
				'users.csv':
					'sourcedId,username,givenName,familyName,password,activeDirectoryMatchId,email,phone,sms,userNumber',
				'roles.csv':
					'userSourcedId,orgSourcedId,role,sessionSourcedId,grade,isPrimary,roleStartDate,roleEndDate',
				'classes.csv': 'sourcedId,orgSourcedId,title,code,sessionSourcedIds,courseSourcedId',
				'enrollments.csv': 'classSourcedId,userSourcedId,role',
				'relationships.csv': 'userSourcedId,relationshipUserSourcedId,relationshipRole',
				'demographics.csv':
					'userSourcedId,sex,birthDate,birthCity,birthState,birthCountry,ethnicityCodes,raceCodes',
				'academicSessions.csv': 'sourcedId,title,type,schoolYear,startDate,endDate',
				'courses.csv': 'sourcedId,orgSourcedId,title,code,schoolYearSourcedId,subject,grade',
			},
		],
	])('%s has its files with exactly its headers', async (format, headers) => {
		const files = filesOf(await sandbox.admin.roster(format));
		expect(
			Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.split('\r\n')[0]])),
		).toEqual(headers);
	});

	/** Marked with `*` in ROSTER.md, section 3, as what must be filled. */
	const FILLED: Record<string, string> = {
		'orgs.csv': 'sourcedId name type',
		'academicSessions.csv': 'sourcedId title type startDate endDate schoolYear',
		'courses.csv': 'sourcedId title orgSourcedId',
		'classes.csv': 'sourcedId title courseSourcedId classType schoolSourcedId termSourcedIds',
		'users.csv': 'sourcedId enabledUser username givenName familyName',
		'roles.csv': 'sourcedId userSourcedId roleType role orgSourcedId',
		'enrollments.csv': 'sourcedId classSourcedId schoolSourcedId userSourcedId role',
		'demographics.csv': 'sourcedId',
	};
	test.each<RosterFormat>(['oneroster-1.1', 'oneroster-1.2'])(
		'%s is bulk: no status, every demanded cell filled, every id once',
		async (format) => {
			const files = filesOf(await sandbox.admin.roster(format, { tonight: 20 }));
			for (const [name, columns] of Object.entries(FILLED)) {
				if (!files[name]) continue;
				const rows = rowsOf(files[name]);
				const bad = rows.filter(
					(row) =>
						columns.split(' ').some((column) => row[column] === '') ||
						!/^[0-9A-Za-z./@_-]{1,255}$/.test(row.sourcedId) ||
						row.status + row.dateLastModified !== '',
				);
				expect([name, rows.length > 0, bad]).toEqual([name, true, []]);
				expect(new Set(rows.map(({ sourcedId }) => sourcedId)).size).toBe(rows.length);
			}
		},
	);

	test.each<[RosterFormat, string, number]>([
		['oneroster-1.1', '1.1', 13],
		['oneroster-1.2', '1.2', 21],
	])('the manifest of %s names what is there and what is not', async (format, version, known) => {
		const files = filesOf(await sandbox.admin.roster(format));
		const rows = rowsOf(files['manifest.csv'] ?? '').map(({ propertyName, value }) => [propertyName, value]);
		const properties = Object.fromEntries(rows) as Record<string, string>;
		expect(properties).toMatchObject({ 'manifest.version': '1.0', 'oneroster.version': version });
		const named = Object.entries(properties).filter(([name]) => name.startsWith('file.'));
		expect(named.length).toBe(known);
		const there = named.filter(([, value]) => value === 'bulk').map(([name]) => `${name.slice(5)}.csv`);
		expect([...there, 'manifest.csv'].toSorted()).toEqual(Object.keys(files).toSorted());
		expect(named.filter(([, value]) => value !== 'bulk' && value !== 'absent')).toEqual([]);
	});

	test('one person in several schools is one row, and a child of two schools’ family has its agents in its cell', async () => {
		const rows = rowsOf(filesOf(await sandbox.admin.roster('oneroster-1.1'))['users.csv'] ?? '');
		expect(rows.some(({ role, orgSourcedIds }) => role === 'parent' && orgSourcedIds?.includes(','))).toBe(
			true,
		);
		expect(rows.some(({ agentSourcedIds }) => agentSourcedIds?.includes(','))).toBe(true);
		expect(
			['parent', 'guardian', 'relative'].filter((role) => !rows.some((row) => row.role === role)),
		).toEqual([]);
	});
});

describe('night after night', () => {
	test('the changes of a night are those of a smaller one and more, so that nights follow one another', async () => {
		const [few, more] = [
			await sandbox.admin.rosterChanges({ tonight: 5 }),
			await sandbox.admin.rosterChanges({ tonight: 12 }),
		];
		expect(more.changes.slice(0, 5)).toEqual(few.changes);
		expect(new Set(more.changes.map(({ user_external_id }) => user_external_id)).size).toBe(12);
	});

	test('the roster does not follow what a workflow has created in the service', async () => {
		const before = await sandbox.admin.roster('sds');
		const api = await Api.open(sandbox);
		const { changes } = await sandbox.admin.rosterChanges({ tonight: 3 });
		const moved = changes.find(({ change }) => change === 'moved');
		await api.delete('/integration/partner/v1/bond-user-class', {
			school_external_id: moved?.school_external_id,
			class_external_id: moved?.former_class_external_id,
			user_external_id: moved?.user_external_id,
			profile_name: 'student',
		});
		expect((await sandbox.admin.roster('sds')).equals(before)).toBe(true);
		await sandbox.admin.reset();
	});

	test.each<[string, RegExp]>([
		['roster', /"format" must be one of these: oneroster-1\.1, oneroster-1\.2, sds\./],
		['roster?format=xml', /"format" must be one of these/],
		['roster?format=sds&students=0', /"students" must be a whole number from 1 to 200000\./],
		['roster?format=sds&tonight=many', /"tonight" must be a whole number/],
		['roster?format=sds&students=10&tonight=11', /There are 10 students: no more can change in a night\./],
	])('%s is refused with what is allowed', async (path, words) => {
		const { status, data } = await send<{ message: string }>({ url: sandbox.adminUrl + path });
		expect([status, data.message]).toEqual([400, expect.stringMatching(words)]);
	});
});

describe('on the page', () => {
	test('a person chooses a format, a size and changes, and finds the list of changes and the mapping', async () => {
		const { data: page } = await send<string>({ url: sandbox.adminUrl });
		const [, form = ''] = /<form action="roster">([^]*?)<\/form>/.exec(page) ?? [];
		const fields = [...form.matchAll(/name="(\w+)"[^>]*?(?:value="(\w+)")?>/g)].map(([, ...one]) => one);
		expect(fields).toEqual([
			['format', undefined],
			['students', '300'],
			['schools', '7'],
			['tonight', '0'],
		]);
		expect([...form.matchAll(/<option>([^<]*)/g)].map(([, format]) => format)).toEqual(FORMATS);
		expect(form).toContain('<button formaction="roster/changes">');
		expect(page).toContain('<a href="roster/mapping">');
	});

	test('the download is a file with a name that says what it is', async () => {
		const url = `${sandbox.adminUrl}roster?format=oneroster-1.2&students=30&schools=2&tonight=4`;
		const { headers } = await send({ url, responseType: 'arraybuffer' });
		expect([headers['content-type'], headers['content-disposition']]).toEqual([
			'application/zip',
			'attachment; filename="roster-oneroster-1.2-tonight-4.zip"',
		]);
	});
});

test('A service with schools and nobody in them is filled from the roster: all of it is taken, and it is the world', async () => {
	const empty = await startSandbox({ students: 300, schools: 7, empty: true });
	const { facts, users } = { facts: await empty.admin.facts(), users: await empty.admin.users() };
	expect([facts.schools.length, facts.counts, users.count]).toEqual([
		7,
		{ classes: 0, users: 0, students: 0, bonds: 0 },
		0,
	]);
	const api = await Api.open(empty);
	const base = '/integration/partner/v1';
	const read = await roster('oneroster-1.2');
	const statuses = new Set<number>();
	const create = async (path: string, body: object): Promise<void> => {
		statuses.add((await api.post(`${base}/${path}`, body)).status);
	};
	for (const one of read.classes) await create('class', one);
	const isStudent = ({ profiles }: ReadUser): boolean => profiles.includes('student');
	for (const { phone, responsible_external_id, ...one } of [
		...read.users.filter((user) => !isStudent(user)),
		...read.users.filter(isStudent),
	])
		await create('user', {
			...one,
			...(responsible_external_id.length > 0 ? { responsible_external_id } : {}),
			document_type: mapping.documentType,
			ddi: phone.slice(1, 3),
			cell_phone: phone.slice(3),
		});
	for (const one of read.bonds) await create('bond-user-class', one);
	expect([...statuses]).toEqual([200]);
	expect(await held(empty)).toEqual(await held(sandbox));
	expect((await empty.admin.bonds({ provisioned: true })).count).toBe(read.bonds.length);
	expect((await sandbox.admin.bonds({ provisioned: true })).count).toBe(0);
	await empty.admin.reset();
	expect((await empty.admin.facts()).counts.users).toBe(0);
	await empty.stop();
});
