/** The unit tests of one area (areas.mjs), without those that take up to a minute: years, networks, models of many nights. */
import config from '../../jest.config.mjs';
import { AREAS } from './areas.mjs';

const [modules] = config.projects;
const { tests } = AREAS[process.env.MUTATED_AREA];

export default {
	...modules,
	testMatch: tests.map((begin) => `<rootDir>/test/unit/${begin}**{/**,}*.test.mts`),
	testPathIgnorePatterns: ['networks\\.test', 'families\\.test', 'largeLedger\\.test', 'hostile'],
	testTimeout: config.testTimeout,
};
