/** The mail of a night and the report of it: under each cause stand the records to which its advice belongs. */
import { runInNewContext } from 'node:vm';

import { messageOf, parametersOf } from '../../exampleNode.mts';
import { DAY, Nights } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aStudent, aUser, FAMILY, LIST, rosterOf } from '../world.mts';

/** The mail of an example, about the last night. */
function mailOf({ telling }: Nights, example: string): string {
	const items = telling?.attention.map((json) => ({ json }));
	return runInNewContext(messageOf(example), {
		$json: { counts: {}, holds: [], causes: telling?.causes },
		$: () => ({ all: () => items, first: () => ({ json: { body: { part: 'north' } } }) }),
		$execution: { resumeUrl: 'http://n8n/webhook-waiting/1' },
	}) as string;
}

/** The same causes as the report of the night has them. */
function reportOf({ telling }: Nights): string {
	const outputs = [[{ counts: {}, schools: [], holds: [], causes: telling?.causes }], telling?.attention];
	const list = runInNewContext(
		`($, $now) => {${parametersOf('report-of-the-night', 'Night in Numbers').jsCode}}`,
	) as (...given: object[]) => [{ json: { causes: Array<{ what_to_do: string; records: string }> } }];
	const all = (output: number) => outputs[output]?.map((json) => ({ json }));
	const [{ json }] = list(() => ({ all }), { toISODate: () => '' });
	return json.causes.map(({ what_to_do: advice, records }) => `${advice}\n${records}`).join('\n\n');
}

const MAILS = ['sync-the-roster-every-night', 'sync-a-sheet-every-night', 'sync-every-part-side-by-side'];
const lettersOf = (nights: Nights) => [...MAILS.map((example) => mailOf(nights, example)), reportOf(nights)];
const paragraphOf = (letter: string, key: string) =>
	letter
		.split('\n\n')
		.filter((paragraph) => paragraph.includes(key))
		.join('\n');

/** What the letters say to all that stand under a cause with this key. */
const saidTo = (key: string, nights: Nights) => lettersOf(nights).map((letter) => paragraphOf(letter, key));
const each = (pattern: RegExp) => MAILS.concat('report').map((): unknown => expect.stringMatching(pattern));
const none = (pattern: RegExp) =>
	MAILS.concat('report').map((): unknown => expect.not.stringMatching(pattern));

const LEFT_BOND = 'b:school-1|c1|t1|educator';
const withoutBond = FAMILY.filter(({ kind, fields }) => kind !== 'bond' || fields.user_external_id !== 't1');

/** Nights behind the first, of a service that refuses whatever comes. */
async function refusing(): Promise<Nights> {
	const nights = await Nights.after(FAMILY);
	nights.service.fault = () => 422;
	return nights;
}

test('Whose removal is refused is not told what helps a creation: who said so of the key would have the bond stay for good', async () => {
	const nights = await refusing();
	const records = [...withoutBond, aUser('t2', 'educator')];
	for (let night = 1; night <= 2; night += 1) {
		await nights.sync(records);
		expect(saidTo(LEFT_BOND, nights)).toEqual(each(/Only if the service does not have it any more/));
		expect(saidTo(LEFT_BOND, nights)).toEqual(none(/at once/));
		expect(saidTo('u:school-1|t2', nights)).toEqual(each(/at once/));
	}
	expect(nights.telling?.causes).toMatchObject([
		{ code: 'refusedBefore', kind: 'user', action: 'create', count: 1, new: 0 },
		{ code: 'refusedBefore', kind: 'bond', action: 'remove', count: 1, new: 0 },
	]);
});

test('Many that are refused have an advice that holds for each: no day and no key of the first alone', async () => {
	const nights = await refusing();
	await nights.sync([...FAMILY, aStudent('s2', ['r1'])]);
	nights.pass();
	const roster = [
		...FAMILY,
		aStudent('s2', ['r1']),
		aUser('t2', 'educator'),
		aBond('s1', 'c2'),
		aBond('t1', 'c2'),
	];
	await nights.sync(roster);
	for (const key of ['u:school-1|s2', 'u:school-1|t2'])
		expect(saidTo(key, nights)).toEqual(each(/1, 3 and 7 days after its first time, then weekly[^]*at once/));
	const users = lettersOf(nights).map((letter) => paragraphOf(letter, 'u:school-1|t2'));
	expect(users).toEqual(none(/It is tried again on|u:school-1\|r1/));
	expect(saidTo('b:school-1|c2|s1|student', nights)).toEqual(none(/u:school-1\|[st]1/));
	await nights.sync(roster);
	expect(saidTo('u:school-1|t2', nights)).toEqual(none(/since 20|tried next on|u:school-1\|r1/));
});

test('A single one that is refused has its own day and keys, in the mail too', async () => {
	const nights = await refusing();
	await nights.sync([...FAMILY, aStudent('s2', ['r1'])]);
	expect(saidTo('u:school-1|s2', nights)).toEqual(
		each(/Resolve with u:school-1\|r1 [^]*tried again on 2027/),
	);
});

test('Who was created tonight does not stand under the advice for those who were not seen for three nights', async () => {
	const service = new Service();
	service.accountComesAfter = (id) => (['t2', 't3'].includes(id) ? 30 * DAY : 0);
	const nights = await Nights.after(FAMILY, { confirmation: 'callback' }, service);
	await nights.sync([...FAMILY, aUser('t2', 'educator')]);
	nights.pass(4);
	await nights.sync([...FAMILY, aUser('t2', 'educator'), aUser('t3', 'educator'), aUser('t4', 'educator')]);
	expect(saidTo('u:school-1|t2', nights)).toEqual(each(/ERROR[^]*notInService|^[^E]*notInService/));
	expect(saidTo('u:school-1|t3', nights)).toEqual(none(/notInService/));
});

test('What a partial roster holds is started with that roster, whatever of it was refused', async () => {
	const nights = await refusing();
	const records = [aStudent('s2', ['r1']), aUser('t2', 'educator')];
	await nights.sync(rosterOf(records, LIST));
	expect(saidTo('u:school-1|t2', nights)).toEqual(each(/start Sync again with this same roster/));
	expect(saidTo('u:school-1|t2', nights)).toEqual(none(/u:school-1\|r1|weekly/));
});
