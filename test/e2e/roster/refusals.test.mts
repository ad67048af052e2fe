/** Every stop and every hold in a real n8n: nothing comes out that must not, and the words say why and what to do without a look into the code. */
import { strToU8, zipSync } from 'fflate';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { AS_OF, networkFiles } from '../../bench/roster/network.mts';
import { doneOf } from '../../support/doneLedger.mts';
import { errorOf } from '../../../playground/n8n-client.mts';

import { plannedBy, RosterStage, succeeded, type Night, type Planned, type Store } from './stage.mts';
import { dataTable } from './stores.mts';

/** Two schools with 500 students each. */
const STUDENTS = 1_000;
const [FIRST_SCHOOL, SECOND_SCHOOL] = ['school-001', 'school-002'];

type Files = Record<string, string | undefined>;
type Change = (files: Record<string, string>) => Files;

/** The export, with the schools that the service of the tests has. */
function filesOf(students = STUDENTS): Record<string, string> {
	const renamed = (text: string) =>
		text.replaceAll('school-00000000', FIRST_SCHOOL).replaceAll('school-00000001', SECOND_SCHOOL);
	return Object.fromEntries(
		Object.entries(networkFiles(students)).map(([name, text]) => [name, renamed(text)]),
	);
}

function zipOf(files: Files): Uint8Array {
	const there = Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined);
	return zipSync(Object.fromEntries(there.map(([name, text]) => [name, strToU8(text)])));
}

const changed = (change: Change, students?: number) => {
	const files = filesOf(students);
	return zipOf({ ...files, ...change(files) });
};

/** The lines of a file that are kept. */
const linesWhere = (text: string, isKept: (line: string, index: number) => boolean) =>
	text.split('\r\n').filter(isKept).join('\r\n');

let roster: RosterStage;
/** A ledger that says that all of the export is done, and the plan that it came from. */
let first: Planned;
let done: IDataObject[];
let table: Store & { cut: Store };

beforeAll(async () => {
	roster = await RosterStage.set();
	first = await planned({ ledger: [], options: { firstRun: true } });
	done = doneOf(first);
	table = await dataTable(roster, 'Ledger of the nights');
	const rows = roster.serve('rows.json', Buffer.from(JSON.stringify(done)));
	const read = {
		name: 'Rows',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { url: rows, options: {} },
	};
	await roster.prepare(read, { name: 'Write', ...table.write });
}, 240_000);
afterAll(async () => await roster?.end());

const mapped = (night: Night): Night => ({
	mapping: { ...roster.mapping, asOf: AS_OF } as INodeParameters,
	...night,
});

async function planned(night: Night, zip = zipOf(filesOf())): Promise<Planned> {
	return plannedBy(succeeded(await roster.plan('export.zip', zip, mapped(night))));
}

const written = async () => await roster.stage.sandbox.admin.countRequests({ path: '/integration' });

/** What a plan that stops tells; that it stops, and that nothing comes out of it. */
async function stop(night: Night, zip = zipOf(filesOf())): Promise<{ message: string; next: string }> {
	const before = await written();
	const execution = await roster.plan('export.zip', zip, mapped(night));
	expect(execution.status).toBe('error');
	expect(Object.values(plannedBy(execution)).flat()).toEqual([]);
	expect(await written()).toBe(before);
	const error = errorOf(execution);
	return { message: String(error?.message), next: String(error?.description) };
}

describe('The plan stops, and nothing comes out, when the export cannot be believed:', () => {
	const users =
		(change: (text: string) => string): Change =>
		(files) => ({ 'users.csv': change(files['users.csv']) });

	test.each<[string, () => Uint8Array, RegExp, RegExp]>([
		[
			'a file that the format demands is missing',
			() => changed(() => ({ 'enrollments.csv': undefined })),
			/enrollments\.csv is missing/,
			/export/,
		],
		[
			'the manifest names a file that is not there',
			() => changed(() => ({ 'demographics.csv': undefined })),
			/demographics\.csv is missing: manifest\.csv/,
			/export/,
		],
		['a file is empty', () => changed(users(() => '')), /users\.csv is empty/, /export/],
		[
			'a file has its header and no row',
			() => changed(users((text) => text.slice(0, text.indexOf('\n') + 1))),
			/users\.csv has no rows/,
			/export/,
		],
		[
			'a quote is not closed, so that the rest of a file is one cell',
			() => changed(users((text) => text.replace('João', '"João'))),
			/users\.csv.*quote/,
			/export/,
		],
		[
			'the zip was cut on its way',
			() => zipOf(filesOf()).slice(0, 20_000),
			/export\.zip cannot be read as a zip: it is cut off or damaged/,
			/again/,
		],
		[
			'a file was cut in the middle of a cell in quotes',
			() =>
				changed((files) => ({
					'classes.csv': files['classes.csv'].slice(0, files['classes.csv'].lastIndexOf('morning')),
				})),
			/classes\.csv.*quote/,
			/export/,
		],
		[
			'a file was cut in the middle of a row',
			() => changed((files) => ({ 'enrollments.csv': files['enrollments.csv'].slice(0, -30) })),
			/enrollments\.csv ends in the middle of its last row: it is cut off/,
			/exported again/,
		],
		[
			'there is no roster in the zip',
			() => zipSync({ 'readme.txt': strToU8('Hello') }),
			/None of these is a file of OneRoster or SDS/,
			/users\.csv/,
		],
		[
			'the download gave a page to sign in',
			() => strToU8('<!DOCTYPE html><title>Sign in</title>'),
			/export\.zip is no zip, although it is called so: it is a web page/,
			/Download it again/,
		],
	])('%s', async (_what, zip, message, next) => {
		const words = await stop({ ledger: done }, zip());
		expect(words.message).toMatch(message);
		expect(words.next).toMatch(next);
		expect(words.next).toMatch(/Nothing of the roster is used until then\.$/);
	});
});

describe('The plan stops, and nothing comes out, when the ledger cannot be believed:', () => {
	test.each<[string, () => Omit<Night, 'mapping'>, RegExp, RegExp]>([
		['it is empty, and it is not the first run', () => ({ ledger: [] }), /The ledger is empty/, /First Run/],
		[
			'it has rows, and First Run is on',
			() => ({ ledger: done, options: { firstRun: true } }),
			/First Run is on/,
			/Switch the option First Run off/,
		],
		[
			'rows of it are lost',
			() => ({ ledger: [...done.slice(0, 40), ...done.slice(60), ...laterRun(done)] }),
			/lost rows/,
			/Return All/,
		],
		[
			'it is of another service',
			() => ({ ledger: withMark('service') }),
			/another address of the service/,
			/credential/,
		],
		['it is of another client', () => ({ ledger: withMark('client') }), /another client/, /credential/],
		[
			'it was written with other ids',
			() => ({ ledger: done, options: { userKeys: 'school' } }),
			/other options for what an id is/,
			/as they were/,
		],
		[
			'a run is under way',
			() => ({ ledger: done.slice(0, 700) }),
			/may still be under way/,
			/Wait for its end/,
		],
		[
			'it is another table',
			() => ({ ledger: [{ name: 'Chess', price: 3 }] }),
			/no rows of a ledger/,
			/columns/,
		],
		[
			'somebody has changed a row',
			() => ({ ledger: done.map((row, index) => (index === 100 ? { ...row, state: 'done' } : row)) }),
			/cannot be read as a row/,
			/restore/,
		],
	])('%s', async (_what, night, message, next) => {
		const words = await stop(night());
		expect(words.message).toMatch(message);
		expect(words.next).toMatch(next);
		expect(words.next).toMatch(/Nothing comes out until then\.$/);
	});

	/** The rows with another digest in what the run row says of itself. */
	function withMark(mark: string): IDataObject[] {
		return done.map((row) =>
			row.kind === 'run'
				? {
						...row,
						detail: JSON.stringify({
							...(JSON.parse(String(row.detail)) as IDataObject),
							[mark]: 'h00000000000000000000000000000000',
						}),
					}
				: row,
		);
	}

	/** The run row of a night after, which found all rows. */
	function laterRun(rows: readonly IDataObject[]): IDataObject[] {
		const [run] = rows;
		const detail = {
			...(JSON.parse(String(run.detail)) as IDataObject),
			rows: rows.length,
			changes: 0,
			batches: 0,
			creates_to: 0,
			removes_to: 0,
			planned: {},
		};
		return [{ ...run, run_id: `9${String(run.run_id)}`, key: run.key, detail: JSON.stringify(detail) }];
	}
});

/** A plan of which something is held: what goes, what does not, and why. */
async function held(night: Night, zip: Uint8Array) {
	const before = await written();
	const {
		changes,
		held: isHeld,
		ledgerRows,
		summary: [summary],
		findings,
	} = await planned(night, zip);
	expect(await written()).toBe(before);
	expect(summary.held).toBe(true);
	const because = summary.held_because as Array<
		Record<'reason' | 'school_external_id' | 'plan_id' | 'what_to_do', string>
	>;
	for (const { plan_id: id, what_to_do: todo } of because)
		expect(todo).toContain(`put ${id} into the option Approved Plan`);
	const approved = await planned(
		{
			...night,
			options: { ...night.options, approvedPlan: because.map(({ plan_id: id }) => id).join(', ') },
		},
		zip,
	);
	expect(approved.held).toEqual([]);
	expect(approved.changes).toHaveLength(changes.length + isHeld.length);
	return { changes, ledgerRows, findings, isHeld, because };
}

const schoolsOf = (changes: readonly IDataObject[]) => [
	...new Set(changes.map(({ school_external_id: school }) => school)),
];
/** A class that is new in the first school. */
const NEW_CLASS = 'class-new,,,New class,01,,N1,homeroom,,school-001,year-2026,,,\r\n';
const withNewClass: Change = (files) => ({ 'classes.csv': files['classes.csv'] + NEW_CLASS });

describe('Everything is held, until a person approves it, when', () => {
	test('an optional file is not there any more', async () => {
		const zip = changed((files) => ({
			...withNewClass(files),
			'demographics.csv': undefined,
			'manifest.csv': files['manifest.csv'].replace('file.demographics,bulk', 'file.demographics,absent'),
		}));
		const { changes, isHeld, because } = await held({ ledger: done }, zip);
		expect([changes.length, isHeld.length]).toEqual([0, 1]);
		expect(because).toMatchObject([
			{ reason: 'The last run had files that are not there now: demographics.csv', school_external_id: '' },
		]);
	});

	test('a run was interrupted', async () => {
		const { changes, ledgerRows, because, findings } = await held(
			{ ledger: done.slice(0, 700), options: { unfinishedAfter: 0 } },
			zipOf(filesOf()),
		);
		expect([changes, ledgerRows]).toEqual([[], []]);
		expect(because[0]).toMatchObject({
			school_external_id: '',
			reason: expect.stringContaining('did not come to its end') as string,
		});
		expect(because[0].what_to_do).toContain('Return All');
		expect(findings).toContainEqual(
			expect.objectContaining({
				code: 'uncertain',
				what_to_do: expect.stringContaining('Look into the service') as string,
			}),
		);
	});

	test('the Data Table is read without Return All, so that 50 of its rows come', async () => {
		const { changes, because, findings } = await held(
			{ ledger: table.cut, options: { unfinishedAfter: 0 } },
			zipOf(filesOf()),
		);
		expect(changes).toEqual([]);
		expect(because[0].reason).toContain('the ledger was not read to its end');
		expect(findings).toContainEqual(
			expect.objectContaining({ code: 'ledgerFiftyRows', severity: 'warning' }),
		);
		expect((await planned({ ledger: table })).changes).toEqual([]);
	});
});

describe('A school is held, and the others go on, when', () => {
	test('26 % of it are new', async () => {
		const before = doneOf(await planned({ ledger: [], options: { firstRun: true } }, zipOf(filesOf(896))));
		const { changes, isHeld, because } = await held({ ledger: before }, changed(withNewClass));
		expect(changes.map(({ key }) => key)).toEqual([`c:${FIRST_SCHOOL}|class-new`]);
		expect(schoolsOf(isHeld)).toEqual([SECOND_SCHOOL]);
		expect(because.map(({ reason }) => reason)).toEqual([
			'212 users of school school-002 would be created: that is 26.2 % of the 808 that are there, and more than 25 % is held',
			'108 bonds of school school-002 would be created: that is 26.2 % of the 412 that are there, and more than 25 % is held',
		]);
	});

	test('11 % of it are gone', async () => {
		// Of the second school every ninth bond, of the first one a single bond.
		const zip = changed((files) => ({
			'enrollments.csv': linesWhere(
				files['enrollments.csv'],
				(line, index) => !(index === 1 || (line.includes(SECOND_SCHOOL) && index % 9 === 0)),
			),
		}));
		const { changes, isHeld, because } = await held({ ledger: done }, zip);
		expect(changes.map(({ action, school_external_id: school }) => [action, school])).toEqual([
			['remove', FIRST_SCHOOL],
		]);
		expect(schoolsOf(isHeld)).toEqual([SECOND_SCHOOL]);
		expect(because).toMatchObject([
			{
				school_external_id: SECOND_SCHOOL,
				reason: expect.stringMatching(
					/^5\d bonds of school school-002 would be removed: that is 11\.\d % of the 520 that are there/,
				) as string,
			},
		]);
	});

	test('its school year begins: all bonds are new, and all of the old year are gone', async () => {
		const zip = changed((files) =>
			Object.fromEntries(
				['classes.csv', 'enrollments.csv'].map((name) => [
					name,
					files[name].replace(/.*/g, (line) =>
						line.includes(SECOND_SCHOOL) ? line.replace(/\bclass-0/, 'class-2027-0') : line,
					),
				]),
			),
		);
		const { changes, isHeld, because } = await held({ ledger: done }, zip);
		expect(changes).toEqual([]);
		expect(schoolsOf(isHeld)).toEqual([SECOND_SCHOOL]);
		expect(because.map(({ reason }) => reason)).toEqual([
			expect.stringContaining('520 bonds of school school-002 would be created: that is 100 %') as string,
			expect.stringContaining('520 bonds of school school-002 would be removed: that is 100 %') as string,
		]);
	});
});
