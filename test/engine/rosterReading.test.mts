/** What a person says about how a roster is meant, night after night. */
import { EXPORT, itemWithFiles, keysOf, MAPPING, useOffice, withoutBond, zipOf } from './rosterStage.mts';

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

test('Exports: with Each Item, the files of an item that cannot be used leave out themselves, and the other items go on', async () => {
	const parameters = { exports: 'eachItem', mapping: MAPPING };
	await office.begin({ parameters });
	const broken = itemWithFiles({ 'south.zip': Buffer.from('PK\u0003\u0004 cut') });
	const night = { roster: [withoutBond('e2'), broken], parameters };
	const { changes, attention, summary } = await office.sync(night);
	expect(keysOf(changes)).toEqual(['remove b:school-001|ros-class-1|ros-student-2|student']);
	expect(attention).toMatchObject([{ severity: 'error', code: 'exportNotUsed' }]);
	expect(summary.files).toContainEqual(expect.objectContaining({ name: 'roster.zip/users.csv' }));
	const words = await office.stop('sync', {
		...night,
		parameters: { exports: 'together', mapping: MAPPING },
	});
	expect(words.message).toContain('south.zip');
});
