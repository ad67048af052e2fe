/**
 * Expressions that fail without a word. n8n's engines give nothing for an expression that throws, as if nothing were
 * there: `{{ $json.mail.trim() }}` of an item without `mail`. A field that may be empty would be left out silently, and
 * text around the expression would be sent with a hole in it. Here such an expression throws, and such a text is nothing.
 */
import { ExpressionError, type IExecuteFunctions } from 'n8n-workflow';

import { inWords } from '../engine/unexpected';

import { isTool } from './isTool';
import { hasHole, isWithin } from './textAround';

/** What is needed of n8n to read parameters. */
export interface Expressions extends Pick<IExecuteFunctions, 'getNodeParameter'> {
	/** @param of `isId`: what the expression gives is an id, or ids with commas between */
	readonly evaluateExpression: (
		expression: string,
		itemIndex: number,
		of?: { readonly isId: boolean },
	) => unknown;
	/** True for the tool of an AI agent, of whose items n8n's expressions may know nothing. */
	readonly isTool: boolean;
}

/** n8n's evaluation, which throws an ExpressionError also where n8n swallows what is thrown, and gives null for text with a hole. */
export function outspoken(context: IExecuteFunctions): Expressions {
	const getNodeParameter = context.getNodeParameter.bind(context) as IExecuteFunctions['getNodeParameter'];
	const evaluateExpression: Expressions['evaluateExpression'] = (expression, itemIndex, of) => {
		const value = context.evaluateExpression(expression, itemIndex);
		const probe =
			value === undefined || value === null || isWithin(expression) ? probeOf(expression) : undefined;
		if (probe !== undefined) throwSwallowed(expression, () => context.evaluateExpression(probe, itemIndex));
		const evaluate = (one: string) => context.evaluateExpression(one, itemIndex);
		return hasHole(expression, value, evaluate, of?.isId) ? null : value;
	};
	return { getNodeParameter, evaluateExpression, isTool: isTool(context) };
}

const CODE = /\{\{(.*?)\}\}/gs;
const ONE_FIELD = /^\s*\$json\.[A-Za-z_$][\w$]*\s*$/;

/**
 * An expression that gives what the code of another one throws, and nothing when it throws nothing. Undefined where
 * nothing can fail. Trap: a backslash may keep braces from being the end of the code; such an expression is left to n8n.
 */
function probeOf(expression: string): string | undefined {
	const codes = [...expression.matchAll(CODE)]
		.map(([, code]) => code)
		.filter((code) => !ONE_FIELD.test(code));
	if (codes.length === 0 || /\\[{}]/.test(expression)) return undefined;
	const steps = codes
		.map((code) => (code.trimStart().startsWith('{') ? `(${code}\n)` : `${code}\n`))
		.join(';');
	return `{{ (() => { try { ${steps}; } catch (thrown) { return { name: String(thrown.name), message: String(thrown.message) }; } })() }}`;
}

function throwSwallowed(expression: string, probe: () => unknown): void {
	const thrown = thrownBy(probe);
	if (typeof thrown !== 'object' || thrown === null) return;
	const reason = inWords(Object.assign(new Error(), thrown), expression);
	throw new ExpressionError(
		`${reason}\nWhere something may be missing, write ?. before what is read of it: {{ $json.contact?.email }}`,
	);
}

/** Trap: code that n8n takes may be more than can stand in a probe. Then n8n's word counts. */
function thrownBy(evaluate: () => unknown): unknown {
	try {
		return evaluate();
	} catch {
		return undefined;
	}
}
