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

/** The comment above a member, as one line. */
function commentOf(member: ts.Node): string {
	const [comment] = ts.getJSDocCommentsAndTags(member).map(({ comment: text }) => text);
	return typeof comment === 'string' ? comment.replace(/\s+/g, ' ') : '';
}

/** What a program can ask of a running sandbox: the methods of its AdminClient, with their comments. */
const adminTable = () => {
	const source = ts.createSourceFile(CLIENT, readFileSync(CLIENT, 'utf8'), ts.ScriptTarget.Latest, true);
	const client = source.statements.find(ts.isClassDeclaration);
	const methods = client?.members.filter(ts.isMethodDeclaration) ?? [];
	const rows = methods.flatMap((method) => {
		const [request] = [...method.getText().matchAll(REQUEST)];
		const comment = commentOf(method);
		if (request === undefined || comment === '' || ts.isPrivateIdentifier(method.name)) return [];
		const [, verb, path] = request;
		return [
			[
				`${verb.toUpperCase()} ${code(path.replace(/\$\{.*\}/, '…'))}`,
				code(`${method.name.getText()}()`),
				comment,
			],
		];
	});
	return table(['Below `/_sandbox/`', '`AdminClient`', 'What'], rows);
};

/** The members of an interface, with their comments. */
function membersOf(file: string, name: string, prefix = ''): string[][] {
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
	const found = source.statements.filter(ts.isInterfaceDeclaration).find((each) => each.name.text === name);
	if (found === undefined) throw new Error(`${file} has no interface "${name}"`);
	return found.members.map((member) => [
		code(prefix + (member.name?.getText() ?? '').replaceAll("'", '')),
		commentOf(member),
	]);
}

const TYPES = 'sandbox/admin-types.mts';
const SETTINGS = 'sandbox/settings-types.mts';

/** The parts by their names: `sandbox help`, `sandbox variants`, … */
export const SANDBOX_PARTS: Record<string, () => string> = {
	admin: adminTable,
	drift: () => table(['POST', 'What'], membersOf(TYPES, 'DriftRequests', 'drift/')),
	faultAction: () => table(['Fault', 'What'], membersOf(TYPES, 'FaultAction')),
	faultMatch: () => table(['Match', 'What'], membersOf(TYPES, 'FaultMatch')),
	exportHelp: () => fenced(exportHelpText),
	grades: gradesTable,
	settings: () =>
		table(
			['Setting', 'What'],
			[
				...membersOf(SETTINGS, 'Settings'),
				...membersOf(SETTINGS, 'AccountCreation', 'accounts.'),
				...membersOf(SETTINGS, 'RateLimit', 'rate.'),
				...membersOf(SETTINGS, 'Capacity', 'capacity.'),
			],
		),
	help: () => fenced(helpText),
	strict: () => table(['Part', 'Refused'], rowsOf(strictParts)),
	variants: () => table(['Variant', 'What differs'], rowsOf(variants)),
};
