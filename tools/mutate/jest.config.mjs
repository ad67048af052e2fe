/** The unit tests of one area, in one file (area.test.cjs). */
import config from '../../jest.config.mjs';

const [modules] = config.projects;

export default {
	...modules,
	testMatch: ['<rootDir>/tools/mutate/area.test.cjs'],
	testTimeout: config.testTimeout,
};
