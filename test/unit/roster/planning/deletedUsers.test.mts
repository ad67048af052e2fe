/** Users whom an export of changes says to be deleted, and whose schools it need not say. */
import { Nights } from '../night.mts';
import { extended, oneRoster11, oneRoster12, rosterOf, type Lines } from '../reading/support.mts';

function changesOf(lines: Lines, rows: Record<string, string[]>): Lines {
	const files = Object.entries(lines).map(([name, content]) => [name, [content[0], ...(rows[name] ?? [])]]);
	const manifest = lines['manifest.csv'].map((line) => line.replace('bulk', 'delta'));
	return { ...(Object.fromEntries(files) as Lines), 'manifest.csv': manifest };
}

const deleted = (lines: Lines, id: string) =>
	(lines['users.csv'].find((line) => line.startsWith(id)) ?? '').replace(',,', ',tobedeleted,2026-03-14');

test('A guardian whose role is held in the district has left the school of her child', async () => {
	const nights = await Nights.after(await rosterOf(oneRoster11()));
	const rows = { 'users.csv': [deleted(oneRoster11(), 'gu-1')] };
	await nights.sync(await rosterOf(changesOf(oneRoster11(), rows)));
	expect(nights.attention('userLeft').map(({ key }) => key)).toEqual(['u:sch-1|gu-1']);
});

test('A teacher of whose roles one alone is named has left both schools', async () => {
	const two = extended(oneRoster12(), 'orgs.csv', 'sch-9,,,South School,school,1009,net');
	const full = extended(two, 'roles.csv', 'r9,,,te-1,secondary,teacher,,,sch-9,');
	const nights = await Nights.after(await rosterOf(full));
	const role = 'r9,tobedeleted,2026-03-14,te-1,secondary,teacher,,,sch-9,';
	const rows = { 'users.csv': [deleted(full, 'te-1')], 'roles.csv': [role] };
	const { told } = await nights.sync(await rosterOf(changesOf(full, rows)));
	expect(told).toEqual(['remove b:sch-1|cl-1|te-1|educator removed']);
});
