/** What the grades of a roster are that nobody has mapped: the service is asked which of its own have the same name. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { failed, success, type Outcome } from '../../shared/failure';
import { shownGrade } from '../reading/classFindings';
import type { GradeRow } from '../reading/mapping';
import { Findings } from '../roster/findings';
import type { Finding } from '../roster/finding';
import type { Roster } from '../roster/roster';
import { stagesOfSchools } from '../service/lookUp';
import { gradesByName } from '../service/offered';

import { connect } from './connection';
import type { NightSettings } from './settings';

/** Rows of Mapping > Grades that nobody has to write, and what is to be told of them. */
export type GradesOfService = Outcome<{ rows: GradeRow[]; findings: Finding[] }>;

export const NO_GRADES: GradesOfService = success({ rows: [], findings: [] });

/** Without unmapped grades, or with Check With Service off, nothing is asked. */
export async function gradesOfService(
	context: IExecuteFunctions,
	{ unmappedGrades = [] }: Roster,
	settings: NightSettings,
): Promise<GradesOfService> {
	const only = new Set(settings.onlySchools);
	const unmapped = unmappedGrades.filter(
		({ school }) => school !== '' && (only.size === 0 || only.has(school)),
	);
	if (unmapped.length === 0 || !settings.checkWithService) return NO_GRADES;
	const connection = await connect(context, settings);
	const stages = await stagesOfSchools(connection.engine, new Set(unmapped.map(({ school }) => school)));
	connection.logRequests();
	if (!stages.ok) {
		const { message, next } = stages.failure;
		return failed({
			...stages.failure,
			message: `The service could not be asked what its grades are called. ${message}`,
			next: `${next}\nNothing was sent. Grades that stand under Mapping → Grades need no asking.`,
		});
	}
	const rows = gradesByName(unmapped, stages.value);
	const findings = new Findings();
	for (const row of rows) findings.add(gradeOfService(row));
	return success({ rows, findings: findings.list() });
}

const gradeOfService = ({ gradeCode, educationalStage, gradeName }: GradeRow) =>
	({
		severity: 'information',
		code: 'gradeOfService',
		kind: 'class',
		message: `Nobody mapped ${shownGrade(gradeCode)}: it is taken for "${gradeName}" of "${educationalStage}", the only one of the service with this name in the school`,
		what_to_do: 'Nothing, if that is right. Otherwise add a row for it under Mapping → Grades.',
	}) as const;
