import { createHash } from 'node:crypto';

import {
	checkRegistration,
	type Registration,
} from '../../../nodes/SchoolPartner/registration/registration.ts';
import { addressesIn } from '../../../nodes/SchoolPartner/registration/registeredAddress.ts';
import { BOOK, complete, png, raster, svg, vector } from './pictures.mts';

const fieldsOf = (changes: Partial<Registration>) =>
	checkRegistration({ ...complete, ...changes }).findings.map(({ field }) => field);

const redirect = (uri: string) => ({ redirect_uris: [...complete.redirect_uris, uri] });
const svgWith = (change: object) => ({ logoSvg: { ...vector, ...change } });
const pngWith = (change: object) => ({ logoPng: { ...raster, ...change } });

describe('a client registration', () => {
	test('that keeps every rule gives the dossier to hand to the operator', () => {
		expect(checkRegistration(complete)).toEqual({
			valid: true,
			findings: [],
			warnings: [],
			dossier: {
				application_name: 'Reading Club',
				description: 'Books for every class',
				main_color: '#1A73E8',
				access_profiles: ['student', 'educator'],
				redirect_uris: complete.redirect_uris,
				default_redirect_uri: 'https://club.example/callback',
				allowed_origins: ['https://club.example'],
				post_logout_redirect_uris: ['https://club.example/bye'],
				after_logout: 'one of the post-logout redirect URIs',
				logout_callback: { uri: complete.logout_uri, channel: 'back' },
				public_key_exchanged: true,
				logo_vector: {
					file_name: 'reading-club.svg',
					size_bytes: vector.content.length,
					sha256: createHash('sha256').update(vector.content).digest('hex'),
				},
				logo_raster: {
					file_name: 'reading-club_32x32.png',
					size_bytes: raster.content.length,
					sha256: createHash('sha256').update(raster.content).digest('hex'),
				},
			},
		});
	});

	test.each([
		[
			'a name of 50 characters, not of 51',
			'applicationName',
			{ application_name: 'é'.repeat(50) },
			{ application_name: 'é'.repeat(51) },
		],
		[
			'characters, not their halves',
			'applicationName',
			{ application_name: '📚'.repeat(50) },
			{ application_name: '📚'.repeat(51) },
		],
		['a name', 'applicationName', {}, { application_name: ' ' }],
		[
			'a description of 90 characters, not of 91',
			'applicationDescription',
			{ application_description: 'x'.repeat(90) },
			{ application_description: 'x'.repeat(91) },
		],
		['a colour as #RRGGBB, not as a word', 'mainColor', { main_color: '#abcdef' }, { main_color: 'blue' }],
		['a colour of six digits, not of three', 'mainColor', {}, { main_color: '#abc' }],
		['a colour without alpha', 'mainColor', {}, { main_color: '#1A73E8FF' }],
		['a profile', 'accessProfiles', { access_profiles: ['responsible'] }, { access_profiles: [] }],
		[
			'a web address without fragment; a deep link may have one',
			'redirectUris',
			redirect('reading-club://callback#/login'),
			redirect('https://club.example/#x'),
		],
		[
			'no wildcard, but a comma is fine',
			'redirectUris',
			redirect('https://club.example/callback?next=a,b'),
			redirect('https://*.club.example/'),
		],
		['no path alone', 'redirectUris', {}, redirect('/callback')],
		['no script', 'redirectUris', {}, redirect('javascript:alert(1)')],
		['no spaces', 'redirectUris', {}, redirect('https://club.example/a b')],
		['no password', 'redirectUris', {}, redirect('https://u:p@club.example/')],
		[
			'the default among them, not with another slash',
			'defaultRedirectUri',
			{ default_redirect_uri: 'reading-club://callback' },
			{ default_redirect_uri: 'https://club.example/callback/' },
		],
		['a default', 'defaultRedirectUri', {}, { default_redirect_uri: '' }],
		[
			'good addresses after logout',
			'postLogoutRedirectUris',
			{ post_logout_redirect_uris: [] },
			{ post_logout_redirect_uris: ['bye'] },
		],
		['one logout address, not two', 'logoutUri', {}, { logout_uri: 'https://a.example/,https://b.example/' }],
		['a web address for logout, not a deep link', 'logoutUri', {}, { logout_uri: 'reading-club://logout' }],
		['a logout address', 'logoutUri', {}, { logout_uri: '' }],
		[
			'a logout address without a fragment, which no browser sends',
			'logoutUri',
			{},
			{ logout_uri: 'https://club.example/#/logout' },
		],
		[
			'a logout address without a password',
			'logoutUri',
			{},
			{ logout_uri: 'https://nina:secret@club.example/logout' },
		],
		[
			'the front channel, not both',
			'logoutChannel',
			{ logout_channel: 'front' },
			{ logout_channel: 'front,back' },
		],
		['a channel', 'logoutChannel', {}, { logout_channel: '' }],
		['an SVG logo', 'logoSvgField', {}, { logoSvg: undefined }],
		['an SVG logo that is one', 'logoSvgField', {}, svgWith({ content: png() })],
		[
			'an SVG logo of 128x128',
			'logoSvgField',
			{},
			svgWith({ content: Buffer.from(svg(BOOK, 'width="64" height="64"')) }),
		],
		['an SVG logo named <product>.svg', 'logoSvgField', {}, svgWith({ name: 'logos/reading-club.svg' })],
		['a PNG logo', 'logoPngField', {}, { logoPng: undefined }],
		['a PNG logo that is one', 'logoPngField', {}, pngWith({ content: vector.content })],
		['a PNG logo of 32x32', 'logoPngField', {}, pngWith({ content: png({ width: 64 }) })],
		[
			'a PNG logo with transparency',
			'logoPngField',
			pngWith({ content: png({ colourType: 3, transparentColour: true }) }),
			pngWith({ content: png({ colourType: 2 }) }),
		],
		['a PNG logo named <product>_32x32.png', 'logoPngField', {}, pngWith({ name: 'reading-club.png' })],
		['two logos of one product', 'logoPngField', {}, pngWith({ name: 'chess-club_32x32.png' })],
	])('needs %s', (_, field, good, bad) => {
		expect(fieldsOf(good)).toEqual([]);
		expect(fieldsOf(bad)).toEqual([field]);
		expect(checkRegistration({ ...complete, ...bad })).toMatchObject({ valid: false, dossier: null });
	});

	test.each([
		['https://*.club.example/', 'has a wildcard (*)'],
		['https://club.example/#x', 'has a fragment (#)'],
		['https://u:p@club.example/', 'holds a user name or password'],
		['https://club.example/a,https://b.example/', 'is not a web address'],
		['javascript:alert(1)', 'is neither a web address nor a deep link'],
		['/callback', 'is not an absolute address'],
	])('says of the address %s that it %s', (address, message) => {
		const { findings } = checkRegistration({
			...complete,
			redirect_uris: [...complete.redirect_uris, address],
		});
		expect(findings.map((finding) => finding.message)).toEqual([`Entry 3 of Redirect URIs ${message}`]);
	});

	test('has no default among no addresses', () => {
		expect(fieldsOf({ redirect_uris: [] })).toEqual(['redirectUris', 'defaultRedirectUri']);
	});

	test('tells everything that is wrong with it at once, with what to do', () => {
		const { findings } = checkRegistration({
			application_name: 'x'.repeat(60),
			application_description: '',
			main_color: 'red',
			access_profiles: [],
			redirect_uris: [],
			default_redirect_uri: '',
			post_logout_redirect_uris: ['bye'],
			logout_uri: '',
			logout_channel: '',
			public_key_exchanged: false,
			logoSvg: undefined,
			logoPng: undefined,
		});
		expect(findings.map(({ field }) => field)).toEqual([
			...['applicationName', 'applicationDescription', 'mainColor', 'accessProfiles', 'redirectUris'],
			...[
				'defaultRedirectUri',
				'postLogoutRedirectUris',
				'logoutUri',
				'logoutChannel',
				'logoSvgField',
				'logoPngField',
			],
		]);
		expect(findings[0]).toEqual({
			field: 'applicationName',
			message: 'Application Name has 60 characters; 50 are allowed',
			next_step: 'Shorten it by 10.',
		});
		for (const { message, next_step } of findings) {
			expect(next_step).not.toBe('');
			expect(`${message} ${next_step}`).not.toMatch(/\b(error|problem|failure|mistake)/i);
		}
	});

	test.each([
		['an unknown profile', 'accessProfiles', { access_profiles: ['student', 'janitor'] }],
		['a redirect URI without encryption', 'redirectUris', redirect('http://club.example/')],
		[
			'a post logout redirect URI without encryption',
			'postLogoutRedirectUris',
			{ post_logout_redirect_uris: ['http://club.example/bye'] },
		],
		['a logout URI without encryption', 'logoutUri', { logout_uri: 'HTTP://club.example/logout' }],
		['a public key that is still to be exchanged', 'publicKeyExchanged', { public_key_exchanged: false }],
	])('with %s is warned about, and is valid', (_, field, changes) => {
		const report = checkRegistration({ ...complete, ...changes });
		expect(report).toMatchObject({ valid: true, findings: [] });
		expect(report.warnings.map((warning) => warning.field)).toEqual([field]);
	});

	test('is warned once of each field with addresses without encryption, under its name', () => {
		const address = 'http://club.example/a';
		const { warnings } = checkRegistration({
			...complete,
			redirect_uris: [...complete.redirect_uris, address, 'http://club.example/b'],
			post_logout_redirect_uris: [address],
			logout_uri: address,
		});
		expect(warnings.map(({ field, message }) => [field, message])).toEqual([
			['redirectUris', 'Redirect URIs holds an address that starts with http'],
			['postLogoutRedirectUris', 'Post Logout Redirect URIs holds an address that starts with http'],
			['logoutUri', 'Logout URI holds an address that starts with http'],
		]);
	});

	test('may use this machine without encryption', () => {
		const redirect_uris = [
			...['http://localhost:8080/callback', 'http://127.0.0.1/callback', 'http://localhost'],
			...['http://localhost?x=1', 'http://[::1]:8080'],
		];
		const report = checkRegistration({ ...complete, redirect_uris, default_redirect_uri: redirect_uris[0] });
		expect(report).toMatchObject({ valid: true, warnings: [] });
	});

	test('lists each origin that its web addresses imply, once', () => {
		const redirect_uris = [
			...complete.redirect_uris,
			'https://club.example/other?a=1,2',
			'https://CLUB.example:8443/callback',
			'http://localhost:8080/callback',
		];
		expect(checkRegistration({ ...complete, redirect_uris }).dossier?.allowed_origins).toEqual([
			'https://club.example',
			'https://club.example:8443',
			'http://localhost:8080',
		]);
	});

	test.each([
		['lines', 'https://a.example/\r\nb://c\n\n', ['https://a.example/', 'b://c']],
		[
			'commas',
			'https://a.example/, b://c,https://d.example/,',
			['https://a.example/', 'b://c', 'https://d.example/'],
		],
		[
			'commas of their own',
			'https://a.example/1,2?x=3,4\nb://c,d',
			['https://a.example/1,2?x=3,4', 'b://c,d'],
		],
		['a fragment', 'b://c#/d,e', ['b://c#/d,e']],
	])('takes addresses with %s from a text', (_, text, addresses) => {
		expect(addressesIn(text)).toEqual(addresses);
	});

	test('without addresses after logout says where the user lands', () => {
		const { dossier } = checkRegistration({ ...complete, post_logout_redirect_uris: [] });
		expect(dossier?.after_logout).toMatch(/login screen of the platform/);
	});
});
