/** What travels between the sandbox's admin address and its client. */
import type { Settings } from './settings-types.mts';
import type { BondEnds, ClassField, PersonField } from './world/drift.mts';

export interface FaultMatch {
	/** Compared without case; absent: any. */
	method?: string;
	/** The path starts with this. */
	path?: string;
	/** The path matches this regular expression. */
	pathPattern?: string;
	/** The body's text contains this. */
	bodyContains?: string;
	/** Only the n-th matching request (1 is the first), or those of a list. */
	nth?: number | number[];
	/** Every n-th matching request. */
	every?: number;
	/** The first `after` matching requests are left alone. */
	after?: number;
	/** At most this many times. */
	times?: number;
}

export interface FaultAction {
	/** Answer this status, 200 to 599. */
	status?: number;
	/** Text of the status line. */
	statusMessage?: string;
	/** All but content-length, transfer-encoding and trailer. */
	headers?: Record<string, string>;
	/** JSON value or text. */
	body?: unknown;
	/** Of the body. */
	contentType?: string;
	/** Answer the documented body of the area for this status (400, 401, 409, 500). */
	documented?: number;
	/** Message of the documented body. */
	message?: string;
	/** Wait first. Alone: the request is then served as usual. */
	delayMs?: number;
	/** The header of this name. */
	retryAfter?: number | string;
	/** Break the connection, `before` or `after` the request did its work. */
	drop?: 'before' | 'after';
	/** Send half of the answer's body, then break the connection. */
	cutBody?: boolean;
	/** Answer like a proxy in between: an HTML page (502 unless `status` says otherwise). */
	htmlPage?: boolean;
	/** The token of this request is expired from now on (so it is answered 401). */
	expireToken?: boolean;
	/** The request does its work first; then the answer given here is sent instead, or with `delayMs` its own answer late. */
	afterwards?: boolean;
}

export interface FaultRule {
	match: FaultMatch;
	fault: FaultAction;
}

export interface FaultState extends FaultRule {
	id: string;
	/** Requests that matched so far. */
	matched: number;
	/** Times the fault was used. */
	used: number;
}

export interface LogQuery {
	/** The path starts with this. */
	path?: string;
	method?: string;
	/** Only requests after the one with this id (`lastId` of an earlier answer). */
	since?: number;
	status?: number;
	/** The newest so many. */
	limit?: number;
	countOnly?: boolean;
}

export interface LoggedRequest {
	id: number;
	/** ISO 8601 arrival time. */
	at: string;
	method: string;
	path: string;
	query: Record<string, string | string[]>;
	/** Names in lower case. `authorization` is a scheme and a fingerprint, never the secret. */
	headers: Record<string, string | string[]>;
	/** Parsed JSON, a form as an object without its secrets, text, or null. */
	body: unknown;
	/** Names of the form fields that were sent and are not shown. */
	withheld?: string[];
	/** 0: no answer was sent, the connection was broken. */
	status: number;
	durationMs: number;
	/** Requests in flight when this one arrived, itself included. */
	inFlight: number;
	/** Id of the fault that was used. */
	fault?: string;
}

export interface RequestLogAnswer {
	count: number;
	lastId: number;
	inFlight: number;
	/** Most requests in flight at once since the log was cleared. */
	maxInFlight: number;
	requests: LoggedRequest[];
}

export interface ResetRequest {
	seed?: number;
	students?: number;
	schools?: number;
	/** Only the schools, and nobody in them. */
	empty?: boolean;
	/** The webhook and the registration stay as they are: events and users still come back to the partner. */
	keepConnections?: boolean;
}

export interface Health {
	status: 'ok';
	uptimeSeconds: number;
	openConnections: number;
	maxConnections: number;
	memoryMb: number;
	settings: Settings;
}

export interface PersonFact {
	accountId: string;
	userId: string;
	externalId: string;
	schoolExternalId: string;
	login: string;
	name: string;
}

export interface Facts {
	baseUrl: string;
	issuerUrl: string;
	testIssuerUrl: string;
	testSsoUrl: string;
	clientId: string;
	seed: number;
	tenantId: string;
	schools: Array<{
		id: string;
		externalId: string;
		name: string;
		stages: Array<{ name: string; grades: string[] }>;
	}>;
	counts: { classes: number; users: number; students: number; bonds: number };
	/** Seeded users to try things with; every password is the login name. */
	students: PersonFact[];
	responsibles: PersonFact[];
	educators: PersonFact[];
	coordinators: PersonFact[];
	courses: Array<{ accountId: string; userId: string; schoolId: string; code: string; status: string }>;
}

/** `state/<kind>`: how many there are, and those asked for. */
export interface StateAnswer<T> {
	count: number;
	items: T[];
}

export interface StateQuery {
	externalId?: string;
	schoolExternalId?: string;
	accountId?: string;
	profile?: string;
	/** Only what was created over the API. */
	provisioned?: boolean;
	limit?: number;
	offset?: number;
}

export interface ClassState {
	id: string;
	external_id: string;
	school_external_id: string;
	name: string;
	educational_stage: string;
	grade: string;
	shift: string | null;
	year: number;
	code: string;
	description: string;
	course: string | null;
	provisioned: boolean;
}

export interface UserState {
	user_id: string;
	account_id: string;
	external_id: string;
	school_external_id: string;
	first_name: string;
	last_name: string;
	birth_date: string | null;
	document_type: string | null;
	document_value: string | null;
	ddi: string | null;
	cell_phone: string | null;
	email: string | null;
	login: string;
	profiles: string[];
	responsible_external_id: string[];
	provisioned: boolean;
}

export interface BondState {
	school_external_id: string;
	class_external_id: string;
	user_external_id: string;
	profile_name: string;
}

export interface CourseState {
	account_id: string;
	user_id: string;
	school_id: string;
	code: string;
	status: string;
	/** What the last write said, under the service's names. */
	last_update: Record<string, unknown> | null;
}

/** Names a user by one of these. */
export interface AccessRequest {
	accountId?: string;
	userId?: string;
	login?: string;
	externalId?: string;
	/** Class the event is about; without it the user's first. */
	classExternalId?: string;
	/** Instead of a fresh one. */
	requestId?: string;
}

/** Changed in the service by hand, behind the partner's back: `drift/<what>`, and what it takes. A person is named as for an event. */
export interface DriftRequests {
	/** The person has another `value` in `field`: name, birth date, document, phone, e-mail or external id. */
	change: PersonName & { field: PersonField; value: string };
	/** A class (`schoolExternalId`, `classExternalId`) has another `value` in `field`: name, description, course or external id. */
	'change-class': { schoolExternalId: string; classExternalId: string; field: ClassField; value: string };
	/** A bond comes, in the school of the person: `classExternalId`, `profile`. */
	'add-bond': PersonName & BondEnds;
	/** This bond goes; without a class or a profile the first. */
	'drop-bond': PersonName & Partial<BondEnds>;
	/** The person has these responsible persons from now on: `responsibleExternalIds`. */
	responsibles: PersonName & { responsibleExternalIds: string[] };
	/** The person goes, with all bonds. */
	remove: PersonName;
	/** Synchronization answers 204 (nothing found) or 500 (`status`) for this account; a fault, so `faults` has it. */
	answer: PersonName & { status: 204 | 500 };
	/** Lists of classes leave out `classExternalIds`, or all but every n-th (`showEvery`); nothing: they are whole again. */
	'hide-classes': { classExternalIds?: string[]; showEvery?: number };
	/** The person loses access, and no event is sent. */
	revoke: PersonName;
}

type PersonName = Omit<AccessRequest, 'classExternalId' | 'requestId'>;

/** The partner application as registered; the client secret stays where it is. */
export interface RegistrationState {
	clientId: string;
	applicationName: string;
	redirectUris: string[];
	postLogoutRedirectUris: string[];
	/** Where logouts go; null: nowhere. */
	logoutUri: string | null;
	logoutChannel: 'front' | 'back';
}

/** What is to be signed, by which issuer's key. */
export interface SignRequest {
	claims: Record<string, unknown>;
	/** On top of `alg` and `kid`, e.g. `{typ: "logout+jwt"}`. */
	header?: Record<string, unknown>;
	issuer?: 'normal' | 'test';
}

/** A logout that went to the partner. */
export interface LogoutDelivery {
	at: string;
	channel: 'front' | 'back';
	url: string;
	/** 0: no answer. null: shown in an iframe, so only the browser saw the answer. */
	status: number | null;
	message: string;
}
