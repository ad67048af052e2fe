/**
 * How a token stands in the header, area by area. The service's document fixes `Bearer` for enrollment and event query, and does not
 * show the header of provisioning and synchronisation: there the credential says it. The sandbox takes nothing else here.
 */
import { knownOf } from '../support/operations/row.mts';
import { useWorkroom } from './workroom.mts';

const workroom = useWorkroom({ strict: true });

/** Requests by area, each with the form in which its token came. */
async function formsOfTokens(): Promise<string[]> {
	const forms = (await workroom.received()).map(({ path, headers }) => {
		const form = /^Bearer [0-9a-f]{8}$/.test(String(headers.authorization)) ? 'Bearer' : 'token only';
		return `${path.split('/')[1]}: ${form}`;
	});
	return [...new Set(forms)].sort();
}

async function askEveryArea(authorizationScheme: 'bearer' | 'token') {
	await workroom.admin.changeSettings({ authorization: authorizationScheme });
	const { accountId, tenantId, requestId, userId, schoolId, courseCode } = await knownOf(workroom.admin);
	const credentials = await workroom.credentialWith({ authorizationScheme });
	const status = { schoolId, courseCode, status: 'paused' };
	const runs = [
		{ resource: 'profile', operation: 'getAll' },
		{ resource: 'educationalStage', operation: 'getAll', schoolExternalId: 'school-001' },
		{ resource: 'account', operation: 'getSnapshot', accountId, tenantId },
		{ resource: 'enrollment', operation: 'getCourses', accountId },
		{ resource: 'enrollment', operation: 'updateByUser', userId, ...status },
		{ resource: 'enrollment', operation: 'postCourseStatus', userId, ...status },
		{ resource: 'event', operation: 'get', requestId },
	];
	const failures = [];
	for (const parameters of runs) {
		const { error } = await workroom.run(parameters, undefined, { credentials });
		if (error !== undefined) failures.push([parameters.resource, error.message]);
	}
	return failures;
}

test('Token Only holds for provisioning and synchronisation, and enrollment and event query get Bearer all the same', async () => {
	expect(await askEveryArea('token')).toEqual([]);
	expect(await formsOfTokens()).toEqual([
		'data: token only',
		'enrollment: Bearer',
		'sync: token only',
		'webhook: Bearer',
	]);
});

test('Bearer holds for every area', async () => {
	expect(await askEveryArea('bearer')).toEqual([]);
	expect(await formsOfTokens()).toEqual([
		'data: Bearer',
		'enrollment: Bearer',
		'sync: Bearer',
		'webhook: Bearer',
	]);
});

test.each(['bearer', 'token'] as const)(
	'The wrong scheme is refused where the credential says it, and only there (%s)',
	async (wrong) => {
		const { accountId, tenantId, requestId } = await knownOf(workroom.admin);
		await workroom.admin.changeSettings({ authorization: wrong === 'bearer' ? 'token' : 'bearer' });
		const credentials = await workroom.credentialWith({ authorizationScheme: wrong });
		const outcomeOf = async (parameters: Record<string, string>) =>
			(await workroom.run(parameters, undefined, { credentials })).error?.message ?? 'taken';
		expect({
			provisioning: await outcomeOf({ resource: 'profile', operation: 'getAll' }),
			synchronisation: await outcomeOf({ resource: 'tenant', operation: 'get', tenantId }),
			enrollment: await outcomeOf({ resource: 'enrollment', operation: 'getCourses', accountId }),
			eventQuery: await outcomeOf({ resource: 'event', operation: 'get', requestId }),
		}).toEqual({
			provisioning: 'The service does not accept the token (401) [Item 0]',
			synchronisation: 'The service does not accept the token (401) [Item 0]',
			enrollment: 'taken',
			eventQuery: 'taken',
		});
	},
);

test('A token that is renewed within a run keeps the form of its area', async () => {
	await workroom.admin.changeSettings({ authorization: 'token' });
	const { accountId } = await knownOf(workroom.admin);
	const credentials = await workroom.credentialWith({ authorizationScheme: 'token' });
	await workroom.run({ resource: 'profile', operation: 'getAll' }, undefined, { credentials });
	await workroom.admin.expireTokens();
	await workroom.admin.clearRequests();
	const { error } = await workroom.run(
		{ resource: 'enrollment', operation: 'getCourses', accountId },
		undefined,
		{ credentials },
	);
	expect(error).toBeUndefined();
	expect(await formsOfTokens()).toEqual(['enrollment: Bearer']);
});
