/** What it means that a file says of a user: not enabled. */
import type { Mapping } from '../../../../nodes/SchoolPartnerRoster/reading/mapping.ts';

import { actionsOf, Nights } from '../night.mts';
import {
	GRADES,
	changed,
	finding,
	oneRoster11,
	oneRoster12,
	rosterOf,
	type Lines,
} from '../reading/support.mts';

const disabled = (lines: Lines, id: string, cell = 'false') =>
	changed(lines, 'users.csv', (line) =>
		line.startsWith(id) ? line.replace(',,,true,', `,,,${cell},`) : line,
	);
const HAS_LEFT: Mapping = { ...GRADES, disabledUsers: 'hasLeft' };

describe('A user who is not enabled', () => {
	test.each([oneRoster11, oneRoster12])('leaves with the bonds where the option says so', async (lines) => {
		const nights = await Nights.after(await rosterOf(lines()));
		const tonight = await nights.preview(await rosterOf(disabled(lines(), 'te-1'), HAS_LEFT));
		expect(actionsOf(tonight)).toEqual(['remove b:sch-1|cl-1|te-1|educator']);
		expect(tonight.findings.map(({ code }) => code)).toEqual([]);
		expect(tonight.left.map(({ key }) => key)).toEqual(['u:sch-1|te-1']);
	});

	test('stays without the option, and the finding names it', async () => {
		const nights = await Nights.after(await rosterOf(oneRoster12()));
		const roster = await rosterOf(disabled(oneRoster12(), 'te-1'));
		expect(actionsOf(await nights.preview(roster))).toEqual([]);
		expect(finding(roster, 'notEnabled')).toMatchObject({
			severity: 'warning',
			what_to_do: expect.stringContaining(
				'set the option Disabled Users of Sync or Preview to Has Left',
			) as string,
		});
	});

	test('stays where the cell is neither true nor false: that is told', async () => {
		const roster = await rosterOf(disabled(oneRoster12(), 'te-1', 'maybe'), HAS_LEFT);
		expect(roster.gone).toEqual([]);
		expect(finding(roster, 'notEnabled')).toMatchObject({ line: 4 });
	});
});
