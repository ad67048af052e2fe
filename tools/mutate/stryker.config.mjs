/**
 * `npm run mutate`: breaks the code that must not be wrong, one place after another, and asks whether a unit test notices.
 * `npm run mutate -- --mutate 'nodes/shared/pace/**'` breaks these files only.
 */
export default {
	testRunner: 'jest',
	jest: { configFile: 'tools/mutate/jest.config.mjs', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	// What runs once, when a module is loaded, would need all tests again for each place.
	ignoreStatic: true,
	// What a text says is held by the documents' tests, and by people.
	mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral'] },
	mutate: [
		'nodes/SchoolPartnerRoster/{ledger,night,planning,sending}/**/*.ts',
		'nodes/SchoolPartner/browser/sealedState.ts',
		'nodes/SchoolPartnerLogoutTrigger/logouts/logoutToken.ts',
		'nodes/shared/{contract,oidc,pace,webhooks}/**/*.ts',
	],
	ignorePatterns: ['dist', 'playground/node_modules', 'playground/home', 'docs/images'],
	tempDirName: '.cache/mutate',
	reporters: ['clear-text', 'progress-append-only', 'json'],
	jsonReporter: { fileName: '.cache/mutation.json' },
	clearTextReporter: { logTests: false, allowColor: false },
	thresholds: { high: 90, low: 85, break: 85 },
	concurrency: 2,
	timeoutMS: 20_000,
	disableTypeChecks: false,
};
