/** The sandbox's page says what there is to switch, in the words of the code. */
import { readFileSync } from 'node:fs';
import { readCommandLine, helpText } from '../../sandbox/command-line.mts';
import { exportHelpText, readExportLine } from '../../sandbox/roster/command-line.mts';
import { exportRoster } from '../../sandbox/roster/export.mts';
import { rosterMapping } from '../../sandbox/roster/mapping.mts';
import { settingNames } from '../../sandbox/settings.mts';
import { strictParts } from '../../sandbox/strict.mts';
import { variants } from '../../sandbox/variants.mts';

const page = readFileSync('sandbox/README.md', 'utf8');

/** First two cells of every row of the tables below a heading. */
function rowsBelow(heading: string): Array<[string, string]> {
	const [, part = ''] = new RegExp(`\n## ${heading}\n([^]*?)\n## `).exec(page) ?? [];
	const rows = part.split('\n').filter((line) => /^\| `/.test(line));
	return rows.map((line) => {
		const [, name = '', text = ''] = line.split('|').map((cell) => cell.trim());
		return [name.replaceAll('`', ''), text];
	});
}

test('The page lists every variant in the words of the code', () => {
	expect(rowsBelow('Variants')).toEqual(Object.entries(variants));
});

test('The page lists every part of strictness in the words of the code', () => {
	expect(rowsBelow('Strict')).toEqual(Object.entries(strictParts));
});

test('Every option of the help is on the page, and the help knows every option of the page', () => {
	const optionsIn = (text: string): string[] => [
		...new Set([...text.matchAll(/(?:^|\s|`)(--[a-z][a-z-]+)/g)].map(([, option]) => option)),
	];
	const ofHelp = optionsIn(helpText + exportHelpText).filter((option) => option !== '--help');
	expect(optionsIn(page).sort()).toEqual(ofHelp.sort());
	expect(ofHelp.every((option) => !isUnknown(option))).toBe(true);
});

const isUnknown = (option: string): boolean =>
	[readCommandLine([option]), readExportLine([option])].every(
		(line) => 'problem' in line && line.problem.startsWith('Unknown option'),
	);

test('Every setting that can be changed while it runs is on the page', () => {
	expect(settingNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('The grade codes of a roster are on the page with what the service calls them', () => {
	const ranges = [...page.matchAll(/^\| `(\d\d)` to `(\d\d)` +\| `(\w+)` +\| `([^`]+)` to `([^`]+)` +\|$/gm)];
	const codes = rosterMapping.grades.grade;
	const of = (stage?: string) => codes.filter(({ educationalStage }) => educationalStage === stage);
	expect(ranges.map(([, ...cells]) => cells)).toEqual(
		[...new Set(codes.map(({ educationalStage }) => educationalStage))].map((stage) => [
			of(stage).at(0)?.gradeCode,
			of(stage).at(-1)?.gradeCode,
			stage,
			of(stage).at(0)?.gradeName,
			of(stage).at(-1)?.gradeName,
		]),
	);
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
