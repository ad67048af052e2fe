/** Why something was not seen, or is not believed: a finding for each cause, in words for a person. Pure. */
import { byCode, type Words } from '../../shared/failure';
import type { Finding } from '../roster/finding';

export type VerifyFinding = Pick<Finding, 'code' | 'severity' | 'message' | 'what_to_do' | 'count'>;

const tableOf = <Table extends Words<Omit<VerifyFinding, 'code' | 'severity'>>>(
	severity: Finding['severity'],
	table: Table,
) => byCode<VerifyFinding, Table>({ severity }, table);

const LOOK_AGAIN =
	'Nothing is taken for gone. Verify asks again the next time that it is their turn; when it stays, ask the operator of the service.';

const warnings = tableOf('warning', {
	notSeen: (count: number, why: string) => ({
		count,
		message: `The service did not show ${count} people, or not all that was sent of them (${why})`,
		what_to_do: `Look for some of them in the service. ${LOOK_AGAIN}`,
	}),
	listsShort: (count: number, of: number) => ({
		count,
		message: `Something is missing from the lists of classes of ${count} of ${of} people at once`,
		what_to_do: `So much is not taken out by hand: the service seems to list less than it has. ${LOOK_AGAIN}`,
	}),
	classesHidden: (count: number) => ({
		count,
		message: `${count} classes are missing from most lists of the people who are in them`,
		what_to_do: `Look for the classes in the service: it may not list them at present. ${LOOK_AGAIN}`,
	}),
	sponsorsDiffer: (count: number, of: number) => ({
		count,
		message: `The responsible persons of ${count} of ${of} people differ at once`,
		what_to_do: `The service may list only some of them. ${LOOK_AGAIN}`,
	}),
	profilesUnknown: (count: number) => ({
		count,
		message: `In the lists of classes of ${count} people, a class or a profile could not be told`,
		what_to_do:
			'Compare the names of the profiles in the service with those of Profile: Get Many, and name those that differ under Options → Profile Names. What could not be told is neither missing nor extra.',
	}),
	fieldDiffersForMost: (field: string, count: number, of: number) => ({
		count,
		message: `The field ${field} differs for ${count} of ${of} records`,
		what_to_do:
			'The service seems to write it otherwise than it was sent, or not to show it. Single records are not told.',
	}),
	tenantUnknown: (count: number) => ({
		count,
		message: `The tenant of ${count} people is not known, and without it their accounts cannot be asked for`,
		what_to_do:
			'Record access events with Record Access, which say the tenant of a school, or fill in Tenant ID under Options.',
	}),
});

const errors = tableOf('error', {
	scopeMissing: (count: number) => ({
		count,
		message: `The service refused all of the first ${count} lookups with 401 or 403`,
		what_to_do:
			'The account API needs a scope that this client may not have: fill in platform-account under Scope in the credential, and ask the operator of the service to allow it. Nobody else was asked.',
	}),
	serviceFails: (count: number) => ({
		count,
		message: `The service answered none of ${count} lookups in a row`,
		what_to_do: `Nobody else was asked. ${LOOK_AGAIN}`,
	}),
});

/** By code. */
export const verifyFindings = { ...warnings, ...errors };
