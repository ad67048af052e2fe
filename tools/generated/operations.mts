/** Which resources there are and where each is described; and what the operations of a page do. */
import type { Operation, Resource } from '../../nodes/SchoolPartner/framework/operation.ts';
import { resources } from '../../nodes/SchoolPartner/operations/index.ts';
import { table } from './table.mts';

/** The pages in docs, each with the resources that it describes. */
const PAGES: Record<string, readonly string[]> = {
	provisioning: ['profile', 'educationalStage', 'class', 'user', 'bond', 'accountCreation'],
	synchronisation: ['account', 'tenant'],
	enrollment: ['enrollment'],
	events: ['event'],
	'sign-on': ['signOn'],
	'client-registration': ['clientRegistration'],
};

/** One line for each resource, with a link to its page. */
export function resourcesTable(): string {
	const rows = [...resources]
		.sort(byLabel)
		.map(({ name, label, description }) => [`[${label}](${pageOf(name)}.md)`, description]);
	return table(['Resource', 'What it is about'], rows);
}

/** What each operation of a page does. */
export function operationsTable(page: string): string {
	if (!(page in PAGES)) throw new Error(`There is no page "${page}" in tools/generated/operations.mts`);
	const rows = [...resources]
		.filter(({ name }) => pageOf(name) === page)
		.sort(byLabel)
		.flatMap((resource) =>
			[...resource.operations].sort(byLabel).map((operation) => row(resource, operation)),
		);
	return table(['Operation', 'What it does'], rows);
}

function pageOf(resource: string): string {
	const page = Object.keys(PAGES).find((name) => PAGES[name].includes(resource));
	if (page === undefined)
		throw new Error(`Say in tools/generated/operations.mts which page describes "${resource}"`);
	return page;
}

function row(resource: Resource, { label, description }: Operation): string[] {
	return [`${resource.label}: ${label}`, description];
}

function byLabel(one: { label: string }, other: { label: string }): number {
	return one.label.localeCompare(other.label);
}
