/** The example that asks for a seventh of the people every night, imported into a real n8n as it stands: differences to a person, and what is approved goes into Resolve. */
import type { IDataObject } from 'n8n-workflow';

import {
	runAndWait,
	submitForm,
	waitForNextExecution,
	type StoredCredential,
} from '../../../playground/n8n-client.mts';
import { APPROVER, EVERY_NIGHT, keysOf, loginOfApprovers, Nights, SYNC, withOptions } from './nights.mts';
import { jsonOf, useExamples } from './support.mts';

const NAME = 'verify-a-seventh-every-night';
const VERIFY = 'Verify a Seventh';
const SMALL = { students: 60 };

const workroom = useExamples({ sandbox: { empty: true, ...SMALL }, env: { N8N_LOG_LEVEL: 'debug' } });
let login: StoredCredential;

beforeAll(async () => void (login = await loginOfApprovers(workroom.stage.session)));

const parameter = ['external_id', 'school_external_id'].map((name) => ({ name, value: `{${name}}` }));

test('Verify a seventh every night: in seven nights everybody was asked for once, a bond that somebody took out is told to a person, and made again after the approval', async () => {
	const { admin } = workroom;
	const confirmed = { confirmation: 'callback', confirmationQuery: { parameter } };
	const sync = withOptions(workroom.example('sync-the-roster-every-night', login), SYNC, confirmed);
	const nights = await Nights.of(workroom, sync, SMALL);
	await nights.first(SMALL);
	const { items: bonds } = await admin.bonds({ profile: 'educator' });
	const twice = bonds.find(
		(one) => bonds.filter(({ user_external_id: id }) => id === one.user_external_id).length > 1,
	);
	if (twice === undefined) throw new Error('No educator has two classes');
	const { class_external_id: classExternalId, user_external_id: externalId } = twice;
	await admin.drift('drop-bond', { externalId, classExternalId, profile: 'educator' });
	await admin.drift('change', { externalId, field: 'lastName', value: 'Inventada-Outrora' });

	const { tenantId } = workroom.facts;
	const verified = await workroom.publish(withOptions(workroom.example(NAME, login), VERIFY, { tenantId }));
	const { session, n8n } = workroom.stage;
	let asked = 0;
	const differences: IDataObject[] = [];
	let told = '';
	let last = '';
	for (let night = 0; night < 7; night++) {
		const execution = await runAndWait(session, verified.id, { trigger: EVERY_NIGHT });
		last = execution.id;
		const [{ coverage }] = jsonOf(execution, VERIFY);
		asked += Number((coverage as IDataObject).asked);
		const found = jsonOf(execution, VERIFY, 1);
		differences.push(...found);
		if (found.length > 0) told = String(jsonOf(execution, 'Mail or Chat')[0].text);
	}
	const { count } = await admin.users();
	expect(asked).toBe(count);
	const key = `b:${twice.school_external_id}|${classExternalId}|${externalId}|educator`;
	expect(differences).toHaveLength(2);
	expect(differences).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ key, difference: 'missing', is: 'notInService' }),
			expect.objectContaining({ difference: 'field', fields: ['last_name'] }),
		]),
	);
	expect(JSON.stringify(differences)).not.toContain('Inventada');
	expect(told).toContain(`missing: ${key}`);
	expect(told).toContain(`/form/approve-what-is-missing?Keys=${encodeURIComponent(key)}`);

	const { status } = await submitForm(n8n.baseUrl, 'approve-what-is-missing', [key, 'Dana'], APPROVER);
	expect(status).toBe(200);
	const noted = await waitForNextExecution(session, verified.id, last);
	expect(jsonOf(noted, 'Note the Decision')).toEqual([
		expect.objectContaining({ key, state: 'notInService', by: 'Dana' }),
	]);
	const { writes } = await nights.run(SMALL);
	expect([keysOf(writes, 'POST'), keysOf(writes, 'DELETE')]).toEqual([[key], []]);
});

test("n8n's log, at its level debug, holds nothing of what the service has shown", async () => {
	const log = workroom.stage.n8n.process.log();
	expect(log).toContain('School Partner: the requests of a run');
	// The service is empty before each test: the people that it has shown are those of one that is seeded.
	await workroom.admin.reset({ ...SMALL, empty: false });
	const { items } = await workroom.admin.users({ limit: 1_000 });
	expect(items.length).toBeGreaterThan(SMALL.students);
	const values = items.flatMap((user) => [
		`${user.first_name} ${user.last_name}`,
		user.last_name,
		...[user.email, user.document_value, user.cell_phone].map(String),
	]);
	const told = new Set(values.filter((value) => value.length > 4 && value !== 'null'));
	expect([...told].filter((value) => log.includes(value))).toEqual([]);
});
