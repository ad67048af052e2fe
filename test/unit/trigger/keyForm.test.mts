import { keyFinding } from '../../../nodes/SchoolPartnerTrigger/deliveries/keyForm.ts';

describe('The form of a key', () => {
	test.each([
		['letters and digits', 'Zq81x0PmLr4t'],
		['one character', 'k'],
		['1024 characters', 'k'.repeat(1024)],
		// A service may give such a key, and a header carries it as it is: refusing it would lock the school out.
		['spaces within', 'the key of the school'],
		['punctuation', '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~'],
	])('is right with %s', (_what, key) => {
		expect(keyFinding('API Key', key)).toBeUndefined();
	});

	test.each([
		['nothing', '', /^API Key is empty/],
		['1025 characters', 'k'.repeat(1025), /^API Key has 1025 characters/],
		['a space before it', ' key', /^API Key has spaces before or after it/],
		['a line break behind it', 'key\n', /^API Key has spaces before or after it/],
		['a tab within', 'my\tkey', /that a header cannot carry/],
		['a letter beyond ASCII', 'clé', /that a header cannot carry/],
	])('is wrong with %s, and says why without quoting it', (_what, key, reason) => {
		const finding = keyFinding('API Key', key);
		expect(finding).toMatch(reason);
		if (key.length > 3) expect(finding).not.toContain(key);
	});
});
