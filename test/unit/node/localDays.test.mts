/** A day as n8n's Postgres node gives it: the midnight of where n8n runs. The time zone of a process is that of its start. */
import { execFileSync } from 'node:child_process';

/** @param made JavaScript that makes a date */
const read = (timeZone: string, made: string) =>
	printed(
		timeZone,
		`const { asData } = require('./nodes/shared/actions/parameters.ts'); console.log(asData(${made}));`,
	);

/** What a status sends as its time that has the date of an item. @param how it was given to the node */
const sentAsTime = (timeZone: string, how: 'mapped' | 'defined', made: string) =>
	printed(
		timeZone,
		`const { inputReader } = require('./nodes/SchoolPartner/framework/input.ts');
		const { enrollment } = require('./nodes/SchoolPartner/operations/enrollment.ts');
		const id = '9b2e1f00-0000-4000-8000-00000000005c';
		const json = { school_id: id, course_code: 'M', user_id: id, status: 'cancelled', responsible: [{ type: 'manager', name: 'Office' }], updated_at: ${made} };
		const given = { schoolId: id, courseCode: 'M', userId: id, status: 'cancelled', responsible: ['x'], additionalFields: { updatedAt: '={{ $now }}' } };
		const context = { getNodeParameter: (name) => given[name], evaluateExpression: () => ${made} };
		const operation = enrollment.operations.find(({ name }) => name === 'postCourseStatus');
		const read = inputReader(context, [{ json }], operation, ${how === 'mapped'})(0);
		console.log(read.ok ? read.value.updated_at : JSON.stringify(read.failure));`,
	);

function printed(timeZone: string, code: string): string {
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

test.each(['mapped', 'defined'] as const)(
	'a day that is %s to the time of a status is the moment at which it began',
	(how) =>
		expect(sentAsTime('America/Sao_Paulo', how, 'new Date(2026, 2, 9)')).toBe('2026-03-09T03:00:00.000Z'),
);
