/** A school network of any size as OneRoster 1.2, in a zip: all of it invented, the same at every run. */
import { strToU8, zipSync } from 'fflate';

const SCHOOL_SIZE = 500;
const CLASS_SIZE = 25;
const GIVEN = ['Ana', 'Bruno', 'Célia', 'Davi', 'Elisa', 'Fábio', 'Gina', 'Heitor', 'Inês', 'João'];
const FAMILY = ['Almeida', 'Barros', 'Castro', 'Dias', 'Esteves', 'Farias', 'Gomes', 'Horta'];

const id = (kind: string, number: number) => `${kind}-${String(number).padStart(8, '0')}`;

/**
 * The files of a network. For each student one responsible person, one enrollment, and its share of a class of 25 in a school of 500:
 * about 3.1 records for each student.
 */
export function networkFiles(students: number): Record<string, string> {
	const files: Record<string, string[]> = {
		manifest: ['propertyName,value', 'manifest.version,1.0', 'oneroster.version,1.2'],
		orgs: ['sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId'],
		academicSessions: [
			'sourcedId,status,dateLastModified,title,type,startDate,endDate,parentSourcedId,schoolYear',
			'year-2026,,,2026,schoolYear,2026-01-15,2026-12-15,,2026',
		],
		courses: [
			'sourcedId,status,dateLastModified,schoolYearSourcedId,title,courseCode,grades,orgSourcedId,subjects,subjectCodes',
		],
		classes: [
			'sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds,subjects,subjectCodes,periods',
		],
		users: [
			'sourcedId,status,dateLastModified,enabledUser,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password,userMasterIdentifier,preferredGivenName,preferredMiddleName,preferredFamilyName,primaryOrgSourcedId,pronouns',
		],
		roles: [
			'sourcedId,status,dateLastModified,userSourcedId,roleType,role,beginDate,endDate,orgSourcedId,userProfileSourcedId',
		],
		enrollments: [
			'sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate',
		],
		demographics: ['sourcedId,status,dateLastModified,birthDate,sex'],
	};
	for (const name of Object.keys(files)) if (name !== 'manifest') files.manifest.push(`file.${name},bulk`);
	files.manifest.push('file.results,absent');
	for (let number = 0; number < students; number++) {
		const [ofSchool, ofClass] = [Math.floor(number / SCHOOL_SIZE), Math.floor(number / CLASS_SIZE)];
		const [school, aClass] = [id('school', ofSchool), id('class', ofClass)];
		const [student, responsible, teacher] = [
			id('student', number),
			id('responsible', number),
			id('teacher', ofClass),
		];
		const grade = String((ofClass % 9) + 1).padStart(2, '0');
		const [given, family] = [GIVEN[number % GIVEN.length], FAMILY[number % FAMILY.length]];
		const person = (who: string, agents: string, grades: string) =>
			`${who},,,true,${who},,${given},${family} ${number},,${number},${who}@school.example,,+55119${String(number).padStart(8, '0')},${agents},${grades},secret-${number},,,,,${school},`;
		if (number % SCHOOL_SIZE === 0) files.orgs.push(`${school},,,School ${ofSchool},school,${ofSchool},`);
		if (number % CLASS_SIZE === 0) {
			files.classes.push(
				`${aClass},,,"Class ${ofClass}, morning",${grade},,${ofClass},homeroom,,${school},year-2026,,,`,
			);
			files.users.push(person(teacher, '', ''));
			files.roles.push(`r-${teacher},,,${teacher},primary,teacher,2026-01-15,,${school},`);
			files.enrollments.push(
				`e-${teacher},,,${aClass},${school},${teacher},teacher,true,2026-01-15,2026-12-15`,
			);
		}
		files.users.push(person(student, responsible, grade), person(responsible, '', ''));
		files.roles.push(
			`r-${student},,,${student},primary,student,2026-01-15,,${school},`,
			`r-${responsible},,,${responsible},primary,guardian,,,${school},`,
		);
		files.enrollments.push(`e-${student},,,${aClass},${school},${student},student,,2026-01-15,2026-12-15`);
		files.demographics.push(
			`${student},,,20${String(10 + (number % 9)).padStart(2, '0')}-05-${String(1 + (number % 28)).padStart(2, '0')},`,
		);
	}
	files.courses.push('course-none,,,year-2026,None,,,school-none,,');
	return Object.fromEntries(
		Object.entries(files).map(([name, lines]) => [`${name}.csv`, `${lines.join('\r\n')}\r\n`]),
	);
}

/** The same in a zip. */
export function networkZip(students: number): Uint8Array {
	const files = Object.entries(networkFiles(students)).map(([name, text]) => [name, strToU8(text)]);
	return zipSync(Object.fromEntries(files) as Record<string, Uint8Array>, { level: 6 });
}

/** Of each grade of such a network, a stage and a grade of the service. */
export const NETWORK_GRADES = Array.from({ length: 9 }, (_, grade) => ({
	gradeCode: String(grade + 1).padStart(2, '0'),
	educationalStage: 'EF',
	gradeName: `${grade + 1}º ano`,
}));
