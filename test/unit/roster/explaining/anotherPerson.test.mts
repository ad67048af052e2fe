/** What Explain says of an id that the export gives to somebody else than the one who was created with it. */
import { explanationOf } from '../../../../nodes/SchoolPartnerRoster/explaining/explanation.ts';
import { factsOf } from '../../../../nodes/SchoolPartnerRoster/explaining/facts.ts';
import type { Fields } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { Nights } from '../night.mts';
import { aBond, aClass, aUser } from '../world.mts';

const ANA = { first_name: 'Ana', birth_date: '2015-01-01' };
const RUI = { first_name: 'Rui', birth_date: '2012-01-01' };
const CLASSES = [aClass('c1'), aClass('c2')];
const pupil = (person: Fields, ofClass: string) => [
	...[...CLASSES, aUser('s1', 'student', 'school-1', person), aBond('s1', ofClass)],
];

async function verdict(nights: Nights): Promise<string> {
	const now = 1_800_000_000_000 + nights.time.now;
	const [facts] = factsOf([{ externalId: 's1', school: 'school-1' }], await nights.ledger(), now);
	return explanationOf(facts, new Map(), undefined).code;
}

/** Ana is in class, and has access; tonight her id is that of Rui. */
async function nightsWithRui(): Promise<Nights> {
	const nights = await Nights.after(pupil(ANA, 'c1'));
	await nights.add({
		...{ kind: 'access', key: 'u:school-1|s1', school_external_id: 'school-1', state: 'granted' },
		...{ service_id: 'user-1', account_id: 'account-1', since: '2026-03-01T00:00:00.000Z' },
		detail: JSON.stringify({ request_id: 'r-1', tenant_id: 't-1' }),
	});
	expect(await verdict(nights)).toBe('hasAccess');
	await nights.sync(pupil(RUI, 'c2'));
	return nights;
}

test('Nobody is sent to the account of somebody else, however the two differ', async () => {
	const nights = await nightsWithRui();
	expect(await verdict(nights)).toBe('anotherPerson');
	nights.pass();
	await nights.sync(pupil({ ...RUI, last_name: 'Prado' }, 'c2'));
	expect(await verdict(nights)).toBe('anotherPerson');
});

test('It is over when the export is right again', async () => {
	const nights = await nightsWithRui();
	nights.pass();
	await nights.sync(pupil(ANA, 'c1'));
	expect(await verdict(nights)).toBe('hasAccess');
});

test('and when a person says that it is the same one', async () => {
	const nights = await nightsWithRui();
	await nights.resolve('u:school-1|s1', 'inService');
	expect(await verdict(nights)).not.toBe('anotherPerson');
	nights.pass();
	await nights.sync(pupil(RUI, 'c2'));
	expect(await verdict(nights)).toBe('hasAccess');
});
