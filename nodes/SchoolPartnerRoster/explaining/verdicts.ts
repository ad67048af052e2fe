/** Why somebody is, or is not, where they should be: one sentence for each situation, and what to do. */
import { byCode, type Words } from '../../shared/failure';

export interface Verdict {
	verdict: string;
	what_to_do: string;
}

const verdicts = <Table extends Words<Verdict>>(table: Table) =>
	byCode<Verdict & { code: keyof Table }, Table>({}, table);

/** By code. Dates as YYYY-MM-DD; a class by its external id; a place is "the service" or "class 5A". */
export const VERDICTS = verdicts({
	noRun: {
		verdict: 'The ledger knows nobody yet: no Sync and no Take Over has run with it',
		what_to_do: 'Look whether Ledger and Ledger Name are those of Sync. If they are, start Sync.',
	},
	severalSchools: (schools: string) => ({
		verdict: `The ledger has somebody with this id in several schools: ${schools}`,
		what_to_do: 'Run Explain again, with school_external_id.',
	}),
	otherSchool: (schools: string) => ({
		verdict: `The ledger has nobody with this id in that school; it has somebody with it in ${schools}`,
		what_to_do:
			'Run Explain again, with that school. If the person has changed schools, look whether the export has a row for the person in the new one.',
	}),
	similarId: (known: string) => ({
		verdict: `The ledger has nobody with this id, and knows ${known}, which differs from it only in its writing`,
		what_to_do:
			'Run Explain again, with that id. If the export has both, correct it: they may be the same person.',
	}),
	unknown: {
		verdict: 'The ledger has nobody with this id: no run has tried to create this person',
		what_to_do:
			'Look whether the export has this id. If it has, the row is newer than the last Sync, waits for an approval, or has an error: run Explain with school_external_id, look at Needs Attention of the last Sync, or run Preview.',
	},
	accessUnknown: {
		verdict: 'This person has access to the product, and no run has ever created this person',
		what_to_do:
			'Look for the person in the export. Under another id: run Explain with that one. Under this one: the service may have the person already, so look there before Sync creates a second one. Not there: add the person to the school system, or have the access taken away in the service.',
	},
	notCreated: {
		verdict:
			'The person was not created, because somebody looks like the same one and has another id: by the writing of the id, or by name with birth date or document',
		what_to_do:
			'Needs Attention of the last Sync names the other id. The same person: give all rows of the export one id, which is that of the ledger where it knows one. Somebody else: run Resolve with this key and notInService (if both are new: with the key of each), and the next Sync creates the person.',
	},
	needsUnknown: {
		verdict:
			'The person was not created, because the export names a responsible person whom it does not have',
		what_to_do: 'Add the responsible person to the export, or take them out of the row of this student.',
	},
	anotherPerson: {
		verdict:
			'The export has somebody with another first name, and another birth date or document, under this id than the one who was created with it',
		what_to_do:
			'Classes and access are those of the one who was created. If it is the same person and only corrected, run Resolve with this key and inService, then start Sync. If it is another one, give it an id of its own in the school system.',
	},
	held: (place: string, reason: string) => ({
		verdict: `The person is not in ${place} yet: that waits, with others, until somebody approves it (${reason})`,
		what_to_do: 'If that is right, run Approve with the hold_id, then start Sync.',
	}),
	approved: (isYet: string, place: string) => ({
		verdict: `The person ${isYet} in ${place}: the change waited, and is approved; no Sync has done it since`,
		what_to_do: 'Start Sync. If one has run since, look at what its Needs Attention says of others like it.',
	}),
	refused: (since: string, answer: string, next: string) => ({
		verdict: `The service refuses to create this person since ${since}${answer}`,
		what_to_do: `Correct the values of the person in the school system: the next Sync sends them at once. Unchanged, the first Sync from ${next} on tries it again, if its roster still has it.`,
	}),
	failed: (place: string, answer: string) => ({
		verdict: `The person could not be put into ${place} in the last try, because of trouble with the service${answer}`,
		what_to_do: 'The next Sync tries it again, if its roster still has it.',
	}),
	blocked: {
		verdict:
			'The person was not created, because a responsible person of this student, or most of the classes of the school, are not there',
		what_to_do:
			'Run Explain with the id of the responsible person, and do what it says; of classes, do what Needs Attention says. The next Sync creates all of them, if its roster still has them.',
	},
	notTried: (place: string) => ({
		verdict: `The last Sync that was to put the person into ${place} did not come to that: it ended before, or waited for what is there now`,
		what_to_do: 'Start Sync: it is sent, if its roster still has it.',
	}),
	uncertain: (place: string) => ({
		verdict: `Nobody knows whether the person is in ${place}: that was sent, and the answer was lost, or it had an error at Take Over`,
		what_to_do: `Look into the service, and run Resolve with this key: inService if the person is in ${place}, notInService if not.`,
	}),
	unconfirmed: {
		verdict: 'The person was created, and the service does not show the account yet; the classes wait for it',
		what_to_do: 'Nothing for now: each Sync asks again. After three nights, ask the operator of the service.',
	},
	exists: {
		verdict: 'The service says that this person exists already, and it may be somebody else',
		what_to_do:
			'Look into the service. If it is the same person, run Resolve with this key and inService; if not, correct id, e-mail or document in the school system.',
	},
	notInService: (place: string) => ({
		verdict: `Somebody has noted that the person is not in ${place}`,
		what_to_do: 'Start Sync: it sends that again, if the export has it.',
	}),
	noBond: {
		verdict: 'The person is in the service, and in no class',
		what_to_do:
			'A responsible person needs no class. For others, look whether the export has an enrollment, and whether Needs Attention says something of it.',
	},
	left: {
		verdict:
			'The person is in no class: the export does not have the person any more, or no enrollment of the person',
		what_to_do:
			'If that is wrong, correct the export. In the service the person stays until somebody removes it there.',
	},
	leftWithAccess: {
		verdict: 'The person was taken out of all classes, and still has access to the product',
		what_to_do:
			'If the person should be in a class, correct the export. If not, have the access taken away in the service.',
	},
	bondRefused: (ofClass: string, since: string, answer: string, keys: string, next: string) => ({
		verdict: `The service refuses to put the person into class ${ofClass} since ${since}${answer}`,
		what_to_do: `Look whether the service has the person and the class. What it lacks goes into Resolve with notInService and its own key, ${keys}; then start Sync. If it has the person in the class, run Resolve with inService and the key of the bond. If it has both, and not the bond, nothing: the first Sync from ${next} on tries it again, if its roster still has it.`,
	}),
	bondWithoutClass: (ofClass: string, state: string) => ({
		verdict: `The person is in the service, and not in class ${ofClass}, because that class is not there (${state || 'the ledger does not have it'})`,
		what_to_do:
			'Look at Needs Attention of the last Sync for the class. Once it is there, a Sync puts the person into it, if its roster still has that.',
	}),
	removalHeld: (isStill: string, ofClass: string, reason: string) => ({
		verdict: `The person ${isStill} in class ${ofClass}: the removal waits until somebody approves it (${reason})`,
		what_to_do:
			'If all that waits with it is right, run Approve with the hold_id, then start Sync. If not, correct the export.',
	}),
	removalFailed: (isStill: string, ofClass: string, answer: string) => ({
		verdict: `The person ${isStill} in class ${ofClass}: the service did not confirm the removal${answer}`,
		what_to_do:
			'Nothing for now: a Sync tries it again, if its export still lacks the bond, or its list says again that it is gone. If it stays so, have the person taken out of the class in the service. Only if the person is not in it any more, run Resolve with this key and notInService.',
	}),
	bondMissing: (ofClass: string, since: string) => ({
		verdict: `The person is still in class ${ofClass}, and the export does not say so any more since ${since}`,
		what_to_do:
			'If that is wrong, correct the export. If not, nothing: a Sync takes the person out of the class when Grace Period is over.',
	}),
	accessRevoked: (classes: string, day: string) => ({
		verdict: `The person is in ${classes}, and the service took the access to the product away on ${day}`,
		what_to_do: 'Ask in the service why. Nothing of the roster stands in the way.',
	}),
	hasAccess: (classes: string, day: string) => ({
		verdict: `The person is in ${classes}, and has access to the product since ${day}`,
		what_to_do:
			'Nothing of the roster stands in the way: let the person log in again, with the account of the service.',
	}),
	noAccess: (classes: string) => ({
		verdict: `The person is in ${classes}, and the service has not reported access to the product yet`,
		what_to_do: 'Look in the service whether the product is given to the class.',
	}),
	inPlace: (classes: string) => ({
		verdict: `The person is in ${classes}, as far as the ledger knows`,
		what_to_do:
			'Nothing of the roster stands in the way. Whether there is access to the product is not recorded: Record Access does that.',
	}),
	serviceLacksClass: (classes: string) => ({
		verdict: `The ledger has the person in class ${classes}, and the service does not show that`,
		what_to_do:
			'Look into the service. If the person is not in the class, run Resolve with the key of the bond and notInService, then start Sync. If the person is, nothing.',
	}),
});
