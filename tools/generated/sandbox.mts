/** What the sandbox can do, in the words of its own help. */
import { helpText } from '../../sandbox/command-line.mts';
import { exportHelpText } from '../../sandbox/roster/command-line.mts';
import { rosterMapping } from '../../sandbox/roster/mapping.mts';
import { strictParts } from '../../sandbox/strict.mts';
import { variants } from '../../sandbox/variants.mts';

import { code, table } from './table.mts';

const fenced = (text: string) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
const rowsOf = (words: Readonly<Record<string, string>>) =>
	Object.entries(words).map(([name, meaning]) => [code(name), meaning]);

const gradesTable = () =>
	table(
		['Grade code', 'Educational stage', 'Grade'],
		rosterMapping.grades.grade.map(({ gradeCode, educationalStage, gradeName }) => [
			code(gradeCode),
			code(educationalStage),
			code(gradeName),
		]),
	);

/** The parts by their names: `sandbox help`, `sandbox variants`, … */
export const SANDBOX_PARTS: Record<string, () => string> = {
	exportHelp: () => fenced(exportHelpText),
	grades: gradesTable,
	help: () => fenced(helpText),
	strict: () => table(['Part', 'Refused'], rowsOf(strictParts)),
	variants: () => table(['Variant', 'What differs'], rowsOf(variants)),
};
