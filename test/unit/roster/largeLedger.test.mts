import type { IExecuteFunctions } from 'n8n-workflow';

import { largeLedger } from '../../../nodes/SchoolPartnerRoster/run/runFindings.ts';

const MIB = 1024 * 1024;
/** What a row takes, by the page of the ledger. */
const rowsIn = (bytes: number) => Math.ceil(bytes / 330);

const nodeWith = (ledger: string) => ({ getNodeParameter: () => ledger }) as unknown as IExecuteFunctions;

test('A Data Table that takes half of the 200 MiB that n8n lets all of them have is told, with the way on', () => {
	expect(largeLedger(nodeWith('dataTable'), rowsIn(99 * MIB), 0)).toEqual([]);
	expect(largeLedger(nodeWith('dataTable'), rowsIn(101 * MIB), 0)).toMatchObject([
		{ code: 'ledgerLarge', severity: 'warning', what_to_do: expect.stringContaining('PostgreSQL') },
	]);
});

test('The rows of runs count by their length: each names every school', () => {
	expect(largeLedger(nodeWith('dataTable'), rowsIn(90 * MIB), 9 * MIB)).toEqual([]);
	const [{ message }] = largeLedger(nodeWith('dataTable'), rowsIn(90 * MIB), 15 * MIB);
	expect(message).toContain('some 105 MiB');
});

test('A ledger in PostgreSQL has no such end', () => {
	expect(largeLedger(nodeWith('postgres'), rowsIn(500 * MIB), 0)).toEqual([]);
});
