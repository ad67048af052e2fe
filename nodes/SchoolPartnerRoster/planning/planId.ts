/** The names of a plan: digests of all its changes, so that only what was looked at is approved. */
import type { Turns } from '../roster/turns';

import { isCountOfAbsences, type Candidate } from './change';
import { Sum } from './sum';

export interface PlanIds {
	whole: string;
	/** Of the part of one school. */
	ofSchool: (school: string) => string;
}

/** They begin with a letter, or a sheet would take some of them for numbers. */
const LETTER = 'p';

export async function planIdsOf(candidates: readonly Candidate[], turns: Turns): Promise<PlanIds> {
	const whole = new Sum();
	const bySchool = new Map<string, Sum>();
	for (const candidate of candidates) {
		if (turns.areDue()) await turns.give();
		if (isCountOfAbsences(candidate)) continue;
		const { key, action, hash, school_external_id: school } = candidate;
		const line = JSON.stringify([key, action, hash]);
		const digest = whole.add(line);
		let part = bySchool.get(school);
		if (part === undefined) bySchool.set(school, (part = partOf(school)));
		part.add(line, digest);
	}
	return {
		whole: whole.digest(LETTER),
		ofSchool: (school) => (bySchool.get(school) ?? partOf(school)).digest(LETTER),
	};
}

/** The part of a school has another name than the whole, though the whole may be nothing but this part. */
function partOf(school: string): Sum {
	const sum = new Sum();
	sum.add(JSON.stringify(['school', school]));
	return sum;
}
