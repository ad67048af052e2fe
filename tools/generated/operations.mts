/** The table of all operations. */
import type { Operation, Resource } from '../../nodes/SchoolPartner/framework/operation.ts';
import { resources } from '../../nodes/SchoolPartner/operations/index.ts';
import { table } from './table.mts';

export function operationsTable(): string {
	const rows = [...resources]
		.sort(byLabel)
		.flatMap((resource) =>
			[...resource.operations].sort(byLabel).map((operation) => row(resource, operation)),
		);
	return table(['Resource', 'Operation', 'What it does'], rows);
}

function row(resource: Resource, operation: Operation): string[] {
	return [resource.label, operation.label, operation.description];
}

function byLabel(one: { label: string }, other: { label: string }): number {
	return one.label.localeCompare(other.label);
}
