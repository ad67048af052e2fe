/** What Explain says of somebody who has a bond that was never done, and that the last Sync did not try: its export had none of it. */
import { factsOf } from '../../../../nodes/SchoolPartnerRoster/explaining/facts.ts';
import { verdictOf } from '../../../../nodes/SchoolPartnerRoster/explaining/verdictOf.ts';
import { pairDigest } from '../../../../nodes/SchoolPartnerRoster/ledger/digest.ts';
import { Nights } from '../night.mts';
import { ledgerOf, type Row } from '../ledgerRows.mts';
import { aBond, aClass, aUser } from '../world.mts';

const ANA = 'u:s|ana';
const IN_5A = 'b:s|5a|ana|student';
const CLASS_5A = 'c:s|5a';
const json = JSON.stringify;

const row = (kind: string, key: string, state = 'applied', more: Row = {}): Row => ({
	...{ kind, key, school_external_id: 's', state, run_id: 'r1-x', sequence: '1' },
	...{ at: '2026-03-09T03:00:00.000Z', ...more },
});
const class5a = (state = 'applied', more: Row = {}) => row('class', CLASS_5A, state, more);
const in5a = (state = 'applied', detail = {}) => row('bond', IN_5A, state, { detail: json(detail) });
const resolved = (key: string, state: string, more: Row = {}) => row('resolve', key, state, more);
const lastSync = (state = 'ended') =>
	row('run', 'run', state, {
		...{ run_id: 'r2-x', sequence: '9', at: '2026-03-20T03:00:00.000Z' },
		detail: json({ changes: 1, sent: 1 }),
	});

/** In another class she is as she should be, since the day after. */
const inOther = (at = '2026-03-10T03:00:00.000Z') => [
	...[row('user', ANA), row('class', 'c:s|5b'), row('bond', 'b:s|5b|ana|student', 'applied', { at })],
];
const ANA_IN_5B = inOther();
const GONE = resolved(IN_5A, 'notInService');
const LATER = { at: '2026-03-20T04:00:00.000Z' };

async function codeOf(...rows: Row[]): Promise<string> {
	const [facts] = factsOf(
		[{ externalId: 'ana', school: '' }],
		await ledgerOf(...rows),
		Date.parse('2026-03-21T00:00:00Z'),
	);
	return verdictOf(facts).code;
}

describe('Who has another bond is in place, although one', () => {
	test.each<[string, Row[]]>([
		['waited for a class that is there now', [class5a(), in5a('blocked')]],
		['was not tried', [class5a(), in5a('not tried')]],
		['waited for a class that was refused', [class5a('failed'), in5a('blocked')]],
		['waited for a class that was not tried', [class5a('not tried'), in5a('waiting')]],
		['never came, as somebody has noted', [class5a(), in5a('uncertain'), GONE]],
		[
			'should have gone, and has, as somebody has noted',
			[class5a(), in5a('failed', { there: 'yes', status: 500 }), GONE],
		],
		['went with its class, as somebody has noted', [class5a(), in5a(), resolved(CLASS_5A, 'notInService')]],
	])('%s: the last Sync has tried nothing of it', async (_what, rows) => {
		expect(await codeOf(lastSync(), ...ANA_IN_5B, ...rows)).toBe('inPlace');
		// Until a Sync has come to its end, it may still come.
		expect(await codeOf(lastSync('under way'), ...ANA_IN_5B, ...rows)).not.toBe('inPlace');
	});
});

test.each<[string, Row[], string]>([
	['it was noted since', [class5a(), in5a(), { ...GONE, ...LATER }], 'notInService'],
	['nobody knows whether it is there', [class5a(), in5a('uncertain')], 'uncertain'],
	['its class may still come', [class5a('uncertain'), in5a('blocked')], 'bondWithoutClass'],
])('A bond that was not done is told when %s', async (_what, rows, code) => {
	expect(await codeOf(lastSync(), ...ANA_IN_5B, ...rows)).toBe(code);
});

test('Who waits for a class that was not there, and has no other since, is not said to be in place: the class may have an error tonight', async () => {
	for (const ofClass of ['failed', 'not tried'])
		expect(
			await codeOf(lastSync(), ...inOther('2026-03-02T03:00:00.000Z'), class5a(ofClass), in5a('blocked')),
		).toBe('bondWithoutClass');
});

test('Where there is no other bond, it is told as it was left, or as somebody has noted it', async () => {
	const ana = row('user', ANA);
	expect(await codeOf(lastSync(), ana, class5a(), in5a('blocked'))).toBe('notTried');
	expect(await codeOf(lastSync(), ana, class5a(), in5a(), GONE)).toBe('notInService');
	const goneSince = [class5a(), in5a('removed'), resolved(CLASS_5A, 'notInService')];
	expect(await codeOf(lastSync(), ana, ...goneSince)).toBe('left');
});

test('Who was noted as not in the service, and now looks like somebody who came later, waits for a word on that', async () => {
	const told = row('told', 'told', 'told', { detail: json({ told: [pairDigest('looksLikeKnown', ANA)] }) });
	const rows = [class5a(), row('user', ANA), told];
	expect(await codeOf(lastSync(), ...rows, resolved(ANA, 'notInService'))).toBe('notCreated');
	expect(await codeOf(lastSync(), ...rows, resolved(ANA, 'notInService', LATER))).toBe('notInService');
});

test('Who was to come into a class that is refused, and has another one on the next night, is in place from then on', async () => {
	const people = [aClass('c1'), aUser('s1', 'student')];
	const nights = await Nights.after(people);
	nights.service.fault = (_action, { external_id: id }) => (id === 'c2' ? 422 : undefined);
	await nights.sync([...people, aClass('c2'), aBond('s1', 'c2')]);
	nights.pass(8);
	await nights.sync([...people, aBond('s1', 'c1')]);
	const explained = async () => {
		const now = 1_800_000_000_000 + nights.time.now;
		const [facts] = factsOf([{ externalId: 's1', school: '' }], await nights.ledger(), now);
		return verdictOf(facts).code;
	};
	expect(await explained()).toBe('inPlace');
});
