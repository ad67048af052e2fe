import { readFileSync } from 'node:fs';

import { DOCUMENTS, upToDate } from '../../../tools/generated-parts.mts';

test.each(DOCUMENTS)('%s says what the code says (npm run documents brings it up to date)', (name) => {
	const document = readFileSync(name, 'utf8');
	expect(document).toContain('<!-- generated: ');
	expect(document).toBe(upToDate(document));
});
