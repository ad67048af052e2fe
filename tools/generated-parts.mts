/**
 * The parts of the documents that derive from the code, between their markers:
 * `<!-- generated: operations -->` … `<!-- end -->`. `npm run documents` writes them; a unit test checks them.
 */
import type { Operation, Resource } from '../nodes/SchoolPartner/framework/operation.ts';
import { resources } from '../nodes/SchoolPartner/operations/index.ts';

/** The documents that hold generated parts. */
export const DOCUMENTS = ['README.md'];

const GENERATED: Record<string, () => string> = { operations: operationsTable };

/** A document with its generated parts as they should be now. */
export function upToDate(document: string): string {
	return document.replace(
		/(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
		(_whole, start: string, name: string, end: string) => `${start}\n${GENERATED[name]()}\n\n${end}`,
	);
}

function operationsTable(): string {
	const rows = [...resources]
		.sort(byLabel)
		.flatMap((resource) =>
			[...resource.operations].sort(byLabel).map((operation) => row(resource, operation)),
		);
	return ['| Resource | Operation | What it does |', '| --- | --- | --- |', ...rows].join('\n');
}

function row(resource: Resource, operation: Operation): string {
	return `| ${resource.label} | ${operation.label} | ${operation.description} |`;
}

function byLabel(one: { label: string }, other: { label: string }): number {
	return one.label.localeCompare(other.label);
}
