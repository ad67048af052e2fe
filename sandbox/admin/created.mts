import type { Store } from '../world/store.mts';
import type { Bond, SchoolClass, User } from '../world/types.mts';
import { table } from './table.mts';

/** So many of each kind are on the page; the admin interface has them all. */
const SHOWN = 10;

/** What a workflow has made of the world: the newest classes, people and bonds that were created over the API. */
export function createdTables({ classes, users, bonds }: Store): string {
	const tables = [
		newest('Classes', classes, ['external id', 'name', 'school', 'stage', 'grade', 'year'], classCells),
		newest(
			'People',
			users,
			['external id', 'name', 'school', 'profiles', 'responsible persons'],
			personCells,
		),
		newest('Bonds', bonds, ['user', 'class', 'school', 'profile'], bondCells),
	].join('');
	return tables === ''
		? '<p>Nothing yet. Classes, people and bonds that a workflow creates are listed here.</p>'
		: tables;
}

/** A heading with the count, and the newest first; nothing when none was created. */
function newest<Kind extends { readonly provisioned: boolean }>(
	title: string,
	all: ReadonlyMap<string, Kind>,
	head: readonly string[],
	cells: (one: Kind) => readonly unknown[],
): string {
	const created = [...all.values()].filter(({ provisioned }) => provisioned);
	if (created.length === 0) return '';
	const count = created.length > SHOWN ? `${created.length}, the newest ${SHOWN}` : created.length;
	return `<h3>${title} (${count})</h3>${table(head, created.slice(-SHOWN).reverse().map(cells))}`;
}

const classCells = ({ externalId, name, school, stage, grade, year }: SchoolClass): readonly unknown[] => [
	externalId,
	name,
	school.externalId,
	stage.name,
	grade.name,
	year,
];

const personCells = ({
	externalId,
	firstName,
	lastName,
	school,
	profiles,
	responsibles,
}: User): readonly unknown[] => [
	externalId,
	`${firstName} ${lastName}`,
	school.externalId,
	profiles.join(', '),
	responsibles.map((one) => one.externalId).join(', '),
];

const bondCells = ({ user, class: schoolClass, profile }: Bond): readonly unknown[] => [
	user.externalId,
	schoolClass.externalId,
	schoolClass.school.externalId,
	profile,
];
