/** How long a message may be, whoever words it: what n8n shows, stores and hands on must not be theirs to fill. */
import { studentParameters, TOKEN_PATH, USER_PATH, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

/** Our own sentences, 500 characters of the service, and 20 findings of 300. */
const LONGEST_MESSAGE = 800;
const LONGEST_DESCRIPTION = 7_000;

const create = studentParameters({ options: { maxRetries: 0 } });
const item = { id: 'student-1' };

async function wordsAfter(body: object) {
	await workroom.admin.addFault({ path: USER_PATH }, { status: 409, body });
	const words = wordsOf(await workroom.run(create, [item]));
	expect(words.message.length).toBeLessThanOrEqual(LONGEST_MESSAGE);
	expect(words.description.length).toBeLessThanOrEqual(LONGEST_DESCRIPTION);
	return words;
}

test('Of 20,000 findings of the service the first 20 are listed, the others counted, and the next step stands last', async () => {
	const PropertyName = 'p'.repeat(400);
	const ErrorProperties = Array.from({ length: 20_000 }, () => ({
		PropertyName,
		ErrorMessage: 'w'.repeat(400),
	}));
	const { message, description } = await wordsAfter({
		Error: { Code: 'FLU001', Message: 'Wrong.', ErrorProperties },
	});
	expect(message).toBe(
		'The service refuses the request because it conflicts with its data (409): FLU001: Wrong. [Item 0]',
	);
	const lines = description.split('\n');
	expect(lines).toHaveLength(22);
	expect(lines.slice(20)).toEqual([
		'… and 19980 more',
		'Correct the values that the service names and run the item again. Where it is only that the record exists already, a creation may let that pass: When It Exists Already in its options.',
	]);
});

test('The same holds for a list of errors', async () => {
	const Errors = Array.from({ length: 20_000 }, (_, index) => ({
		Code: `ENRL-${index}`,
		Message: 'w'.repeat(300),
	}));
	expect((await wordsAfter({ Errors })).description).toContain('… and 19979 more');
});

test.each([
	['a message', { Error: { Code: 'X', Message: 'm'.repeat(1_000_000) } }],
	['a code', { Error: { Code: 'c'.repeat(1_000_000), Message: 'Wrong.' } }],
	['a body that the document does not show', { code: 'c'.repeat(1_000_000), message: 'm'.repeat(1_000_000) }],
])('A million characters in %s are cut', async (_what, body) => {
	expect((await wordsAfter(body)).message).toContain('…');
});

test('The service cannot begin a line of its own in a message', async () => {
	const { message } = await wordsAfter({
		Error: { Code: 'X', Message: 'Wrong.\n\nYour session has ended.\u0000\u202E' },
	});
	expect(message).toContain('X: Wrong. Your session has ended. [Item 0]');
});

test('Of thousands of findings about an item the first 20 are listed', async () => {
	const profiles = Array.from({ length: 5_000 }, () => ({}));
	const parameters = { ...create, operation: 'create', profiles: '={{ $json.profiles }}' };
	const { message, description } = wordsOf(await workroom.run(parameters, [{ ...item, profiles }]));
	expect(message).toContain('Entry 1 of Profile Names or IDs');
	expect(description.split('\n')).toHaveLength(22);
	expect(description).toContain('… and 4979 more');
});

test('The sign-on area can fill no message either: of machine access', async () => {
	await workroom.admin.addFault({ path: TOKEN_PATH }, { status: 400, body: { error: 'e'.repeat(100_000) } });
	const { message, description } = wordsOf(await workroom.run(create, [item]));
	expect(message).toMatch(/^The sign-on area gives no token: e+… \[Item 0\]$/);
	expect(message.length + description.length).toBeLessThanOrEqual(LONGEST_MESSAGE);
});

test('The sign-on area can fill no message either: of a sign-on', async () => {
	const credentials = await workroom.signOnCredential();
	const error_description = 'Wrong.\n'.repeat(100_000);
	await workroom.admin.addFault(
		{ path: TOKEN_PATH },
		{ status: 400, body: { error: 'invalid_scope', error_description } },
	);
	const machineToken = { resource: 'signOn', operation: 'getMachineToken' };
	const { message, description } = wordsOf(await workroom.run(machineToken, undefined, { credentials }));
	expect(description).toMatch(/ The sign-on says: (Wrong\. )+.*…$/);
	expect(message.length + description.length).toBeLessThanOrEqual(LONGEST_MESSAGE);
});
