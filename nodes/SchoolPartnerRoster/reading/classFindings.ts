/** What is said of classes of files. */
import { findingTypes } from '../roster/finding';

/** One or two digits among few letters, or a grade of OneRoster. Trap: a cell that was moved may hold a name, a date or a document. */
const GRADE = /^(?:(?=\D*\d{1,2}\D*$)[\p{L}0-9. _/-]{1,20}|IT|PR|PK|TK|KG|PS|UG)$/iu;
/** Before the first school year, in Portuguese, Spanish and English: Jardim II, Maternal B. */
const OF_SMALL_CHILDREN =
	/^(?:berçário|creche|infantil|jardim|jardín|kinder(?:garten)?|maternal|nursery|pré|pré-escola)(?: (?:[ivx]{1,3}|[a-e]))?$/iu;

export const shownGrade = (code: string) =>
	GRADE.test(code) || OF_SMALL_CHILDREN.test(code) ? `the grade "${code}"` : 'a grade';

/** One row of the table corrects it for all classes. */
export const { gradeNotMapped } = findingTypes('error', 'any', {
	gradeNotMapped: (code: string) => ({
		message: `Class: nobody said which stage and grade of the service ${shownGrade(code)} is`,
		what_to_do: 'Add a row for it under Mapping → Grades, for this school or for all.',
	}),
});

export const classErrors = findingTypes('error', 'class', {
	gradeMissing: {
		message: 'Class: no grade, neither of the class nor of its course nor of most of its students',
		what_to_do: 'Give the class its grade where the roster comes from.',
	},
	severalGrades: {
		message: 'Class: several grades, and most of its students are in none of them',
		what_to_do:
			'Give the class one grade where the roster comes from, or map all of its grades to the same one.',
	},
	courseUnusable: {
		message: 'Class: the row of its course in courses.csv cannot be used',
		what_to_do: 'See the finding about that row.',
	},
	yearOfIdMissing: {
		message: 'Class: its id holds its year, and the year is not known',
		what_to_do:
			'Set Mapping → Year, or correct the year where the roster comes from. Until then, what it may be about stays.',
	},
	idMissing: (column: string) => ({
		message: `Class: ${column} is empty`,
		what_to_do:
			'Fill it in where the roster comes from, or choose another column under Mapping → Class ID From. Until then, what it may be about stays.',
	}),
});

export const { gradeFromStudents } = findingTypes('warning', 'class', {
	gradeFromStudents: {
		message: 'Class: neither the class nor its course has one grade: it takes that of most of its students',
		what_to_do: 'Look whether it is right. The service offers no way to change it later.',
	},
});

export const classNotes = findingTypes('information', 'class', {
	classTypeLeftOut: {
		message: 'Class: left out with its bonds, because of its class type',
		what_to_do: 'Nothing. Mapping → Class Types says which are read.',
	},
	gradeLeftOut: (withIt: string) => ({
		message: `Class: left out with ${withIt}, because the row of its grade under Mapping → Grades is empty`,
		what_to_do:
			'Nothing, if that is meant. Otherwise choose stage and grade there: another credential in the node empties them.',
	}),
});
