/** What a person says about how a roster is meant, night after night. */
import { EXPORT, keysOf, useOffice, zipOf } from './rosterStage.mts';

const office = useOffice();

test('Disabled Users: who is not enabled loses the bonds where the option says that they have left', async () => {
	await office.begin();
	const roster = [
		zipOf({ 'users.csv': EXPORT['users.csv'].replace('teacher-1,,,true', 'teacher-1,,,false') }),
	];
	const kept = await office.sync({ roster });
	expect([kept.changes, kept.attention]).toMatchObject([[], [{ code: 'notEnabled' }]]);
	const { changes } = await office.sync({ roster, options: { disabledUsers: 'hasLeft' } });
	expect(keysOf(changes)).toEqual(['remove b:school-001|ros-class-1|ros-teacher-1|educator']);
});
