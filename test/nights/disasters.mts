/** Exports that would ruin a network, of the kinds that an audit found. Each must be held before anything of it is sent. */
import type { Export, Row } from './exported.mts';
import type { Chance } from './random.mts';

export interface DisasterInput {
	tonight: Export;
	/** The exports of the nights before, the last one at the end. */
	earlier: readonly Export[];
	chance: Chance;
	/** Whether the service has everybody of that id: of somebody who is new, nothing says how the id was written before. */
	isThere: (id: string) => boolean;
}

/** What is exported instead; nothing where the network is too small for it. */
export type Disaster = (input: DisasterInput) => Export | undefined;

const kept = (rows: readonly Row[], share: number) => rows.slice(0, Math.floor(rows.length * share));

/** Everybody's id is another one, wherever it stands. */
function withIds(all: Export, idOf: (id: string) => string): Export {
	return {
		...all,
		users: all.users.map((row) => ({
			...row,
			sourcedId: idOf(row.sourcedId),
			agentSourcedIds: row.agentSourcedIds.split(',').filter(Boolean).map(idOf).join(','),
		})),
		demographics: all.demographics.map((row) => ({ ...row, sourcedId: idOf(row.sourcedId) })),
		enrollments: all.enrollments.map((row) => ({ ...row, userSourcedId: idOf(row.userSourcedId) })),
	};
}

const studentsOf = ({ enrollments }: Export) => enrollments.filter(({ role }) => role === 'student');

/** Without some enrollments; at least so many must be missing for it to be a disaster. */
function withoutEnrollments(
	all: Export,
	isMissing: (row: Row) => boolean,
	least: number,
): Export | undefined {
	const enrollments = all.enrollments.filter((row) => !isMissing(row));
	return all.enrollments.length - enrollments.length < least ? undefined : { ...all, enrollments };
}

export const DISASTERS: Record<string, Disaster> = {
	'enrollments are cut': ({ tonight, chance }) => {
		const enrollments = kept(tonight.enrollments, chance.below(70) / 100);
		// Fewer are no more than what one night may change.
		return tonight.enrollments.length - enrollments.length < 20 ? undefined : { ...tonight, enrollments };
	},
	'every user has another id': ({ tonight }) => withIds(tonight, (id) => `x${id}`),
	'every class has another id': ({ tonight }) => ({
		...tonight,
		classes: tonight.classes.map((row) => ({
			...row,
			...{ sourcedId: `x${row.sourcedId}`, classCode: `x${row.classCode}` },
		})),
		enrollments: tonight.enrollments.map((row) => ({ ...row, classSourcedId: `x${row.classSourcedId}` })),
	}),
	'the teachers of a school are gone': ({ tonight, chance }) => {
		const school = chance.of(tonight.orgs).sourcedId;
		return withoutEnrollments(tonight, (row) => row.role === 'teacher' && row.schoolSourcedId === school, 5);
	},
	'a class is empty': ({ tonight, chance }) => {
		const ofClass = chance.of(studentsOf(tonight))?.classSourcedId;
		return withoutEnrollments(tonight, (row) => row.role === 'student' && row.classSourcedId === ofClass, 10);
	},
	'one of eleven is missing in every school': ({ tonight }) => {
		let place = 0;
		const schools = tonight.orgs.length;
		return withoutEnrollments(
			tonight,
			(row) => row.role === 'student' && place++ % 11 === 0,
			schools > 1 ? 20 : Infinity,
		);
	},
	'zeros in front of every tenth id are lost': ({ tonight, isThere }) => {
		const lose = (id: string) => (Number(id) % 10 === 7 && isThere(id) ? id.replace(/^0+/, '') : id);
		return tonight.users.some(({ sourcedId }) => lose(sourcedId) !== sourcedId)
			? withIds(tonight, lose)
			: undefined;
	},
	'an export of two months ago': ({ tonight, earlier }) => {
		const old = earlier.at(-60);
		const ids = new Set(old?.enrollments.map(({ sourcedId }) => sourcedId));
		// Fewer are no more than what one night may change.
		return tonight.enrollments.filter(({ sourcedId }) => !ids.has(sourcedId)).length < 25 ? undefined : old;
	},
	'users are cut': ({ tonight, chance }) => ({
		...tonight,
		users: kept(tonight.users, chance.below(60) / 100),
	}),
	'everybody has the id of the next one': ({ tonight }) => {
		const ids = tonight.users.map(({ sourcedId }) => sourcedId);
		const next = new Map(ids.map((id, place) => [id, ids[(place + 1) % ids.length]]));
		return withIds(tonight, (id) => next.get(id) ?? id);
	},
	'a school is not in the export': ({ tonight, chance }) => {
		if (tonight.orgs.length === 1) return undefined;
		const school = chance.of(tonight.orgs).sourcedId;
		const isElsewhere = (row: Row) => row.schoolSourcedId !== school;
		return {
			...tonight,
			users: tonight.users.filter((row) => row.orgSourcedIds !== school),
			classes: tonight.classes.filter(isElsewhere),
			enrollments: tonight.enrollments.filter(isElsewhere),
		};
	},
	'nobody is in the export': ({ tonight }) => ({ ...tonight, users: [], enrollments: [], demographics: [] }),
	'everybody twice, the second time under another id': ({ tonight }) => {
		const again = withIds(tonight, (id) => `again-${id}`);
		return {
			...tonight,
			users: [...tonight.users, ...again.users],
			demographics: [...tonight.demographics, ...again.demographics],
			enrollments: [...tonight.enrollments, ...again.enrollments],
		};
	},
};
