/** docs/operations.md tells everything that a failed item may say as data. */
import type { Failure } from '../../../nodes/shared/failure.ts';
import type { Trouble } from '../../../nodes/shared/transport/trouble.ts';
import { textOf } from './markdown.mts';

// Types leave no names behind: these lists do not compile when one is missing or too many.
const ORIGINS: Record<Failure['origin'], true> = {
	input: true,
	service: true,
	network: true,
	signOn: true,
	n8n: true,
};
const EFFECTS: Record<Failure['effect'], true> = { none: true, unknown: true, done: true };
const TROUBLES: Record<Trouble, true> = {
	...{ refused: true, unresolved: true, timeout: true, broken: true, untrusted: true },
	...{ oversized: true, blocked: true, cancelled: true, invalidAddress: true },
};
const MEMBERS = ['origin', 'effect', 'status', 'code', 'properties', 'retry_after_seconds', 'next'];

const [, section] = textOf('docs/operations.md').split('## What a failed item says');

test.each([...MEMBERS, ...Object.keys(ORIGINS), ...Object.keys(EFFECTS)])('%s has a row', (name) => {
	expect(section).toContain(`\n| \`${name}\` | `);
});

test.each(Object.keys(TROUBLES))('what happens on the way is told by its name: %s', (name) => {
	expect(section).toContain(`\`${name}\``);
});
