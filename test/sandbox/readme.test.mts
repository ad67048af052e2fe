/** The sandbox's page says what there is to switch, in the words of the code. */
import { readFileSync } from 'node:fs';
import { readCommandLine, helpText } from '../../sandbox/command-line.mts';
import { exportHelpText, readExportLine } from '../../sandbox/roster/command-line.mts';
import { exportRoster } from '../../sandbox/roster/export.mts';
import { rosterMapping } from '../../sandbox/roster/mapping.mts';
import { settingNames } from '../../sandbox/settings.mts';

const page = readFileSync('sandbox/README.md', 'utf8');

test('Every option of the help is on the page, and the help knows every option of the page', () => {
	const optionsIn = (text: string): string[] =>
		[...new Set([...text.matchAll(/(?:^|\s|`)(--[a-z][a-z-]+)/g)].map(([, option]) => option))]
			.filter((option) => option !== '--help')
			.sort();
	const ofHelp = optionsIn(helpText + exportHelpText);
	expect(optionsIn(page)).toEqual(ofHelp);
	expect(ofHelp.every((option) => !isUnknown(option))).toBe(true);
});

const isUnknown = (option: string): boolean =>
	[readCommandLine([option]), readExportLine([option])].every(
		(line) => 'problem' in line && line.problem.startsWith('Unknown option'),
	);

test('Every setting that can be changed while it runs is on the page', () => {
	expect(settingNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('The roles of a roster that the mapping names are on the page with their profiles', () => {
	const rows = page.split('\n').filter((line) => line.startsWith('| `'));
	for (const { role, profile } of rosterMapping.roles.role)
		expect(rows.filter((row) => row.includes(`\`${role}\``) && row.includes(`| \`${profile}\``)).length).toBe(
			1,
		);
});

test('Every kind of change is on the page', () => {
	const { changes } = exportRoster({ seed: 1, students: 5, schools: 1, tonight: 5 }, 'sds').changes;
	const named = [...page.matchAll(/^\| `(new|gone|moved|renamed|newResponsible)` +\|/gm)].map(
		([, kind]) => kind,
	);
	expect(named).toEqual(changes.map(({ change }) => change));
});

test('Every drift of the admin interface is on the page', () => {
	const routes = readFileSync('sandbox/admin/drift-routes.mts', 'utf8');
	const known = [...routes.matchAll(/\bon\('([a-z-]+)'/g)].map(([, what]) => what);
	const named = [...page.matchAll(/^\| `drift\/([a-z-]+)` /gm)].map(([, what]) => what);
	expect(known.length).toBeGreaterThan(8);
	expect(named.sort()).toEqual(known.sort());
});
