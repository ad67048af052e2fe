/** The example in which an agent is asked about the plan of the night, beside the workflow of the night itself. */
import type { IDataObject } from 'n8n-workflow';

import { createCredential, type Execution } from '../../../playground/n8n-client.mts';
import { startScriptedModel, type ScriptedModel } from '../agent/scripted-model.mts';
import { BY_HAND, Nights, withOptions } from './nights.mts';
import { jsonOf, useExamples } from './support.mts';

const NAME = 'ask-what-tonights-roster-would-change';
const TOOL = 'Plan_of_Tonight';
const LAST_WORDS = 'That is the plan.';
const TONIGHT = { tonight: 10 };

const workroom = useExamples({ sandbox: { empty: true, students: 60 } });
let model: ScriptedModel;

beforeAll(async () => {
	model = await startScriptedModel();
});
afterAll(async () => await model?.stop());

/** Asks the agent, with the model of the test in the place of a provider, while the school system exports what has changed tonight. */
async function ask(options: IDataObject = {}): Promise<{ execution: Execution; told: string }> {
	const key = await createCredential(workroom.stage.session, {
		name: 'Scripted model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: model.baseUrl },
	});
	// n8n runs a tool's workflow as it is published, also when a person tries the agent out.
	const agent = await Nights.of(
		workroom,
		withOptions(workroom.example(NAME, key), 'Plan Changes', options),
		TONIGHT,
	);
	model.say({ [TOOL]: {} }, LAST_WORDS);
	const { execution, writes } = await agent.run(BY_HAND, TONIGHT);
	expect(writes).toEqual([]);
	return { execution, told: model.results()[TOOL] };
}

const planIn = (told: string): IDataObject => (JSON.parse(told) as IDataObject[])[0];

test('where the plan stops, the agent is told why', async () => {
	const { execution, told } = await ask();
	expect(told).toContain('The ledger is empty');
	expect(jsonOf(execution, 'Answer')).toEqual([{ answer: LAST_WORDS }]);
});

describe('behind a first night', () => {
	beforeEach(async () => {
		await workroom.deleteTable('Roster ledger');
		await (await Nights.of(workroom, workroom.example('sync-the-roster-every-night'))).run(BY_HAND);
	});

	test('the agent is told what the next one would do, how much and where, and nothing is sent or written', async () => {
		const before = await workroom.rowsOf('Roster ledger');
		const { execution, told } = await ask();
		const { users, bonds } = await workroom.admin.rosterChanges(TONIGHT);
		const plan = planIn(told);
		expect(plan).toMatchObject({
			held: 0,
			held_because: [],
			counts: {
				user: { create: new Set(users.new.map(({ external_id }) => external_id)).size, remove: 0 },
				bond: { create: bonds.new.length, remove: bonds.gone.length },
			},
		});
		const schools = new Set(
			[...users.new, ...bonds.new, ...bonds.gone].map(({ school_external_id }) => school_external_id),
		);
		expect(
			(plan.schools as IDataObject[]).map(({ school_external_id }) => school_external_id).sort(),
		).toEqual([...schools].sort());
		expect((plan.findings as IDataObject[]).map(({ message }) => message)).toContain(
			'The content of a user has changed since it was created',
		);
		expect(await workroom.rowsOf('Roster ledger')).toEqual(before);
		expect(jsonOf(execution, 'Answer')).toEqual([{ answer: LAST_WORDS }]);
		// Who it is about stays here.
		for (const { external_id } of [...users.new, ...users.gone, ...users.renamed])
			expect(told).not.toContain(external_id);
	});

	test('the agent is told what would be held, and why, but gets no id with which it could be approved', async () => {
		const { told } = await ask({ holdRemovalsFrom: 1, holdRemovalsPercent: 0 });
		const plan = planIn(told);
		expect(plan.held).toBeGreaterThan(0);
		expect((plan.held_because as IDataObject[]).map(({ reason }) => reason)).toEqual(
			expect.arrayContaining([expect.stringContaining('bonds') as string]),
		);
		expect(told).not.toContain('plan_id');
		expect(told).not.toContain('Approved Plan');
	});
});
