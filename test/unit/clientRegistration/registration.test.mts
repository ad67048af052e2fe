import { createHash } from 'node:crypto';

import {
	checkRegistration,
	type Registration,
} from '../../../nodes/SchoolPartner/registration/registration.ts';
import { addressesIn } from '../../../nodes/SchoolPartner/registration/registeredAddress.ts';
import { BOOK, complete, opaquePng, png, raster, svg, vector } from './pictures.mts';

const fieldsOf = (changes: Partial<Registration>) =>
	checkRegistration({ ...complete, ...changes }).findings.map(({ field }) => field);

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
				redirect_uris: complete.redirectUris,
				default_redirect_uri: 'https://club.example/callback',
				allowed_origins: ['https://club.example'],
				post_logout_redirect_uris: ['https://club.example/bye'],
				after_logout: 'one of the post-logout redirect URIs',
				logout_callback: { uri: complete.logoutUri, channel: 'back' },
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
			{ applicationName: 'é'.repeat(50) },
			{ applicationName: 'é'.repeat(51) },
		],
		[
			'characters, not their halves',
			'applicationName',
			{ applicationName: '📚'.repeat(50) },
			{ applicationName: '📚'.repeat(51) },
		],
		['a name', 'applicationName', {}, { applicationName: ' ' }],
		[
			'a description of 90 characters, not of 91',
			'applicationDescription',
			{ applicationDescription: 'x'.repeat(90) },
			{ applicationDescription: 'x'.repeat(91) },
		],
		['a colour as #RRGGBB, not as a word', 'mainColor', { mainColor: '#abcdef' }, { mainColor: 'blue' }],
		['a colour of six digits, not of three', 'mainColor', {}, { mainColor: '#abc' }],
		['a colour without alpha', 'mainColor', {}, { mainColor: '#1A73E8FF' }],
		['a profile', 'accessProfiles', { accessProfiles: ['responsible'] }, { accessProfiles: [] }],
		[
			'a web address without fragment; a deep link may have one',
			'redirectUris',
			{ redirectUris: [...complete.redirectUris, 'reading-club://callback#/login'] },
			{ redirectUris: [...complete.redirectUris, 'https://club.example/#x'] },
		],
		[
			'no wildcard, but a comma is fine',
			'redirectUris',
			{ redirectUris: [...complete.redirectUris, 'https://club.example/callback?next=a,b'] },
			{ redirectUris: [...complete.redirectUris, 'https://*.club.example/'] },
		],
		['no path alone', 'redirectUris', {}, { redirectUris: [...complete.redirectUris, '/callback'] }],
		['no script', 'redirectUris', {}, { redirectUris: [...complete.redirectUris, 'javascript:alert(1)'] }],
		[
			'no spaces',
			'redirectUris',
			{},
			{ redirectUris: [...complete.redirectUris, 'https://club.example/a b'] },
		],
		[
			'no password',
			'redirectUris',
			{},
			{ redirectUris: [...complete.redirectUris, 'https://u:p@club.example/'] },
		],
		[
			'the default among them, not with another slash',
			'defaultRedirectUri',
			{ defaultRedirectUri: 'reading-club://callback' },
			{ defaultRedirectUri: 'https://club.example/callback/' },
		],
		['a default', 'defaultRedirectUri', {}, { defaultRedirectUri: '' }],
		[
			'good addresses after logout',
			'postLogoutRedirectUris',
			{ postLogoutRedirectUris: [] },
			{ postLogoutRedirectUris: ['bye'] },
		],
		['one logout address, not two', 'logoutUri', {}, { logoutUri: 'https://a.example/,https://b.example/' }],
		['a web address for logout, not a deep link', 'logoutUri', {}, { logoutUri: 'reading-club://logout' }],
		['a logout address', 'logoutUri', {}, { logoutUri: '' }],
		[
			'the front channel, not both',
			'logoutChannel',
			{ logoutChannel: 'front' },
			{ logoutChannel: 'front,back' },
		],
		['a channel', 'logoutChannel', {}, { logoutChannel: '' }],
		['an SVG logo', 'logoSvgField', {}, { logoSvg: undefined }],
		['an SVG logo that is one', 'logoSvgField', {}, { logoSvg: { ...vector, content: png() } }],
		[
			'an SVG logo of 128x128',
			'logoSvgField',
			{},
			{ logoSvg: { ...vector, content: Buffer.from(svg(BOOK, 'width="64" height="64"')) } },
		],
		[
			'an SVG logo without background',
			'logoSvgField',
			{},
			{ logoSvg: { ...vector, content: Buffer.from(svg('<rect width="128" height="128"/>')) } },
		],
		[
			'an SVG logo without scripts',
			'logoSvgField',
			{},
			{ logoSvg: { ...vector, content: Buffer.from(svg('<script/>')) } },
		],
		[
			'an SVG logo named <product>.svg',
			'logoSvgField',
			{},
			{ logoSvg: { ...vector, name: 'logos/reading-club.svg' } },
		],
		['a PNG logo', 'logoPngField', {}, { logoPng: undefined }],
		['a PNG logo that is one', 'logoPngField', {}, { logoPng: { ...raster, content: vector.content } }],
		['a PNG logo of 32x32', 'logoPngField', {}, { logoPng: { ...raster, content: png({ width: 64 }) } }],
		[
			'a PNG logo with a transparent pixel',
			'logoPngField',
			{ logoPng: { ...raster, content: opaquePng({ transparentAt: [0, 31] }) } },
			{ logoPng: { ...raster, content: png({ colourType: 2 }) } },
		],
		[
			'a PNG logo named <product>_32x32.png',
			'logoPngField',
			{},
			{ logoPng: { ...raster, name: 'reading-club.png' } },
		],
		[
			'two logos of one product',
			'logoPngField',
			{},
			{ logoPng: { ...raster, name: 'chess-club_32x32.png' } },
		],
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
			redirectUris: [...complete.redirectUris, address],
		});
		expect(findings.map((finding) => finding.message)).toEqual([`Entry 3 of Redirect URIs ${message}`]);
	});

	test('has no default among no addresses', () => {
		expect(fieldsOf({ redirectUris: [] })).toEqual(['redirectUris', 'defaultRedirectUri']);
	});

	test('tells everything that is wrong with it at once, with what to do', () => {
		const { findings } = checkRegistration({
			applicationName: 'x'.repeat(60),
			applicationDescription: '',
			mainColor: 'red',
			accessProfiles: [],
			redirectUris: [],
			defaultRedirectUri: '',
			postLogoutRedirectUris: ['bye'],
			logoutUri: '',
			logoutChannel: '',
			publicKeyExchanged: false,
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
			description: 'Shorten it by 10.',
		});
		for (const { message, description } of findings) {
			expect(description).not.toBe('');
			expect(`${message} ${description}`).not.toMatch(/\b(error|problem|failure|mistake)/i);
		}
	});

	test.each([
		['an unknown profile', 'accessProfiles', { accessProfiles: ['student', 'janitor'] }],
		[
			'an address without encryption',
			'redirectUris',
			{ postLogoutRedirectUris: ['http://club.example/bye'] },
		],
		[
			'a raster picture in the SVG',
			'logoSvgField',
			{ logoSvg: { ...vector, content: Buffer.from(svg('<image href="data:image/png;base64,AA"/>')) } },
		],
		['a public key that is still to be exchanged', 'publicKeyExchanged', { publicKeyExchanged: false }],
	])('with %s is warned about, and is valid', (_, field, changes) => {
		const report = checkRegistration({ ...complete, ...changes });
		expect(report).toMatchObject({ valid: true, findings: [] });
		expect(report.warnings.map((warning) => warning.field)).toEqual([field]);
	});

	test('may use this machine without encryption', () => {
		const redirectUris = ['http://localhost:8080/callback', 'http://127.0.0.1/callback'];
		const report = checkRegistration({ ...complete, redirectUris, defaultRedirectUri: redirectUris[0] });
		expect(report).toMatchObject({ valid: true, warnings: [] });
	});

	test('lists each origin that its web addresses imply, once', () => {
		const redirectUris = [
			...complete.redirectUris,
			'https://club.example/other?a=1,2',
			'https://CLUB.example:8443/callback',
			'http://localhost:8080/callback',
		];
		expect(checkRegistration({ ...complete, redirectUris }).dossier?.allowed_origins).toEqual([
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
		const { dossier } = checkRegistration({ ...complete, postLogoutRedirectUris: [] });
		expect(dossier?.after_logout).toMatch(/login screen of the platform/);
	});
});
