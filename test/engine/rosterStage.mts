/** What the engine tests of the roster node stand on: a small export of invented people, and the node with its ledger. */
import { strToU8, zipSync } from 'fflate';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { StoredRow } from '../../nodes/SchoolPartnerRoster/ledger/row.ts';
import type { LoggedRequest } from '../../sandbox/admin-types.mts';
import type { StartOptions } from '../../sandbox/start.mts';
import { DataTables } from '../support/dataTables.mts';
import { runNode, type NodeRun, type NodeRunOptions } from '../support/engine.mts';

import { useWorkroom, wordsOf, type Workroom } from './workroom.mts';

/** The files of an export of OneRoster 1.1: one school, one class, a teacher, two students, a mother. */
export const EXPORT: Readonly<Record<string, string>> = {
	'manifest.csv': [
		'propertyName,value',
		'manifest.version,1.0',
		'oneroster.version,1.1',
		...['academicSessions', 'classes', 'courses', 'enrollments', 'orgs', 'users'].map(
			(name) => `file.${name},bulk`,
		),
		...[
			'categories',
			'classResources',
			'courseResources',
			'demographics',
			'lineItems',
			'resources',
			'results',
		].map((name) => `file.${name},absent`),
	].join('\n'),
	'orgs.csv': [
		'sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId',
		'school-001,,,Colégio das Acácias,school,001,',
	].join('\n'),
	'academicSessions.csv': [
		'sourcedId,status,dateLastModified,title,type,startDate,endDate,parentSourcedId,schoolYear',
		'year-26,,,2026,schoolYear,2026-02-01,2026-12-20,,2026',
	].join('\n'),
	'courses.csv': [
		'sourcedId,status,dateLastModified,schoolYearSourcedId,title,courseCode,grades,orgSourcedId,subjects,subjectCodes',
		'course-1,,,year-26,Homeroom,H1,05,school-001,,',
	].join('\n'),
	'classes.csv': [
		'sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds,subjects,subjectCodes,periods',
		'ros-class-1,,,5º ano A,05,course-1,5A,homeroom,,school-001,year-26,,,',
	].join('\n'),
	'users.csv': [
		'sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password',
		'ros-teacher-1,,,true,school-001,teacher,t1,,Dália,Imaginária,,,,,,,,',
		'ros-student-1,,,true,school-001,student,s1,,Abelia,Fontela,,,,,,ros-mother-1,05,secret',
		'ros-student-2,,,true,school-001,student,s2,,Bento,Fontela,,,,,,ros-mother-1,05,secret',
		'ros-mother-1,,,true,school-001,parent,m1,,Celestina,Fontela,,,mother@family.example,,,,,',
	].join('\n'),
	'enrollments.csv': [
		'sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate',
		'e1,,,ros-class-1,school-001,ros-student-1,student,,,',
		'e2,,,ros-class-1,school-001,ros-student-2,student,,,',
		'e3,,,ros-class-1,school-001,ros-teacher-1,teacher,,,',
	].join('\n'),
};

/** What a person fills in for it: the grade of the files is one of the sandbox's first school. */
export const MAPPING: INodeParameters = {
	grades: {
		grade: [{ gradeCode: '05', educationalStage: 'EF1', gradeName: '5º ano', schoolExternalId: '' }],
	},
	asOf: '2026-03-02',
};

/** An item that holds files, as nodes for FTP, HTTP or forms give them. */
export function itemWithFiles(files: Readonly<Record<string, Uint8Array>>): INodeExecutionData {
	const binary = Object.entries(files).map(([fileName, bytes], index) => [
		index === 0 ? 'data' : `data${index}`,
		{ data: Buffer.from(bytes).toString('base64'), mimeType: 'application/octet-stream', fileName },
	]);
	return { json: {}, binary: Object.fromEntries(binary) as INodeExecutionData['binary'] };
}

/** The export as one zip, with other contents where they are given; a file that is undefined is not in it. */
export function zipOf(change: Readonly<Record<string, string | undefined>> = {}): INodeExecutionData {
	const files = Object.entries({ ...EXPORT, ...change }).filter(
		(entry): entry is [string, string] => entry[1] !== undefined,
	);
	return itemWithFiles({
		'roster.zip': zipSync(Object.fromEntries(files.map(([name, text]) => [name, strToU8(`${text}\n`)]))),
	});
}

export interface NightOptions extends Partial<Omit<NodeRunOptions, 'parameters'>> {
	/** The input; default: the whole export. */
	roster?: INodeExecutionData[];
	parameters?: INodeParameters;
	options?: INodeParameters;
}

/** What came out of Sync, Preview or Take Over. */
export interface Night {
	summary: IDataObject;
	attention: IDataObject[];
	changes: IDataObject[];
	run: NodeRun;
}

/** A class of the export without one student's bond. */
export const withoutBond = (student: string): INodeExecutionData => {
	const lines = EXPORT['enrollments.csv'].split('\n');
	return zipOf({ 'enrollments.csv': lines.filter((line) => !line.includes(student)).join('\n') });
};

/** A night of users, as records: of each its id and its profile. */
export const usersOf = (...users: Array<readonly [id: string, profile: string]>): NightOptions => ({
	roster: users.map(([id, profile]) => ({
		json: {
			kind: 'user',
			school_external_id: 'school-001',
			external_id: id,
			first_name: 'Abelia',
			last_name: 'Fontela',
			profiles: [profile],
		},
	})),
	parameters: { source: 'records' },
});

/** A night of so many students. */
export const studentsOf = (count: number): NightOptions =>
	usersOf(...Array.from({ length: count }, (_, index) => [`s-${index}`, 'student'] as const));

/** Keys of changes with their action, in order. */
export const keysOf = (changes: readonly IDataObject[]): string[] =>
	changes.map(({ action, key }) => `${String(action)} ${String(key)}`);

export const statesOf = (changes: readonly IDataObject[]): Record<string, unknown> =>
	Object.fromEntries(changes.map(({ key, state }) => [String(key), state]));

const DAY_MS = 24 * 3_600_000;

export const LEDGER = 'School Partner Roster';

/** The roster node with a service and n8n's Data Tables, night after night. */
export class Office {
	tables = new DataTables();

	constructor(readonly workroom: Workroom) {}

	/** The rows of the ledger but for the lease. */
	get ledger(): StoredRow[] {
		return this.tables.rows(LEDGER).filter(({ kind }) => kind !== 'lease');
	}

	async run(
		operation: string,
		{ roster = [zipOf()], parameters = {}, options = {}, ...more }: NightOptions = {},
	): Promise<NodeRun> {
		return await runNode({
			node: 'schoolPartnerRoster',
			inputs: roster,
			credentials: this.workroom.credentials,
			dataTables: this.tables,
			parameters: { operation, mapping: MAPPING, ...parameters, options },
			...more,
		});
	}

	/** One that must not fail. */
	private async night(operation: string, night: NightOptions): Promise<Night> {
		const run = await this.run(operation, night);
		if (run.error !== undefined) throw run.error;
		const [summaries, attention, changes] = run.outputs.map((items) => items.map(({ json }) => json));
		return { summary: summaries[0], attention, changes, run };
	}

	async sync(night: NightOptions = {}): Promise<Night> {
		return await this.night('sync', night);
	}

	async preview(night: NightOptions = {}): Promise<Night> {
		return await this.night('preview', night);
	}

	async takeOver(night: NightOptions = {}): Promise<Night> {
		return await this.night('takeOver', night);
	}

	/** A day goes by. What waits for an answer meanwhile sees the time pass. */
	pass(): void {
		const [tomorrow, began] = [Date.now() + DAY_MS, performance.now()];
		jest.spyOn(Date, 'now').mockImplementation(() => tomorrow + performance.now() - began);
	}

	/** Items straight into Approve or Resolve. */
	async decide(
		operation: 'approve' | 'resolve',
		items: IDataObject[],
		more: NightOptions = {},
	): Promise<NodeRun> {
		return await this.run(operation, { roster: items.map((json) => ({ json })), ...more });
	}

	/** As a person who has looked at everything that is held. */
	async approve({ summary }: Night): Promise<void> {
		const holds = summary.holds as IDataObject[];
		const { error } = await this.decide(
			'approve',
			holds.map(({ hold_id }) => ({ hold_id, approve: true, by: 'Ana' })),
		);
		if (error !== undefined) throw error;
	}

	/** A first night: it is held, approved, and sent. */
	async begin(night: NightOptions = {}): Promise<Night> {
		await this.approve(await this.sync(night));
		return await this.sync(night);
	}

	/** Message and what to do of a run that must fail, and gives nothing. */
	async stop(operation: string, night: NightOptions = {}): Promise<{ message: string; description: string }> {
		const run = await this.run(operation, night);
		expect([run.run.status, run.outputs.flat()]).toEqual(['error', []]);
		return wordsOf(run);
	}

	/** What was sent to be created or removed. */
	async sent(): Promise<LoggedRequest[]> {
		return await this.workroom.received('/integration');
	}
}

/** An office for all tests of a file, with a ledger and a service as they were at the start before each. */
export function useOffice(options: StartOptions = {}): Office {
	const office = new Office(useWorkroom(options));
	beforeEach(() => {
		office.tables = new DataTables();
	});
	afterEach(() => jest.restoreAllMocks());
	return office;
}
