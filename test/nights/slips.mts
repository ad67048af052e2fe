/** What a system's export gets wrong on one night, in a row or two. Nothing of it is so in the network, so nothing may be done because of it. */
import type { Export, Row } from './exported.mts';
import type { Chance } from './random.mts';

/** Changes the export. @param isThere whether the service has the person of an id: nobody can tell that the first writing of an id is wrong */
export type Slip = (all: Export, chance: Chance, isThere: (id: string) => boolean) => void;

const ofRole = ({ users }: Export, role: string): Row[] => users.filter((row) => row.role === role);

/** Another writing of a person's id, wherever the person stands. */
function rewriteId(all: Export, id: string, other: string): void {
	for (const row of [...all.users, ...all.demographics]) if (row.sourcedId === id) row.sourcedId = other;
	for (const row of all.enrollments) if (row.userSourcedId === id) row.userSourcedId = other;
	for (const row of all.users)
		row.agentSourcedIds = row.agentSourcedIds
			.split(',')
			.map((one) => (one === id ? other : one))
			.join(',');
}

const rewriting =
	(rewrite: (id: string) => string): Slip =>
	(all, chance, isThere) => {
		const known = all.users.filter(({ sourcedId }) => isThere(sourcedId));
		for (let count = Math.min(chance.between(1, 3), known.length); count > 0; count--) {
			const { sourcedId } = chance.of(known);
			const other = rewrite(sourcedId);
			// That of somebody else would be another mistake, which nobody can tell from a leaver.
			if (!all.users.some((row) => row.sourcedId === other)) rewriteId(all, sourcedId, other);
		}
	};

/** The row of somebody a second time, a little otherwise. */
const repeating =
	(change: (row: Row) => Row): Slip =>
	(all, chance) => {
		const row = chance.of(ofRole(all, 'guardian'));
		all.users.splice(all.users.indexOf(row), 0, change({ ...row }));
	};

const spoiling =
	(file: 'users' | 'classes' | 'enrollments' | 'demographics', column: string, value: string): Slip =>
	(all, chance) => {
		chance.of(all[file])[column] = value;
	};

export const SLIPS: Record<string, Slip> = {
	'zeros in front are lost': rewriting((id) => id.replace(/^0+/, '')),
	'capitals and small letters': rewriting((id) =>
		id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase(),
	),
	'another form of Unicode': rewriting((id) => id.normalize('NFD')),
	'a character that nobody sees': rewriting((id) => `${id}\u200B`),
	'a guardian twice, once without an e-mail': repeating((row) => ({ ...row, email: '' })),
	'a guardian twice, with the phone in another format': repeating((row) => ({
		...row,
		phone: `(${row.phone.slice(0, 2)}) ${row.phone.slice(2, 7)}-${row.phone.slice(7)}`,
	})),
	'a guardian twice, in another form of Unicode': repeating((row) => ({
		...row,
		familyName: row.familyName.normalize('NFD'),
	})),
	'a user without an id': spoiling('users', 'sourcedId', ''),
	'an id that a sheet has rounded': rewriting(() => '1,23E+12'),
	'a class without an id': spoiling('classes', 'sourcedId', ''),
	'a class of two grades': spoiling('classes', 'grades', '1,2'),
	'a class of a grade that nobody knows': spoiling('classes', 'grades', 'X'),
	'an enrollment in a class that is not there': spoiling('enrollments', 'classSourcedId', 'nowhere'),
	'an enrollment of a role that nobody knows': spoiling('enrollments', 'role', 'janitor'),
	'an enrollment without a user': spoiling('enrollments', 'userSourcedId', ''),
	'a user of a role that nobody knows': spoiling('users', 'role', 'janitor'),
	'a user of a school that is not there': spoiling('users', 'orgSourcedIds', 'nowhere'),
	'a birth date that is none': spoiling('demographics', 'birthDate', '31/02/2015'),
	'a first name that is blank': spoiling('users', 'givenName', ''),
	'an id under which somebody else stands': (all, chance, isThere) => {
		const row = chance.of(all.users.filter(({ sourcedId }) => isThere(sourcedId)));
		const birthOf = ({ sourcedId }: Row) => all.demographics.find((one) => one.sourcedId === sourcedId);
		const [firstName] = row.givenName.split(' ');
		const isAnother = (other: Row) =>
			!other.givenName.includes(firstName) && birthOf(other)?.birthDate !== birthOf(row)?.birthDate;
		const other = all.users.find(isAnother);
		const birth = birthOf(row);
		if (other === undefined || birth === undefined) return;
		row.givenName = other.givenName.split(' ')[0];
		birth.birthDate = birthOf(other)?.birthDate ?? '';
	},
	'a guardian who is not there': (all, chance) => {
		const { sourcedId } = chance.of(ofRole(all, 'guardian'));
		all.users = all.users.filter((row) => row.sourcedId !== sourcedId);
	},
};
