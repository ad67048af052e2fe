/** What a message says of an expression that cannot be used: words of the expression, and none of the item. */
import type { IDataObject } from 'n8n-workflow';

import { studentParameters, useWorkroom, wordsOf } from './workroom.mts';

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
