/**
 * The parts of the documents that derive from the code, between their markers:
 * `<!-- generated: options -->` … `<!-- end -->`. `npm run documents` writes them; a unit test checks them.
 *
 * `resources`, `operations provisioning` (those that a page describes), `options`, `input class.create` (what an operation takes), `output account.get` (what it gives),
 * `event header` (a table of access events), `triggerOptions`, `ownAnswers`, `signOnCodes`, `acceptWithout`, `credential schoolPartnerOAuth2Api`, `attacks`, `chaos request` (what test/chaos promises), `sandbox help`; of the roster node `rosterOptions night`, `findings`, `stops`, `verifyCauses`, `verdicts`, `ledger make` (SQL), `examples`, `example provision-a-school`, `portuguese` (docs/pt-BR/mensagens.json).
 */
import { readdirSync, readFileSync } from 'node:fs';

import { operationNamed } from '../nodes/SchoolPartner/framework/operation.ts';
import { resources } from '../nodes/SchoolPartner/operations/index.ts';
import { holdTable, requestTable, rosterTable, runTable } from '../test/chaos/document.mts';
import { attacksTable } from './generated/attacks.mts';
import { signOnCodesTable } from './generated/codes.mts';
import { credentialTable } from './generated/credentials.mts';
import { eventTable, ownAnswersTable } from './generated/events.mts';
import { galleryEntry, galleryTable } from './generated/gallery.mts';
import { inputTable } from './generated/input.mts';
import { LEDGER_PARTS } from './generated/ledger.mts';
import { operationsTable, resourcesTable } from './generated/operations.mts';
import {
	acceptWithoutTable,
	optionsTable,
	rosterOptionsTable,
	triggerOptionsTable,
} from './generated/options.mts';
import { outputTable } from './generated/output.mts';
import {
	findingsTable,
	portugueseTable,
	stopsTable,
	verdictsTable,
	verifyTable,
} from './generated/roster.mts';
import { SANDBOX_PARTS } from './generated/sandbox.mts';

/** The documents that hold generated parts. */
export const DOCUMENTS = [
	'README.md',
	'SECURITY.md',
	'examples/README.md',
	'sandbox/README.md',
	...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md') && readFileSync(name, 'utf8').includes('<!-- generated: '));

const CHAOS_TABLES: Record<string, () => string> = {
	holds: holdTable,
	request: requestTable,
	roster: rosterTable,
	run: runTable,
};

/** A document with its generated parts as they should be now. */
export function upToDate(document: string): string {
	return document.replace(
		/(<!-- generated: (\w+)(?: ([\w.-]+))? -->\n)[\s\S]*?(<!-- end -->)/g,
		(_whole, start: string, kind: string, subject: string | undefined, end: string) =>
			`${start}\n${generated(kind, subject ?? '')}\n\n${end}`,
	);
}

function generated(kind: string, subject: string): string {
	switch (kind) {
		case 'attacks':
			return attacksTable();
		case 'chaos':
			return CHAOS_TABLES[subject]();
		case 'operations':
			return operationsTable(subject);
		case 'resources':
			return resourcesTable();
		case 'options':
			return optionsTable();
		case 'input':
			return inputTable(operationOf(subject));
		case 'output':
			return outputTable(operationOf(subject));
		case 'credential':
			return credentialTable(subject);
		case 'event':
			return eventTable(subject);
		case 'rosterOptions':
			return rosterOptionsTable(subject);
		case 'acceptWithout':
			return acceptWithoutTable();
		case 'signOnCodes':
			return signOnCodesTable();
		case 'ownAnswers':
			return ownAnswersTable();
		case 'triggerOptions':
			return triggerOptionsTable();
		case 'findings':
			return findingsTable();
		case 'stops':
			return stopsTable();
		case 'verifyCauses':
			return verifyTable();
		case 'sandbox':
			return SANDBOX_PARTS[subject]();
		case 'examples':
			return galleryTable();
		case 'example':
			return galleryEntry(subject);
		case 'ledger':
			return LEDGER_PARTS[subject]();
		case 'verdicts':
			return verdictsTable();
		case 'portuguese':
			return portugueseTable();
		default:
			throw new Error(`There is no generated part of the kind "${kind}"`);
	}
}

/** `class.create`: as workflows save resource and operation. */
function operationOf(subject: string) {
	const [resource, operation] = subject.split('.');
	const named = operationNamed(resources, resource, operation);
	if (named === undefined) throw new Error(`There is no operation "${subject}"`);
	return named.operation;
}
