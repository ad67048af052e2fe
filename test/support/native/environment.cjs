const { TestEnvironment } = require('jest-environment-node');

// n8n logs every failed run; the tests look at what the run gives instead. Trap: a test has a copy of the environment's variables.
process.env.N8N_LOG_LEVEL ??= 'silent';

/**
 * Tests for which n8n's own packages are loaded by Node.js, once for all files of a process, where jest would load them anew for each. They have
 * the process's own globals; what is asked for by `instanceof`, and the clock that a test sets, are therefore the same for the tests.
 */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		Object.assign(this.global, { requireNatively: require, Date, Error, TypeError, RangeError });
	}
};
