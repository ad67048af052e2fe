/** What a message says of what a step throws although it was to give an outcome. */
import { inWords } from '../../../nodes/shared/engine/unexpected.ts';

const data: unknown = JSON.parse(
	'{ "document": 52998224725, "name": "Maria Souza", "mail": "maria.souza@mail.example" }',
);

const { document, name, mail } = data as { document: never; name: never; mail: never };

function thrownBy(step: () => unknown): unknown {
	try {
		step();
	} catch (thrown) {
		return thrown;
	}
	throw new Error('Nothing was thrown');
}

const throwing: Array<[what: string, step: () => unknown]> = [
	['iterates a number', () => [...new Set(document)]],
	['looks into a text', () => 'email' in mail],
	['takes a text for pairs', () => new Map([document])],
	['writes into a text', () => ((name as { x: number }).x = 1)],
	['takes a text for a function', () => [1].map(name)],
	['takes a text for a class', () => Reflect.construct(Object, [], name)],
	['looks for a name in nothing', () => (undefined as unknown as Record<string, unknown>)[name]],
];

test.each(throwing)('A step that %s is told by its kind, without the value', (_what, step) => {
	expect(inWords(thrownBy(step))).toBe('TypeError');
});

test('A text that is not JSON is told by its kind', () => {
	expect(inWords(thrownBy(() => JSON.parse(mail) as unknown))).toBe('SyntaxError');
});

test.each([
	[() => (undefined as unknown as string[]).length, "Cannot read properties of undefined (reading 'length')"],
	[() => ((null as unknown as { x: number }).x = 1), "Cannot set properties of null (setting 'x')"],
	[() => (data as { trim: () => string }).trim(), 'data.trim is not a function'],
])('What the code lacks is told in its words: %#', (step, words) => {
	expect(inWords(thrownBy(step))).toBe(`TypeError: ${words}`);
});
