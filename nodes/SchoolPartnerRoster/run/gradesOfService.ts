/** What the grades of a roster are that nobody has mapped: the service is asked which of its own have the same name, and which there are to choose from. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { ThrownFailure } from '../../shared/failure';
import { schoolIdOf } from '../planning/desiredState';
import { gradeNotMapped, shownGrade } from '../reading/classFindings';
import type { GradeRow } from '../reading/mapping';
import { findingTypes } from '../roster/finding';
import type { Roster } from '../roster/roster';
import { stagesOfSchools } from '../service/lookUp';
import { areStages, gradeList, gradesByName, type Offered } from '../service/offered';

import { connect } from './connection';
import { lookupFailure } from './failures';
import { SENDING_DEFAULTS, type NightSettings } from './settings';

/**
 * Without unmapped grades, or with Check With Service off, nothing is asked.
 * @returns the rows of Mapping > Grades that nobody has to write, and what the service has, by school; empty where nobody was asked
 */
export async function gradesOfService(
	context: IExecuteFunctions,
	name: string,
	{ unmappedGrades = [], records }: Roster,
	settings: Partial<NightSettings>,
): Promise<{ rows: GradeRow[]; schools: Offered['schools'] }> {
	const { onlySchools = [], checkWithService = true } = settings;
	const isPlanned = (school: string) => onlySchools.length === 0 || onlySchools.includes(school);
	const unmapped = unmappedGrades.filter(({ school }) => school !== '' && isPlanned(school));
	if (unmapped.length === 0 || !checkWithService) return { rows: [], schools: new Map() };
	const connection = await connect(context, { ...SENDING_DEFAULTS, ...settings });
	const schools = new Set(unmapped.map(({ school }) => school));
	const isOther = records.some(({ fields }) => !schools.has(schoolIdOf(fields)));
	const unanswered = isOther ? 'leaveOut' : 'leaveOutSome';
	const stages = await stagesOfSchools(
		connection.engine,
		schools,
		// Trap: what a Take Over has noted as uncertain stays so, and nobody takes it over again.
		name === 'takeOver' ? 'fail' : unanswered,
	);
	connection.logRequests();
	if (stages.ok) return { rows: gradesByName(unmapped, stages.value), schools: stages.value };
	const otherwise = 'Grades that stand under Mapping → Grades need no asking.';
	throw new ThrownFailure(lookupFailure(stages.failure, 'what its grades are called', otherwise));
}

export const { gradeOfService } = findingTypes('information', 'class', {
	gradeOfService: ({ gradeCode, educationalStage, gradeName }: GradeRow) => ({
		message: `Nobody mapped ${shownGrade(gradeCode)}: it is taken for "${gradeName}" of "${educationalStage}", the only one of the service with this name in the school`,
		what_to_do: 'Nothing, if that is right. Otherwise add a row for it under Mapping → Grades.',
	}),
});

/** So that who adds a row chooses, and need not look the names up. Of a school that the service does not know, no grade is wrong but the school. */
export function offerGrades({ findings, unmappedGrades = [] }: Roster, schools: Offered['schools']): void {
	const list = gradeList(schools);
	// Trap: a first night has thousands of other findings, and thousands of grades.
	for (const finding of findings.filter(({ code }) => code === 'gradeNotMapped')) {
		const ofGrade = unmappedGrades.filter(({ code }) => gradeNotMapped(code).message === finding.message);
		if (ofGrade.length === 0) continue;
		const answers = ofGrade.map(({ school }) => schools.get(school));
		if (answers.every((answer) => answer !== undefined && !areStages(answer)))
			Object.assign(finding, answers[0]);
		else if (list !== '') finding.what_to_do += `\nThe service has here: ${list}`;
	}
}
