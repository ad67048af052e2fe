/** What a night is measured against: what each school had, and what was created and removed in the last days. */
import { changeOf, type Change } from '../../../../nodes/SchoolPartnerRoster/planning/change.ts';
import { baseline, RecentChanges } from '../../../../nodes/SchoolPartnerRoster/planning/baseline.ts';
import type { RecentCount } from '../../../../nodes/SchoolPartnerRoster/ledger/detail.ts';
import { Turns } from '../../../../nodes/SchoolPartnerRoster/roster/turns.ts';
import { ledgerOf, type Row } from '../ledgerRows.mts';

const TURNS = new Turns({ pause: async () => {}, clock: () => 0 });
const rowOf = (kind: 'class' | 'user' | 'bond', key: string, state: string): Row => ({
	...{ kind, key, state, school_external_id: 's', fields: 'h' },
});
const ROWS = [
	rowOf('class', 'c:s|c1', 'applied'),
	rowOf('user', 'u:s|there', 'applied'),
	rowOf('user', 'u:s|not-seen-yet', 'unconfirmed'),
	rowOf('user', 'u:s|refused', 'failed'),
	rowOf('user', 'u:s|nobody-knows', 'uncertain'),
	rowOf('user', 'u:s|somebodys', 'exists'),
	rowOf('bond', 'b:s|c1|there|student', 'applied'),
	rowOf('bond', 'b:s|c1|gone|student', 'removed'),
	rowOf('bond', 'b:s|c1|teacher|educator', 'applied'),
];

async function baseOf(...rows: Row[]) {
	return (await baseline(await ledgerOf(...rows), TURNS)).entries();
}

test('Without a whole export, a school is measured against what the service has of it, seen or not', async () => {
	const had = { class: 1, user: 2, 'bond student': 1, 'bond educator': 1 };
	expect(await baseOf(...ROWS)).toEqual([['s', had]]);
});

test('With one, it is measured against what was in it; of a kind that it had nothing of, against what the service has', async () => {
	const detail = JSON.stringify({ base: [['s', { user: 40, 'bond student': 38 }]] });
	const had = { user: 40, 'bond student': 38, class: 1, 'bond educator': 1 };
	expect(await baseOf({ kind: 'run', key: 'run', state: 'ended', detail }, ...ROWS)).toEqual([['s', had]]);
});

const NOW = Date.parse('2027-01-15T12:00:00Z');
const recentOn = (day: string, count = 1): RecentCount => [day, 's', 'in', 'user', count];
const changes = (...more: Array<Partial<Change>>) =>
	more.map((one) => {
		const record = { kind: 'user', key: 'u:s|1', school: 's', fields: 'h' } as const;
		return changeOf(record, undefined, { action: 'create', why: 'new', ...one });
	});

test('The last seven days count, and a day that another host has begun; neither an older day nor what a wrong clock noted', () => {
	const days = ['2027-01-08', '2027-01-09', '2027-01-15', '2027-01-16', '2027-01-17'];
	const recent = new RecentChanges(
		days.map((day, place) => recentOn(day, 10 ** place)),
		NOW,
	);
	expect([recent.in.of('s', 'user'), recent.out.of('s', 'user')]).toEqual([1_110, 0]);
	expect(recent.with([]).map(([day]) => day)).toEqual(days.slice(1, 4));
});

test('What is done tonight is added to its day: creations and removals, but nothing that a person has let go, and nobody who moves', () => {
	const bond = { kind: 'bond', key: 'b:s|c1|1|student' } as const;
	const done = changes(
		{},
		{},
		{ hold: 'hold-1' },
		{ action: 'note' },
		{ ...bond, action: 'remove' },
		{ ...bond, action: 'remove', move: 'goesOn' },
		{ ...bond, action: 'remove', move: 'keepsOthers' },
	);
	expect(new RecentChanges([recentOn('2027-01-15', 3), recentOn('2027-01-14')], NOW).with(done)).toEqual([
		['2027-01-15', 's', 'in', 'user', 5],
		['2027-01-14', 's', 'in', 'user', 1],
		['2027-01-15', 's', 'out', 'bond student', 2],
	]);
});
