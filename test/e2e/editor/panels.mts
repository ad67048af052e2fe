/**
 * What a person sees of each resource and operation in the panel, from top to bottom; an asterisk marks what has to be
 * filled in before the node can run. Written by hand: the panel is looked at, not derived.
 */
const account = ['Account ID *', 'Tenant ID *', 'Simplify', 'Options'];
const name = ['Data to Send', 'School External ID *', 'External ID *', 'First Name *', 'Last Name *'];
const identity = ['Birth Date', 'Document Type', 'Document Value'];
const person = [...name, ...identity];
const bond = [
	'Data to Send',
	'School External ID *',
	'Class External ID *',
	'User External ID *',
	'Profile Name *',
	'Options',
];
const update = ['Data to Send', 'School ID *', 'Course Code *', 'Status *', 'Additional Fields', 'Options'];

export const PANELS: Record<string, Record<string, string[]>> = {
	Account: {
		Get: account,
		'Get Classes': account,
		'Get Dependents': account,
		'Get Schools': account,
		'Get Snapshot': account,
		'Get Sponsors': account,
	},
	'Account Creation': { Get: ['Query Parameters', 'Simplify', 'Options'] },
	Bond: { Create: bond, Delete: bond },
	Class: {
		Create: [
			'Data to Send',
			'School External ID *',
			'External ID *',
			'Educational Stage *',
			'Grade *',
			'Year *',
			'Code *',
			'Name *',
			'Additional Fields',
			'Simplify',
			'Options',
		],
	},
	'Client Registration': {
		Validate: [
			'Application Name *',
			'Application Description *',
			'SVG Logo Field',
			'PNG Logo Field',
			'Main Color',
			'Access Profiles *',
			'Redirect URIs *',
			'Default Redirect URI *',
			'Post Logout Redirect URIs',
			'Logout URI *',
			'Logout Channel',
			'Public Key Exchanged',
		],
	},
	'Educational Stage': { 'Get Many': ['School External ID *', 'Simplify', 'Options'] },
	Enrollment: {
		'Get Courses': ['Account ID *', 'Simplify', 'Options'],
		'Post Course Status': [
			'Data to Send',
			'School ID *',
			'Course Code *',
			'User ID *',
			'Status *',
			'Responsible Persons',
			'Additional Fields',
			'Options',
		],
		'Update by Account': ['Account ID *', ...update],
		'Update by User': ['User ID *', ...update],
	},
	Event: { Get: ['Request ID *', 'Simplify', 'Options'] },
	Profile: { 'Get Many': ['Simplify', 'Options'] },
	'Sign-On': {
		'Exchange Code': ['Code *', 'Redirect URI *', 'State', 'Browser Binding', 'Code Verifier', 'Options'],
		'Get Authorization URL': ['Redirect URI *', 'Options'],
		'Get Discovery Document': ['Options'],
		'Get Logout URL': ['Logout From', 'ID Token Hint *', 'Post Logout Redirect URI *'],
		'Get Machine Token': ['Options'],
		'Get User Info': ['Access Token', 'Options'],
		'Refresh Token': ['Refresh Token *', 'Options'],
		'Validate Token': ['Token *', 'Token Use', 'Audience', 'Options'],
	},
	Tenant: { Get: ['Tenant ID *', 'Simplify', 'Options'] },
	User: {
		Create: [...name, 'Profile Names or IDs *', ...identity, 'Additional Fields', 'Options'],
		'Create Responsible': [...person, 'Additional Fields', 'Options'],
		'Create Student': [...person, 'Responsible External IDs', 'Additional Fields', 'Options'],
	},
};
