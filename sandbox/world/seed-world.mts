import { createRandom, uuidFrom, type Random } from './random.mts';
import { Store } from './store.mts';
import * as words from './names.mts';
import type { Named, School, SchoolClass, Stage, User } from './types.mts';

const STUDENTS_PER_CLASS = 25;
const FEWEST_CLASSES_OF_A_SCHOOL = 4;
export const SCHOOL_YEAR = 2026;
/** All seeded creation times: the seed alone decides what the world holds, so no clock is read. */
const SEEDED_AT = Date.UTC(2026, 0, 15, 12);

const padded = (number: number, width: number): string => String(number).padStart(width, '0');

const plain = (text: string): string =>
	text
		.normalize('NFD')
		.replace(/[^A-Za-z]/g, '')
		.toLowerCase();

/** What a world is made from. The same size gives the same world. */
export interface WorldSize {
	readonly seed: number;
	readonly students: number;
	readonly schools: number;
	/** Only the schools: no classes, and nobody in them. */
	readonly empty?: boolean;
}

/**
 * Builds the fictional network: one tenant, its schools, `students` students with their responsibles,
 * educators and coordinators, classes, bonds and courses.
 */
export function seedWorld({ seed, students, schools: count, empty = false }: WorldSize): Store {
	const random = createRandom(seed);
	const schools = Array.from({ length: count }, (_, index) => makeSchool(seed, index, random));
	const tenant = {
		id: uuidFrom(seed, 'tenant', '1'),
		name: 'Rede Fictícia de Ensino',
		externalId: 'tenant-001',
		brandName: 'Rede Fictícia',
	};
	const store = new Store(seed, tenant, schools);
	if (empty) return store;
	const classes = schools.map((school) => makeClasses(store, school, Math.ceil(students / count), random));
	schools.forEach((school, index) => makeStaff(store, school, classes[index], random));
	makeFamilies(store, classes, students, random);
	return store;
}

function makeSchool(seed: number, index: number, random: Random): School {
	const externalId = `school-${padded(index + 1, 3)}`;
	const place = random.pick(words.cities);
	const stages = words.stagesOfSchool[index % words.stagesOfSchool.length].map((plan): Stage => {
		const { name, description, grades } = words.stagePlans[plan];
		return {
			id: uuidFrom(seed, 'stage', name),
			name,
			description,
			grades: grades.map((grade) => ({ ...grade, id: uuidFrom(seed, 'grade', `${name}/${grade.name}`) })),
		};
	});
	const digits = random.digits(8);
	return {
		id: uuidFrom(seed, 'school', externalId),
		externalId,
		name: schoolName(index),
		taxId: `${digits.slice(0, 2)}.${digits.slice(2, 5)}.${digits.slice(5, 8)}/0001-00`,
		email: `office@${externalId}.example`,
		addresses: [
			{
				zip: `${random.digits(5)}-${random.digits(3)}`,
				...place,
				address: random.pick(words.streets),
				number: String(1 + random.whole(999)),
				neighborhood: random.pick(words.neighborhoods),
				complement: random.chance(0.5) ? 'Block B' : '',
			},
		],
		stages,
		shifts: words.shifts.map((name): Named => ({ id: uuidFrom(seed, 'shift', name), name })),
	};
}

/** The invented names go round; from the second round on they are counted. */
function schoolName(index: number): string {
	const name = words.schoolNames[index % words.schoolNames.length];
	const round = Math.floor(index / words.schoolNames.length) + 1;
	return round === 1 ? name : `${name} ${round}`;
}

function makeClasses(store: Store, school: School, students: number, random: Random): SchoolClass[] {
	const grades = school.stages.flatMap((stage) => stage.grades.map((grade) => ({ stage, grade })));
	const count = Math.max(FEWEST_CLASSES_OF_A_SCHOOL, Math.ceil(students / STUDENTS_PER_CLASS));
	return Array.from({ length: count }, (_, index) => {
		// Spread over all grades first, then a second section of each, and so on.
		const { stage, grade } = grades[(index * 5) % grades.length];
		const section = padded(index + 1, 3);
		return store.putClass({
			school,
			externalId: `${school.externalId}-class-${section}`,
			name: `${grade.name} ${stage.name} ${section}`,
			stage,
			grade,
			shift: random.chance(0.9) ? random.pick(school.shifts) : null,
			year: SCHOOL_YEAR,
			code: `C${section}`,
			description: `Class ${section} of ${school.name}`,
			course: random.chance(0.5) ? random.pick(words.courses).code : null,
			provisioned: false,
		});
	});
}

function makeStaff(store: Store, school: School, classes: readonly SchoolClass[], random: Random): void {
	const staff = (profile: 'educator' | 'coordinator', number: number): User =>
		store.putUser({
			...makePerson(random, 1960, 1995),
			school,
			externalId: `${school.externalId}-${profile}-${padded(number, 3)}`,
			login: `${profile}${number}.${school.externalId}`,
			academicEmail: `${profile}${number}@${school.externalId}.example`,
			profiles: [profile],
			responsibles: [],
		});
	const coordinator = staff('coordinator', 1);
	const educators = Array.from({ length: Math.max(2, Math.ceil(classes.length / 4)) }, (_, index) =>
		staff('educator', index + 1),
	);
	classes.forEach((schoolClass, index) => {
		const subject = words.subjects[index % words.subjects.length];
		store.putBond({
			user: educators[index % educators.length],
			class: schoolClass,
			profile: 'educator',
			subjects: [{ id: uuidFrom(store.seed, 'subject', subject), name: subject }],
			provisioned: false,
		});
		if (index < 2)
			store.putBond({
				user: coordinator,
				class: schoolClass,
				profile: 'coordinator',
				subjects: [],
				provisioned: false,
			});
	});
}

function makeFamilies(store: Store, classes: SchoolClass[][], students: number, random: Random): void {
	let responsibleNumber = 0;
	let family: string[] = [];
	for (let number = 1; number <= students; number += 1) {
		const schoolIndex = (number - 1) % store.schools.length;
		const school = store.schools[schoolIndex];
		// A third of the students are siblings of the one before them, who goes to another school:
		// their responsible persons are one account with a user in each school.
		if (number === 1 || !random.chance(1 / 3)) {
			family = Array.from({ length: random.chance(0.6) ? 2 : 1 }, () => padded((responsibleNumber += 1), 5));
		}
		const responsibles = family.map((member) => responsibleOf(store, school, member, random));
		const student = store.putUser({
			...makePerson(random, 2008, 2018, responsibles[0].lastName),
			school,
			externalId: `student-${padded(number, 5)}`,
			login: `student${number}`,
			academicEmail: `student${number}@${school.externalId}.example`,
			profiles: ['student'],
			responsibles,
		});
		const schoolClass =
			classes[schoolIndex][Math.floor((number - 1) / store.schools.length) % classes[schoolIndex].length];
		store.putBond({
			user: student,
			class: schoolClass,
			profile: 'student',
			subjects: [],
			provisioned: false,
		});
		addCourses(student, schoolClass, random);
	}
}

function responsibleOf(store: Store, school: School, member: string, random: Random): User {
	const externalId = `responsible-${member}`;
	const known = store.userOf(school.externalId, externalId);
	if (known) return known;
	const elsewhere = store.usersByExternalId(externalId)[0];
	const person = elsewhere ?? makePerson(random, 1965, 1992);
	return store.putUser({
		...pickPerson(person),
		school,
		externalId,
		login: `responsible${Number(member)}`,
		academicEmail: null,
		profiles: ['responsible'],
		responsibles: [],
		accountKey: externalId,
	});
}

type Person = Pick<
	User,
	| 'firstName'
	| 'lastName'
	| 'birthDate'
	| 'documentType'
	| 'documentValue'
	| 'ddi'
	| 'cellPhone'
	| 'email'
	| 'provisioned'
	| 'createdAt'
>;

function pickPerson(from: Person): Person {
	const { firstName, lastName, birthDate, documentType, documentValue, ddi, cellPhone, email } = from;
	return {
		firstName,
		lastName,
		birthDate,
		documentType,
		documentValue,
		ddi,
		cellPhone,
		email,
		provisioned: false,
		createdAt: SEEDED_AT,
	};
}

function makePerson(random: Random, bornFrom: number, bornTo: number, familyName?: string): Person {
	const firstName = random.pick(words.firstNames);
	const lastName = familyName ?? random.pick(words.lastNames);
	const year = bornFrom + random.whole(bornTo - bornFrom + 1);
	return {
		firstName,
		lastName,
		birthDate: `${year}-${padded(1 + random.whole(12), 2)}-${padded(1 + random.whole(28), 2)}`,
		documentType: 'TAX_ID',
		documentValue: random.digits(11),
		ddi: '55',
		cellPhone: `11${random.digits(9)}`,
		email: `${plain(firstName)}.${plain(lastName)}.${random.digits(4)}@families.example`,
		provisioned: false,
		createdAt: SEEDED_AT,
	};
}

function addCourses(student: User, schoolClass: SchoolClass, random: Random): void {
	const first = random.whole(words.courses.length);
	const count = 1 + random.whole(3);
	for (let index = 0; index < count; index += 1) {
		const { code, name } = words.courses[(first + index) % words.courses.length];
		student.courses.push({
			school: student.school,
			code,
			name,
			grade: schoolClass.grade,
			stage: schoolClass.stage,
			year: SCHOOL_YEAR,
			shift: schoolClass.shift ?? student.school.shifts[0],
			status: random.chance(0.8) ? 'ENROLLED' : random.pick(words.seededStatuses),
			lastUpdate: null,
		});
	}
}
