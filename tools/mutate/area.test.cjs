/**
 * The unit tests of one area (areas.mjs), without those that take up to a minute: years, networks, models of many nights.
 * They stand in one file, since jest loads the sources anew for each file, which takes longer than most tests do.
 */
const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const { AREAS } = require('./areas.mjs');

const UNIT = join(__dirname, '../../test/unit');
const TOO_LONG = /networks|families|largeLedger|hostile/;

const { tests } = AREAS[process.env.MUTATED_AREA];
const files = readdirSync(UNIT, { recursive: true })
	.filter((file) => file.endsWith('.test.mts') && tests.test(file) && !TOO_LONG.test(file))
	.sort();
globalThis.describe.each(files)('%s', (file) => {
	require(join(UNIT, file));
});
