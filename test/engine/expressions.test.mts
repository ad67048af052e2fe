/** What a message says of an expression that cannot be used: words of the expression, and none of the item. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { studentParameters, USER_PATH, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

const PERSON: IDataObject = {
	...{ id: 'student-1', name: 'Abelia Fontela', mail: 'abelia@fontela.example' },
	...{ document: 52998224725, documents: ['52998224725'] },
};

/** Why the expression cannot be evaluated. */
async function reason(email: string): Promise<string> {
	const run = await workroom.run(studentParameters({ additionalFields: { email } }), [PERSON]);
	const { message, description } = wordsOf(run);
	expect(message).toBe('The expression in Email cannot be evaluated [Item 0]');
	return description;
}

describe('An expression that fails', () => {
	test.each([
		['={{ [...new Set($json.document)] }}', 'the number that it iterates'],
		["={{ 'email' in $json.mail }}", 'the text that it takes for an object'],
		['={{ new Map($json.documents) }}', 'what it takes for a pair'],
		['={{ $json.documents.map($json.name) }}', 'the text that it takes for a function'],
		['={{ $json.nothing[$json.name] }}', 'the name that it looks for'],
	])('%s does not quote %s', async (email) => {
		const words = await reason(email);
		expect(words).toMatch(/^TypeError /);
		expect(words).not.toMatch(/5299|abelia|fontela/i);
	});

	test.each([
		['={{ $json.contact.mail }}', "Cannot read properties of undefined (reading 'mail')"],
		['={{ $json.mail.lower() }}', '$json.mail.lower is not a function'],
		[
			'={{ (() => { const { mail } = $json.contact; return mail; })() }}',
			"Cannot destructure property 'mail' of",
		],
		['={{ decodeURIComponent("%E0%A4%A") }}', 'URI malformed'],
	])('%s says so in the words of the code', async (email, words) => {
		expect(await reason(email)).toContain(words);
	});
});

describe('Text with an expression that gives nothing is not sent with a hole', () => {
	const NOTHING = /^The expression in Email gives nothing for this item; give an empty text/;

	/** What becomes of the students of these rows, whose id or email is made so. */
	async function sent(change: INodeParameters, ...rows: IDataObject[]) {
		const run = await workroom.run(studentParameters(change), rows, { onError: 'continueErrorOutput' });
		return {
			bodies: (await workroom.received(USER_PATH)).map(({ body }) => body as IDataObject),
			errors: run.outputs[1].map(({ json }) => String(json.error)),
		};
	}

	test.each([
		'=student-{{ $json.nr || null }}',
		'=student-{{ $json.nr }}',
		'=student-{{ $json.list?.find((one) => one) ?? $json.nr ?? null }}',
		'=student-{{ parseInt($json.nr) }}',
		'=student-{{ Number($json.nr ?? "none") }}',
		'=student-{{ [$json.nr ?? []].flat() }}',
		'={{ $json.school }}-{{ $json.nr || null }}',
		'={{ $json.nr || null }}-{{ $json.school }}-{{ $json.nr || "x" }}',
		'=student{{ "-" }}{{ $json.nr || null }}',
		'={{ $json.school }}{{ [$json.nr ?? []].flat() }}',
		'={{ [$json.nr ?? []].flat() }}, {{ $json.school }}',
		'={{ $json.school }}-{{ $json.nr }}',
		'=student-{{ $json.school }}{{ $json.nr }}',
		'={{ $json.school }}, {{ $json.school }}-{{ $json.nr }}',
	])('%s: pupils without a number do not all get one id', async (externalId) => {
		const { bodies, errors } = await sent(
			{ externalId },
			{ nr: 1, school: 's1' },
			{ NR: 2, school: externalId.includes('school') ? 's1' : null },
			{ nr: null, school: 's1' },
		);
		expect(bodies).toHaveLength(1);
		expect(String(bodies[0].external_id)).toMatch(/1/);
		expect(errors).toHaveLength(2);
		for (const error of errors) expect(error).toMatch(/^External ID must be text, but is empty/);
	});

	test.each([[''], [' '], [[]], [['']]])(
		'nor do pupils whose cell holds %j, as a sheet has it',
		async (nr) => {
			const { bodies, errors } = await sent({ externalId: '=student-{{ $json.nr }}' }, { nr: 1 }, { nr });
			expect(bodies).toMatchObject([{ external_id: 'student-1' }]);
			expect(errors).toEqual([expect.stringMatching(/^External ID must be text, but is empty/)]);
		},
	);

	test('Two ids joined by a comma are left out where both are empty', async () => {
		const responsibleExternalIds = '={{ $json.mother }}, {{ $json.father }}';
		const rows = [{ id: 'student-1', mother: '', father: '' }, { id: 'student-2' }];
		const { bodies, errors } = await sent({ responsibleExternalIds }, ...rows);
		expect(errors).toEqual([]);
		expect(bodies).toHaveLength(2);
		for (const body of bodies) expect(body).not.toHaveProperty('responsible_external_id');
	});

	test('An id of a list of which only the text around is there is not sent, but the one beside it may be missing', async () => {
		const rows = [
			{ id: 'student-1', mother: '7', father: '' },
			{ id: 'student-2', mother: '7', father: '8' },
		];
		const responsibleExternalIds = '=resp-{{ $json.mother }}, resp-{{ $json.father }}';
		const { bodies, errors } = await sent({ responsibleExternalIds }, ...rows);
		expect(bodies.map((body) => body.responsible_external_id)).toEqual([['resp-7', 'resp-8']]);
		expect(errors[0]).toMatch(/^The expression in Responsible External IDs gives nothing for this item/);
		const apart = await sent({ responsibleExternalIds: '={{ $json.mother }}, {{ $json.father }}' }, rows[0]);
		expect(apart.bodies.map((body) => body.responsible_external_id)).toContainEqual(['7']);
	});

	test('Two lists of ids joined by a comma are one list, also where one of them has nothing, or both', async () => {
		const responsibleExternalIds =
			'={{ $json.mothers.map((one) => one.id) }}, {{ $json.fathers.map((one) => one.id) }}';
		const rows = [
			{ id: 'student-1', mothers: [{ id: 'm1' }], fathers: [{ id: 'f1' }] },
			{ id: 'student-2', mothers: [{ id: 'm2' }], fathers: [] },
			{ id: 'student-3', mothers: [], fathers: [] },
		];
		const { bodies, errors } = await sent({ responsibleExternalIds }, ...rows);
		// The service has nobody with these ids; what it was asked is what counts.
		expect(errors.join()).not.toMatch(NOTHING);
		const ids = bodies.map((body) => body.responsible_external_id);
		expect(ids).toEqual([['m1', 'f1'], ['m2'], undefined]);
	});

	test.each(['={{ $json.last }}, {{ $json.first }}', '={{ $json.last ?? "" }}, {{ $json.first ?? "" }}'])(
		'%s: a name of which no part is there is not sent as a comma',
		async (firstName) => {
			const { bodies, errors } = await sent({ firstName }, { id: 'student-1', first: '', last: '' });
			expect(bodies).toEqual([]);
			expect(errors).toEqual([expect.stringMatching(/^First Name must not be empty/)]);
		},
	);

	test.each(['={{ $json.login || null }}@school.example', '={{ $json.login }}@school.example'])(
		'%s: a field that may be empty is not left out without a word',
		async (email) => {
			const rows = [{ id: 'student-1' }, { id: 'student-2', login: 'abelia' }];
			const { bodies, errors } = await sent({ additionalFields: { email } }, ...rows);
			expect(bodies.map((body) => body.email)).toEqual(['abelia@school.example']);
			expect(errors).toEqual([expect.stringMatching(NOTHING)]);
		},
	);

	test.each([
		['={{ $json.first }} {{ $json.middle }}', 'Abelia'],
		['={{ $json.first }} {{ $json.middle ?? "" }}', 'Abelia'],
		['=Abelia{{ $json.middle ?? "" }}', 'Abelia'],
		['={{ $json.first }} {{ $json.first.length > 3 ? "Maria" : null }}', 'Abelia Maria'],
		['=Ana{{ "" }}', 'Ana'],
		['=A  na{{ $json.first }}', 'A  naAbelia'],
	])('%s is no such text', async (firstName, name) => {
		const { bodies, errors } = await sent({ firstName }, { id: 'student-1', first: 'Abelia' });
		expect(errors).toEqual([]);
		expect(String(bodies[0].first_name).trim()).toBe(name);
	});
});
