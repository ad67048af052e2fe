/**
 * Unit, sandbox, engine and end-to-end tests. `npm test` runs them by folder, in order; by hand: `npx jest test/unit`.
 * Sources are TypeScript modules (.mts); swc turns them into CommonJS, because n8n's own packages are CommonJS and jest
 * runs those without experimental flags.
 */

// Packages that exist as ECMAScript modules only, and are therefore transformed too.
const MODULES_ONLY = [
	'p-map',
	'jose',
	'oidc-provider',
	'openid-client',
	'oauth4webapi',
	'nanoid',
	'quick-lru',
	'eta',
];

const swc = (parser) => [
	'@swc/jest',
	{
		jsc: { target: 'es2022', parser, keepClassNames: true },
		module: { type: 'commonjs' },
		sourceMaps: 'inline',
	},
];

/**
 * Each access to a global costs a call of Node.js in jest's contexts. Not those that a test's clock takes the place of, nor those that a
 * module declares once more (`Buffer`).
 */
const QUICK_GLOBALS = [
	...['Object', 'Array', 'Map', 'Set', 'WeakMap', 'Math', 'JSON', 'Number', 'String', 'Symbol'],
	...['Boolean', 'BigInt', 'RegExp', 'Promise', 'Reflect', 'Proxy', 'Uint8Array', 'Intl'],
];

const common = {
	rootDir: import.meta.dirname,
	// `.js` stays before the TypeScript endings: a package may ship both side by side.
	moduleFileExtensions: ['js', 'cjs', 'mjs', 'ts', 'mts', 'json', 'node'],
	transform: {
		'\\.m?ts$': swc({ syntax: 'typescript', decorators: true }),
		'\\.m?js$': swc({ syntax: 'ecmascript' }),
	},
	transformIgnorePatterns: [`/node_modules/(?!(${MODULES_ONLY.join('|')})/)`],
	modulePathIgnorePatterns: [
		'<rootDir>/.cache/',
		'<rootDir>/dist/',
		'<rootDir>/playground/home/',
		'<rootDir>/playground/node_modules/',
		'<rootDir>/playground/oldest/node_modules/',
	],
	sandboxInjectedGlobals: QUICK_GLOBALS,
	setupFiles: ['reflect-metadata'],
};

export default {
	projects: [
		{
			...common,
			testMatch: ['<rootDir>/test/!(engine)/**/*.test.mts'],
		},
		{
			...common,
			testMatch: ['<rootDir>/test/engine/**/*.test.mts'],
			testEnvironment: '<rootDir>/test/support/native/environment.cjs',
			moduleNameMapper: { '^n8n-(core|workflow)$': '<rootDir>/test/support/native/n8n-$1.cjs' },
		},
	],
	// Only what hangs comes here. A real n8n with a browser starts in 15 s, and in several times that on a busy machine.
	testTimeout: 600_000,
	maxWorkers: 2,
	// `npm run coverage`: what the unit tests reach. The tests in n8n's engine run what is built, which is not counted.
	collectCoverageFrom: ['{nodes,credentials}/**/*.ts'],
	coverageDirectory: '.cache/coverage',
	coverageProvider: 'v8',
	coverageReporters: ['text-summary', 'html'],
};
