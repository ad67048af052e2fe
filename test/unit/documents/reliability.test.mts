/** docs/reliability.md promises what the matrix of test/chaos holds the real n8n to. */
import { requestTable, runTable } from '../../chaos/document.mts';
import { EXPECTATIONS } from '../../chaos/expectations.mts';
import { textOf } from './markdown.mts';

const DOCUMENT = 'docs/reliability.md';

test.each([
	['a request', requestTable],
	['a run', runTable],
])('the table of what happens to %s is the one that npm run chaos tries', (_what, tableOf) => {
	expect(textOf(DOCUMENT)).toContain(tableOf());
});

test('a part of a snapshot is promised what a lookup is, but for nothing found, which leaves the part empty', () => {
	for (const { verdicts } of EXPECTATIONS) {
		expect(verdicts.parts).toBe(verdicts.read === 'nothing' ? 'succeeds' : verdicts.read);
	}
});
