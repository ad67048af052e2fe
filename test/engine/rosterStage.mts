/** What the engine tests of the roster node stand on: a small export of invented people, and the node between two inputs. */
import { strToU8, zipSync } from 'fflate';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { runNode, type NodeRun, type NodeRunOptions } from '../support/engine.mts';

export { doneOf } from '../support/doneLedger.mts';

import type { Workroom } from './workroom.mts';

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

export interface Night extends Partial<Omit<NodeRunOptions, 'parameters'>> {
	/** The first input; default: the whole export. */
	roster?: INodeExecutionData[];
	/** The rows of the second input; `notWired`: no node is connected to it. */
	ledger?: IDataObject[] | 'notWired';
	parameters?: INodeParameters;
	options?: INodeParameters;
}

/** Changes by batch. */
export const parted = (changes: IDataObject[]) => {
	const numbers = [...new Set(changes.map(({ batch }) => batch))];
	return numbers.map((number) => changes.filter(({ batch }) => batch === number));
};
/** A night of users, as records: of each its id and its profile. */
export const usersOf = (...users: Array<readonly [id: string, profile: string]>): Night => ({
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
export const studentsOf = (count: number): Night =>
	usersOf(...Array.from({ length: count }, (_, index) => [`s-${index}`, 'student'] as const));

/** Plans, in n8n's own engine. A ledger without rows gives no item, as a table that is empty. */
export async function plan(
	workroom: Workroom,
	{ roster = [zipOf()], ledger = [], parameters = {}, options = {}, ...more }: Night = {},
): Promise<NodeRun> {
	return await runNode({
		node: 'schoolPartnerRoster',
		inputs: roster,
		more: ledger === 'notWired' ? [] : [{ input: 1, inputs: ledger.map((json) => ({ json })) }],
		credentials: workroom.credentials,
		parameters: { operation: 'plan', mapping: MAPPING, ...parameters, options },
		...more,
	});
}

/** The data of each output of a plan, by name. */
export function outputsOf({
	outputs,
	error,
}: NodeRun): Record<'changes' | 'ledgerRows' | 'held' | 'findings' | 'summary', IDataObject[]> {
	if (error !== undefined) throw error;
	const [changes, ledgerRows, held, findings, summary] = outputs.map((items) =>
		items.map(({ json }) => json),
	);
	return { changes, ledgerRows, held, findings, summary };
}

/** Runs one batch after another through Apply Changes, as the loop of a workflow does; gives ledger rows and what failed. */
export async function apply(
	workroom: Workroom,
	batches: IDataObject[][],
	{ options = {}, ...more }: Night = {},
): Promise<{ run: NodeRun; rows: IDataObject[]; failed: IDataObject[] }> {
	const [first, ...others] = batches.map((batch) => batch.map((json) => ({ json })));
	const run = await runNode({
		node: 'schoolPartnerRoster',
		inputs: first,
		more: others.map((inputs) => ({ input: 0, inputs })),
		credentials: workroom.credentials,
		parameters: { operation: 'apply', options },
		...more,
	});
	const of = (output: number) =>
		run.allOutputs.flatMap((outputs) => (outputs[output] ?? []).map(({ json }) => json));
	return { run, rows: of(0), failed: of(1) };
}
