/** A network of schools as it really is: who is in which class, whose child somebody is. Its days are drawn by chance. Everybody is invented. */
import { seasonOf } from './calendar.mts';
import type { Chance } from './random.mts';

export type Role = 'student' | 'guardian' | 'teacher';

export interface Person {
	/** Of the system that keeps the network, in the export. Nearly always one person's for ever. */
	id: string;
	/** Of the person, and in the export as the phone: what the promises tell people by. */
	number: number;
	role: Role;
	firstName: string;
	lastName: string;
	birthDate: string;
	email: string;
	/** Of a student. */
	guardians: Person[];
	/** Of a teacher; of a student the one of the class. */
	schools: string[];
	classes: SchoolClass[];
	/** Of a student: the last one. */
	grade: number;
	/** Of the next year, when the student has a place already. */
	nextClass?: SchoolClass;
}

export interface SchoolClass {
	id: string;
	/** In the service. */
	externalId: string;
	school: string;
	year: number;
	/** 1 to 9. */
	grade: number;
	letter: string;
}

/** What a network is like, and how its system exports it. */
export interface Customs {
	/** Their external ids. */
	schools: readonly string[];
	grades: number;
	pupilsInClass: number;
	/** How ids are written. */
	idsAre: 'numbers' | 'letters';
	/** The first day on which the export has e-mail addresses: the column was not mapped before. Milliseconds since 1970. */
	emailsFrom: number;
	/** Since October pupils stand in a class of the next year beside that of this year. */
	enrolsEarly: boolean;
	/** What is a class's id in the service: its sourcedId, or its code, which comes again each year, with or without the year. */
	classIds?: 'sourcedIds' | 'codes' | 'codesWithYear';
	/** The guardians of a child may have one e-mail, written in different ways. */
	sharesEmails?: boolean;
	/** Some people have the id of another in capitals. */
	idsInCapitals?: boolean;
	/** Some who left come back. */
	comesBack?: boolean;
}

const FIRST_NAMES = [
	'Ana',
	'Bruno',
	'Caio',
	'Davi',
	'Elisa',
	'Flávia',
	'Gil',
	'Helena',
	'Iara',
	'João',
	'Lia',
	'Mauro',
];
const LAST_NAMES = [
	'Lima',
	'Souza',
	'Araújo',
	'Prado',
	'Nunes',
	'Rocha',
	'Maia',
	'Teles',
	'Viana',
	'Couto',
	'Leal',
	'Reis',
];

export class Network {
	readonly people = new Set<Person>();

	classes: SchoolClass[] = [];

	nextClasses: SchoolClass[] = [];

	/** Whether the export has e-mail addresses. */
	hasEmails = false;

	/** Students who left and may come back. */
	readonly departed: Person[] = [];

	private count = 0;

	private year: number;

	constructor(
		readonly customs: Customs,
		readonly chance: Chance,
		firstDay: number,
	) {
		this.year = seasonOf(firstDay).year;
		this.hasEmails = firstDay >= customs.emailsFrom;
		this.classes = this.classesOf(this.year);
		for (const ofClass of this.classes)
			for (let place = 0; place < customs.pupilsInClass; place++) this.arrive(ofClass);
		for (const school of this.schools) this.hireTeachers(school);
	}

	get schools(): readonly string[] {
		return this.customs.schools;
	}

	get students(): Person[] {
		return [...this.people].filter(({ role }) => role === 'student');
	}

	get teachers(): Person[] {
		return [...this.people].filter(({ role }) => role === 'teacher');
	}

	/** What happens until the next night. */
	live(day: number): void {
		this.turnYear(day);
		this.hasEmails = day >= this.customs.emailsFrom;
		const { chance } = this;
		const rate = this.students.length / 3_000;
		const happens = (event: () => void, perDay: number) => {
			for (let rest = perDay * rate * 10; rest > 0; rest--) if (chance.isTrue(Math.min(rest, 1))) event();
		};
		happens(() => this.marry(), 0.15);
		happens(() => this.correctName(), 0.1);
		if (this.classes.length === 0) return;
		happens(() => this.arrive(chance.of(this.classes)), 0.3);
		happens(() => this.leave(chance.of(this.students)), 0.25);
		happens(() => this.changeClass(), 0.3);
		happens(() => this.changeSchool(), 0.08);
		happens(() => this.changeTeacher(), 0.08);
		if (this.customs.comesBack) happens(() => this.comeBack(), 0.1);
	}

	/** Somebody corrects in the school system what two people have in common. */
	correctId(number: number): void {
		const person = [...this.people].find((one) => one.number === number);
		if (person !== undefined) person.id = `${person.id}-${number}`;
	}

	correctEmail(number: number): void {
		const person = [...this.people].find((one) => one.number === number);
		if (person !== undefined) person.email = `p${number}@example.org`;
	}

	private turnYear(day: number): void {
		const { year, name } = seasonOf(day);
		const opensEarly = this.customs.classIds !== 'codes';
		if (name === 'enrolling' && opensEarly && this.nextClasses.length === 0)
			this.nextClasses = this.classesOf(year + 1);
		if (name === 'enrolling' && opensEarly && this.customs.enrolsEarly) this.enrolSome();
		if (name === 'holidays' && this.classes.length > 0) this.endYear();
		if (name === 'lessons' && year > this.year) this.beginYear(year);
	}

	private endYear(): void {
		for (const person of this.people) person.classes = [];
		this.classes = [];
	}

	private beginYear(year: number): void {
		this.year = year;
		this.classes = this.nextClasses.length > 0 ? this.nextClasses : this.classesOf(year);
		this.nextClasses = [];
		for (const student of this.students) {
			const place = student.nextClass ?? this.nextClassOf(student);
			student.nextClass = undefined;
			if (place === undefined) this.leave(student);
			else this.seat(student, place);
		}
		for (const ofClass of this.classes.filter(({ grade }) => grade === 1))
			for (let place = 0; place < this.customs.pupilsInClass; place++) this.arrive(ofClass);
		for (const teacher of this.teachers) this.assign(teacher);
	}

	/** A few pupils each day get their place for the next year. */
	private enrolSome(): void {
		for (const student of this.chance.some(this.students, 0.05))
			student.nextClass ??= this.nextClassOf(student);
	}

	/** One grade higher, in the same school; nothing after the last. */
	private nextClassOf({ grade, schools: [school] }: Person): SchoolClass | undefined {
		const all = this.nextClasses.length > 0 ? this.nextClasses : this.classes;
		const fitting = all.filter((one) => one.school === school && one.grade === grade + 1);
		return fitting.length === 0 ? undefined : this.chance.of(fitting);
	}

	private classesOf(year: number): SchoolClass[] {
		const grades = Array.from({ length: this.customs.grades }, (_, place) => place + 1);
		return this.schools.flatMap((school) =>
			grades.map((grade) => {
				const [id, code] = [`${school}-${year}-${grade}A`, `${grade}A`];
				const ids = { sourcedIds: id, codes: code, codesWithYear: `${code}-${year}` };
				const externalId = ids[this.customs.classIds ?? 'sourcedIds'];
				return { ...{ id, externalId, school, year, grade }, letter: 'A' };
			}),
		);
	}

	private newId(): string {
		const { idsAre, idsInCapitals } = this.customs;
		const number = (this.count % 10 === 0 && idsInCapitals ? this.count - 1 : this.count) * 7;
		const id = idsAre === 'numbers' ? String(number).padStart(8, '0') : `Nº${number.toString(36)}-é`;
		if (idsInCapitals !== true) return id;
		return number === this.count * 7 ? `a${id}` : `A${id}`;
	}

	private newPerson(role: Role, some: Partial<Person> = {}): Person {
		const number = (this.count += 1);
		const { chance } = this;
		const id = this.newId();
		const born = role === 'student' ? chance.between(2012, 2021) : chance.between(1960, 1998);
		const pad = (value: number) => String(value).padStart(2, '0');
		const person: Person = {
			...{ id, number, role },
			firstName: chance.of(FIRST_NAMES),
			lastName: `${chance.of(LAST_NAMES)} ${chance.of(LAST_NAMES)}`,
			birthDate: `${born}-${pad(chance.between(1, 12))}-${pad(chance.between(1, 28))}`,
			email: `p${number}@example.org`,
			...{ guardians: [], schools: [], classes: [], grade: 0 },
			...some,
		};
		this.people.add(person);
		return person;
	}

	/** A new pupil, alone, or as the brother or sister of one who is there. */
	private arrive(ofClass: SchoolClass): void {
		const { chance, students } = this;
		const sibling = students.length > 0 && chance.isTrue(0.2) ? chance.of(students) : undefined;
		const guardians = sibling?.guardians ?? [this.newPerson('guardian')];
		if (sibling === undefined && chance.isTrue(0.4)) {
			const email = guardians[0].email.toUpperCase();
			guardians.push(this.newPerson('guardian', this.customs.sharesEmails ? { email } : {}));
		}
		const lastName = guardians[0].lastName;
		this.seat(this.newPerson('student', { guardians: [...guardians], lastName }), ofClass);
	}

	private seat(student: Person, ofClass: SchoolClass): void {
		student.classes = [ofClass];
		student.grade = ofClass.grade;
		student.schools = [ofClass.school];
	}

	/** Who has left is no longer in the export, nor are the guardians whose last child it was. */
	private leave(student: Person): void {
		this.people.delete(student);
		this.departed.push(student);
		for (const guardian of student.guardians)
			if (!this.students.some(({ guardians }) => guardians.includes(guardian))) this.people.delete(guardian);
	}

	private comeBack(): void {
		const [student] = this.departed.splice(this.chance.below(this.departed.length), 1);
		const [school] = student?.schools ?? [];
		const fitting = this.classes.filter((one) => one.school === school && one.grade === student.grade);
		if (fitting.length === 0) return;
		for (const person of [student, ...student.guardians]) this.people.add(person);
		student.nextClass = undefined;
		this.seat(student, this.chance.of(fitting));
	}

	private changeClass(): void {
		const student = this.chance.of(this.students);
		const [now] = student.classes;
		const others = this.classes.filter((one) => one.school === now.school && one !== now);
		if (others.length > 0) this.seat(student, this.chance.of(others));
	}

	private changeSchool(): void {
		const student = this.chance.of(this.students);
		const [now] = student.classes;
		const others = this.classes.filter((one) => one.school !== now.school && one.grade === now.grade);
		if (others.length === 0) return;
		this.seat(student, this.chance.of(others));
		student.nextClass = undefined;
	}

	private hireTeachers(school: string): void {
		const count = Math.max(2, Math.ceil(this.customs.grades * 1.5));
		for (let place = 0; place < count; place++) {
			const other = this.chance.isTrue(0.2) ? this.chance.of(this.schools) : school;
			this.assign(this.newPerson('teacher', { schools: [...new Set([school, other])] }));
		}
	}

	/** Some classes in each school of the teacher. */
	private assign(teacher: Person): void {
		teacher.classes = teacher.schools.flatMap((school) => {
			const own = this.classes.filter((one) => one.school === school);
			return [...new Set([this.chance.of(own), ...this.chance.some(own, 0.25)])];
		});
	}

	private changeTeacher(): void {
		const teacher = this.chance.of(this.teachers);
		this.people.delete(teacher);
		this.assign(this.newPerson('teacher', { schools: teacher.schools }));
	}

	private marry(): void {
		const adults = [...this.people].filter(({ role }) => role !== 'student');
		this.chance.of(adults).lastName = `${this.chance.of(LAST_NAMES)} ${this.chance.of(LAST_NAMES)}`;
	}

	private correctName(): void {
		const person = this.chance.of([...this.people]);
		person.firstName = `${person.firstName} ${this.chance.of(FIRST_NAMES)}`;
	}
}
