/**
 * The client registration that a partner hands to the operator of the service (service document, "Client
 * registration"): every rule of that table, all findings at once.
 */
import * as z from 'zod/v4-mini';

import { mustBe, sizeOf } from '../../shared/contract/blocks';

import { logoEntry, pngFindings, productFindings, svgFindings, type LogoFile } from './logos';
import { addressesIn, addressFault, isWebAddress, originsOf } from './registeredAddress';
import { finding, type RegistrationFinding } from './registrationFinding';

/** Whatever is wrong with a value is a finding of the report, not a refusal: so every text is let through. */
const textOrNothing = z.pipe(
	z.transform((value: unknown) => (typeof value === 'string' ? value.trim() : (value ?? '')) as string),
	z.string({ error: mustBe('text') }),
);

/** A list, or a text that holds one. */
const listOrText = (entriesIn: (text: string) => string[]) =>
	z.pipe(
		z.transform((value: unknown) => {
			const entries: unknown = typeof value === 'string' ? entriesIn(value) : (value ?? []);
			if (!Array.isArray(entries)) return entries;
			return entries
				.map((entry: unknown) => (typeof entry === 'string' ? entry.trim() : entry))
				.filter((entry) => entry !== '');
		}),
		z.array(z.string({ error: mustBe('text') }), { error: mustBe('a list of texts') }),
	);

const addresses = listOrText(addressesIn);

/** In the order of the document's table. */
export const registrationForm = z.object({
	application_name: textOrNothing,
	application_description: textOrNothing,
	logo_svg_field: textOrNothing,
	logo_png_field: textOrNothing,
	main_color: textOrNothing,
	access_profiles: listOrText((text) => text.split(/[,\n]/)),
	redirect_uris: addresses,
	default_redirect_uri: textOrNothing,
	post_logout_redirect_uris: addresses,
	logout_uri: textOrNothing,
	logout_channel: textOrNothing,
	public_key_exchanged: z.boolean({ error: mustBe('true or false') }),
});

type Form = z.output<typeof registrationForm>;

/** The form, with the files that it names; undefined when the item has no such file. */
export type Registration = Omit<Form, 'logo_svg_field' | 'logo_png_field'> &
	Readonly<Record<'logoSvg' | 'logoPng', LogoFile | undefined>>;

export const LONGEST_APPLICATION_NAME = 50;
export const LONGEST_APPLICATION_DESCRIPTION = 90;
/** The profile types that the document has seen (Resources, Profile). */
export const KNOWN_PROFILES: readonly string[] = ['student', 'coordinator', 'responsible', 'educator'];

/** What is wrong, what to look at, and what to hand to the operator: nothing while there are findings. */
export function checkRegistration(registration: Registration) {
	const findings = [...findingsIn(registration)];
	const valid = findings.length === 0;
	const dossier = valid ? dossierOf(registration) : null;
	return { valid, findings, warnings: [...warningsIn(registration)], dossier };
}

function* findingsIn(registration: Registration): Generator<RegistrationFinding> {
	const { application_name, application_description, main_color, access_profiles } = registration;
	yield* textFindings('applicationName', 'Application Name', application_name, LONGEST_APPLICATION_NAME);
	yield* textFindings(
		'applicationDescription',
		'Application Description',
		application_description,
		LONGEST_APPLICATION_DESCRIPTION,
	);
	if (!/^#[0-9A-Fa-f]{6}$/.test(main_color)) {
		const next = 'Write it with a number sign and six hexadecimal digits, for example #1A73E8.';
		yield finding('mainColor', 'Main Color is not of the shape #RRGGBB', next);
	}
	if (access_profiles.length === 0) {
		const next = 'Choose at least one profile that gives access to the application.';
		yield finding('accessProfiles', 'Access Profiles is empty', next);
	}
	yield* redirectFindings(registration);
	yield* logoutAddressFindings(registration);
	yield* svgFindings(registration.logoSvg);
	yield* pngFindings(registration.logoPng);
	yield* productFindings(registration.logoSvg, registration.logoPng);
}

function* textFindings(field: string, label: string, value: string, longest: number) {
	if (value.trim() === '')
		yield finding(field, `${label} is empty`, `Fill in a text of at most ${longest} characters.`);
	const size = sizeOf(value);
	if (size > longest) {
		const fact = `${label} has ${size} characters; ${longest} are allowed`;
		yield finding(field, fact, `Shorten it by ${size - longest}.`);
	}
}

function* redirectFindings({
	redirect_uris: redirects,
	default_redirect_uri: ofDefault,
	post_logout_redirect_uris: afterLogout,
}: Registration) {
	if (redirects.length === 0)
		yield finding('redirectUris', 'Redirect URIs is empty', 'List at least one address.');
	yield* addressFindings('redirectUris', 'Redirect URIs', redirects);
	if (!redirects.includes(ofDefault)) {
		const fact = `Default Redirect URI ${ofDefault === '' ? 'is empty' : 'is not one of the Redirect URIs'}`;
		const next = 'Copy one of the listed Redirect URIs into it, character by character.';
		yield finding('defaultRedirectUri', fact, next);
	}
	yield* addressFindings('postLogoutRedirectUris', 'Post Logout Redirect URIs', afterLogout);
}

function* addressFindings(field: string, label: string, addresses: readonly string[]) {
	for (const [index, address] of addresses.entries()) {
		const [fact, nextStep] = addressFault(address) ?? [];
		if (fact !== undefined && nextStep !== undefined)
			yield finding(field, `Entry ${index + 1} of ${label} ${fact}`, nextStep);
	}
}

function* logoutAddressFindings({ logout_uri, logout_channel }: Registration) {
	const [fault] = isWebAddress(logout_uri) ? (addressFault(logout_uri) ?? []) : ['is not one web address'];
	if (fault !== undefined) {
		const next =
			'Fill in the one address that the service calls: the production address of a School Partner Logout Trigger.';
		yield finding('logoutUri', `Logout URI ${logout_uri === '' ? 'is empty' : fault}`, next);
	}
	if (logout_channel !== 'front' && logout_channel !== 'back')
		yield finding('logoutChannel', 'Logout Channel is neither front nor back', 'Choose exactly one channel.');
}

function* warningsIn(registration: Registration): Generator<RegistrationFinding> {
	const { access_profiles, redirect_uris, post_logout_redirect_uris, logout_uri } = registration;
	const unknown = access_profiles.filter((profile) => !KNOWN_PROFILES.includes(profile));
	if (unknown.length > 0) {
		const fact = `Access Profiles holds profiles that the document does not name: ${unknown.join(', ')}`;
		const next = 'Look the profiles up with Profile: Get Many, or ask the operator of the service.';
		yield finding('accessProfiles', fact, next);
	}
	yield* plainWarnings('redirectUris', 'Redirect URIs', redirect_uris);
	yield* plainWarnings('postLogoutRedirectUris', 'Post Logout Redirect URIs', post_logout_redirect_uris);
	yield* plainWarnings('logoutUri', 'Logout URI', [logout_uri]);
	if (!registration.public_key_exchanged) {
		const next =
			'Share it with the operator of the service by SSH key exchange before sensitive data is exchanged.';
		yield finding('publicKeyExchanged', 'The public key has not been exchanged yet', next);
	}
}

/** http to another machine than this one. */
const PLAIN = /^http:\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|$))/i;

function* plainWarnings(field: string, label: string, addresses: readonly string[]) {
	if (!addresses.some((address) => PLAIN.test(address))) return;
	const next = 'Use https, so that codes and sessions cannot be read on the way.';
	yield finding(field, `${label} holds an address that starts with http`, next);
}

/** Under the names of the document's table. */
function dossierOf({
	application_description: description,
	redirect_uris,
	post_logout_redirect_uris,
	logout_uri,
	logout_channel,
	logoSvg,
	logoPng,
	...rest
}: Registration) {
	return {
		...rest,
		description,
		redirect_uris,
		// The operator allows these for answers of the sign-on (service document, "Cross-origin access").
		allowed_origins: originsOf(redirect_uris),
		post_logout_redirect_uris,
		after_logout:
			post_logout_redirect_uris.length > 0
				? 'one of the post-logout redirect URIs'
				: 'the login screen of the platform, since there is no post-logout redirect URI',
		logout_callback: { uri: logout_uri, channel: logout_channel },
		logo_vector: logoEntry(logoSvg),
		logo_raster: logoEntry(logoPng),
	};
}
