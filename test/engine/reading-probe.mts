/**
 * Reads parameters in two ways, as n8n does and as the action node does, with one of n8n's expression engines, and
 * prints where they differ. A process of its own, because n8n loads its engines with an import() that jest does not
 * know: `tsx reading-probe.mts <engine> <seed>`.
 */
import 'reflect-metadata';

import { inspect } from 'node:util';

import {
	Expression,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';

import { outspoken } from '../../nodes/shared/actions/expressions.ts';
import { fieldReference, referredField } from '../../nodes/shared/actions/fieldReference.ts';
import { parameterReader } from '../../nodes/shared/actions/parameters.ts';
import { runNode } from '../support/engine.mts';

import { casesOf, forms, item, otherItems } from './reading-cases.mts';

/** What the probe prints. */
export interface Findings {
	engine: string;
	/** Expressions read, each for one item. */
	compared: number;
	/** Those among them that were read from the item, without n8n's engine. */
	direct: number;
	different: Difference[];
	/** Expressions that fail, and those among them that the node does not hear of. */
	failing: number;
	unheard: string[];
	/** Expressions that do not fail, and yet count as failed. */
	falselyHeard: string[];
}

interface Difference {
	expression: string;
	data: string;
	n8n: string;
	ours: string;
}

/** A value so that different values look different: JSON knows neither undefined nor NaN. */
function shown(value: unknown): string {
	// The node sends a date as its ISO text, whatever n8n makes of it.
	if (value instanceof Date) return shown(value.toISOString());
	return typeof value === 'object' ? JSON.stringify(value) : `${typeof value} ${inspect(value)}`;
}

/** Reads one way; a failure is one, whatever its words. */
function reading(read: () => unknown): string {
	try {
		return shown(read());
	} catch (error) {
		return `fails (${error instanceof Error ? error.name : 'unknown'})`;
	}
}

/** Which expressions are read for which items: all for all, or each for the item at its place. */
type Pairs = (expression: number, item: number) => boolean;

/** Runs a probe node that reads its parameters in both ways. */
async function compare(
	expressions: string[],
	items: IDataObject[],
	meets: Pairs,
	findings: Findings,
): Promise<void> {
	const look = (context: IExecuteFunctions, inputs: INodeExecutionData[]): void => {
		const evaluateExpression = context.evaluateExpression.bind(context);
		const plain = { ...outspoken(context), evaluateExpression };
		for (const [index, expression] of expressions.entries()) {
			const name = `parameters[${index}]`;
			const read = parameterReader(plain, inputs, name, null);
			const path = fieldReference(expression);
			for (const [at, { json }] of inputs.entries()) {
				if (!meets(index, at)) continue;
				const n8n = reading(() => context.getNodeParameter(name, at));
				const ours = reading(() => read(at));
				findings.compared++;
				if (path !== undefined && referredField(json, path).certain) findings.direct++;
				if (n8n !== ours) findings.different.push({ expression, data: JSON.stringify(json), n8n, ours });
			}
		}
	};
	const { error } = await runNode({ parameters: { parameters: expressions }, items, probe: probeThat(look) });
	if (error) throw error;
}

function probeThat(look: (context: IExecuteFunctions, items: INodeExecutionData[]) => void): INodeType {
	return {
		description: {
			displayName: 'Probe',
			name: 'probe',
			group: ['transform'],
			version: 1,
			description: 'Reads its parameters in two ways',
			defaults: { name: 'Probe' },
			inputs: ['main'],
			outputs: ['main'],
			properties: [{ displayName: 'Parameters', name: 'parameters', type: 'json', default: '' }],
		},
		async execute(this: IExecuteFunctions) {
			look(this, this.getInputData());
			return [[]];
		},
	};
}

/** n8n's engines swallow what these throw, and give nothing, or text with a hole in it. */
const FAILING = [
	...[
		'={{ $json.nope.trim() }}',
		'={{ $json.a.b.c }}',
		'={{ $json.text.nope() }}',
		'={{ JSON.parse("x") }}',
		'={{ null.x }}',
	],
	...[
		'={{ (() => { throw new Error("x") })() }}',
		'={{ {a: $json.nope.b} }}',
		'={{ [$json.nope.b] }}',
		'={{ "x".repeat(-1) }}',
	],
	...[
		'=x{{ $json.nope.trim() }}',
		'={{ $json.text }} {{ $json.nope.b }}',
		'={{ $json.nope.trim() // comment\n}}',
		'={{ $("Nowhere").first() }}',
		'={{ }}',
	],
];

const HARMLESS = [
	...[
		'={{ $json.nope }}',
		'={{ $json.nope?.b }}',
		'={{ null }}',
		'={{ undefined }}',
		'=',
		'=text',
		'={{ $json.nope ?? "" }}',
	],
	...[
		'=x{{ $json.nope }}',
		'=x{{ $json.nope?.b }}',
		'={{ {a: 1} }}',
		'=x {{ {a: 1} }}',
		'={{ $json.text.trim(); }}',
		'=\\{{ $json.a.b }}',
	],
	...[
		'={{ "}" }} {{ `a\n${$json.text}` }}',
		'=x{{ $now.toISO() }}',
		'={{ $json.text.length }}%',
		'={{ /a{2}/.test("x") }} x',
	],
];

/** Which of the expressions fail when the node reads them. */
async function failed(expressions: string[]): Promise<Set<string>> {
	const thrown = new Set<string>();
	const look = (context: IExecuteFunctions): void => {
		const { evaluateExpression } = outspoken(context);
		for (const expression of expressions) {
			const read = reading(() => evaluateExpression(expression.slice(1), 0));
			if (read.startsWith('fails')) thrown.add(expression);
		}
	};
	const { error } = await runNode({
		parameters: {},
		items: [{ text: 'text', a: {} }],
		probe: probeThat(look),
	});
	if (error) throw error;
	return thrown;
}

const CASES = 500;

async function findingsOf(engine: 'legacy' | 'vm' | 'quickjs', seed: number): Promise<Findings> {
	// The limits are n8n's own defaults (ExpressionEngineConfig).
	await Expression.initExpressionEngine({
		engine,
		poolSize: 1,
		maxCodeCacheSize: 1_024,
		bridgeTimeout: 5_000,
		bridgeMemoryLimit: 128,
	});
	const findings: Findings = {
		engine: Expression.getActiveImplementation(),
		compared: 0,
		direct: 0,
		different: [],
		failing: FAILING.length,
		unheard: [],
		falselyHeard: [],
	};
	const heard = await failed([...FAILING, ...HARMLESS]);
	findings.unheard = FAILING.filter((expression) => !heard.has(expression));
	findings.falselyHeard = HARMLESS.filter((expression) => heard.has(expression));
	await compare(forms, [item, ...otherItems], () => true, findings);
	const cases = casesOf(CASES, seed);
	const expressions = cases.map(({ expression }) => expression);
	await compare(
		expressions,
		cases.map(({ data }) => data),
		(expression, at) => expression === at,
		findings,
	);
	await Expression.disposeExpressionEngine();
	return findings;
}

const [engine, seed] = process.argv.slice(2);
if (engine === 'legacy' || engine === 'vm' || engine === 'quickjs') {
	process.stdout.write(JSON.stringify(await findingsOf(engine, Number(seed))));
}
