/** What the service says it has: asked through the same engine, and at the same pace, as everything else. */
import type { IDataObject } from 'n8n-workflow';

import type { Found } from '../../shared/calls/answer';
import type { Lookup } from '../../shared/calls/call';
import { getEducationalStages, getProfiles } from '../../shared/calls/provisioning';
import { outcomesOf, type Job } from '../../shared/engine/engine';
import { isSaidBy, success, type Outcome } from '../../shared/failure';
import { schoolIdOf } from '../planning/desiredState';
import type { RosterRecord } from '../roster/record';

import { notOfferedErrors, type Offered, type SchoolAnswer, type Stages } from './offered';

/** What the engine needs for every job of a run. */
export interface EngineContext extends Omit<Job, 'count' | 'inputOf' | 'work' | 'reach' | 'resultOf'> {
	/** Lets the pace try again: what the service refuses to one step for ever, it may refuse to that step alone. */
	beginStep: () => void;
}

/** An outcome for each input, in their order; what the contract refuses is not sent. */
export async function lookUpAll<Input>(
	engine: EngineContext,
	{ contract, work }: Lookup<Input>,
	inputs: readonly Input[],
): Promise<Array<Outcome<Found>>> {
	engine.beginStep();
	return await outcomesOf({
		...engine,
		count: inputs.length,
		inputOf: (item) => success(contract.parse(inputs[item])),
		work: work as Job['work'],
		reach: 'questions',
		resultOf: success,
	});
}

/**
 * Profiles once, and stages with their grades once for each school that has a class among the records.
 * @param doubted schools that are asked for in any case, if there is a record of them
 */
export async function offeredBy(
	engine: EngineContext,
	records: readonly RosterRecord[],
	doubted: ReadonlySet<string>,
): Promise<Outcome<Offered>> {
	const [profiles] = await lookUpAll(engine, getProfiles, [{}]);
	if (!profiles.ok) return profiles;
	const ids = new Set<string>();
	for (const { kind, fields } of records)
		if (kind === 'class' || doubted.has(schoolIdOf(fields))) ids.add(schoolIdOf(fields));
	const schools = await stagesOfSchools(engine, ids, 'leaveOut');
	if (!schools.ok) return schools;
	const types = profiles.value.map(({ type }) => String(type));
	return success({ profiles: new Set(types), schools: schools.value });
}

/** By these the service says that it does not know the school it was asked for. */
const UNKNOWN_SCHOOL = [400, 404];

/** By these, that it does not answer for this one. Trap: a school that is not set up yet, or not given to this client, is no reason to leave all others alone. */
const UNANSWERED_SCHOOL = [403, 409, 410, 422, 500];

/**
 * What becomes of schools that the service does not answer for: they are left out, `leaveOutSome` only where it answers for another one; or all fails.
 */
type Unanswered = 'leaveOut' | 'leaveOutSome' | 'fail';

/** Stages with their grades, once for each school. */
export async function stagesOfSchools(
	engine: EngineContext,
	schoolIds: Iterable<string>,
	unanswered: Unanswered,
): Promise<Outcome<Offered['schools']>> {
	const schools = [...schoolIds];
	const inputs = schools.map((school) => ({ school_external_id: school }));
	const answers = await lookUpAll(engine, getEducationalStages, inputs);
	const isAnyAnswered = answers.some(isAnswer);
	// Trap: an error of the service for all of them is its own trouble.
	const isInTrouble =
		answers.length > 1 && answers.every((answer) => !answer.ok && answer.failure.status === 500);
	const leavesOut = unanswered === 'leaveOut' ? !isInTrouble : unanswered === 'leaveOutSome' && isAnyAnswered;
	const bySchool = new Map<string, SchoolAnswer>();
	for (const [index, school] of schools.entries()) {
		const answer = answers[index];
		if (answer.ok) bySchool.set(school, stagesIn(answer.value));
		else if (isAnswer(answer)) bySchool.set(school, notOfferedErrors.schoolNotKnown(school));
		else if (leavesOut && isSaidBy(answer.failure, UNANSWERED_SCHOOL))
			bySchool.set(school, notOfferedErrors.schoolNotAnswered(school, answer.failure.message));
		else return answer;
	}
	return success(bySchool);
}

function isAnswer(outcome: Outcome<Found>): boolean {
	return outcome.ok || isSaidBy(outcome.failure, UNKNOWN_SCHOOL);
}

/** What the profiles lookup gives; nothing where it fails: then nobody knows more of profiles than their types. */
export async function profilesOffered(engine: EngineContext): Promise<Found> {
	const [profiles] = await lookUpAll(engine, getProfiles, [{}]);
	return profiles.ok ? profiles.value : [];
}

/** Trap: nothing says that a service lists a stage once. */
function stagesIn(stages: readonly IDataObject[]): Stages {
	const gradesOf = new Map<string, Set<string>>();
	for (const { name, grades } of stages) {
		const names = (Array.isArray(grades) ? (grades as IDataObject[]) : []).map((grade) => String(grade.name));
		gradesOf.set(String(name), new Set([...(gradesOf.get(String(name)) ?? []), ...names]));
	}
	return gradesOf;
}
