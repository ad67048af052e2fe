import type { Settings } from '../settings-types.mts';
import { checkFields, type Findings } from '../checks/check-fields.mts';
import { bondPayload, classCreation, userCreation } from '../document/provisioning.mts';
import { profiles } from '../world/names.mts';
import type { Store } from '../world/store.mts';
import type { Bond, School, SchoolClass, User } from '../world/types.mts';
import { accountState } from './accounts.mts';
import { errorsBody } from './errors.mts';
import { ok, oneOf, type Answer, type Route, type RouteInput } from './route.mts';

/** Refused when empty: the document leaves open what is required, this is what a record cannot do without. */
export const requiredOfClass = [
	'school_external_id',
	'external_id',
	'educational_stage',
	'grade',
	'year',
	'code',
	'name',
] as const;
export const requiredOfUser = [
	'school_external_id',
	'external_id',
	'first_name',
	'last_name',
	'profiles',
] as const;
export const requiredOfBond = [
	'school_external_id',
	'class_external_id',
	'user_external_id',
	'profile_name',
] as const;

export type ProvisioningSettings = Readonly<Pick<Settings, 'accounts' | 'duplicates' | 'variants'>>;

const refuse = (status: number, messages: Findings): Answer => ({
	status,
	body: errorsBody('provisioning', status, messages),
});

const isDoubled = ({ duplicates }: ProvisioningSettings): boolean => duplicates === 'double';

/** What is there already; the document shows no status for it. */
const refuseDouble = ({ variants }: ProvisioningSettings, message: string): Answer =>
	refuse(variants.includes('doubles-as-400') ? 400 : 409, [message]);

/** The provisioning area: lookups, creation of classes and users, bonds, and the creation result. */
export function provisioningRoutes(world: () => Store, settings: ProvisioningSettings): Route[] {
	const base = '/integration/partner/v1';
	return [
		{ method: 'GET', path: '/data/v1/profiles', answer: () => ok({ data: profiles }) },
		{
			method: 'GET',
			path: '/data/v1/educational-stages',
			query: ['school_external_id'],
			answer: (input) => listStages(world(), input),
		},
		{ method: 'POST', path: `${base}/class`, answer: ({ body }) => createClass(world(), body, settings) },
		{
			method: 'POST',
			path: `${base}/user`,
			success: 'not shown',
			answer: ({ body }) => createUser(world(), body, settings),
		},
		{
			method: 'POST',
			path: `${base}/bond-user-class`,
			success: 'not shown',
			answer: ({ body }) => createBond(world(), body, settings),
		},
		{
			method: 'DELETE',
			path: `${base}/bond-user-class`,
			success: 'not shown',
			answer: ({ body }) => deleteBond(world(), body, settings),
		},
		{
			method: 'GET',
			path: `${base}/callback`,
			query: 'not shown',
			answer: (input) => readCreation(world(), input, settings),
		},
	];
}

function listStages(world: Store, { query }: RouteInput): Answer {
	const externalId = oneOf(query.school_external_id);
	if (!externalId) return refuse(400, ['school_external_id is required.']);
	const school = world.schoolByExternalId(externalId);
	if (!school) return refuse(404, [noSchool(externalId)]);
	const data = school.stages.map(({ name, description, grades }) => ({
		name,
		description,
		grades: grades.map((grade) => ({ name: grade.name, description: grade.description })),
	}));
	return ok({ data });
}

interface ClassPayload {
	school_external_id: string;
	external_id: string;
	educational_stage: string;
	grade: string;
	shift?: string | null;
	year: number;
	code: string;
	name: string;
	description?: string;
	course?: string | null;
}

function createClass(world: Store, body: unknown, settings: ProvisioningSettings): Answer {
	const findings = checkFields(classCreation, body, { refusedWhenEmpty: requiredOfClass });
	if (findings.length > 0) return refuse(400, findings);
	const payload = body as ClassPayload;
	if (String(payload.year).length !== 4) return refuse(400, ['year must have four digits.']);
	const school = world.schoolByExternalId(payload.school_external_id);
	if (!school) return refuse(400, [noSchool(payload.school_external_id)]);
	const stage = school.stages.find(({ name }) => name === payload.educational_stage);
	if (!stage)
		return refuse(400, [`educational_stage "${payload.educational_stage}" is not one of the school's.`]);
	const grade = stage.grades.find(({ name }) => name === payload.grade);
	if (!grade) return refuse(400, [`grade "${payload.grade}" is not one of the stage's.`]);
	if (settings.duplicates === 'refuse' && world.classOf(school.externalId, payload.external_id)) {
		return refuseDouble(settings, `A class with external_id "${payload.external_id}" exists in this school.`);
	}
	const created = world.putClass(
		{
			school,
			externalId: payload.external_id,
			name: payload.name,
			stage,
			grade,
			shift: shiftOf(world, school, payload.shift),
			year: payload.year,
			code: payload.code,
			description: payload.description ?? '',
			course: payload.course ?? null,
			provisioned: true,
		},
		isDoubled(settings),
	);
	return ok({
		data: { id: created.id, external_id: created.externalId, name: created.name, status: 'active' },
	});
}

/** Values of `shift` are not listed by the document: one that is not seeded gets an id of its own. */
function shiftOf(world: Store, school: School, name: string | null | undefined): SchoolClass['shift'] {
	if (!name) return null;
	return school.shifts.find((shift) => shift.name === name) ?? { id: world.idOf('shift', name), name };
}

interface UserPayload {
	external_id: string;
	first_name: string;
	last_name: string;
	birth_date?: string;
	document_type?: string;
	document_value?: string;
	ddi?: string;
	cell_phone?: string;
	email?: string;
	profiles: string[];
	responsible_external_id?: string[];
	school_external_id: string;
}

function createUser(world: Store, body: unknown, settings: ProvisioningSettings): Answer {
	const findings = checkFields(userCreation, body, { refusedWhenEmpty: requiredOfUser });
	if (findings.length > 0) return refuse(400, findings);
	const payload = body as UserPayload;
	const school = world.schoolByExternalId(payload.school_external_id);
	if (!school) return refuse(400, [noSchool(payload.school_external_id)]);
	const unknownProfile = payload.profiles.find((type) => !isProfile(type));
	if (unknownProfile !== undefined)
		return refuse(400, [`profiles: "${unknownProfile}" is not a known profile.`]);
	const named = payload.responsible_external_id ?? [];
	if (named.length > 0 && !payload.profiles.includes('student')) {
		return refuse(400, ['responsible_external_id is for students only.']);
	}
	const responsibles = named.map((externalId) => responsibleOf(world, school, externalId));
	const missing = named.filter((_, index) => responsibles[index] === undefined);
	if (missing.length > 0) {
		return refuse(
			400,
			missing.map((id) => `responsible_external_id: there is no responsible user "${id}".`),
		);
	}
	const known = world.userOf(school.externalId, payload.external_id);
	if (settings.duplicates === 'refuse' && known) {
		return refuseDouble(settings, `A user with external_id "${payload.external_id}" exists in this school.`);
	}
	const user = world.putUser(
		{
			school,
			externalId: payload.external_id,
			firstName: payload.first_name,
			lastName: payload.last_name,
			birthDate: payload.birth_date ?? null,
			documentType: payload.document_type ?? null,
			documentValue: payload.document_value ?? null,
			ddi: payload.ddi ?? null,
			cellPhone: payload.cell_phone ?? null,
			email: payload.email ?? null,
			academicEmail: null,
			profiles: payload.profiles,
			responsibles: [...new Set(responsibles.filter((found) => found !== undefined))],
			provisioned: true,
			createdAt: isDoubled(settings) ? Date.now() : (known?.createdAt ?? Date.now()),
		},
		isDoubled(settings),
	);
	const status = accountState(user, settings, world.seed) === 'created' ? 'created' : 'pending';
	return ok({ data: { id: user.id, external_id: user.externalId, status } });
}

/** Of the student's own school first: the document says that they are created before the student, and not where. */
function responsibleOf(world: Store, school: School, externalId: string): User | undefined {
	const here = world.userOf(school.externalId, externalId);
	const everywhere = here ? [here] : world.usersByExternalId(externalId);
	return everywhere.find(({ profiles: types }) => types.includes('responsible'));
}

interface BondPayload {
	school_external_id: string;
	class_external_id: string;
	user_external_id: string;
	profile_name: string;
}

type BondEnds = { readonly refusal: Answer } | { readonly user: User; readonly schoolClass: SchoolClass };

/** A user without an account is unknown to bonds. */
function endsOfBond(world: Store, body: unknown, settings: ProvisioningSettings): BondEnds {
	const findings = checkFields(bondPayload, body, { refusedWhenEmpty: requiredOfBond });
	if (findings.length > 0) return { refusal: refuse(400, findings) };
	const { school_external_id, class_external_id, user_external_id, profile_name } = body as BondPayload;
	if (!world.schoolByExternalId(school_external_id))
		return { refusal: refuse(400, [noSchool(school_external_id)]) };
	const named = world.userOf(school_external_id, user_external_id);
	const user = named && accountState(named, settings, world.seed) === 'created' ? named : undefined;
	const schoolClass = world.classOf(school_external_id, class_external_id);
	const missing: Findings = [];
	if (!schoolClass)
		missing.push(`class_external_id: there is no class "${class_external_id}" in this school.`);
	if (!user) missing.push(`user_external_id: there is no user "${user_external_id}" in this school.`);
	if (!isProfile(profile_name)) missing.push(`profile_name: "${profile_name}" is not a known profile.`);
	return user && schoolClass && missing.length === 0
		? { user, schoolClass }
		: { refusal: refuse(400, missing) };
}

function createBond(world: Store, body: unknown, settings: ProvisioningSettings): Answer {
	const ends = endsOfBond(world, body, settings);
	if ('refusal' in ends) return ends.refusal;
	const profile = (body as BondPayload).profile_name;
	const known = world.bond(ends.user, ends.schoolClass, profile);
	if (known && settings.duplicates === 'refuse')
		return refuseDouble(settings, 'The user has this bond already.');
	const bond: Bond =
		known !== undefined && !isDoubled(settings)
			? known
			: world.putBond(
					{ user: ends.user, class: ends.schoolClass, profile, subjects: [], provisioned: true },
					true,
				);
	return ok({ data: { ...shownBond(bond), status: 'bonded' } });
}

function deleteBond(world: Store, body: unknown, settings: ProvisioningSettings): Answer {
	const ends = endsOfBond(world, body, settings);
	if ('refusal' in ends) return ends.refusal;
	const bond = world.bond(ends.user, ends.schoolClass, (body as BondPayload).profile_name);
	if (!bond) return refuse(404, ['The user has no such bond.']);
	world.deleteBond(bond);
	return ok({ data: { ...shownBond(bond), status: 'unbonded' } });
}

/** The four fields that name a bond. */
export function shownBond({ user, class: schoolClass, profile }: Bond): BondPayload {
	return {
		school_external_id: schoolClass.school.externalId,
		class_external_id: schoolClass.externalId,
		user_external_id: user.externalId,
		profile_name: profile,
	};
}

/** The query parameters are not shown: whatever names a user is taken, and nothing at all means the newest. */
function readCreation(world: Store, { query }: RouteInput, settings: ProvisioningSettings): Answer {
	const externalId = oneOf(query.external_id) ?? oneOf(query.user_external_id);
	const school = oneOf(query.school_external_id);
	const account = oneOf(query.account_id);
	const id = oneOf(query.user_id);
	let found: User | undefined;
	if (id !== undefined) found = world.userById(id);
	else if (account !== undefined) found = world.usersOfAccount(account)[0];
	else if (externalId !== undefined) {
		found = school === undefined ? world.usersByExternalId(externalId)[0] : world.userOf(school, externalId);
	} else if (Object.keys(query).length === 0) found = world.newestCreation;
	const state = found && accountState(found, settings, world.seed);
	if (!found || state === 'never') return refuse(404, ['There is no such account creation.']);
	const account_id = state === 'created' ? found.accountId : '';
	return ok({ data: { account_id, user_id: found.id, status: state } });
}

const isProfile = (type: string): boolean => profiles.some((profile) => profile.type === type);

const noSchool = (externalId: string): string => `school_external_id: there is no school "${externalId}".`;
