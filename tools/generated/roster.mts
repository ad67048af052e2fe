/** What the roster node can say, as it stands in its code: findings, and what ends a run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { VERDICTS, type Verdict } from '../../nodes/SchoolPartnerRoster/explaining/verdicts.ts';
import { type VerifyFinding, verifyFindings } from '../../nodes/SchoolPartnerRoster/verifying/findings.ts';

import { table } from './table.mts';

const CODE = 'nodes/SchoolPartnerRoster';

/** Only Summary of Verify tells it. */
const OF_ACCESS = 'verifying/accessReport.ts';

export interface Said {
	code: string;
	/** `stop`: nothing comes out. */
	severity: 'error' | 'warning' | 'information' | 'stop';
	/** With `…` in the place of what differs. */
	message: string;
	whatToDo: string;
}

/** The words of an expression: all that it may come to. Without one, it is made elsewhere. */
function wordsOf(expression: ts.Expression | string | undefined, file: ts.SourceFile): string[] {
	if (expression === undefined) return [];
	if (typeof expression === 'string') return [expression];
	if (ts.isAsExpression(expression)) return wordsOf(expression.expression, file);
	if (ts.isStringLiteralLike(expression)) return [expression.text];
	if (ts.isParenthesizedExpression(expression)) return wordsOf(expression.expression, file);
	if (ts.isConditionalExpression(expression))
		return [expression.whenTrue, expression.whenFalse].flatMap((each) => wordsOf(each, file));
	if (ts.isTemplateExpression(expression)) {
		const spans = expression.templateSpans.map(
			({ expression: hole, literal }) => (constantOf(hole, file) ?? '…') + literal.text,
		);
		return [(expression.head.text + spans.join('')).replace(/…+/g, '…')];
	}
	if (ts.isBinaryExpression(expression)) {
		const [left, right] = [expression.left, expression.right].map((side) => wordsOf(side, file));
		return left.flatMap((one) => right.map((other) => one + other));
	}
	const constant = constantOf(expression, file);
	return constant === undefined ? [] : [constant];
}

/** The text of a constant of the same file. */
function constantOf(expression: ts.Expression, file: ts.SourceFile): string | undefined {
	if (!ts.isIdentifier(expression)) return undefined;
	for (const statement of file.statements) {
		if (!ts.isVariableStatement(statement)) continue;
		const found = statement.declarationList.declarations.find(
			({ name }) => ts.isIdentifier(name) && name.text === expression.text,
		);
		if (found?.initializer !== undefined) return wordsOf(found.initializer, file)[0];
	}
	return undefined;
}

interface Parts {
	code?: ts.Expression | string;
	message?: ts.Expression;
	whatToDo?: ts.Expression | string;
	severity: Said['severity'] | ts.Expression;
}

const OF_FAILURES = ['failuresOf', 'storeFailures'];

/** The table of what n8n throws, in the store. */
const THROWN = 'THROWN';

/** What is said when the class `Stop` is not told what to do. */
const STOP_WHAT_TO_DO = 'Have the files exported again.';

/** Code and severity of an entry of a table that `findingTypes` makes findings of, or one of {@link OF_FAILURES} failures. */
function entryOf(words: ts.Node): Pick<Parts, 'code' | 'severity'> | undefined {
	for (let node = words; !ts.isSourceFile(node); node = node.parent) {
		if (!ts.isPropertyAssignment(node)) continue;
		const call = node.parent.parent;
		const code = node.name.getText();
		if (ts.isVariableDeclaration(call) && call.name.getText() === THROWN) return { code, severity: 'stop' };
		if (!ts.isCallExpression(call)) continue;
		if (OF_FAILURES.includes(call.expression.getText())) return { code, severity: 'stop' };
		if (call.expression.getText() === 'findingTypes') return { code, severity: call.arguments[0] };
	}
	return undefined;
}

/** A finding or a failure as an object, or what is called with its texts. */
function partsOf(node: ts.Node): Parts | undefined {
	if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'Stop') {
		const [code, message, whatToDo] = node.arguments ?? [];
		return { code, message, whatToDo: whatToDo ?? STOP_WHAT_TO_DO, severity: 'stop' };
	}
	if (!ts.isObjectLiteralExpression(node)) return undefined;
	const member = (name: string) =>
		node.properties.find(
			(property): property is ts.PropertyAssignment =>
				ts.isPropertyAssignment(property) && property.name.getText() === name,
		)?.initializer;
	const code = member('code');
	const whatToDo = member('what_to_do') ?? member('next');
	const entry = code === undefined && whatToDo !== undefined ? entryOf(node) : undefined;
	if (entry !== undefined) return { ...entry, message: member('message'), whatToDo };
	// What holds a roster as a whole says it in these words; where nothing is to be held, as a finding.
	if (code !== undefined && member('otherwise') !== undefined)
		return { code, message: member('reason'), whatToDo: member('otherwise'), severity: 'warning' };
	if (code === undefined || member('message') === undefined) return undefined;
	// Given by who calls: told in PUT_TOGETHER.
	if (
		node.properties.some(
			(property) => ts.isShorthandPropertyAssignment(property) && property.name.text === 'severity',
		)
	)
		return undefined;
	if (member('next') !== undefined)
		return { code, message: member('message'), whatToDo: member('next'), severity: 'stop' };
	return {
		code,
		message: member('message'),
		whatToDo: member('what_to_do'),
		severity: member('severity') ?? 'error',
	};
}

const made = (severity: Said['severity'], code: string, message: string, whatToDo: string): Said => ({
	code,
	severity,
	message,
	whatToDo,
});

const BY_HAND =
	'The service has no call that changes it: correct it there by hand. Then run the operation Resolve with its key and "inService", or this is said every time.';
const AT_ITS_PLACE = 'The finding says which column or mapping it comes from.';

/** Findings whose code, severity or words are put together from parts: planning/recordFindings.ts, planning/order.ts, planning/unconfirmed.ts, run/remarks.ts, roster/finding.ts. */
const PUT_TOGETHER: Said[] = [
	made('warning', 'recordChanged', 'The content of a … has changed since it was created', BY_HAND),
	made('warning', 'responsibleChanged', 'The responsible persons of a student have changed', BY_HAND),
	made('warning', 'schoolMoved', 'A user has moved to another school', BY_HAND),
	made(
		'warning',
		'held',
		'Why it is held, as in Summary',
		'If it is right, run the operation Approve with its hold_id, and start Sync again.',
	),
	made(
		'error',
		'saysNo',
		'The service answered 200, and says that it was not done: …',
		'Correct what the service names. Where it names nothing, look into the service, or ask its operator.',
	),
	made(
		'error',
		'uncertain',
		'What was sent in this run was not answered, or not in a way that says whether it was done: …',
		'Nobody knows whether the service has it: look there, and run the operation Resolve with its key. The next runs tell it until it is settled.',
	),
	made(
		'error',
		'exists',
		'The service refused what was sent in this run as something that exists already: …',
		"It may be somebody else's, so what needs it waits. Look into the service, and run the operation Resolve with its key.",
	),
	made(
		'error',
		'mostUnconfirmed',
		'More than half of the accounts that were asked for were not seen yet, and a user was created three nights ago or longer',
		'As for the warning of this code.',
	),
	made(
		'error',
		'charactersLost',
		'… has lost characters: it was read in another encoding than it was written in',
		AT_ITS_PLACE,
	),
	made(
		'error',
		'zerosLost',
		'User: document_value has fewer than the 11 digits of a CPF: a sheet has dropped the zeros in front',
		AT_ITS_PLACE,
	),
	made('error', 'fieldRefused', '… is not what the service takes', AT_ITS_PLACE),
	made('error', 'formula', '… is a formula: a spreadsheet that opens it would run it', AT_ITS_PLACE),
	made('error', 'idRounded', '… has lost digits: a sheet took it for a large number', AT_ITS_PLACE),
	made('error', 'idTooLong', '… must be at most 50 characters long', AT_ITS_PLACE),
];

/** Findings in whose words something stops too: its code there, and what it adds to what to do. */
const STOPS_TOO: Record<string, [code: string, added: string]> = {
	// reading/readFiles.ts
	fileSaidAbsent: ['manifest', ''],
	// run/takeOver.ts
	...Object.fromEntries(
		['serviceMoved', 'idsChanged'].map((code) => [
			code,
			[code, ' What has changed on purpose is approved in a Sync first. Nothing was taken over.'],
		]),
	),
};

const stopOf = ({ code, message, whatToDo }: Said): Said[] =>
	code in STOPS_TOO ? [made('stop', STOPS_TOO[code][0], message, whatToDo + STOPS_TOO[code][1])] : [];

let all: Said[] | undefined;

/** Everything, in the order of the code, which is read once. */
export function everythingSaid(): Said[] {
	return (all ??= readAll());
}

function readAll(): Said[] {
	const paths = readdirSync(CODE, { recursive: true, encoding: 'utf8' }).filter(
		(name) => name.endsWith('.ts') && name !== OF_ACCESS,
	);
	const said = [...PUT_TOGETHER, ...paths.sort().flatMap(saidIn)];
	return [...said, ...said.flatMap(stopOf)];
}

function saidIn(name: string): Said[] {
	const said: Said[] = [];
	const path = join(CODE, name);
	const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
	const visit = (node: ts.Node): void => {
		const parts = partsOf(node);
		// What is all put together stands in PUT_TOGETHER.
		if (parts !== undefined) said.push(...saidBy(parts, file).filter(({ message }) => message !== '…'));
		ts.forEachChild(node, visit);
	};
	visit(file);
	return said;
}

/** One for each code that it may have; texts that differ for another reason stand together. */
function saidBy(parts: Parts, file: ts.SourceFile): Said[] {
	const codes = wordsOf(parts.code, file);
	const [severities, messages, whatToDo] = [parts.severity, parts.message, parts.whatToDo].map((part) =>
		wordsOf(part, file),
	);
	const at = (words: string[], index: number) =>
		(words.length === codes.length ? words[index] : words.join(' / ')).replaceAll('\n', ' ') || '…';
	return codes.map((code, index) => ({
		code,
		severity: TOLD_OF_A_CHANGE.includes(code) ? 'error' : (at(severities, index) as Said['severity']),
		message: at(messages, index),
		whatToDo: at(whatToDo, index),
	}));
}

/** What came of one change: told with the changes that failed, not as a finding. */
const OF_A_CHANGE = ['blocked', 'brokenOff', 'gone', 'notTried', 'saysNo', 'waitsForUnconfirmed'];

/** Failures of one change that are told as such. */
const TOLD_OF_A_CHANGE = ['notOfContract'];

const SEVERITIES: Array<Said['severity']> = ['error', 'warning', 'information'];

/** The findings, what is worst first. */
export function findingsTable(): string {
	return tableBySeverity(everythingSaid());
}

/** The causes in Summary of Verify. */
export function verifyTable(): string {
	const words = Array<string>(9).fill('…');
	const said = Object.values<(...all: never[]) => VerifyFinding>(verifyFindings).map((finding) => {
		const { code, severity, message, what_to_do } = finding(...(words as never[]));
		return made(severity, code, message, what_to_do);
	});
	return tableBySeverity([...said, ...saidIn(OF_ACCESS)]);
}

function tableBySeverity(said: readonly Said[]): string {
	const rows = SEVERITIES.flatMap((severity) => merged(said.filter((each) => each.severity === severity)));
	return table(
		['Code', 'Severity', 'What it says', 'What to do'],
		rows.map(({ code, severity, message, whatToDo }) => [`\`${code}\``, severity, message, whatToDo]),
	);
}

/** What ends the run of the node. */
export function stopsTable(): string {
	const rows = merged(
		everythingSaid().filter(({ code, severity }) => severity === 'stop' && !OF_A_CHANGE.includes(code)),
	);
	return table(
		['Code', 'What it says', 'What to do'],
		rows.map(({ code, message, whatToDo }) => [`\`${code}\``, message, whatToDo]),
	);
}

/** What Explain answers, with `…` in the place of what differs. */
export function verdictsTable(): string {
	const words = Array<string>(9).fill('…');
	const rows = Object.entries(VERDICTS).map(([code, entry]) => {
		const said = typeof entry === 'function' ? (entry as (...all: string[]) => Verdict)(...words) : entry;
		return [`\`${code}\``, said.verdict.replace('……', '…'), said.what_to_do];
	});
	return table(['Code', 'Verdict', 'What to do'], rows);
}

/** By code; what has the same remedy stands in one row. */
function merged(said: readonly Said[]): Said[] {
	const rows = new Map<string, Said>();
	for (const each of said) {
		const id = JSON.stringify([each.code, each.whatToDo]);
		const known = rows.get(id);
		if (known === undefined) rows.set(id, { ...each });
		else if (!known.message.split('<br>').includes(each.message)) known.message += `<br>${each.message}`;
	}
	return [...rows.values()].sort((one, other) => one.code.localeCompare(other.code));
}

/** Of each code of Needs Attention, what it says and what to do, in Portuguese. */
export const PORTUGUESE = JSON.parse(readFileSync('docs/pt-BR/mensagens.json', 'utf8')) as Readonly<
	Record<string, { message: string; what_to_do: string }>
>;

export function portugueseTable(): string {
	const rows = Object.entries(PORTUGUESE).map(([code, words]) => [
		`\`${code}\``,
		words.message,
		words.what_to_do,
	]);
	return table(['Código', 'O que diz', 'O que fazer'], rows);
}
