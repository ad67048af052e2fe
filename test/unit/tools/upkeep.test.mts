import { candidates, dayAfterwards, nodeInTheWay } from '../../../tools/upkeep/candidates.mjs';
import { whatIsInTheWay } from '../../../tools/upkeep/npm-errors.mjs';
import { readOptions } from '../../../tools/upkeep/options.mjs';

describe('Versions of n8n that are worth a try', () => {
	test('are the last of each newer line, newest first', () => {
		const versions = ['2.40.2', '2.41.1', '2.40.10', '2.40.9', '2.39.4', '2.41.0', '10.0.0', '3.0.0'];
		expect(candidates(versions, '2.40.2')).toEqual(['10.0.0', '3.0.0', '2.41.1', '2.40.10']);
	});

	test('are no preliminary ones, and none when the pinned one is the newest', () => {
		expect(candidates(['2.40.7', '2.41.0-exp.1', '2.40.6', '1.123.9'], '2.40.7')).toEqual([]);
	});

	test('are tried a second time with what the registry had two days after the publication', () => {
		expect(dayAfterwards('2026-09-26T01:16:11.199000+00:00')).toBe('2026-09-28');
		expect(dayAfterwards('2026-12-30T23:59:59Z')).toBe('2027-01-01');
	});

	test('must run on the Node.js of the playground', () => {
		expect(nodeInTheWay('>=24.0.0', '24.21.0')).toBeUndefined();
		expect(nodeInTheWay(undefined, '24.21.0')).toBeUndefined();
		expect(nodeInTheWay('>=26', '24.21.0')).toBe('it needs Node.js >=26, and the playground has 24.21.0');
	});
});

/** npm's texts as npm 11 writes them. */
describe('What is in the way', () => {
	const report = (code: string, summary: string, detail = '') =>
		JSON.stringify({ error: { code, summary, detail } });

	test.each([
		[
			'a version that the registry lacks',
			report('ETARGET', 'No matching version found for @n8n/engine@0.21.1.', 'In most cases you …'),
			'the registry has no @n8n/engine@0.21.1',
		],
		[
			'a version that it lacked on a day',
			report('ETARGET', 'No matching version found for @n8n/engine@^0.21.1 with a date before 9/28/2026.'),
			'the registry has no @n8n/engine@^0.21.1',
		],
		[
			'a package that the registry lacks',
			report(
				'E404',
				'Not Found - GET …',
				"The requested resource 'left-pad@99.0.0' could not be found or you …",
			),
			'the registry has no left-pad@99.0.0',
		],
		[
			'an address out of reach',
			report(
				'ENOTFOUND',
				'request to https://cdn.files.example/xlsx-0.20.2.tgz failed, reason: getaddrinfo …',
			),
			'https://cdn.files.example cannot be reached (ENOTFOUND)',
		],
		['packages that contradict', report('ERESOLVE', 'unable to resolve'), /contradict one another/],
		['anything else', report('EODD', 'Something odd\nhappened'), 'Something odd (EODD)'],
	])('is named: %s', (_what, stdout, said) => {
		expect(whatIsInTheWay(stdout, '')).toMatch(said);
	});

	test('is named: optional packages that npm left out of the lockfile', () => {
		const stderr = [
			'npm error code EUSAGE',
			'npm error',
			'npm error `npm ci` can only install packages when your package.json and package-lock.json … are in sync.',
			'npm error',
			'npm error Missing: @msgpackr-extract/msgpackr-extract-linux-arm@ from lock file',
			'npm error Missing: other-package@1.0.0 from lock file',
		].join('\n');
		expect(whatIsInTheWay('', stderr)).toBe(
			'the registry lacks optional packages of it: @msgpackr-extract/msgpackr-extract-linux-arm, other-package',
		);
	});

	test('is said even when npm gave no reason', () => {
		expect(whatIsInTheWay('', '')).toBe('npm gave no reason');
		expect(whatIsInTheWay('{"cut', 'npm error code EODD\nnpm error odd')).toMatch(/EODD/);
	});
});

test('Taking a version over means testing it first; an option that is not known is refused', () => {
	expect(readOptions([])).toMatchObject({ run: false, write: false });
	expect(readOptions(['--write'])).toMatchObject({ run: true, write: true });
	expect(() => readOptions(['--wirte'])).toThrow(/--wirte/);
});
