/**
 * Lint of everything that is not shipped: tools, sandbox, playground, tests. The shipped code (`nodes/`, `credentials/`)
 * has n8n's own configuration, eslint.config.mjs, which stays unmodified; here it is only asked who imports whom.
 */
import { createRequire } from 'node:module';
import { whoMayImport } from './tools/who-may-import.mjs';

// The same rules that n8n's configuration runs, so that there is one version in the house.
const requireOfNodeCli = createRequire(createRequire(import.meta.url).resolve('@n8n/node-cli/eslint'));
const js = requireOfNodeCli('@eslint/js');
const tseslint = requireOfNodeCli('typescript-eslint');

const NODE_GLOBALS = Object.fromEntries(
	[
		'AbortController',
		'AbortSignal',
		'Buffer',
		'URL',
		'URLSearchParams',
		'console',
		'fetch',
		'process',
		'clearInterval',
		'clearTimeout',
		'setInterval',
		'setTimeout',
	].map((name) => [name, 'readonly']),
);

export default tseslint.config(
	{
		ignores: ['**/node_modules/**', '**/dist/**', 'playground/home/**', '.cache/**', 'eslint.config.mjs'],
	},
	// A rule is followed or changed here; it is never switched off in passing.
	{ linterOptions: { noInlineConfig: true } },
	{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } },
	...whoMayImport,
	{
		files: ['**/*.{js,cjs,mjs,mts}'],
		extends: [js.configs.recommended],
		rules: {
			eqeqeq: ['error', 'always'],
			'no-shadow': 'off',
			'no-var': 'error',
			'object-shorthand': 'error',
			'prefer-const': 'error',
			'no-constant-condition': ['error', { checkLoops: false }],
			'max-lines': ['error', { max: 450, skipBlankLines: true }],
		},
	},
	{
		files: ['**/*.{js,cjs,mjs}'],
		languageOptions: { globals: NODE_GLOBALS },
	},
	{
		files: ['**/*.{js,cjs}'],
		languageOptions: {
			sourceType: 'commonjs',
			globals: {
				...NODE_GLOBALS,
				__dirname: 'readonly',
				exports: 'writable',
				module: 'writable',
				require: 'readonly',
			},
		},
	},
	{
		files: ['**/*.mts'],
		extends: [tseslint.configs.recommendedTypeChecked],
		languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
		rules: {
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_', ignoreRestSiblings: true },
			],
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
			// A test and a handler may be async because their callers await them, even with nothing to await today.
			'@typescript-eslint/require-await': 'off',
			// node:test style callbacks and listeners may return promises that the framework awaits.
			'@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
		},
	},
	{
		files: ['test/**/*.mts'],
		rules: {
			// jest types its matchers (`expect.any(String)`, `expect.objectContaining(…)`) as any.
			'@typescript-eslint/no-unsafe-assignment': 'off',
			// n8n types a field of an item as text or object; a test that meets an object there fails anyway.
			'@typescript-eslint/no-base-to-string': 'off',
		},
	},
);
