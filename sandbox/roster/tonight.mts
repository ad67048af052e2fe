/** What happens in a network from one night to the next: the roster with so many changes, and the list of them. */
import type { BondState } from '../admin-types.mts';
import type { RosterChange, RosterChanges, RosterUser } from '../roster-types.mts';
import { firstNames, lastNames } from '../world/names.mts';
import { createRandom, type Random } from '../world/random.mts';
import { bondKey, isResponsible, type Roster, type RosterBond, type RosterPerson } from './roster.mts';

/** By turns, so that five changes are one of each. */
const KINDS = ['new', 'gone', 'moved', 'renamed', 'newResponsible'] as const satisfies ReadonlyArray<
	RosterChange['change']
>;

type Kind = (typeof KINDS)[number];

/** What the changes come to, in the service's words: whose users and bonds are new, gone or different. */
export function sumOf(changes: readonly RosterChange[]): Pick<RosterChanges, 'users' | 'bonds'> {
	const of = (...kinds: Kind[]): RosterChange[] => changes.filter(({ change }) => kinds.includes(change));
	return {
		users: {
			new: [...of('new').map(studentOf), ...of('new', 'newResponsible').flatMap(responsiblesOf)],
			gone: of('gone').flatMap((change) => [studentOf(change), ...responsiblesOf(change)]),
			renamed: of('renamed').map(studentOf),
			withNewResponsible: of('newResponsible').map(studentOf),
		},
		bonds: {
			new: of('new', 'moved').map((change) => bondOf(change, change.class_external_id)),
			gone: of('gone', 'moved').map((change) => bondOf(change, change.former_class_external_id)),
		},
	};
}

const studentOf = ({ school_external_id, user_external_id }: RosterChange): RosterUser => ({
	school_external_id,
	external_id: user_external_id,
});

const responsiblesOf = ({ school_external_id, responsible_external_id = [] }: RosterChange): RosterUser[] =>
	responsible_external_id.map((external_id) => ({ school_external_id, external_id }));

const bondOf = (change: RosterChange, class_external_id = ''): BondState => ({
	school_external_id: change.school_external_id,
	class_external_id,
	user_external_id: change.user_external_id,
	profile_name: 'student',
});

/**
 * Changes the roster itself, `count` times, each time another student. The first so many changes are always the same:
 * `--tonight 8` is `--tonight 5` and three more. Throws when there are fewer students than changes.
 */
export function applyTonight(roster: Roster, count: number, seed: number): RosterChange[] {
	if (count === 0) return [];
	const night = new Night(roster, createRandom(seed ^ 0x5eed));
	const most = night.studentsLeft;
	if (count > most) throw new RangeError(`There are ${most} students: no more can change in a night.`);
	return Array.from({ length: count }, (_, index) => night.change(KINDS[index % KINDS.length], index));
}

class Night {
	readonly #waiting: RosterPerson[];

	readonly #bondOf = new Map<string, RosterBond>();

	readonly #studentsOf = new Map<string, number>();

	readonly #classesOf = new Map<string, string[]>();

	readonly #newest = { student: 0, responsible: 0 };

	constructor(
		private readonly roster: Roster,
		private readonly random: Random,
	) {
		for (const bond of roster.bonds.values())
			if (bond.role === 'student') this.#bondOf.set(bond.person, bond);
		for (const { id, school } of roster.classes.values())
			this.#classesOf.set(school, [...(this.#classesOf.get(school) ?? []), id]);
		const people = [...roster.people.values()];
		for (const { agents } of people)
			for (const agent of agents) this.#studentsOf.set(agent, (this.#studentsOf.get(agent) ?? 0) + 1);
		this.#waiting = shuffled(
			people.filter(({ role }) => role === 'student'),
			random,
		);
		this.#newest.student = this.#waiting.length;
		this.#newest.responsible = people.filter(isResponsible).length;
	}

	get studentsLeft(): number {
		return this.#waiting.length;
	}

	change(kind: Kind, index: number): RosterChange {
		// Only an only child can go with the family: otherwise responsible persons would change their schools.
		const at = kind === 'gone' ? this.#waiting.findIndex((one) => this.#isOnlyChild(one)) : 0;
		const [student] = this.#waiting.splice(Math.max(at, 0), 1);
		if (kind === 'new') return this.#arrive(student, index % (2 * KINDS.length) !== 0);
		if (kind === 'newResponsible') return this.#addResponsible(student);
		if (kind === 'renamed' || at < 0) return this.#rename(student);
		return kind === 'gone' ? this.#leave(student) : this.#move(student);
	}

	/** A new student in the school of one who is there: with a family of its own, or as a sibling in another class. */
	#arrive(neighbour: RosterPerson, isSibling: boolean): RosterChange {
		const before = this.#bondOf.get(neighbour.id);
		const family = isSibling ? neighbour.lastName : this.random.pick(lastNames);
		const responsibles = isSibling ? [] : [this.#newPerson('parent', neighbour.schools, family)];
		const agents = isSibling ? neighbour.agents : responsibles.map(({ id }) => id);
		const student = this.#newPerson('student', neighbour.schools, family, agents);
		const bond = this.#bond(student, this.#otherClass(neighbour.schools[0], before?.class));
		return this.#changed('new', student, { class_external_id: bond.class, ...named(responsibles) });
	}

	#leave(student: RosterPerson): RosterChange {
		const bond = this.#unbond(student);
		const responsibles = this.#responsiblesOf(student);
		for (const { id } of [student, ...responsibles]) this.roster.people.delete(id);
		return this.#changed('gone', student, { former_class_external_id: bond?.class, ...named(responsibles) });
	}

	#move(student: RosterPerson): RosterChange {
		const before = this.#unbond(student);
		const now = this.#bond(student, this.#otherClass(student.schools[0], before?.class));
		return this.#changed('moved', student, {
			class_external_id: now.class,
			former_class_external_id: before?.class,
		});
	}

	#rename(student: RosterPerson): RosterChange {
		const lastName = this.random.pick(lastNames.filter((name) => name !== student.lastName));
		this.roster.people.set(student.id, { ...student, lastName });
		return this.#changed('renamed', student);
	}

	#addResponsible(student: RosterPerson): RosterChange {
		const responsible = this.#newPerson('guardian', student.schools, this.random.pick(lastNames));
		this.roster.people.set(student.id, { ...student, agents: [...student.agents, responsible.id] });
		return this.#changed('newResponsible', student, named([responsible]));
	}

	#changed(change: Kind, student: RosterPerson, more: Partial<RosterChange> = {}): RosterChange {
		return { change, school_external_id: student.schools[0], user_external_id: student.id, ...more };
	}

	#isOnlyChild(student: RosterPerson): boolean {
		return student.agents.every((agent) => this.#studentsOf.get(agent) === 1);
	}

	#responsiblesOf({ agents }: RosterPerson): RosterPerson[] {
		return agents.flatMap((agent) => this.roster.people.get(agent) ?? []);
	}

	#otherClass(school: string, not: string | undefined): string {
		return this.random.pick((this.#classesOf.get(school) ?? []).filter((id) => id !== not));
	}

	#bond({ id: person }: RosterPerson, classId: string): RosterBond {
		const bond: RosterBond = { class: classId, person, role: 'student' };
		this.roster.bonds.set(bondKey(bond), bond);
		return bond;
	}

	#unbond({ id }: RosterPerson): RosterBond | undefined {
		const bond = this.#bondOf.get(id);
		if (bond) this.roster.bonds.delete(bondKey(bond));
		return bond;
	}

	#newPerson(
		role: 'student' | 'parent' | 'guardian',
		schools: readonly string[],
		lastName: string,
		agents: readonly string[] = [],
	): RosterPerson {
		const kind = role === 'student' ? 'student' : 'responsible';
		const number = (this.#newest[kind] += 1);
		const year = role === 'student' ? 2008 + this.random.whole(11) : 1965 + this.random.whole(28);
		const username = `${kind}${number}`;
		const person: RosterPerson = {
			id: `${kind}-${String(number).padStart(5, '0')}`,
			role,
			schools,
			firstName: this.random.pick(firstNames),
			lastName,
			birthDate: `${year}-0${1 + this.random.whole(9)}-${10 + this.random.whole(19)}`,
			document: this.random.digits(11),
			email: `${username}@families.example`,
			phone: `+5511${this.random.digits(9)}`,
			username,
			agents,
		};
		this.roster.people.set(person.id, person);
		return person;
	}
}

const named = (responsibles: readonly RosterPerson[]): Pick<RosterChange, 'responsible_external_id'> =>
	responsibles.length === 0 ? {} : { responsible_external_id: responsibles.map(({ id }) => id) };

/** In an order of chance (Fisher and Yates). */
function shuffled<T>(values: readonly T[], random: Random): T[] {
	const all = [...values];
	for (let last = all.length - 1; last > 0; last -= 1) {
		const other = random.whole(last + 1);
		[all[last], all[other]] = [all[other], all[last]];
	}
	return all;
}
