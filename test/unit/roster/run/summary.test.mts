/** What Summary counts: each record once. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { nightOutputs } from '../../../../nodes/SchoolPartnerRoster/run/outputs.ts';
import { Nights, type Ended } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, FAMILY, isBond, rosterOf } from '../world.mts';

const [S1, BOND_S1] = ['u:school-1|s1', 'b:school-1|c1|s1|student'];
const GRACE = { gracePeriodDays: 3 };
const WITHOUT_S1 = FAMILY.filter((one) => !isBond(one) || one.fields.user_external_id !== 's1');
const WITH_ERROR = rosterOf(WITHOUT_S1, { faulty: [aBond('s1', 'c1')] });

/** As the node gives them of the last run. */
function countsOf({ telling: report }: Nights, { plan }: Ended): object {
	const context = { getInputData: () => [{ json: {} }], getNodeParameter: () => undefined };
	if (report === undefined) throw new Error('Nobody was told');
	const [[{ json }]] = nightOutputs(context as unknown as IExecuteFunctions, {
		...{ runId: 'r1', plan, report, isUnfinished: false, isPreview: false },
		...{ ledger: { name: 'Roster', rows: 1 }, files: [], tookMs: 1 },
	});
	return json.counts as object;
}

/** A night after which the bond of s1 is missing for the days of Grace Period. */
async function missing(): Promise<Nights> {
	const nights = await Nights.after(FAMILY, GRACE);
	const night = await nights.sync(WITHOUT_S1);
	expect(countsOf(nights, night)).toHaveProperty('bond', { same: 1, missing: 1 });
	nights.pass();
	return nights;
}

describe('Summary counts once', () => {
	test('a bond that was missing for days of Grace Period and is back', async () => {
		const nights = await missing();
		const night = await nights.sync(FAMILY);
		expect(countsOf(nights, night)).toHaveProperty('bond', { same: 1, applied: 1 });
		expect(countsOf(nights, await nights.sync(FAMILY))).toHaveProperty('bond', { same: 2 });
	});

	test('a bond whose removal failed, and that is in the export again', async () => {
		const nights = await Nights.after(FAMILY, {}, new Service());
		nights.service.fault = (action) => (action === 'remove' ? 422 : undefined);
		await nights.sync(WITHOUT_S1);
		nights.service.fault = () => undefined;
		const night = await nights.sync(FAMILY);
		expect(night.told).toEqual([`note ${BOND_S1} applied`]);
		expect(countsOf(nights, night)).toHaveProperty('bond', { same: 1, applied: 1 });
	});

	test('a bond that was missing, and is in the export with an error', async () => {
		const nights = await missing();
		const night = await nights.sync(WITH_ERROR);
		expect(night.told).toEqual([`note ${BOND_S1} applied`]);
		expect(countsOf(nights, night)).toHaveProperty('bond', { same: 1, applied: 1 });
		expect(countsOf(nights, await nights.sync(WITH_ERROR))).toHaveProperty('bond', { same: 1, error: 1 });
	});

	test('a bond of which one row has an error, and another has none', async () => {
		const nights = await Nights.after(FAMILY);
		const night = await nights.sync(rosterOf(FAMILY, { faulty: [aBond('s1', 'c1')] }));
		expect(countsOf(nights, night)).toHaveProperty('bond', { same: 2 });
	});

	test('a user who was unconfirmed when Confirmation goes back to Answer', async () => {
		const service = new Service();
		service.accountComesAfter = (id) => (id === 's1' ? Infinity : 0);
		const nights = await Nights.after(FAMILY, { confirmation: 'callback' }, service);
		service.accountComesAfter = () => 0;
		const night = await nights.sync(FAMILY, { confirmation: 'answer' });
		expect(night.told).toContain(`note ${S1} applied`);
		expect(countsOf(nights, night)).toHaveProperty('user', { same: 2, applied: 1 });
	});
});
