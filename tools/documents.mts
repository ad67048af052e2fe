/** `npm run documents`: brings the generated parts of the documents up to date. */
import { readFile, writeFile } from 'node:fs/promises';

import { DOCUMENTS, upToDate } from './generated-parts.mts';

for (const name of DOCUMENTS) await writeFile(name, upToDate(await readFile(name, 'utf8')));
