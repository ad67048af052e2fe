/** Verify while a night is under way: what the night writes says nothing of what the service shows. */
import { ledgerRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { copiesOf } from '../../../../nodes/SchoolPartnerRoster/night/compaction.ts';
import { believedResult } from '../../../../nodes/SchoolPartnerRoster/verifying/believed.ts';
import {
	keysWrittenAfter,
	withoutWritten,
} from '../../../../nodes/SchoolPartnerRoster/verifying/compared.ts';
import { ledgerFrom } from '../ledgerRows.mts';
import { Nights } from '../night.mts';
import { FAMILY } from '../world.mts';

test('What a run has written since the ledger was read says nothing, whichever of both is shown, and nobody was seen then', () => {
	const classes = {
		...{ missing: ['b1', 'b2'], extra: ['b3'], settled: ['b4'] },
		...{ expected: [], shown: [], isShort: false, hasUnknown: false },
	};
	const person = { key: 'u1', fields: ['email'], seen: { email: 'x' }, classes };
	for (const written of ['u1', 'b1', 'b3', 'b4']) {
		const left = withoutWritten(person, new Set([written]));
		expect(left).toEqual({ key: 'u1', isBeingWritten: true });
		expect(believedResult([left], [])).toMatchObject({ different: 0, same: 0, notSeen: 1, findings: [] });
	}
	expect(withoutWritten(person, new Set(['b9']))).toBe(person);
});

test('A class that a run has emptied since the ledger was read is not told as hidden, nor the lists of its people as short', () => {
	const people = Array.from({ length: 5 }, (_, place) => `b:s|5A|p${place}|student`).map((bond, place) => ({
		key: `u:s|p${place}`,
		classes: {
			...{ missing: [bond], extra: [], settled: [], expected: ['c:s|5A'], shown: [] },
			...{ isShort: true, hasUnknown: false },
		},
	}));
	const written = new Set(people.flatMap(({ classes }) => classes.missing));
	const left = people.map((person) => withoutWritten(person, written));
	expect(believedResult(left, [])).toMatchObject({ differences: [], findings: [], notSeen: 5 });
});

test('Whom the service did not find is told as that, and not as an error, although a run writes of it', () => {
	const gone = withoutWritten({ key: 'u1', unseen: 'notFound' }, new Set(['u1']));
	const { findings } = believedResult([gone], []);
	expect(findings).toMatchObject([
		{ code: 'notSeen', message: expect.stringContaining('(account not found: 1)') },
	]);
});

test('A ledger that was made small meanwhile has nothing new in it: its rows are copies', async () => {
	const ledger = await (await Nights.after(FAMILY)).ledger();
	const { lastId } = ledger;
	const copies = copiesOf(ledger, 0).map(({ row }, place) => ({ ...ledgerRow(row), id: lastId + 1 + place }));
	const created = { ...ledgerRow({ kind: 'user', key: 'u:s|new', state: 'applied' }), id: lastId + 100 };
	const later = await ledgerFrom([...copies, created]);
	expect(later.entries.size).toBe(ledger.entries.size + 1);
	expect([...keysWrittenAfter(lastId, later)]).toEqual(['u:s|new']);
});
