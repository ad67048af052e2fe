/** What the roster node tells an office: items that can be mailed as they are. */
import { EXPORT, studentsOf, useOffice, zipOf } from './rosterStage.mts';
import { USER_PATH } from './workroom.mts';

const office = useOffice();

/** The export with other words in users.csv. */
const usersWith = (...changes: Array<[from: string | RegExp, to: string]>) => {
	const users = changes.reduce((text, [from, to]) => text.replace(from, to), EXPORT['users.csv']);
	return { roster: [zipOf({ 'users.csv': users })] };
};

const BENTO = {
	...{ key: 'u:school-001|ros-student-2', external_id: 'ros-student-2', name: 'Bento Souza' },
	...{ class_name: '5º ano A', school_external_id: 'school-001', school_name: 'Colégio das Acácias' },
};

test('An item names person, class and school as the roster of tonight has them, and the fields that differ', async () => {
	await office.begin();
	const night = usersWith(['Bento,Fontela', 'Bento,Souza']);
	const { attention, summary } = await office.sync(night);
	const recordChanged = { code: 'recordChanged', fields: ['last_name'], file: 'users.csv', line: 4 };
	expect(attention).toEqual([expect.objectContaining({ ...BENTO, ...recordChanged, new: true })]);
	expect(summary.causes).toMatchObject([{ code: 'recordChanged', count: 1, new: 1 }]);
	const again = await office.sync(night);
	expect(again.attention).toEqual([{ ...attention[0], new: false }]);
});

test('Each person who was refused, changed or cannot be sent has an item, with name and class', async () => {
	await office.workroom.admin.addFault(
		{ path: USER_PATH, bodyContains: 'ros-student-1', times: 1 },
		{ status: 500 },
	);
	const { attention } = await office.begin(
		usersWith(['Bento,Fontela', 'Bento,'], ['Dália,Imaginária', ',Imaginária']),
	);
	expect(attention.map(({ code, name, class_name }) => [code, name, class_name])).toEqual(
		expect.arrayContaining([
			['uncertain', 'Abelia Fontela', '5º ano A'],
			['fieldRefused', 'Bento', '5º ano A'],
			['fieldRefused', 'Imaginária', '5º ano A'],
		]),
	);
});

test('No name gets into the ledger, and none into a message', async () => {
	await office.begin();
	const { attention } = await office.sync(usersWith(['Bento,Fontela', 'Bento,Souza'], ['Abelia,', ',']));
	expect(attention.map(({ name }) => name)).toEqual(expect.arrayContaining(['Bento Souza']));
	const words = attention.flatMap(({ message, what_to_do }) => [message, what_to_do]);
	expect(JSON.stringify([words, office.ledger])).not.toMatch(/Abelia|Bento|Souza|Acácias|5º ano A/);
});

test('Who has left is nobody with a name, is told once, and counted afterwards', async () => {
	await office.begin();
	const without = EXPORT['users.csv'].replace(/^ros-student-2.*\n/m, '');
	const enrollments = EXPORT['enrollments.csv'].replace(/^e2.*\n/m, '');
	const night = { roster: [zipOf({ 'users.csv': without, 'enrollments.csv': enrollments })] };
	const { attention } = await office.sync(night);
	const [left] = attention.filter(({ code }) => code === 'userLeft');
	expect(left).toMatchObject({ external_id: 'ros-student-2', school_name: 'Colégio das Acácias', new: true });
	expect(left).not.toHaveProperty('name');
	const again = await office.sync(night);
	expect(again.attention).toEqual([]);
	expect(again.summary).toMatchObject({
		causes: [{ code: 'userLeft', count: 1, new: 0 }],
		counts: { user: { left: 1 } },
	});
});

test('Changes names whom it is about, as tonight has them', async () => {
	const first = await office.preview();
	expect(
		first.changes.filter(({ kind }) => kind !== 'user').map(({ name, class_name: of }) => [of, name]),
	).toEqual([
		...[['5º ano A', undefined]],
		...first.changes
			.filter(({ kind }) => kind === 'bond')
			.map((): unknown[] => ['5º ano A', expect.stringMatching(/^\S+ \S+$/)]),
	]);
	await office.begin();
	const enrollments = EXPORT['enrollments.csv'].replace(/^e2.*\n/m, '');
	const [stays] = (await office.sync({ roster: [zipOf({ 'enrollments.csv': enrollments })] })).changes;
	expect(stays).toMatchObject({ action: 'remove', name: 'Bento Fontela', class_name: '5º ano A' });
});

test('360 names that changed are 360 items, each with its key and its line', async () => {
	const named = (last: string) => {
		const { roster = [], ...night } = studentsOf(360);
		return { ...night, roster: roster.map(({ json }) => ({ json: { ...json, last_name: last } })) };
	};
	await office.begin(named('Fontela'));
	const { attention } = await office.sync(named('Souza'));
	expect(new Set(attention.map(({ key }) => key)).size).toBe(360);
	expect(attention.map(({ line }) => line)).toEqual(Array.from({ length: 360 }, (_, index) => index + 1));
});

test('Preview says what is new, and tells nobody', async () => {
	await office.begin();
	const night = usersWith(['Bento,Fontela', 'Bento,Souza']);
	for (const { attention } of [await office.preview(night), await office.preview(night)])
		expect(attention).toMatchObject([{ code: 'recordChanged', new: true }]);
});
