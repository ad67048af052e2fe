/** What a person is told, and what of it is new. */
import { Findings } from '../../../../nodes/SchoolPartnerRoster/roster/findings.ts';
import { planErrors } from '../../../../nodes/SchoolPartnerRoster/planning/recordFindings.ts';
import { gradeNotMapped } from '../../../../nodes/SchoolPartnerRoster/reading/classFindings.ts';
import { Nights } from '../night.mts';
import { aUser, FAMILY } from '../world.mts';

test('A class id that comes again names the option that puts the year into it', () => {
	const { what_to_do: advice } = planErrors.anotherYear(['year']);
	expect(advice).toContain('set Mapping → Class ID From to Identifier and Year');
	// And what comes of it: the option is one that must not be changed otherwise.
	expect(advice).toMatch(/only at the turn of a year.* held once.*idsChanged/);
});

test.each(['05', '1º ano', 'KG', 'Infantil 3', '9A'])('The grade %s that nobody mapped is shown', (code) => {
	expect(gradeNotMapped(code).message).toContain(`"${code}"`);
});

test.each(['Maria', 'Ana Lima', '2016-05-04', '52998224725', 'maria.souza'])(
	'What slipped into the column of grades (%s) is not shown: it may be of a person',
	(cell) => {
		expect(gradeNotMapped(cell).message).not.toContain(cell);
	},
);

test('Two fields of one record that are refused are both new, each once', async () => {
	const nights = await Nights.after(FAMILY);
	const faulty = (name: string) => [
		...FAMILY,
		aUser('t2', 'educator', 'school-1', { first_name: name, birth_date: '31/02/2015' }),
	];
	const told = () => nights.attention('fieldRefused').map(({ message, new: isNew }) => [message, isNew]);
	await nights.sync(faulty('Ana'));
	expect(told()).toEqual([[expect.stringContaining('birth_date'), true]]);
	await nights.sync(faulty(''));
	expect(told()).toEqual(
		expect.arrayContaining([
			[expect.stringContaining('birth_date'), false],
			[expect.stringContaining('first_name'), true],
		]),
	);
});

test('Of more records with an error than are listed, the same are listed whatever the order of the rows', () => {
	const keys = Array.from({ length: 3_500 }, (_, at) => `u:s|${String(at).padStart(4, '0')}`);
	const listed = (inOrder: readonly string[]) => {
		const findings = new Findings();
		for (const key of inOrder)
			findings.add(
				{ severity: 'error', code: 'wrong', message: `Wrong`, what_to_do: 'Correct it.', isOfOne: true },
				{ file: 'users.csv', line: 2 },
				key,
			);
		return findings.list().map(({ key, message, count }) => `${key} ${message} ${count}`);
	};
	expect(listed(keys)).toHaveLength(1_001);
	expect(listed([...keys].reverse()).sort()).toEqual(listed(keys).sort());
	expect(listed(keys).at(-1)).toBe('u:s|1000 More of the same kind: Wrong 2500');
});

test('What is more than is listed stands with its own: beside the same words of what helps against another one', () => {
	const findings = new Findings();
	const record = {
		severity: 'error',
		code: 'refused',
		message: 'Refused since Monday',
		isOfOne: true,
	} as const;
	const ofSeveral = { message: 'Refused', what_to_do: 'Wait.' };
	for (let at = 1_000; at < 2_200; at++) {
		const created = { ...record, action: 'create', what_to_do: `Wait until day ${at}.`, ofSeveral } as const;
		findings.add(created, null, `u:s|${at}`);
		findings.add({ ...record, action: 'remove', what_to_do: 'Do not wait.' }, null, `u:s|${at}-left`);
	}
	expect(findings.list().slice(1_000)).toMatchObject([
		{ action: 'create', message: 'More of the same kind: Refused', what_to_do: 'Wait.', count: 700 },
		{ action: 'remove', message: 'More of the same kind: Refused since Monday', what_to_do: 'Do not wait.' },
	]);
});
