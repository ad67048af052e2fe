/** The unit tests that are quick: each broken place runs all that reach it. */
import config from '../../jest.config.mjs';

const [modules] = config.projects;

export default {
	...modules,
	testMatch: ['<rootDir>/test/unit/!(documents|node|tools)/**/*.test.mts'],
	// Years, networks and models of many nights take up to a minute each.
	testPathIgnorePatterns: [
		'years\\.test',
		'networks\\.test',
		'families\\.test',
		'largeLedger\\.test',
		'hostile',
		'night\\.model',
	],
	testTimeout: config.testTimeout,
};
