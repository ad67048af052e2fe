import fc from 'fast-check';

import { fieldReference, isComputed, referredField } from '../../../nodes/shared/actions/fieldReference.ts';
import { parameterName, wireName } from '../../../nodes/shared/actions/properties.ts';

/** That it reads what n8n reads, for each way to name a field: test/engine/reading.test.mts. */
describe('An expression that only names a field', () => {
	test('is found without a long search, whatever the text', () => {
		const hostile = `={{ $json${'.a'.repeat(20_000)}${'["b"]'.repeat(20_000)} !}}`;
		const begin = process.cpuUsage();
		expect(fieldReference(hostile)).toBeUndefined();
		// The second is this process's own: a busy machine does not count.
		expect(process.cpuUsage(begin).user).toBeLessThan(1_000_000);
	});
});

describe('An expression that computes a value', () => {
	test.each([
		"={{ DateTime.fromFormat($json.born, 'dd/MM/yyyy').toISODate() }}",
		'={{ $json.born.toDateTime() }}',
		'={{ $json.mail || null }}',
		'={{ $json.mail ?? undefined }}',
		'={{ $json.a ? $json.b : null }}',
		'={{ $json.codes[$json.code] }}',
		'={{ $json.rows.find((row) => row.id === 7) }}',
		'={{ $json.a + $json.b }}',
		"={{ $('Sheet').all().find((each) => each.json.id).json.name }}",
		'={{ [1, 2][5] }}',
		'={{ ({ a: 1 }).b }}',
		'={{ $json.name.match(/a/) }}',
	])('has to give one: %s', (expression) => {
		expect(isComputed(expression)).toBe(true);
	});

	test.each([
		'={{ $json.born }}',
		'={{$json["the day"]}}',
		'={{ $json.contact?.email }}',
		'={{ $json?.contact?.["e mail"]?.[0] }}',
		'={{ $json.list[0].name }}',
		'={{ $json\n\t.nascença }}',
		'={{ $input.item.json.born }}',
		'={{ $input.first().json.born }}',
		"={{ $('Sheet of pupils').item.json.born }}",
		'={{ $("Sheet \\"A\\"").first().json["born"] }}',
		"={{ $('Sheet').all()[0].json.born }}",
		'={{ $node["Sheet"].json.born }}',
		'={{ $vars.school }}',
		"={{ $fromAI('Birth_Date', `The day of birth (YYYY-MM-DD)`, 'string') }}",
		"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Birth_Date', ``, 'string') }}",
		'={{ null }}',
		'={{ undefined }}',
	])('is not one that names it, or says that there is none: %s', (expression) => {
		expect(isComputed(expression)).toBe(false);
	});

	test('is found without a long search, whatever the text', () => {
		const hostile = ['.a', '["b"]', '?.c', ' ', '\\"', '("'].map(
			(part) => `={{ $json${part.repeat(20_000)} !}}`,
		);
		const begin = process.cpuUsage();
		expect(hostile.filter(isComputed)).toHaveLength(hostile.length);
		expect(process.cpuUsage(begin).user).toBeLessThan(1_000_000);
	});
});

describe('A field', () => {
	const json = {
		text: 'x',
		nothing: null,
		list: ['a'],
		object: { inner: 'i' },
		day: new Date(0),
		nan: Number.NaN,
	};

	test.each([
		['a list', ['list']],
		['an object', ['object']],
		['a date', ['day']],
		['a number that is none', ['nan']],
		['the length of a list', ['list', 'length']],
		['a member of text', ['text', 'length']],
		['a member of nothing', ['nothing', 'x']],
		['a member of what is absent', ['absent', 'x']],
	])('is left to n8n where it is %s', (_what, path) => {
		expect(referredField(json, path)).toEqual({ certain: false });
	});

	test('of any data is never read from beyond the data', () => {
		fc.assert(
			fc.property(
				fc.object({ maxDepth: 3 }),
				fc.array(fc.string(), { minLength: 1, maxLength: 3 }),
				(data, path) => {
					const field = referredField(data, path);
					if (field.certain)
						expect(['string', 'number', 'boolean', 'undefined', 'object']).toContain(typeof field.value);
				},
			),
		);
		expect(referredField({}, ['toString'])).toEqual({ certain: true, value: undefined });
	});
});

test.each([
	['schoolExternalId', 'school_external_id'],
	['ddi', 'ddi'],
	['courseCode', 'course_code'],
	['first_name', 'first_name'],
])('The parameter %s fills the field %s', (parameter, field) => {
	expect(wireName(parameter)).toBe(field);
	if (parameter !== field) expect(parameterName(field)).toBe(parameter);
});
