/** docs/reliability.md promises what test/chaos holds the real n8n to. Its tables are generated parts. */
import type { INodeProperties } from 'n8n-workflow';

import { optionsOf } from '../../../nodes/SchoolPartner/framework/settings.ts';
import { schoolClass } from '../../../nodes/SchoolPartner/operations/class.ts';
import { EXPECTATIONS, longestRequest } from '../../chaos/expectations.mts';
import { textOf } from './markdown.mts';

const DOCUMENT = 'docs/reliability.md';

test('a request takes at most as long as the page says, as the options stand', () => {
	const options = optionsOf(schoolClass.operations[0]).options as INodeProperties[];
	const [timeout, maxRetries] = ['timeout', 'maxRetries'].map((name) =>
		Number(options.find((option) => option.name === name)?.default),
	);
	const seconds = Math.ceil(longestRequest(timeout, maxRetries) / 1_000);
	expect(textOf(DOCUMENT)).toContain(
		`: ${Math.floor(seconds / 60)} min ${seconds % 60} s as the options stand`,
	);
});

test('a part of a snapshot is promised what a lookup is, but for nothing found, which leaves the part empty', () => {
	for (const { verdicts } of EXPECTATIONS) {
		expect(verdicts.parts).toBe(verdicts.read === 'nothing' ? 'succeeds' : verdicts.read);
	}
});
