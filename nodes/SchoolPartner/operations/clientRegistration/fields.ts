/** The parameters of a client registration, in the order of the document's table. */
import type { INodeProperties } from 'n8n-workflow';

import type { PanelFields } from '../../framework/operation';
import { LONGEST_APPLICATION_DESCRIPTION, LONGEST_APPLICATION_NAME } from '../../registration/registration';

const applicationName: INodeProperties = {
	displayName: 'Application Name',
	name: 'applicationName',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Reading Club',
	description: `The short name that users see, at most ${LONGEST_APPLICATION_NAME} characters`,
};

const applicationDescription: INodeProperties = {
	displayName: 'Application Description',
	name: 'applicationDescription',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Books for every class',
	description: `What the application is for, at most ${LONGEST_APPLICATION_DESCRIPTION} characters`,
};

const logoSvgField: INodeProperties = {
	displayName: 'SVG Logo Field',
	name: 'logoSvgField',
	type: 'string',
	required: true,
	default: 'logoSvg',
	hint: 'The name of the input field that holds the file',
	description: 'The vector logo: 128x128 pixels, transparent background, named product.svg',
};

const logoPngField: INodeProperties = {
	displayName: 'PNG Logo Field',
	name: 'logoPngField',
	type: 'string',
	required: true,
	default: 'logoPng',
	hint: 'The name of the input field that holds the file',
	description: 'The raster logo: 32x32 pixels, transparent background, named product_32x32.png',
};

const mainColor: INodeProperties = {
	displayName: 'Main Color',
	name: 'mainColor',
	type: 'color',
	required: true,
	default: '',
	// n8n shows no placeholder in a field for colors.
	hint: 'As #RRGGBB, for example #1A73E8',
	description: 'The main color of the application',
};

const accessProfiles: INodeProperties = {
	displayName: 'Access Profiles',
	name: 'accessProfiles',
	type: 'multiOptions',
	options: [
		{ name: 'Coordinator', value: 'coordinator' },
		{ name: 'Educator', value: 'educator' },
		{ name: 'Responsible', value: 'responsible' },
		{ name: 'Student', value: 'student' },
	],
	required: true,
	default: [],
	description:
		'The profiles that give access to the application. Others can be given as a list with an expression.',
};

const redirectUris: INodeProperties = {
	displayName: 'Redirect URIs',
	name: 'redirectUris',
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	default: '',
	placeholder: 'e.g. https://app.example/callback, my-app://callback',
	description:
		'Web addresses or deep links that users come back to after login, separated by commas or lines',
};

const defaultRedirectUri: INodeProperties = {
	displayName: 'Default Redirect URI',
	name: 'defaultRedirectUri',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://app.example/callback',
	description: "One of those in 'Redirect URIs'",
};

const postLogoutRedirectUris: INodeProperties = {
	displayName: 'Post Logout Redirect URIs',
	name: 'postLogoutRedirectUris',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. https://app.example/bye',
	description:
		'Addresses that users come back to after logout, separated by commas or lines. None: they land on the login screen of the platform.',
};

const logoutUri: INodeProperties = {
	displayName: 'Logout URI',
	name: 'logoutUri',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://flows.example/webhook/6b0c/logout',
	description:
		'The one address that the service calls when a session ends: the production URL of a School Partner Logout Trigger',
};

const logoutChannel: INodeProperties = {
	displayName: 'Logout Channel',
	name: 'logoutChannel',
	type: 'options',
	options: [
		{ name: 'Back Channel', value: 'back', description: 'The service calls the address itself' },
		{ name: 'Front Channel', value: 'front', description: 'The browser of the user loads the address' },
	],
	default: 'back',
	description: "How the service calls the 'Logout URI': exactly one channel",
};

const publicKeyExchanged: INodeProperties = {
	displayName: 'Public Key Exchanged',
	name: 'publicKeyExchanged',
	type: 'boolean',
	default: false,
	description:
		'Whether the public key for sensitive data has been shared with the operator by SSH key exchange',
};

export const registrationFields: PanelFields = {
	application_name: applicationName,
	application_description: applicationDescription,
	logo_svg_field: logoSvgField,
	logo_png_field: logoPngField,
	main_color: mainColor,
	access_profiles: accessProfiles,
	redirect_uris: redirectUris,
	default_redirect_uri: defaultRedirectUri,
	post_logout_redirect_uris: postLogoutRedirectUris,
	logout_uri: logoutUri,
	logout_channel: logoutChannel,
	public_key_exchanged: publicKeyExchanged,
};
