/** When the roster node stops instead of doing something that cannot be right: nothing is sent, nothing comes out, and a person is told what to do. */
import type { IDataObject } from 'n8n-workflow';

import { LEDGER_COLUMNS } from '../../nodes/SchoolPartnerRoster/ledger/row.ts';

import { LEDGER, MAPPING, useOffice, zipOf, type NightOptions } from './rosterStage.mts';

const office = useOffice();

const gradeFrom = (gradeName: string) => ({
	...MAPPING,
	grades: { grade: [{ gradeCode: '05', educationalStage: 'EF1', gradeName, schoolExternalId: '' }] },
});

describe('A night stops, and says what to do, when', () => {
	test.each<[string, NightOptions, string, RegExp]>([
		[
			'the execution is a retried one, whose roster is old',
			{ mode: 'retry' },
			'This execution is retried',
			/Start the workflow anew/,
		],
		[
			'an item holds nothing',
			{ roster: [{ json: {} }] },
			'The items of the input hold no files (binary data)',
			/HTTP Request/,
		],
		[
			'the files were unpacked before',
			{ roster: [{ json: { sourcedId: 'x' } }] },
			'The items of the input have fields, but no files (binary data)',
			/Extract from File/,
		],
		[
			'the field with the file has another name',
			{ options: { fileFields: 'data, upload' } },
			'No item of the input has a file in the field "upload": there are "data"',
			/File Fields/,
		],
		[
			'the fields with the files come from expressions that all give nothing',
			{ options: { fileFields: '={{ $json.first }}, {{ $json.second }}' } },
			'The expression in File Fields gives nothing',
			/Options/,
		],
		[
			'the statuses of what is gone come from expressions that all give nothing',
			{ options: { goneStatuses: '={{ $json.first }}, {{ $json.second }}' } },
			'The expression in Statuses That Mean It Is Gone gives nothing',
			/Options/,
		],
		[
			'the fields with the files are a comma, which names none',
			{ options: { fileFields: ' , ' } },
			'File Fields must name at least one, or be empty',
			/Options/,
		],
		[
			'a file is missing that the manifest names',
			{ roster: [zipOf({ 'classes.csv': undefined })] },
			'classes.csv is missing',
			/exported again/,
		],
		[
			'the format is another one',
			{ parameters: { format: 'sds' } },
			'Format is SDS, but the files are OneRoster',
			/Format/,
		],
		[
			'an option has a value that it cannot have',
			{ options: { gracePeriodDays: 400 } },
			'Grace Period (Days) must be a whole number from 0 to 366',
			/Options/,
		],
		[
			'a row of the mapping is not what it must be',
			{ parameters: { mapping: { ...MAPPING, year: 'MMXXVI' } } },
			'Year must be a whole number',
			/Mapping/,
		],
		[
			'what exists is to be adopted, and no status says that something exists',
			{ options: { existing: 'adopt' } },
			'Existing Records is set to Adopt, and Statuses That Mean It Exists is empty',
			/for example 409/,
		],
		[
			'a status that means that it exists is one of success',
			{ options: { existsStatuses: '200' } },
			'Statuses That Mean It Exists',
			/Options/,
		],
		[
			'the schools come from an expression that gives nothing',
			{ options: { onlySchools: '={{ $json.schools?.trim() }}' } },
			'Only Schools names no school',
			/all schools/,
		],
		[
			'the schools come from an expression that gives an empty text',
			{ options: { onlySchools: '={{ "" }}' } },
			'Only Schools names no school',
			/all schools/,
		],
		[
			'only some schools are planned, and users are of the network',
			{ options: { onlySchools: 'school-001', userIdsUniqueWithin: 'network' } },
			'Only Schools is filled in, and User IDs Unique Within is set to Network',
			/Take Only Schools out/,
		],
		[
			'an option comes from an expression that gives nothing',
			{ options: { keepPastYears: '={{ $json.years?.keep }}' } },
			'The expression in Keep Past Years gives nothing',
			/Options/,
		],
		[
			'an option names a field that is not there',
			{ options: { gracePeriodDays: '={{ $json.days }}' } },
			'The expression in Grace Period (Days) gives nothing',
			/Options/,
		],
		[
			'the grade of a row comes from an expression that gives nothing',
			{ parameters: { mapping: gradeFrom('={{ $json.grade?.trim() }}') } },
			'The expression in Row 1 of Grades: Grade of the Service gives nothing',
			/Mapping/,
		],
		['the ledger has no name', { parameters: { ledgerName: ' ' } }, '"Ledger Name" has to have 1 to', /Name/],
		[
			'the name of the ledger is an expression that gives nothing',
			{ parameters: { ledgerName: '={{ $json.part }}' } },
			'"Ledger Name" has to have 1 to',
			/expression/,
		],
		[
			'the part of the network is lost from the name of the ledger, which would be a new and empty one',
			{ parameters: { ledgerName: '=School Partner Roster, {{ $json.part }}' } },
			'"Ledger Name" has to have 1 to',
			/expression/,
		],
		[
			'one of two parts is lost from the name of the ledger',
			{ parameters: { ledgerName: '={{ $json.network }}-{{ $workflow.id }}' } },
			'"Ledger Name" has to have 1 to',
			/expression/,
		],
	])('%s', async (_what, night, message, next) => {
		const words = await office.stop('sync', night);
		expect(words.message).toContain(message);
		expect(`${words.message} ${words.description}`).toMatch(next);
		expect(await office.sent()).toEqual([]);
	});

	test.each([
		['preview', 'Nothing was changed'],
		['verify', 'Nothing was changed'],
		['sync', 'It may be done all the same'],
	] as const)('an expression that throws before %s says what was reached: %s', async (operation, said) => {
		const words = await office.stop(operation, {
			parameters: { ledgerName: "={{ $('Nobody').item.json.part }}" },
		});
		expect(words.description).toContain(said);
		expect(await office.sent()).toEqual([]);
	});

	test('a table of its name is none of ours', async () => {
		office.tables.make(LEDGER, ['member', 'paid']);
		const words = await office.stop('sync');
		expect(words.message).toContain(`"${LEDGER}"`);
		expect(words.description).toContain('Give the ledger another name');
	});

	test('its ledger has a row that nobody of us wrote', async () => {
		await office.takeOver();
		Object.assign(office.ledger[0], { kind: 'chess', key: '' });
		expect((await office.stop('sync')).message).toContain(LEDGER);
		expect(await office.sent()).toEqual([]);
	});

	test("n8n's Data Tables are switched off: the database is never waited for", async () => {
		office.tables.before = () => {
			throw new Error('Attempted to use Data table node but the module is disabled');
		};
		const words = await office.stop('sync');
		expect(words.message).toContain('Data Tables are switched off');
		expect(words.description).toContain('PostgreSQL');
		expect(words.description).toContain('Nothing was sent.');
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'anything is wrong, also where On Error is set to go on: the files must not come out of Summary (%s)',
		async (onError) => {
			const words = await office.stop('sync', { mode: 'retry', onError });
			expect(words.message).toContain('This execution is retried');
		},
	);

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'the operation is one that this version does not have (%s)',
		async (onError) => {
			const words = await office.stop('plan', { onError });
			expect(words.message).toBe('There is no operation "plan" in this version of the package');
			expect(words.description).toContain('Pick an operation in the node');
			expect(await office.sent()).toEqual([]);
		},
	);

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'an expression in its Operation cannot be evaluated (%s)',
		async (onError) => {
			const words = await office.stop('={{ $("Nowhere").first().json.operation }}', { onError });
			expect(words.message).not.toBe('');
			expect(await office.sent()).toEqual([]);
		},
	);
});

test('A ledger that cannot be written ends the night, and names what has no row', async () => {
	await office.approve(await office.sync());
	office.tables.before = (operation, items) => {
		const isOutcome = items.some((item) => item.kind === 'user');
		if (operation === 'insert' && isOutcome) throw new Error('Data table size limit exceeded: 200MB used');
	};
	const words = await office.stop('sync');
	expect(words.message).toContain('The ledger could not be told what came of 2 changes');
	expect(words.description).toContain('u:school-001|ros-teacher-1 (applied)');
	office.tables.before = () => undefined;
	// The intent was written before: so the next night knows what may have been done.
	const { changes, attention } = await office.sync();
	expect(changes.map(({ key }) => key)).not.toContain('u:school-001|ros-teacher-1');
	expect(attention.filter(({ code }) => code === 'uncertain').map(({ key }) => key)).toContain(
		'u:school-001|ros-teacher-1',
	);
});

describe('A ledger', () => {
	test('of which rows are gone holds the night, until a person lets it go', async () => {
		await office.begin();
		const { rows } = leaseOf();
		office.tables.make('Copy', LEDGER_COLUMNS);
		office.ledger[0].key = 'hold-gone:1';
		const lease = office.tables.rows(LEDGER).find(({ kind }) => kind === 'lease');
		Object.assign(lease ?? {}, { detail: JSON.stringify({ rows: rows + 5, timeout_ms: 30_000 }) });
		const { attention, summary } = await office.sync();
		expect(
			[...attention, ...(summary.holds as IDataObject[])].map((each) => each.message ?? each.reason),
		).toEqual(expect.arrayContaining([expect.stringContaining('The ledger has lost 5 of') as string]));
	});

	test("goes on when it came back through n8n's import of a CSV, which makes empty cells null", async () => {
		await office.begin();
		for (const row of office.tables.rows(LEDGER)) {
			const cells = row as unknown as IDataObject;
			for (const [column, cell] of Object.entries(cells)) if (cell === '') cells[column] = null;
		}
		for (let night = 0; night < 2; night++)
			expect((await office.sync()).summary).toMatchObject({ outcome: 'nothing' });
	});

	test('that another run holds, and keeps, makes the night busy: nothing is done, and nothing has failed', async () => {
		await office.begin();
		const lease = office.tables.rows(LEDGER).find(({ kind }) => kind === 'lease');
		Object.assign(lease ?? {}, { run_id: 'run-of-others', sequence: '70', state: 'held' });
		let looks = 0;
		office.tables.before = (operation) => {
			if (operation === 'get' && ++looks === 2) Object.assign(lease ?? {}, { sequence: '71' });
		};
		const { summary, attention, changes } = await office.sync();
		expect(summary).toMatchObject({ outcome: 'busy', busy_with: 'run-of-others', changes: 0 });
		expect([attention, changes]).toEqual([[], []]);
	}, 30_000);
});

const leaseOf = () => {
	const lease = office.tables.rows(LEDGER).find(({ kind }) => kind === 'lease');
	return JSON.parse(lease?.detail ?? '{}') as { rows: number };
};

describe('An agent that has the node as a tool', () => {
	test.each(['sync', 'takeOver', 'approve', 'resolve', 'recordAccess'])('may not %s', async (operation) => {
		const words = await office.stop(operation, { isTool: true });
		expect(words.message).toContain('is not for AI agents');
		expect(words.description).toContain('Explain, Preview and Read Files');
		expect(office.tables.rows(LEDGER)).toEqual([]);
	});

	test('may preview and read files', async () => {
		expect((await office.preview({ isTool: true })).changes).toHaveLength(8);
		expect((await office.run('readFiles', { isTool: true })).error).toBeUndefined();
	});
});

test('Without a credential for the service a night fails, and reading files does not', async () => {
	for (const operation of ['sync', 'takeOver']) {
		const { message, description } = await office.stop(operation, { credentials: undefined });
		expect(message).toMatch(/credential/i);
		expect(description).toContain('Nothing was sent');
	}
	expect((await office.run('readFiles', { credentials: undefined })).error).toBeUndefined();
});

test('A ledger belongs to one service and one client; another writing of its address is the same service', async () => {
	await office.begin();
	const { workroom } = office;
	const { baseUrl } = workroom.sandbox;
	const codes = async (change: IDataObject) => {
		const credentials = await workroom.credentialWith(change);
		return (await office.preview({ credentials })).attention.map(({ code }) => code);
	};
	expect(await codes({ baseUrl: `${baseUrl.replace('http', 'HTTP')}/` })).not.toContain('serviceMoved');
	expect(await codes({ clientId: 'another-client' })).toContain('serviceMoved');
	expect(await codes({ baseUrl: 'http://service.example' })).toContain('serviceMoved');
});

test('Take Over stops where the ledger was written for another client, or with another choice of ids', async () => {
	await office.begin();
	const rows = office.ledger.length;
	const credentials = await office.workroom.credentialWith({ clientId: 'another-client' });
	const ofClient = await office.stop('takeOver', { credentials });
	expect(ofClient.message).toContain('The ledger was written for another client');
	expect(ofClient.description).toContain('approved in a Sync first. Nothing was taken over.');
	const ofIds = await office.stop('takeOver', { options: { userIdsUniqueWithin: 'network' } });
	expect(ofIds.message).toContain('The ledger was written with other options for what an id is');
	expect(ofIds.description).toContain('Set these options as they were');
	expect(office.ledger).toHaveLength(rows);
	expect((await office.takeOver()).summary.outcome).toBe('attention');
});
