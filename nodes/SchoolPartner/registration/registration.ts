/**
 * The client registration that a partner hands to the operator of the service (service document, "Client
 * registration"): every rule of that table, all findings at once.
 */
import { sizeOf } from '../../shared/contract/blocks';

import { logoEntry, productFindings, rasterReport, vectorReport, type LogoFile } from './logos';
import { deepLinkOrWebAddress, isWebAddress, originsOf } from './registeredAddress';
import { listed, type RegistrationFinding } from './registrationFinding';

export interface Registration {
	readonly applicationName: string;
	readonly applicationDescription: string;
	readonly mainColor: string;
	readonly accessProfiles: readonly string[];
	readonly redirectUris: readonly string[];
	readonly defaultRedirectUri: string;
	readonly postLogoutRedirectUris: readonly string[];
	readonly logoutUri: string;
	readonly logoutChannel: string;
	readonly publicKeyExchanged: boolean;
	/** Nothing when the item has no such file. */
	readonly logoSvg: LogoFile | undefined;
	readonly logoPng: LogoFile | undefined;
}

export interface RegistrationReport {
	readonly valid: boolean;
	readonly findings: readonly RegistrationFinding[];
	readonly warnings: readonly RegistrationFinding[];
	/** What to hand to the operator, under the names of the document's table; nothing while there are findings. */
	readonly dossier: Readonly<Record<string, unknown>> | null;
}

export const LONGEST_NAME = 50;
export const LONGEST_DESCRIPTION = 90;
/** The profile types that the document has seen (Resources, Profile). */
export const KNOWN_PROFILES: readonly string[] = ['student', 'coordinator', 'responsible', 'educator'];

function textFindings(field: string, label: string, value: string, longest: number): RegistrationFinding[] {
	const size = sizeOf(value);
	return listed(
		[value.trim() === '', field, `${label} is empty`, `Fill in a text of at most ${longest} characters.`],
		[
			size > longest,
			field,
			`${label} has ${size} characters; ${longest} are allowed`,
			`Shorten it by ${size - longest}.`,
		],
	);
}

function addressFindings(field: string, label: string, addresses: readonly string[]): RegistrationFinding[] {
	return addresses.flatMap((address, index) => {
		const finding = deepLinkOrWebAddress(address);
		const message = `Entry ${index + 1} of ${label} ${finding?.message}`;
		return finding === undefined ? [] : [{ field, message, description: finding.description }];
	});
}

function redirectFindings({ redirectUris, defaultRedirectUri, postLogoutRedirectUris }: Registration) {
	const isListed = redirectUris.includes(defaultRedirectUri);
	return [
		...listed([
			redirectUris.length === 0,
			'redirectUris',
			'Redirect URIs is empty',
			'List at least one address.',
		]),
		...addressFindings('redirectUris', 'Redirect URIs', redirectUris),
		...listed([
			!isListed,
			'defaultRedirectUri',
			`Default Redirect URI ${defaultRedirectUri === '' ? 'is empty' : 'is not one of the Redirect URIs'}`,
			'Copy one of the listed Redirect URIs into it, character by character.',
		]),
		...addressFindings('postLogoutRedirectUris', 'Post Logout Redirect URIs', postLogoutRedirectUris),
	];
}

function logoutFindings({ logoutUri, logoutChannel }: Registration): RegistrationFinding[] {
	return listed(
		[
			!isWebAddress(logoutUri),
			'logoutUri',
			`Logout URI ${logoutUri === '' ? 'is empty' : 'is not one web address'}`,
			'Fill in the one address that the service calls: the production address of a School Partner Logout Trigger.',
		],
		[
			logoutChannel !== 'front' && logoutChannel !== 'back',
			'logoutChannel',
			'Logout Channel is neither front nor back',
			'Choose exactly one channel.',
		],
	);
}

function warningsOf(given: Registration): RegistrationFinding[] {
	const unknown = given.accessProfiles.filter((profile) => !KNOWN_PROFILES.includes(profile));
	const isPlain = (address: string) => /^http:\/\/(?!localhost[:/]|127\.0\.0\.1[:/]|\[::1\])/i.test(address);
	const plain = [...given.redirectUris, ...given.postLogoutRedirectUris, given.logoutUri].some(isPlain);
	return listed(
		[
			unknown.length > 0,
			'accessProfiles',
			`Access Profiles holds profiles that the document does not name: ${unknown.join(', ')}`,
			'Look the profiles up with Profile: Get Many, or ask the operator of the service.',
		],
		[
			plain,
			'redirectUris',
			'An address starts with http',
			'Use https, so that codes and sessions cannot be read on the way.',
		],
		[
			!given.publicKeyExchanged,
			'publicKeyExchanged',
			'The public key has not been exchanged yet',
			'Share it with the operator of the service by SSH key exchange before sensitive data is exchanged.',
		],
	);
}

function dossierOf(given: Registration): Record<string, unknown> {
	return {
		application_name: given.applicationName,
		description: given.applicationDescription,
		main_color: given.mainColor,
		access_profiles: given.accessProfiles,
		redirect_uris: given.redirectUris,
		default_redirect_uri: given.defaultRedirectUri,
		// The operator allows these for answers of the sign-on (service document, "Cross-origin access").
		allowed_origins: originsOf(given.redirectUris),
		post_logout_redirect_uris: given.postLogoutRedirectUris,
		after_logout:
			given.postLogoutRedirectUris.length > 0
				? 'one of the post-logout redirect URIs'
				: 'the login screen of the platform, since there is no post-logout redirect URI',
		logout_callback: { uri: given.logoutUri, channel: given.logoutChannel },
		public_key_exchanged: given.publicKeyExchanged,
		logo_vector: logoEntry(given.logoSvg),
		logo_raster: logoEntry(given.logoPng),
	};
}

/** Checks everything at once. */
export function checkRegistration(given: Registration): RegistrationReport {
	const vector = vectorReport(given.logoSvg);
	const raster = rasterReport(given.logoPng);
	const findings = [
		...textFindings('applicationName', 'Application Name', given.applicationName, LONGEST_NAME),
		...textFindings(
			'applicationDescription',
			'Application Description',
			given.applicationDescription,
			LONGEST_DESCRIPTION,
		),
		...listed(
			[
				!/^#[0-9A-Fa-f]{6}$/.test(given.mainColor),
				'mainColor',
				'Main Color is not of the shape #RRGGBB',
				'Write it with a number sign and six hexadecimal digits, for example #1A73E8.',
			],
			[
				given.accessProfiles.length === 0,
				'accessProfiles',
				'Access Profiles is empty',
				'Choose at least one profile that gives access to the application.',
			],
		),
		...redirectFindings(given),
		...logoutFindings(given),
		...vector.findings,
		...raster.findings,
		...productFindings(given.logoSvg, given.logoPng),
	];
	const valid = findings.length === 0;
	const warnings = [...warningsOf(given), ...vector.warnings, ...raster.warnings];
	return { valid, findings, warnings, dossier: valid ? dossierOf(given) : null };
}
