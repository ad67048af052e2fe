/** docs/sign-on.md and docs/logout.md name every reason that the code gives: a workflow may branch on each. */
import { STATE_LIFETIME_SECONDS } from '../../../nodes/SchoolPartner/browser/sealedState.ts';
import { filesEndingIn, textOf } from './markdown.mts';

/** Codes are texts in the sources, and not of a type that could be asked. */
function codesIn(...folders: string[]): string[] {
	const sources = folders
		.flatMap((folder) => filesEndingIn('.ts', folder))
		.map(textOf)
		.join('\n');
	const written = [...sources.matchAll(/\b(?:code: |logoutFinding\(\s*)'([a-z_]+)'/g)].map(
		([, code]) => code,
	);
	const missing = [...sources.matchAll(/\b(?:missingClaim\(|requiredTextFindings\(\w+, )'(\w+)'/g)].map(
		([, claim]) => `missing_${claim}`,
	);
	return [...new Set([...written, ...missing])];
}

const OF_THE_SIGN_ON = codesIn(
	'nodes/shared/oidc',
	'nodes/SchoolPartner/browser',
	'nodes/SchoolPartner/operations/signOn',
);
const OF_LOGOUTS = codesIn('nodes/SchoolPartnerLogoutTrigger');

const page = textOf('docs/sign-on.md');

test('there are many reasons', () => {
	expect(OF_THE_SIGN_ON.length).toBeGreaterThan(25);
	expect(OF_LOGOUTS.length).toBeGreaterThan(8);
});

test.each(OF_THE_SIGN_ON)('the page of the sign-on, or that of logouts, says what %s means', (code) => {
	expect(page + textOf('docs/logout.md')).toContain(`\`${code}\``);
});

test.each(OF_LOGOUTS)('the page of logouts, or the list to which it leads, says what %s means', (code) => {
	expect(textOf('docs/logout.md') + page.split('## Validate Token')[1]).toContain(`\`${code}\``);
});

test('the cookie that binds a login to its browser is, in the example, as the page says, and ends with the state', () => {
	const [, said = ''] = /as a cookie: `([^`]+)`/.exec(page) ?? [];
	const [, sent = ''] =
		/school_binding=\{\{[^}]+\}\}; ([^"]+)"/.exec(textOf('examples/log-a-user-in-and-sync.json')) ?? [];
	expect(sent.split('; ')).toEqual(expect.arrayContaining(said.split('; ')));
	expect(said.split('; ')).toContain(`Max-Age=${STATE_LIFETIME_SECONDS}`);
});

test('the example that logs visitors in saves no execution, as the page on personal data says', () => {
	const { settings } = JSON.parse(textOf('examples/log-a-user-in-and-sync.json')) as { settings: object };
	expect(settings).toMatchObject({
		saveDataSuccessExecution: 'none',
		saveDataErrorExecution: 'none',
		saveManualExecutions: false,
	});
});
