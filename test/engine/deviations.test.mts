/** Answers that differ from the service's document: passed on, never refused, and told in n8n's debug log without their values. */
import type { IDataObject } from 'n8n-workflow';

import { linesDuring } from '../support/debugLog.mts';
import { operations } from '../support/operations/index.mts';
import { knownOf, parametersOf } from '../support/operations/row.mts';
import { CLASS_PATH, PROFILES_PATH, useWorkroom } from './workroom.mts';

const workroom = useWorkroom();

/** What is told of answers in the debug log while something runs. */
const toldDuring = async (run: () => Promise<unknown>) =>
	(await linesDuring(run)).filter(({ message }) => message.startsWith('Answers'));

const PROFILES = { resource: 'profile', operation: 'getAll' };
const ODD = { code: 'seven', name: 'Ana Odd', type: null, nickname: 'odd one' };
const PLAIN = { code: 1, name: 'Student', type: 'student', description: 'A student' };

test('An answer that deviates is passed on as it came, and told once by the places where it does', async () => {
	await workroom.admin.addFault({ path: PROFILES_PATH }, { body: { data: [PLAIN, ODD, 'text', ODD] } });
	let items: IDataObject[] = [];
	const lines = await toldDuring(
		async () => ({ items } = await workroom.run(PROFILES, [{}, { another: 1 }])),
	);
	expect(items).toEqual([PLAIN, ODD, { data: 'text' }, ODD, PLAIN, ODD, { data: 'text' }, ODD]);
	expect(lines).toEqual([
		{
			message: expect.stringMatching(/^Answers of the service differ from its document/) as string,
			details: expect.objectContaining({
				paths: ['code', 'type', 'description', 'name'],
				more: 0,
			}) as IDataObject,
		},
	]);
	expect(JSON.stringify(lines)).not.toMatch(/Odd|seven|odd one/);
});

test('The answer of a creation is passed on in the same way: the class is there', async () => {
	const row = operations.find(({ title }) => title === 'Class: Create');
	if (row === undefined) throw new Error('There is no such row');
	await workroom.admin.addFault(
		{ path: CLASS_PATH },
		{ body: { data: { id: 'class-1', external_id: 'c', name: 'Ana', status: 7 } }, afterwards: true },
	);
	const known = await knownOf(workroom.admin);
	let items: IDataObject[] = [];
	const lines = await toldDuring(async () => ({ items } = await workroom.run(parametersOf(row, known))));
	expect(items).toEqual([{ id: 'class-1', external_id: 'c', name: 'Ana', status: 7 }]);
	expect(lines.map(({ details }) => details.paths)).toEqual([['status']]);
});

test('Of many places the first twenty are told, and how many more there are', async () => {
	await workroom.admin.addFault({ path: '/sync/v1/', nth: [1, 2] }, { body: {} });
	await workroom.admin.addFault({ path: '/sync/v1/' }, { body: [{ addresses: [{}, {}] }, {}] });
	const { accountId, tenantId } = await knownOf(workroom.admin);
	const lines = await toldDuring(
		async () => await workroom.run({ resource: 'account', operation: 'getSnapshot', accountId, tenantId }),
	);
	expect(lines).toHaveLength(1);
	const { paths, more } = lines[0].details;
	expect(paths).toHaveLength(20);
	expect(paths).toContain('tenant.brand_name');
	expect(more).toBeGreaterThan(20);
});

test('What the document tells to tolerate is healed and is no deviation, nor is anything that the document shows', async () => {
	const known = await knownOf(workroom.admin);
	const lines = await toldDuring(async () => {
		for (const row of operations.filter(({ resource }) => resource !== 'signOn')) {
			const { error } = await workroom.run(parametersOf(row, known));
			expect([row.title, error]).toEqual([row.title, undefined]);
		}
	});
	expect(lines).toEqual([]);
});

test('With Simplify off nothing is looked at: what leaves is exactly what was sent', async () => {
	await workroom.admin.addFault({ path: PROFILES_PATH }, { body: { data: [ODD] } });
	expect(await toldDuring(async () => await workroom.run({ ...PROFILES, simplify: false }))).toEqual([]);
});
