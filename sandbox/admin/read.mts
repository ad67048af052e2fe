/**
 * What the admin interface takes. Whatever does not fit is refused before it is used, with what is allowed: a bad value
 * would otherwise end the sandbox later, in the middle of somebody's request.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod/v4';
import type { AccessRequest, FaultRule, ResetRequest, SignRequest } from '../admin-types.mts';
import type { LoadRequest, RawDelivery, Webhook } from '../delivery-types.mts';
import { isObject } from '../checks/check-fields.mts';
import { LIMITS } from '../command-line.mts';
import type { Registration } from '../identity/clients.mts';
import type { Settings } from '../settings-types.mts';
import { allStrictParts } from '../strict.mts';
import { allVariants } from '../variants.mts';
import { classFields, personFields } from '../world/drift.mts';

const DAY_MS = 86_400_000;
const LONGEST_WAIT_MS = 600_000;
const LONGEST_KEY = 1_024;
const LONGEST_TEXT = 10_000;

const must = (what: string) => ({ error: `must be ${what}` });

function whole(least: number, most: number) {
	const wanted = must(`a whole number from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''}`);
	return z.int(wanted).min(least, wanted).max(most, wanted);
}

function number(least: number, most: number) {
	const wanted = must(`a number from ${least} to ${most}`);
	return z.number(wanted).min(least, wanted).max(most, wanted);
}

const positive = whole(1, Number.MAX_SAFE_INTEGER);
const flag = z.boolean(must('true or false'));
const text = z.string(must('text')).max(LONGEST_TEXT, must(`text of at most ${LONGEST_TEXT} characters`));
const name = text.min(1, must('text that is not empty'));

/** True when the function takes it; node refuses header names and values by throwing. */
function passes(check: () => void): boolean {
	try {
		check();
		return true;
	} catch {
		return false;
	}
}

/** Control characters would end the header, or the status line, in the middle of somebody's answer. */
const headerText = text.refine(
	(value) => passes(() => validateHeaderValue('x', value)),
	must('text that fits into a header'),
);

const headers = z
	.record(z.string(), headerText, must('an object of texts'))
	.refine((value) => Object.keys(value).every((key) => passes(() => validateHeaderName(key))), {
		error: 'must have names that are header names',
	});

/** Node sets these itself, or breaks the answer over them. */
const FRAMING = ['content-length', 'transfer-encoding', 'trailer'];
const answerHeaders = headers.refine(
	(value) => Object.keys(value).every((key) => !FRAMING.includes(key.toLowerCase())),
	{ error: `must not have ${FRAMING.join(', ')}, which say how long an answer is; use cutBody or drop` },
);

/** Nesting without end can be read and not written. */
const json = z
	.unknown()
	.refine((value) => passes(() => JSON.stringify(value)), must('JSON that is not nested without end'));

const pattern = text
	.refine((value) => passes(() => new RegExp(value)), must('a regular expression'))
	// A repetition of a repetition can take longer than anybody waits, for every request from then on.
	.refine((value) => !/[+*}]\)[+*{?]/.test(value), must('without a repetition of a repetition'));

const object = must('an object');

const faultMatch = z.strictObject(
	{
		method: name.optional(),
		path: text.optional(),
		pathPattern: pattern.optional(),
		bodyContains: text.optional(),
		nth: z
			.union(
				[positive, z.array(positive).min(1).max(10_000)],
				must('a whole number from 1, or a list of such'),
			)
			.optional(),
		every: positive.optional(),
		after: whole(0, Number.MAX_SAFE_INTEGER).optional(),
		times: positive.optional(),
	},
	object,
);

const faultAction = z
	.strictObject(
		{
			status: whole(200, 599).optional(),
			statusMessage: headerText.optional(),
			headers: answerHeaders.optional(),
			body: json.optional(),
			contentType: headerText.optional(),
			documented: whole(400, 599).optional(),
			message: text.optional(),
			delayMs: number(0, LONGEST_WAIT_MS).optional(),
			retryAfter: z
				.union([z.number().min(0), headerText], must('a number from 0, or text that fits into a header'))
				.optional(),
			drop: z.enum(['before', 'after'], must('"before" or "after"')).optional(),
			cutBody: flag.optional(),
			htmlPage: flag.optional(),
			expireToken: flag.optional(),
			afterwards: flag.optional(),
		},
		object,
	)
	.refine((fault) => Object.keys(fault).length > 0, { error: 'says nothing to do' });

const webAddress = z
	.string(must('a web address'))
	.refine((value) => /^https?:\/\//.test(value) && passes(() => new URL(value)), must('a web address'));
const keyText = z
	.string(must(`a text of 1 to ${LONGEST_KEY} characters`))
	.min(1, must(`a text of 1 to ${LONGEST_KEY} characters`))
	.max(LONGEST_KEY, must(`a text of 1 to ${LONGEST_KEY} characters`))
	.refine((value) => passes(() => validateHeaderValue('x', value)), must('text that fits into a header'));
const share = number(0, 1);
const fitting = { error: 'does not fit: it must be a list of texts' };

const namesOf = <Name extends string>(names: readonly Name[]) => {
	const wanted = must(`a list of these: ${names.join(', ')}`);
	return z.array(z.enum(names, wanted), wanted);
};

const rate = z.strictObject(
	{
		perSecond: number(0.001, 1_000_000),
		burst: positive.optional(),
		retryAfter: whole(0, 86_400).nullable().optional(),
	},
	object,
);

const capacity = z.strictObject(
	{
		atOnce: positive,
		workMs: number(...LIMITS.latencyMs).optional(),
		queue: whole(0, Number.MAX_SAFE_INTEGER).optional(),
	},
	object,
);

const accounts = z.strictObject(
	{
		delayMs: number(...LIMITS.latencyMs).optional(),
		neverShare: share.optional(),
		never: z.array(name, must('a list of external ids')).optional(),
	},
	object,
);

const person = {
	accountId: text.optional(),
	userId: text.optional(),
	login: text.optional(),
	externalId: text.optional(),
};
const ofClass = { schoolExternalId: name, classExternalId: name };
const oneOf = <Name extends string>(names: readonly Name[]) =>
	z.enum(names, must(`one of these: ${names.join(', ')}`));

const shapes = {
	reset: z.strictObject({
		seed: whole(...LIMITS.seed).optional(),
		students: whole(...LIMITS.students).optional(),
		schools: whole(...LIMITS.schools).optional(),
		empty: flag.optional(),
		keepConnections: flag.optional(),
	}),
	settings: z.strictObject({
		tokenLifetime: whole(...LIMITS.tokenLifetime).optional(),
		latencyMs: number(...LIMITS.latencyMs).optional(),
		connectionLatencyMs: number(...LIMITS.latencyMs).optional(),
		rate: rate.nullable().optional(),
		capacity: capacity.nullable().optional(),
		deviations: flag.optional(),
		duplicates: z.enum(['refuse', 'accept', 'double'], must('"refuse", "accept" or "double"')).optional(),
		accounts: accounts.nullable().optional(),
		authorization: z.enum(['bearer', 'token', 'either'], must('"bearer", "token" or "either"')).optional(),
		strict: namesOf(allStrictParts).optional(),
		variants: namesOf(allVariants).optional(),
		codeLifetime: whole(...LIMITS.tokenLifetime).optional(),
		rotateRefreshTokens: flag.optional(),
	}),
	outage: z.strictObject({ ms: number(1, LONGEST_WAIT_MS) }),
	fault: z.strictObject({ match: faultMatch.default({}), fault: faultAction }),
	webhook: z.strictObject({
		url: webAddress,
		apiKey: keyText,
		retries: whole(0, 100).default(0),
		backoffMs: number(0, LONGEST_WAIT_MS).default(200),
		timeoutMs: number(0, DAY_MS).default(30_000),
	}),
	person: z.strictObject({ ...person, classExternalId: text.optional(), requestId: name.optional() }),
	changedPerson: z.strictObject({ ...person, field: oneOf(personFields), value: text }),
	changedClass: z.strictObject({ ...ofClass, field: oneOf(classFields), value: text }),
	namedPerson: z.strictObject(person),
	newBond: z.strictObject({ ...person, classExternalId: name, profile: name }),
	bond: z.strictObject({ ...person, classExternalId: text.optional(), profile: text.optional() }),
	responsibles: z.strictObject({
		...person,
		responsibleExternalIds: z.array(name, must('a list of external ids')),
	}),
	personAnswer: z.strictObject({ ...person, status: z.literal([204, 500], must('204 or 500')) }),
	hiddenClasses: z.strictObject({
		classExternalIds: z.array(name, must('a list of external ids')).optional(),
		showEvery: whole(1, 1_000).optional(),
	}),
	delivery: z.strictObject({
		body: json,
		requestId: name.optional(),
		// Any text: what a header cannot carry is a delivery that is not answered, and the record says why.
		apiKey: z.string(must('text or null')).nullable().optional(),
		headers: headers.optional(),
	}),
	load: z
		.strictObject({
			count: whole(1, 200_000),
			concurrency: whole(1, 1_000).optional(),
			repeatShare: share.optional(),
			wrongKeyShare: share.optional(),
			malformedShare: share.optional(),
			revocationEvery: positive.optional(),
			seed: whole(...LIMITS.seed).optional(),
		})
		.refine(({ repeatShare = 0, wrongKeyShare = 0, malformedShare = 0 }) => {
			return repeatShare + wrongKeyShare + malformedShare <= 1;
		}, 'The shares are more than the whole.'),
	registration: z.strictObject({
		applicationName: name.max(50, must('text of at most 50 characters')).optional(),
		redirectUris: z.array(text, fitting).min(1, fitting).max(1_000, fitting).optional(),
		postLogoutRedirectUris: z.array(text, fitting).max(1_000, fitting).optional(),
		logoutUri: webAddress.nullable().optional(),
		logoutChannel: z.enum(['front', 'back'], must('"front" or "back"')).optional(),
	}),
	signature: z.strictObject({
		claims: z.record(z.string(), z.unknown(), object),
		header: z.record(z.string(), z.unknown(), object).default({}),
		issuer: z.enum(['normal', 'test'], must('"normal" or "test"')).default('normal'),
	}),
} satisfies Record<string, z.ZodType>;

/** One reader for each body: gives it checked, or throws a sentence that says what is allowed. */
export const read = {
	reset: (body: unknown): ResetRequest => checked(shapes.reset, body === undefined ? {} : body),
	settings: (body: unknown): Partial<Settings> => checked(shapes.settings, body),
	outage: (body: unknown): { ms: number } => checked(shapes.outage, body),
	fault: (body: unknown): FaultRule => checked(shapes.fault, body),
	/** Without a key of its own a webhook keeps the one that is registered. */
	webhook: (body: unknown, registeredKey?: string): Webhook =>
		checked(shapes.webhook, isObject(body) ? { apiKey: registeredKey, ...body } : body),
	person: (body: unknown): AccessRequest => checked(shapes.person, body),
	drift: {
		person: (body: unknown) => checked(shapes.namedPerson, body),
		changedPerson: (body: unknown) => checked(shapes.changedPerson, body),
		changedClass: (body: unknown) => checked(shapes.changedClass, body),
		newBond: (body: unknown) => checked(shapes.newBond, body),
		bond: (body: unknown) => checked(shapes.bond, body),
		responsibles: (body: unknown) => checked(shapes.responsibles, body),
		answer: (body: unknown) => checked(shapes.personAnswer, body),
		hiddenClasses: (body: unknown) => checked(shapes.hiddenClasses, body),
	},
	delivery: (body: unknown): RawDelivery => checked(shapes.delivery, body),
	load: (body: unknown): LoadRequest => checked(shapes.load, body),
	registration: (body: unknown): Partial<Registration> => checked(shapes.registration, body),
	signature: (body: unknown): Required<SignRequest> => checked(shapes.signature, body),
};

function checked<Shape extends z.ZodObject>(shape: Shape, body: unknown): z.output<Shape> {
	if (!isObject(body)) throw new Error('The body must be a JSON object.');
	const result = shape.safeParse(body);
	if (result.success) return result.data;
	throw new Error(sentenceOf(result.error.issues[0], shape));
}

function sentenceOf(issue: z.core.$ZodIssue, shape: z.ZodObject): string {
	const place = issue.path.length === 0 ? '' : `"${issue.path.join('.')}" `;
	if (issue.code !== 'unrecognized_keys') return place === '' ? issue.message : `${place}${issue.message}.`;
	const known = issue.path.length === 0 ? shape : innerOf(shape, String(issue.path[0]));
	const names = Object.keys(known.shape).join(', ');
	// A misspelt name would make a test pass for the wrong reason.
	return `${place || 'The body '}has no "${issue.keys[0]}". It has: ${names}.`;
}

function innerOf(shape: z.ZodObject, key: string): z.ZodObject {
	let inner: unknown = shape.shape[key];
	while (inner instanceof z.ZodDefault || inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) {
		inner = inner.unwrap();
	}
	return inner as z.ZodObject;
}
