/** What the service would refuse of a roster, and which of its grades are meant, by what it says it has. Pure. */
import { quoted } from '../../shared/contract/quoted';

import { schoolIdOf } from '../planning/desiredState';
import type { NotOffered } from '../planning/options';
import type { GradeRow } from '../reading/mapping';
import { findingTypes } from '../roster/finding';
import type { Fields, RosterRecord } from '../roster/record';
import type { UnmappedGrade } from '../roster/roster';

export type Stages = ReadonlyMap<string, ReadonlySet<string>>;

export interface Offered {
	/** The types of the profiles; empty when the service lists none: then nothing is said of profiles. */
	profiles: ReadonlySet<string>;
	/** Schools that were not asked for are not in it. */
	schools: ReadonlyMap<string, SchoolAnswer>;
}

/** What the service has in a school, or why nobody knows. */
export type SchoolAnswer = Stages | NotOffered;

export function areStages(answer: SchoolAnswer | undefined): answer is Stages {
	return answer instanceof Map;
}

/** What the service would refuse a record for. */
export function notOffered(
	{ kind, fields }: RosterRecord,
	{ profiles, schools }: Offered,
): NotOffered | undefined {
	const stages = schools.get(schoolIdOf(fields));
	if (stages !== undefined && !areStages(stages)) return stages;
	if (kind === 'class') return stages && gradeRefusal(fields, stages);
	const profileNames = kind === 'bond' ? [fields.profile_name] : fields.profiles;
	const unknown = Array.isArray(profileNames)
		? profileNames.map(String).find((profile) => !profiles.has(profile))
		: undefined;
	if (unknown === undefined || profiles.size === 0) return undefined;
	return notOfferedErrors.profileNotOffered(unknown, profiles);
}

function gradeRefusal({ educational_stage: stage, grade }: Fields, stages: Stages): NotOffered | undefined {
	const grades = stages.get(String(stage));
	if (grades === undefined) return notOfferedErrors.stageNotOffered(String(stage), stages.keys());
	if (grades.has(String(grade))) return undefined;
	return notOfferedErrors.gradeNotOffered(String(grade), String(stage), grades);
}

/** The rows of Mapping > Grades that nobody has to write. Where two grades of a school have the name, nobody can say which is meant. */
export function gradesByName(unmapped: readonly UnmappedGrade[], schools: Offered['schools']): GradeRow[] {
	return unmapped.flatMap(({ code, school }) => {
		const stages = schools.get(school);
		if (!areStages(stages)) return [];
		const alike = [...stages].flatMap(([educationalStage, grades]) =>
			[...grades]
				.filter((gradeName) => plainGradeName(gradeName) === plainGradeName(code))
				.map((gradeName) => ({ gradeCode: code, educationalStage, gradeName, schoolExternalId: school })),
		);
		return alike.length === 1 ? alike : [];
	});
}

/** Accents, capitals, spaces, punctuation and the small letter of an ordinal are no difference: "5º Ano", "5o ano". */
function plainGradeName(name: string): string {
	const plain = name.replaceAll(/[ºª]/g, ' ').normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
	return plain.replaceAll(/(?<=\d)[ao]\b/g, '').replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const MOST_OFFERED = 20;

const quotedName = (name: string) => `"${quoted(name, 60)}"`;

function nameList(names: Iterable<string>): string {
	const all = [...names];
	if (all.length === 0) return 'none';
	return `${all.slice(0, MOST_OFFERED).map(quotedName).join(', ')}${all.length > MOST_OFFERED ? ', …' : ''}`;
}

/** All stages of the schools with their grades, in words. */
export function gradeList(schools: Offered['schools']): string {
	const gradesOf = new Map<string, Set<string>>();
	for (const stages of schools.values())
		for (const [stage, grades] of areStages(stages) ? stages : [])
			gradesOf.set(stage, new Set([...(gradesOf.get(stage) ?? []), ...grades]));
	const lines = [...gradesOf].map(([stage, grades]) => `${quotedName(stage)}: ${nameList(grades)}`);
	return lines.slice(0, MOST_OFFERED).join('; ');
}

export const notOfferedErrors = findingTypes('error', 'any', {
	schoolNotKnown: (school: string) => ({
		message: `The service does not know the school ${quotedName(school)}`,
		what_to_do:
			'Ask the operator of the service under which external ID the school is registered, and give that one: of files the column that holds it, under Mapping → School ID From; of a sheet School External ID, under Columns, or which school each of its own codes is, under Mapping → Schools. Nothing is sent for this school until then.',
	}),
	/** @param why the words of the failure */
	schoolNotAnswered: (school: string, why: string) => ({
		message: `The service does not say what the school ${quotedName(school)} has. ${why}`,
		what_to_do:
			'Ask the operator of the service whether the school is set up, and given to your client. Nothing new is sent for this school until then.',
	}),
	profileNotOffered: (profile: string, profiles: Iterable<string>) => ({
		message: `The service has no profile ${quotedName(profile)}`,
		what_to_do: `Map the role to one that it has under Mapping → Roles: ${nameList(profiles)}. The record is left out until then.`,
	}),
	stageNotOffered: (stage: string, stages: Iterable<string>) => ({
		message: `The service has no educational stage ${quotedName(stage)} in this school`,
		what_to_do: `Correct it under Mapping → Grades. The school has: ${nameList(stages)}. The class is left out until then.`,
	}),
	gradeNotOffered: (grade: string, stage: string, grades: Iterable<string>) => ({
		message: `The service has no grade ${quotedName(grade)} in the educational stage ${quotedName(stage)} of this school`,
		what_to_do: `Correct it under Mapping → Grades. The stage has: ${nameList(grades)}. The class is left out until then.`,
	}),
});
