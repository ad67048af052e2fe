/** What an operation needs beside its code. Each message says what to add, and where. */
import type { Operation } from '../../../nodes/SchoolPartner/framework/operation.ts';
import { resources } from '../../../nodes/SchoolPartner/operations/index.ts';
import { usualHeadings } from '../../../nodes/SchoolPartnerRoster/reading/headingWords.ts';
import { shownNameOf } from '../../../nodes/SchoolPartnerRoster/planning/fieldDigests.ts';
import { adviceOf } from '../../../nodes/SchoolPartnerRoster/reading/fileFindings.ts';
import { oneRoster } from '../../../nodes/SchoolPartnerRoster/reading/formats.ts';
import { rulesOf } from '../../../nodes/SchoolPartnerRoster/reading/mapping.ts';
import { ROW_FIELDS } from '../../../nodes/SchoolPartnerRoster/reading/readRows.ts';
import type { Fields } from '../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { shownPerson } from '../../../nodes/SchoolPartnerRoster/verifying/fields.ts';
import { classCreation, userCreation } from '../../../nodes/shared/contract/provisioning.ts';
import { accountUser } from '../../../nodes/shared/contract/synchronization.ts';
import { enrollmentRoutes } from '../../../sandbox/areas/enrollment.mts';
import { eventQueryRoutes } from '../../../sandbox/areas/event-query.mts';
import { provisioningRoutes } from '../../../sandbox/areas/provisioning.mts';
import { synchronizationRoutes } from '../../../sandbox/areas/synchronization.mts';
import { allOperations, operations } from '../../support/operations/index.mts';
import { SAMPLE } from '../../support/operations/row.mts';
import { filesEndingIn, textOf } from '../documents/markdown.mts';
import { bodies, GRADES, oneRoster12, rosterOf } from '../roster/reading/support.mts';

const inTheCode = resources.flatMap(({ name, operations: own }) =>
	own.map((operation): [string, Operation] => [`${name}.${operation.name}`, operation]),
);

test('Every operation has a row, by which unit, engine, end-to-end and agent tests try it', () => {
	const rows = allOperations.map(({ resource, operation }) => `${resource}.${operation}`);
	const missing = inTheCode
		.filter(([name]) => !rows.includes(name))
		.map(([name]) => `${name}: add a row to its area in test/support/operations`);
	expect(missing).toEqual([]);
});

test('Every row has an operation, and fills each field that it labels', () => {
	const missing = operations.flatMap(({ title, resource, operation, fields, additionalFields = {}, run }) => {
		const { additionalFields: more = {}, ...values } = run(SAMPLE).values;
		const empty = [
			...Object.keys(fields).filter((name) => !(name in values)),
			...Object.keys(additionalFields).filter((name) => !(name in (more as object))),
		];
		const isInCode = inTheCode.some(([name]) => name === `${resource}.${operation}`);
		return [
			...(isInCode ? [] : [`${title}: add it to its resource in nodes/SchoolPartner/operations`]),
			...empty.map((name) => `${title}: fill in ${name} in its row, and say what is sent`),
		];
	});
	expect(missing).toEqual([]);
});

test('A row says what comes out, by a table of the document, where the contract knows it', () => {
	const missing = operations.flatMap(({ title, resource, operation, run }) => {
		const work = inTheCode.find(([name]) => name === `${resource}.${operation}`)?.[1].work;
		return work !== undefined && givesFields(work) && run(SAMPLE).gives === undefined
			? [`${title}: add what it \`gives\` to its row, a table in sandbox/document`]
			: [];
	});
	expect(missing).toEqual([]);
});

/** What the operation itself says, and no panel asks for. */
const SAID_BY_THE_OPERATION: Record<string, string[]> = {
	'user.createResponsible': ['profiles', 'responsible_external_id'],
	'user.createStudent': ['profiles'],
};

test('The panel asks for every field of the contract', () => {
	const missing = inTheCode.flatMap(([name, { contract, fields, additionalFields, optionFields }]) => {
		const asked = { ...fields, ...additionalFields, ...optionFields };
		const { shape } = contract._zod.def as { shape?: object };
		return Object.keys(shape ?? {})
			.filter((field) => !(field in asked) && !SAID_BY_THE_OPERATION[name]?.includes(field))
			.map((field) => `${name}: add ${field} to its fields in nodes/SchoolPartner/operations`);
	});
	expect(missing).toEqual([]);
});

test('A sheet of the roster has a column for every field of a class and of a user', () => {
	const told = ['school_external_id', 'profiles', 'responsible_external_id'];
	const columns = [
		...Object.keys(classCreation.shape).map((field) => ['class', field]),
		...['student', 'responsible_1', 'responsible_3'].flatMap((of) =>
			['full_name', ...Object.keys(userCreation.shape)].map((field) => [of, field]),
		),
	].filter(([, field]) => !told.includes(field));
	const missing = columns
		.filter(([of, field]) => !ROW_FIELDS.includes(`${of}_${field}`))
		.map(([of, field]) => `${of}_${field}: add it to nodes/SchoolPartnerRoster/reading/readRows.ts`);
	expect(missing).toEqual([]);
});

/** Nobody heads a column so, or the sheet has no column of it. */
const WITHOUT_HEADING = ['student_ddi'];

test('Map Automatically knows a heading for every field of a student', () => {
	const known = new Set([...usualHeadings()].map(([, { field }]) => field));
	const missing = ROW_FIELDS.filter((field) => field.startsWith('student_'))
		.filter((field) => !known.has(field) && !WITHOUT_HEADING.includes(field))
		.map((field) => `${field}: add its headings to nodes/SchoolPartnerRoster/reading/headingWords.ts`);
	expect(missing).toEqual([]);
});

/** All that files can say of a student: what the sample has, and something in every other column that is read. */
async function studentOfFiles(): Promise<Fields> {
	const mapping = { ...GRADES, documentType: 'CPF', documentFrom: 'userIds' };
	const files = oneRoster12();
	const [header, student, ...others] = files['users.csv'];
	const read = Object.keys(oneRoster('1.2', rulesOf(mapping)).files.users?.columns ?? {});
	const more = read.filter((column) => !header.split(',').includes(column));
	files['users.csv'] = [
		[header, ...more].join(','),
		[student.replace('school.example,,', 'school.example,+55 11 95555-0123,'), ...more.map(() => 'x')].join(),
		...others,
	];
	const { 'st-1': user } = bodies(await rosterOf(files, mapping), 'user');
	return user;
}

/** The formats have no column of it. */
const NOT_IN_FILES: string[] = [];

test('A student of files has every field of a user', async () => {
	const student = await studentOfFiles();
	const missing = Object.keys(userCreation.shape)
		.filter((field) => !(field in student) && !NOT_IN_FILES.includes(field))
		.map(
			(field) =>
				`${field}: add its column to USER_COLUMNS in reading/formats.ts, or add it to NOT_IN_FILES here`,
		);
	expect(missing).toEqual([]);
});

/** What is wrong with them is told in another way, or the mapping says where they come from. */
const ADVISED_OTHERWISE = ['profiles', 'birth_date', 'document_type', 'document_value', 'ddi'];

test('What is said of a field of files that is refused names its column', () => {
	const missing = Object.keys(userCreation.shape)
		.filter((field) => !field.endsWith('external_id') && !ADVISED_OTHERWISE.includes(field))
		.filter((field) => !NOT_IN_FILES.includes(field) && !/ in \w+\.csv/.test(adviceOf('user', field)))
		.map((field) => `${field}: add its column to COLUMNS in reading/fileFindings.ts`);
	expect(missing).toEqual([]);
});

/** They are compared with other answers, or the account does not have them. */
const NOT_IN_AN_ACCOUNT = ['school_external_id', 'profiles', 'responsible_external_id'];

test('Verify compares every field of a user that an account shows', () => {
	const texts = Object.keys(accountUser.shape).map((field): [string, string] => [field, 'x']);
	const nested = { cell_phone: { ddi: '55', value: '1' }, documents: [{ type: 'CPF', value: '1' }] };
	const shown = shownPerson({ ...Object.fromEntries(texts), ...nested }, '', '');
	const missing = Object.keys(userCreation.shape)
		.filter((field) => !shown.has(shownNameOf(field)) && !NOT_IN_AN_ACCOUNT.includes(field))
		.map((field) => `${field}: add it to verifying/fields.ts, or to NOT_IN_AN_ACCOUNT here`);
	expect(missing).toEqual([]);
});

test('Every resource shows its panel', () => {
	const panels = textOf('docs/panels.md');
	const missing = resources
		.filter(({ label }) => !panels.includes(`![The panel of ${label}]`))
		.map(({ label }) => `${label}: add its picture to docs/panels.md (SCREENSHOTS=1, test/e2e/editor/walk)`);
	expect(missing).toEqual([]);
});

test('The sandbox has a route for everything that a row sends', () => {
	// Nothing is asked of them here: only their methods and paths are looked at.
	const nothing = undefined as never;
	const routes = [
		...provisioningRoutes(() => nothing, nothing),
		...synchronizationRoutes(() => nothing, nothing),
		...enrollmentRoutes(() => nothing),
		...eventQueryRoutes(nothing),
	].map(({ method, path }) => new RegExp(`^${method} ${path.replace(/:\w+/g, '[^/]+')}$`));
	const missing = operations.flatMap(({ title, run }) =>
		run(SAMPLE)
			.sends.filter(([target]) => !routes.some((route) => route.test(target)))
			.map(([target]) => `${title}: add a route for ${target} to sandbox/areas, from the service's document`),
	);
	expect(missing).toEqual([]);
});

test('A page says what each operation takes, and gives', () => {
	const pages = filesEndingIn('.md', 'docs').map(textOf).join('\n');
	const elsewhere = [
		// They take what account.get takes, and the page says so.
		...['getSponsors', 'getDependents', 'getSchools', 'getClasses', 'getSnapshot'].map(
			(one) => `account.${one}`,
		),
		// Its page has the service's own table of a registration.
		'clientRegistration.validate',
	];
	const markers = inTheCode.flatMap(([name, { fields, work }]) => [
		...(Object.keys(fields).length > 0 && !elsewhere.includes(name) ? [`input ${name}`] : []),
		...(givesFields(work) ? [`output ${name}`] : []),
	]);
	const missing = markers
		.filter((marker) => !pages.includes(`<!-- generated: ${marker} -->`))
		.map((marker) => `add <!-- generated: ${marker} --> and <!-- end --> to its page in docs`);
	expect(missing).toEqual([]);
});

/** Whether the contract says which fields come back, at the top of the answer. */
function givesFields(work: Operation['work']): boolean {
	if (work.kind !== 'request' || work.answer.schema === undefined) return false;
	const { shape } = work.answer.schema._zod.def as { shape?: object };
	return Object.keys(shape ?? {}).length > 0;
}
