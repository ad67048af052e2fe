/** What is broken on purpose, and the unit tests that must notice. Each broken place runs all of these tests that reach it, so they are few. */
const roster = 'nodes/SchoolPartnerRoster';

/** @type {Record<string, { mutate: string[], tests: RegExp }>} `tests`: of their paths in test/unit */
export const AREAS = {
	pace: { mutate: ['nodes/shared/pace/**/*.ts'], tests: /^pace/ },
	tokens: {
		mutate: [
			'nodes/shared/oidc/**/*.ts',
			'nodes/SchoolPartner/browser/sealedState.ts',
			'nodes/SchoolPartnerLogoutTrigger/logouts/logoutToken.ts',
		],
		tests: /^signOn/,
	},
	deliveries: { mutate: ['nodes/shared/webhooks/seenIds.ts'], tests: /^trigger\/seenIds/ },
	contract: { mutate: ['nodes/shared/contract/**/*.ts'], tests: /^(contract|trigger)/ },
	ledger: {
		mutate: [`${roster}/ledger/**/*.ts`, `!${roster}/ledger/told.ts`],
		tests: /^roster\/(ledger\/(access|decisions|reader|rows)|explaining)/,
	},
	// Its tests live through many nights, which is long for every place in the ledger.
	told: { mutate: [`${roster}/ledger/told.ts`], tests: /^roster\/ledger\/told/ },
	lease: {
		mutate: [`${roster}/night/lease.ts`, `${roster}/night/acquireLease.ts`],
		tests: /^roster\/lease/,
	},
	night: {
		mutate: [
			`${roster}/night/**/*.ts`,
			`${roster}/sending/**/*.ts`,
			`!${roster}/night/lease.ts`,
			`!${roster}/night/acquireLease.ts`,
			`!${roster}/night/compaction.ts`,
			// Whom a night does not send since classes are refused.
			`${roster}/planning/classesInDoubt.ts`,
		],
		tests: /^roster\/(night\/(?!compaction)|sending)/,
	},
	compaction: { mutate: [`${roster}/night/compaction.ts`], tests: /^roster\/night\/compaction/ },
	planning: {
		mutate: [`${roster}/planning/**/*.ts`, `!${roster}/planning/classesInDoubt.ts`],
		tests: /^roster\/planning/,
	},
};
