/** The sandbox's page says what there is to switch, in the words of the code. */
import { readFileSync } from 'node:fs';
import { readCommandLine, helpText } from '../../sandbox/command-line.mts';
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
	const ofHelp = optionsIn(helpText).filter((option) => option !== '--help');
	expect(optionsIn(page).sort()).toEqual(ofHelp.sort());
	expect(ofHelp.every((option) => !isUnknown(option))).toBe(true);
});

const isUnknown = (option: string): boolean => {
	const line = readCommandLine([option]);
	return 'problem' in line && line.problem.startsWith('Unknown option');
};

test('Every setting that can be changed while it runs is on the page', () => {
	expect(settingNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
