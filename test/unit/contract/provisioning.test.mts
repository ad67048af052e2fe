/** The messages of provisioning, written down from the tables of the service's document. */
import type * as z from 'zod/v4-mini';

import {
	accountCreationQuery,
	bond,
	classCreation,
	educationalStageQuery,
	responsibleCreation,
	studentCreation,
	userCreation,
} from '../../../nodes/shared/contract/provisioning.ts';

const schoolClass = {
	school_external_id: 'school-001',
	external_id: 'class-5a',
	educational_stage: 'EF1',
	grade: '5º ano',
	shift: 'Morning',
	year: 2026,
	code: '5A',
	name: 'Grade 5 A',
	description: 'Morning group',
	course: 'MATH-5',
};

const person = {
	external_id: 'student-1',
	first_name: 'Abelia',
	last_name: 'Fontela',
	birth_date: '2010-12-31',
	document_type: 'TAX_ID',
	document_value: '00000000191',
	ddi: '55',
	cell_phone: '11900000000',
	email: 'abelia@families.example',
	school_external_id: 'school-001',
};

const bonded = {
	school_external_id: 'school-001',
	class_external_id: 'class-5a',
	user_external_id: 'student-1',
	profile_name: 'student',
};

const payloads: Array<[string, z.ZodMiniType, Record<string, unknown>, string[]]> = [
	[
		'class',
		classCreation,
		schoolClass,
		['school_external_id', 'external_id', 'educational_stage', 'grade', 'year', 'code', 'name'],
	],
	[
		'user',
		userCreation,
		{ ...person, profiles: ['student', 'coordinator'], responsible_external_id: ['r-1', 'r-2'] },
		['external_id', 'first_name', 'last_name', 'school_external_id', 'profiles'],
	],
	[
		'responsible',
		responsibleCreation,
		{ ...person, profiles: ['responsible', 'coordinator'] },
		['external_id', 'first_name', 'last_name', 'school_external_id'],
	],
	[
		'student',
		studentCreation,
		{ ...person, profiles: ['coordinator', 'student'], responsible_external_id: ['r-1', 'r-2'] },
		['external_id', 'first_name', 'last_name', 'school_external_id'],
	],
	['bond', bond, bonded, Object.keys(bonded)],
	[
		'query of the stages',
		educationalStageQuery,
		{ school_external_id: 'school-001' },
		['school_external_id'],
	],
];

describe.each(payloads)('The payload of a %s', (_what, schema, whole, required) => {
	test('takes every field of its table as it is', () => {
		expect(schema.parse(whole)).toEqual(whole);
	});

	test('leaves out fields that its table does not name', () => {
		expect(schema.parse({ ...whole, color: 'blue', id: 7 })).toEqual(whole);
	});

	test.each([undefined, null, '', '   ', []])(
		'is refused without what makes it a record, by its name (%p)',
		(empty) => {
			const refused = Object.keys(whole).filter((field) => {
				const result = schema.safeParse({ ...whole, [field]: empty });
				return !result.success && result.error.issues.every(({ path }) => path[0] === field);
			});
			// A list where text is expected is refused; an empty one where a list is, only if one entry is needed.
			const lists = ['responsible_external_id', ...(required.includes('profiles') ? [] : ['profiles'])];
			const expected = Array.isArray(empty)
				? Object.keys(whole).filter((field) => !lists.includes(field))
				: required;
			expect(refused.sort()).toEqual([...expected].sort());
		},
	);

	test('does not change what it is given', () => {
		const given = structuredClone(whole);
		schema.parse(given);
		expect(given).toEqual(whole);
	});
});

describe('Empty fields', () => {
	test.each([undefined, null, '', ' \t'])('of a person that hold %p are left out', (empty) => {
		const optional = ['birth_date', 'document_type', 'document_value', 'ddi', 'cell_phone', 'email'];
		const given = { ...person, ...Object.fromEntries(optional.map((field) => [field, empty])) };
		const { external_id, first_name, last_name, school_external_id } = person;
		const left = { external_id, first_name, last_name, school_external_id, profiles: ['student'] };
		const sent = studentCreation.parse({
			...given,
			responsible_external_id: empty,
			profiles: empty,
			other_profiles: empty,
		});
		expect(JSON.parse(JSON.stringify(sent))).toEqual(left);
	});

	test.each([undefined, null, '', ' \t'])('of a class that hold %p are null or blank', (empty) => {
		const given = { ...schoolClass, shift: empty, course: empty, description: empty };
		expect(classCreation.parse(given)).toEqual({
			...schoolClass,
			shift: null,
			course: null,
			description: '',
		});
	});

	test('of a class may be absent altogether', () => {
		const { shift: _shift, course: _course, description: _description, ...rest } = schoolClass;
		expect(classCreation.parse(rest)).toEqual({ ...rest, shift: null, course: null, description: '' });
	});
});

describe('What sheets make of text', () => {
	test('whole numbers become the text that they were', () => {
		expect(bond.parse({ ...bonded, user_external_id: 1042, class_external_id: 0 })).toMatchObject({
			user_external_id: '1042',
			class_external_id: '0',
		});
	});

	test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, true, {}, ['a']])(
		'%p is not taken for text: it may not be the text that it was',
		(value) => {
			const { success } = bond.safeParse({ ...bonded, user_external_id: value });
			expect(success).toBe(false);
		},
	);

	test('years may be text', () => {
		for (const year of ['2026', ' 2026 ', 2026]) {
			expect(classCreation.parse({ ...schoolClass, year })).toMatchObject({ year: 2026 });
		}
	});

	test.each([0, -1, 10_000, 20.5, '20.5', '2026a', '2e3', '0x7ea', '', ' ', null, true, [2026]])(
		'%p is no year',
		(year) => {
			expect(classCreation.safeParse({ ...schoolClass, year }).success).toBe(false);
		},
	);
});

describe('The ids of responsible users', () => {
	const sent = (given: unknown) =>
		JSON.parse(
			JSON.stringify(studentCreation.parse({ ...person, responsible_external_id: given })),
		) as object;

	test.each([
		[77, ['77']],
		[
			[77, 'r-2'],
			['77', 'r-2'],
		],
		[' 77 , r-2,', ['77', 'r-2']],
	])('that a sheet gives as %p are sent as %p', (given, ids) => {
		expect(sent(given)).toMatchObject({ responsible_external_id: ids });
	});

	test.each([[[]], [','], [' , ,']])('are left out where there are none: %p', (given) => {
		expect(sent(given)).not.toHaveProperty('responsible_external_id');
	});

	test.each([1.5, true, {}])('are no %p', (given) => {
		const { error } = studentCreation.safeParse({ ...person, responsible_external_id: given });
		expect(error?.issues[0].message).toMatch(
			/^must be a list of external ids of responsible users, .*, but is/,
		);
	});
});

describe('The profiles of a user', () => {
	test.each([
		['none', [], 'must name at least one profile'],
		['empty text', ' , ', 'must name at least one profile'],
		['a number', 7, 'must be a list of profile types, for example ["student"], but is a number'],
		['nothing', null, 'must be a list of profile types, for example ["student"], but is empty'],
		[
			'an object',
			{ student: true },
			'must be a list of profile types, for example ["student"], but is an object',
		],
	])('must be a list of at least one: %s', (_what, profiles, message) => {
		const result = userCreation.safeParse({ ...person, profiles });
		expect(result.error?.issues.map((issue) => [issue.path, issue.message])).toEqual([
			[['profiles'], message],
		]);
	});
});

describe.each([
	['student', studentCreation],
	['responsible', responsibleCreation],
] as Array<[string, z.ZodMiniType]>)('The profiles of a %s', (kind, schema) => {
	test.each([undefined, null, '', ' ', [], '[]'])('that are %p are that one alone', (profiles) => {
		expect(schema.parse({ ...person, profiles })).toMatchObject({ profiles: [kind] });
	});

	test('keep the others, in their order', () => {
		const profiles = ['coordinator', kind, 'monitor'];
		expect(schema.parse({ ...person, profiles })).toMatchObject({ profiles });
		expect(schema.parse({ ...person, profiles: profiles.join(', ') })).toMatchObject({ profiles });
		expect(schema.parse({ ...person, profiles: JSON.stringify(profiles) })).toMatchObject({ profiles });
	});

	test.each([[['coordinator']], ['coordinator, educator'], [[kind.toUpperCase()]]])(
		'are refused without it: %j',
		(profiles) => {
			const { error } = schema.safeParse({ ...person, profiles });
			expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
				[
					['profiles'],
					`must hold "${kind}", because a ${kind} is created here; other users are created with User: Create`,
				],
			]);
		},
	);
});

test('The profiles of a user may come as text with commas, as a cell of a sheet has them', () => {
	const parsed = userCreation.parse({ ...person, profiles: 'educator, coordinator' });
	expect(parsed).toMatchObject({ profiles: ['educator', 'coordinator'] });
});

test.each([
	['["resp-1", "resp-2"]', ['resp-1', 'resp-2']],
	[' [1042]', ['1042']],
	['[resp-1], resp-2', ['[resp-1]', 'resp-2']],
	['[ ]', undefined],
])('Responsible persons in a field of text are those of the list that it holds: %s', (text, sent) => {
	const { responsible_external_id } = studentCreation.parse({ ...person, responsible_external_id: text });
	expect(responsible_external_id).toEqual(sent);
});

test.each([',', ' , ', ', ,'])(
	'What is left of cells that were joined, and are all empty, is no value: "%s"',
	(commas) => {
		const { error } = userCreation.safeParse({ ...person, profiles: 'student', last_name: commas });
		expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
			[['last_name'], 'must not be empty'],
		]);
		const optional = { email: commas, birth_date: commas, responsible_external_id: commas };
		const left = { ...person, email: undefined, birth_date: undefined };
		expect(studentCreation.parse({ ...person, ...optional })).toEqual(studentCreation.parse(left));
	},
);

describe('The dialing code', () => {
	test.each([
		['+55', '55'],
		[' +55', '55'],
		['55', '55'],
	])('%p is sent as %p', (ddi, sent) => {
		expect(responsibleCreation.parse({ ...person, ddi })).toMatchObject({ ddi: sent });
	});
});

describe('The query of a creation result', () => {
	test.each([undefined, []])('may be empty (%p)', (parameter) => {
		expect(accountCreationQuery.parse({ parameter })).toEqual({ parameter: [] });
	});

	test('takes any name and value, also an empty value and a number', () => {
		const parameter = [
			{ name: 'a', value: '' },
			{ name: 'b', value: 7 },
		];
		expect(accountCreationQuery.parse({ parameter }).parameter).toEqual([
			{ name: 'a', value: '' },
			{ name: 'b', value: '7' },
		]);
	});

	test.each([[[{ name: '', value: 'x' }]], [[{ value: 'x' }]], ['a=b'], [[7]]])('refuses %p', (parameter) => {
		expect(accountCreationQuery.safeParse({ parameter }).success).toBe(false);
	});
});
