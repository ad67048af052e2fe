import { readFrontChannel } from '../../../nodes/SchoolPartnerLogoutTrigger/logouts/frontChannel.ts';
import { ISSUER } from './peer.mts';

const SID = '08a5019c-17e1-4977-8f42-65a12843ea02';

function reasonsFor(query: Record<string, unknown>): string[] {
	const read = readFrontChannel(query, ISSUER);
	return read.ok ? [] : read.failure.findings.map(({ code }) => code);
}

describe('a front-channel logout', () => {
	test.each([
		['Sid, as the service writes it', { Sid: SID }, null],
		['sid, as the standard writes it', { sid: SID }, null],
		['both, when they agree', { Sid: SID, sid: SID }, null],
		['the issuer beside it', { Sid: SID, iss: ISSUER }, ISSUER],
		['the issuer with a slash', { Sid: SID, iss: `${ISSUER}/` }, `${ISSUER}/`],
		['parameters of the logout screen', { Sid: SID, lang: 'en' }, null],
	])('is read from %s', (_, query, iss) => {
		expect(readFrontChannel(query, ISSUER)).toEqual({ ok: true, value: { sid: SID, iss } });
	});

	test.each([
		['no session', {}, 'no_sid'],
		['an empty session', { Sid: '' }, 'no_sid'],
		['two sessions', { Sid: [SID, 'other'] }, 'unreadable_sid'],
		['two sessions under two names', { Sid: SID, sid: 'other' }, 'unreadable_sid'],
		['a session that is an object', { Sid: { a: SID } }, 'unreadable_sid'],
		['a session of 256 characters', { Sid: 'a'.repeat(256) }, 'unreadable_sid'],
		['a session with a line break', { Sid: `${SID}\n` }, 'unreadable_sid'],
		['another issuer', { Sid: SID, iss: 'https://evil.example' }, 'wrong_issuer'],
		['two issuers', { Sid: SID, iss: [ISSUER, 'https://evil.example'] }, 'wrong_issuer'],
	])('is refused with %s', (_, query, reason) => {
		expect(reasonsFor(query)).toEqual([reason]);
	});
});
