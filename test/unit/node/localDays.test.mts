/** A day as n8n's Postgres node gives it: the midnight of where n8n runs. The time zone of a process is that of its start. */
import { execFileSync } from 'node:child_process';

/** @param made JavaScript that makes a date */
function read(timeZone: string, made: string): unknown {
	const code = `const { asData } = require('./nodes/shared/actions/reading.ts'); console.log(asData(${made}));`;
	const options = ['--import', 'tsx', '--eval', code];
	const env = { ...process.env, TZ: timeZone };
	return execFileSync(process.execPath, options, { env, encoding: 'utf8' }).trim();
}

test.each(['Europe/Madrid', 'America/Sao_Paulo', 'Asia/Tokyo'])(
	'a birth date from a column of days is that day in %s',
	(timeZone) => expect(read(timeZone, 'new Date(2015, 4, 20)')).toBe('2015-05-20'),
);

test('a day that begins at one, because the hour before it was left out, is that day', () => {
	expect(read('America/Sao_Paulo', 'new Date(2015, 9, 18)')).toBe('2015-10-18');
});

test.each([
	['midnight in UTC', "new Date('2015-05-20')", '2015-05-20T00:00:00.000Z'],
	['another moment', "new Date('2015-05-20T08:30:00Z')", '2015-05-20T08:30:00.000Z'],
])('%s stays the moment it is', (_what, made, text) => {
	expect(read('Europe/Madrid', made)).toBe(text);
});
