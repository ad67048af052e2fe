import { checkFields, isObject, type Findings } from '../checks/check-fields.mts';
import { courseStatusMessage, statusUpdateItem } from '../document/enrollment.mts';
import { courses as courseCatalogue } from '../world/names.mts';
import type { Store } from '../world/store.mts';
import type { Course, User } from '../world/types.mts';
import { errorsBody } from './errors.mts';
import { ok, type Answer, type Route, type RouteInput } from './route.mts';

/** Refused when empty: without them it is not known which enrollment gets which status. */
export const requiredOfStatusUpdate = ['school_id', 'course_code', 'status'] as const;
export const requiredOfStatusMessage = ['user_id', 'status'] as const;

/** The enrollment area: courses of an account, status updates, and the status of a course of a school. */
export function enrollmentRoutes(world: () => Store): Route[] {
	return [
		{
			method: 'GET',
			path: '/enrollment/v1/accounts/:id/courses',
			answer: ({ params }) => ok({ data: world().usersOfAccount(params.id).flatMap(shownCourses) }),
		},
		{
			method: 'PUT',
			path: '/enrollment/v1/accounts/:id',
			success: 'not shown',
			answer: (input) => updateStatuses(world().usersOfAccount(input.params.id), 'account', input),
		},
		{
			method: 'PUT',
			path: '/enrollment/v1/user/:id',
			success: 'not shown',
			answer: (input) => updateStatuses(usersWithId(world(), input.params.id), 'user', input),
		},
		{
			method: 'POST',
			path: '/enrollment/v1/schools/:id/courses/:code/status',
			success: 'not shown',
			answer: (input) => postStatus(world(), input),
		},
	];
}

const refuse = (messages: Findings): Answer => ({
	status: 400,
	body: errorsBody('enrollment', 400, messages),
});

function usersWithId(world: Store, id: string): User[] {
	const user = world.userById(id);
	return user ? [user] : [];
}

function shownCourses({ courses }: User): unknown[] {
	return courses.map(({ school, code, name, grade, stage, year, shift, status }) => ({
		school_id: school.id,
		code,
		name,
		grade_id: grade.id,
		grade: grade.name,
		educational_stage_id: stage.id,
		educational_stage: stage.name,
		year,
		shift_id: shift.id,
		shift: shift.name,
		status,
	}));
}

interface StatusUpdate {
	readonly school_id: string;
	readonly course_code: string;
	readonly status: string;
	readonly updated_at?: string;
}

/** One wrong item refuses the whole request, and nothing of it is written. */
function updateStatuses(
	users: readonly User[],
	what: 'account' | 'user',
	{ params, body }: RouteInput,
): Answer {
	if (users.length === 0) return refuse([`There is no ${what} "${params.id}".`]);
	const items = readItems(body);
	if ('findings' in items) return refuse(items.findings);
	const wanted = items.updates.map((update) => ({ update, course: courseOf(users, update) }));
	const missing = wanted.flatMap(({ update, course }, index) =>
		course
			? []
			: [`data[${index}]: there is no enrollment in course "${update.course_code}" of this school.`],
	);
	if (missing.length > 0) return refuse(missing);
	for (const { update, course } of wanted) if (course) write(course, update.status, update);
	return ok({ data: { updated: wanted.length } });
}

function readItems(body: unknown): { findings: Findings } | { updates: StatusUpdate[] } {
	const data = dataOf(body);
	if ('findings' in data) return data;
	if (!Array.isArray(data.value)) return { findings: ['data must be an array.'] };
	if (data.value.length === 0) return { findings: ['data must not be empty.'] };
	const findings = data.value.flatMap((item, index) =>
		checkFields(statusUpdateItem, item, {
			prefix: `data[${index}].`,
			refusedWhenEmpty: requiredOfStatusUpdate,
		}),
	);
	return findings.length > 0 ? { findings } : { updates: data.value as StatusUpdate[] };
}

function dataOf(body: unknown): { findings: Findings } | { value: unknown } {
	if (!isObject(body)) return { findings: ['The body must be a JSON object.'] };
	const unknown = Object.keys(body).filter((name) => name !== 'data');
	if (unknown.length > 0) return { findings: unknown.map((name) => `${name} is not a known field.`) };
	return body.data === undefined ? { findings: ['data is required.'] } : { value: body.data };
}

function courseOf(users: readonly User[], { school_id, course_code }: StatusUpdate): Course | undefined {
	return users
		.flatMap(({ courses }) => courses)
		.find(({ school, code }) => school.id === school_id.toLowerCase() && code === course_code);
}

function write(course: Course, status: string, said: object): void {
	course.status = status;
	course.lastUpdate = { ...said };
}

function postStatus(world: Store, { params, body }: RouteInput): Answer {
	const school = world.schoolById(params.id);
	if (!school) return refuse([`There is no school "${params.id}".`]);
	const offered = courseCatalogue.find(({ code }) => code === params.code);
	if (!offered) return refuse([`There is no course "${params.code}".`]);
	const data = dataOf(body);
	if ('findings' in data) return refuse(data.findings);
	const findings = checkFields(courseStatusMessage, data.value, {
		prefix: 'data.',
		refusedWhenEmpty: requiredOfStatusMessage,
	});
	if (findings.length > 0) return refuse(findings);
	const message = data.value as { user_id: string; status: string; school_id?: string; course_code?: string };
	if (message.school_id !== undefined && message.school_id.toLowerCase() !== school.id) {
		return refuse(['data.school_id is not the school of the path.']);
	}
	if (message.course_code !== undefined && message.course_code !== offered.code) {
		return refuse(['data.course_code is not the course of the path.']);
	}
	const user = world.userById(message.user_id);
	if (!user || user.school !== school)
		return refuse([`There is no user "${message.user_id}" in this school.`]);
	let course = user.courses.find(({ code }) => code === offered.code);
	if (!course) user.courses.push((course = newEnrollment(user, offered)));
	write(course, message.status, message);
	return ok({ data: { updated: 1 } });
}

/** A status for a course that the user is not enrolled in yet makes the enrollment. */
function newEnrollment(user: User, { code, name }: { code: string; name: string }): Course {
	const [bond] = user.bonds;
	const stage = bond?.class.stage ?? user.school.stages[0];
	return {
		school: user.school,
		code,
		name,
		stage,
		grade: bond?.class.grade ?? user.school.stages[0].grades[0],
		year: bond?.class.year ?? new Date().getUTCFullYear(),
		shift: bond?.class.shift ?? user.school.shifts[0],
		status: '',
		lastUpdate: null,
	};
}
