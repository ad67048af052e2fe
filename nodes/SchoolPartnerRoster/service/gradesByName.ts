/** Grades of a roster that are called as exactly one grade of the service in their school. Pure. */
import type { UnmappedGrade } from '../roster/roster';

import type { Offered } from './offered';

/** A row of Mapping > Grades. */
export interface GradeByName {
	gradeCode: string;
	educationalStage: string;
	gradeName: string;
	schoolExternalId: string;
}

/** The rows of Mapping > Grades that nobody has to write. Where two grades of a school have the name, nobody can say which is meant. */
export function gradesByName(unmapped: readonly UnmappedGrade[], schools: Offered['schools']): GradeByName[] {
	return unmapped.flatMap(({ code, school }) => {
		const stages = schools.get(school);
		if (stages === undefined || stages === 'unknown') return [];
		const named = [...stages].flatMap(([educationalStage, grades]) =>
			[...grades]
				.filter((gradeName) => plainName(gradeName) === plainName(code))
				.map((gradeName) => ({ gradeCode: code, educationalStage, gradeName, schoolExternalId: school })),
		);
		return named.length === 1 ? named : [];
	});
}

/** Accents, capitals, punctuation and the small letter of an ordinal are no difference: "5º Ano", "5o ano". */
function plainName(name: string): string {
	const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
	const words = plain.replaceAll(/(?<=\d)[ao]\b/g, '').split(/[^\p{L}\p{N}]+/u);
	return words.filter((word) => word !== '').join(' ');
}
