/** What Explain says, after nights, of somebody whose bond was to be removed, and of whom the export no longer says anything. */
import { explanationOf } from '../../../../nodes/SchoolPartnerRoster/explaining/explanation.ts';
import { factsOf } from '../../../../nodes/SchoolPartnerRoster/explaining/facts.ts';
import { Nights } from '../night.mts';
import { FAMILY, isBond } from '../world.mts';

const isBondOfStudent = (record: (typeof FAMILY)[number]) =>
	isBond(record) && record.fields.user_external_id === 's1';
const WITHOUT_BOND = FAMILY.filter((record) => !isBondOfStudent(record));

async function explained(nights: Nights, externalId = 's1') {
	const now = 1_800_000_000_000 + nights.time.now;
	const [facts] = factsOf([{ externalId, school: 'school-1' }], await nights.ledger(), now);
	return explanationOf(facts, [], undefined);
}

describe('Who is in no class any more', () => {
	const verdict =
		'The person is in no class: the export does not have the person any more, or no enrollment of the person';

	test('may stand in the export all the same', async () => {
		const nights = await Nights.after(FAMILY);
		await nights.sync(WITHOUT_BOND);
		expect(await explained(nights)).toMatchObject({ code: 'left', verdict });
	});

	test('may never have been in one', async () => {
		const nights = await Nights.after(FAMILY);
		await nights.sync(FAMILY.filter(({ fields }) => fields.external_id !== 'r1'));
		expect(await explained(nights, 'r1')).toMatchObject({ code: 'left', verdict });
	});
});
