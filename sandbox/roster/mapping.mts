import { stagePlans } from '../world/names.mts';

/** What the School Partner Roster node takes as `mapping`, so that a roster of the sandbox fits the sandbox. */
export interface RosterMapping {
	grades: {
		/** `schoolExternalId` is empty: every school. */
		grade: Array<{
			gradeCode: string;
			educationalStage: string;
			gradeName: string;
			schoolExternalId: string;
		}>;
	};
	roles: { role: Array<{ role: string; profile: string }> };
	documentFrom: string;
	documentType: string;
}

/** The codes go on from stage to stage, as the formats' own do: `01` to `05` for EF1, `06` to `09` for EF2, `10` to `12` for EM. */
const grades: RosterMapping['grades']['grade'] = stagePlans
	.flatMap((stage) => stage.grades.map((grade) => ({ educationalStage: stage.name, gradeName: grade.name })))
	.map((names, index) => ({
		gradeCode: String(index + 1).padStart(2, '0'),
		...names,
		schoolExternalId: '',
	}));

/** Roles that say by themselves what they are (student, teacher, parent, …) need no row. */
export const rosterMapping: RosterMapping = {
	grades: { grade: grades },
	roles: {
		role: [
			{ role: 'administrator', profile: 'coordinator' },
			// What OneRoster 1.2 calls them outside of a class.
			{ role: 'siteAdministrator', profile: 'coordinator' },
		],
	},
	documentFrom: 'identifier',
	documentType: 'TAX_ID',
};

const codes = new Map(
	grades.map(({ gradeCode, educationalStage, gradeName }) => [`${educationalStage}/${gradeName}`, gradeCode]),
);

/** The code that a roster has for a grade. Throws for one that no school of the sandbox has. */
export function gradeCodeOf(stage: string, grade: string): string {
	const code = codes.get(`${stage}/${grade}`);
	if (code === undefined) throw new Error(`There is no grade code for ${grade} of ${stage}.`);
	return code;
}

/** What the service calls a grade of a roster. Throws for a code that no school of the sandbox has. */
export function gradeNameOf(code: string): string {
	const row = grades.find(({ gradeCode }) => gradeCode === code);
	if (row === undefined) throw new Error(`There is no grade of the code ${code}.`);
	return row.gradeName;
}
