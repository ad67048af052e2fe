/** The codes of the sign-on with their words, read from the literals in its code: `{ code: '…', message: …, next: … }`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { code, table } from './table.mts';

const FOLDERS = ['nodes/shared/oidc', 'nodes/SchoolPartner/browser', 'nodes/SchoolPartner/operations/signOn'];

/** The last declaration of this name above a place. */
function declaredAs(name: string, file: ts.SourceFile, before: number): ts.Expression | undefined {
	let found: ts.Expression | undefined;
	const visit = (node: ts.Node): void => {
		if (
			ts.isVariableDeclaration(node) &&
			ts.isIdentifier(node.name) &&
			node.name.text === name &&
			node.pos < before
		)
			found = node.initializer ?? found;
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found;
}

/** What an expression says, with `…` in the place of what differs. */
function wordsOf(expression: ts.Expression | undefined, file: ts.SourceFile): string {
	if (expression === undefined) return '…';
	if (ts.isStringLiteralLike(expression)) return expression.text;
	if (ts.isIdentifier(expression)) return wordsOf(declaredAs(expression.text, file, expression.pos), file);
	if (!ts.isTemplateExpression(expression)) return '…';
	return (
		expression.head.text +
		expression.templateSpans
			.map(({ expression: hole, literal }) => wordsOf(hole, file) + literal.text)
			.join('')
	);
}

function rowsIn(path: string): string[][] {
	const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
	const rows: string[][] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isObjectLiteralExpression(node)) {
			const member = (name: string): ts.Expression | undefined => {
				const found = node.properties.find((each) => each.name?.getText() === name);
				if (found === undefined) return undefined;
				return ts.isPropertyAssignment(found)
					? found.initializer
					: ts.isShorthandPropertyAssignment(found)
						? found.name
						: undefined;
			};
			const [name, message, next] = [member('code'), member('message'), member('next')];
			if (name !== undefined && ts.isStringLiteralLike(name) && message !== undefined && next !== undefined)
				rows.push([code(name.text), wordsOf(message, file), wordsOf(next, file)]);
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return rows;
}

/** A row for each code of the sign-on. */
export function signOnCodesTable(): string {
	const files = FOLDERS.flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => join(folder, name)),
	);
	const rows = files.flatMap(rowsIn).sort(([one], [other]) => one.localeCompare(other));
	return table(['`failure.code`', 'What it says', 'What to do'], rows);
}
