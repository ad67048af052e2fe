/** What the sandbox can do, in the words of its own help. */
import { readFileSync } from 'node:fs';

import ts from 'typescript';

import { helpText } from '../../sandbox/command-line.mts';
import { exportHelpText } from '../../sandbox/roster/command-line.mts';
import { rosterMapping } from '../../sandbox/roster/mapping.mts';
import { strictParts } from '../../sandbox/strict.mts';
import { variants } from '../../sandbox/variants.mts';

import { code, table } from './table.mts';

const CLIENT = 'sandbox/admin-client.mts';
/** `this.#get('faults'`, `this.#http.delete('faults'`. */
const REQUEST = /#(?:http\.)?(get|post|patch|delete)(?:<[^(]*>)?\([^'`)]*['`]([^'`]+)['`]/g;

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

/** What a program can ask of a running sandbox: the methods of its AdminClient, with their comments. */
const adminTable = () => {
	const source = ts.createSourceFile(CLIENT, readFileSync(CLIENT, 'utf8'), ts.ScriptTarget.Latest, true);
	const client = source.statements.find(ts.isClassDeclaration);
	const methods = client?.members.filter(ts.isMethodDeclaration) ?? [];
	const rows = methods.flatMap((method) => {
		const [request] = [...method.getText().matchAll(REQUEST)];
		const comment = ts.getJSDocCommentsAndTags(method).map(({ comment: text }) => text)[0];
		if (request === undefined || typeof comment !== 'string' || ts.isPrivateIdentifier(method.name))
			return [];
		const [, verb, path] = request;
		return [
			[
				`${verb.toUpperCase()} ${code(path.replace(/\$\{.*\}/, '…'))}`,
				code(`${method.name.getText()}()`),
				comment.replace(/\s+/g, ' '),
			],
		];
	});
	return table(['Below `/_sandbox/`', '`AdminClient`', 'What'], rows);
};

/** The parts by their names: `sandbox help`, `sandbox variants`, … */
export const SANDBOX_PARTS: Record<string, () => string> = {
	admin: adminTable,
	exportHelp: () => fenced(exportHelpText),
	grades: gradesTable,
	help: () => fenced(helpText),
	strict: () => table(['Part', 'Refused'], rowsOf(strictParts)),
	variants: () => table(['Variant', 'What differs'], rowsOf(variants)),
};
