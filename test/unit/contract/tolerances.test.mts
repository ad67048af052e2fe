import { isJsonObject } from '../../../nodes/shared/contract/json.ts';
import {
	canonicalAddress,
	canonicalCellPhone,
	canonicalClass,
	canonicalSchool,
	canonicalShift,
	canonicalUser,
	datePart,
	dialingCode,
} from '../../../nodes/shared/contract/tolerances.ts';

describe('What the document tells consumers to tolerate', () => {
	test('a school whose tax id is spelled cpnj has a cnpj', () => {
		expect(canonicalSchool({ id: 's', cpnj: '11.222.333/0001-81' })).toEqual({
			id: 's',
			cnpj: '11.222.333/0001-81',
		});
	});

	test('the documented spelling counts when both are sent, and nothing is lost', () => {
		expect(canonicalSchool({ cnpj: 'right', cpnj: 'other' })).toEqual({ cnpj: 'right', cpnj: 'other' });
		expect(canonicalSchool({ cnpj: null, cpnj: 'sample' })).toEqual({ cnpj: 'sample' });
		expect(canonicalSchool({ cnpj: '', cpnj: 'sample' })).toEqual({ cnpj: 'sample' });
		expect(canonicalSchool({ cpnj: 'sample', cnpj: null })).toEqual({ cnpj: 'sample' });
	});

	test('addresses with capital Zip, City and State have them written small', () => {
		expect(
			canonicalSchool({ addresses: [{ Zip: '01000-000', City: 'Aurora', State: 'SP', number: '1' }] }),
		).toEqual({
			addresses: [{ zip: '01000-000', city: 'Aurora', state: 'SP', number: '1' }],
		});
		expect(canonicalAddress({ zip: '1', City: 'c' })).toEqual({ zip: '1', city: 'c' });
	});

	test('a person whose id is called user_id has an id', () => {
		expect(canonicalUser({ hash: 'h', user_id: 'u', account_id: 'a' })).toEqual({
			hash: 'h',
			id: 'u',
			account_id: 'a',
		});
		expect(Object.keys(canonicalUser({ hash: 'h', user_id: 'u', name: 'n' }))).toEqual([
			'hash',
			'id',
			'name',
		]);
	});

	test('a phone written as one text becomes a cell phone without a dialling code', () => {
		expect(canonicalUser({ phone: '11 90000-0000' })).toEqual({
			cell_phone: { ddi: null, value: '11 90000-0000' },
		});
		expect(canonicalUser({ phone: '1', cell_phone: null })).toEqual({
			cell_phone: { ddi: null, value: '1' },
		});
		expect(canonicalUser({ phone: 11900000000 })).toEqual({
			cell_phone: { ddi: null, value: '11900000000' },
		});
		expect(canonicalUser({ phone: '' })).toEqual({ cell_phone: null });
	});

	test.each([[null], [7.5], [{ value: '1' }], [['1']]])(
		'a phone that is no number, %j, stays what it is',
		(phone) => {
			expect(canonicalUser({ phone })).toEqual({ phone });
		},
	);

	test('a phone beside a cell phone stays what it is', () => {
		const person = { phone: '1', cell_phone: { ddi: '55', value: '2' } };
		expect(canonicalUser(person)).toEqual(person);
	});

	test('a dialling code loses its plus sign', () => {
		expect(dialingCode('+55')).toBe('55');
		expect(dialingCode('55')).toBe('55');
		expect(canonicalCellPhone({ ddi: '+351', value: '9' })).toEqual({ ddi: '351', value: '9' });
		expect(canonicalUser({ cell_phone: { ddi: '+1', value: '9' } })).toEqual({
			cell_phone: { ddi: '1', value: '9' },
		});
	});

	test.each([
		['2010-05-03T00:00:00', '2010-05-03'],
		['2010-05-03T23:59:59.123Z', '2010-05-03'],
		['2010-05-03T00:00:00-03:00', '2010-05-03'],
		['2010-05-03 00:00:00', '2010-05-03'],
		['2010-05-03', '2010-05-03'],
		['2010-05-03Tomorrow', '2010-05-03Tomorrow'],
	])('the date of birth %s is the day %s', (sent, day) => {
		expect(datePart(sent)).toBe(day);
		expect(canonicalUser({ date_of_birth: sent })).toEqual({ date_of_birth: day });
	});

	test('a shift whose identifier is called tagId has an id', () => {
		expect(canonicalShift({ tagId: 't', name: 'Morning' })).toEqual({ id: 't', name: 'Morning' });
		expect(canonicalClass({ id: 'c', shift: { tagId: 't', name: 'Morning' } })).toEqual({
			id: 'c',
			shift: { id: 't', name: 'Morning' },
		});
		expect(canonicalClass({ id: 'c', shift: null })).toEqual({ id: 'c', shift: null });
	});

	test('unknown fields and values of unexpected types stay as they were sent', () => {
		const odd = {
			date_of_birth: 20100503,
			cell_phone: 'text',
			phone: 7,
			addresses: 'none',
			extra: [{ a: 1 }],
		};
		expect(canonicalUser(odd)).toEqual(odd);
		expect(canonicalSchool(odd)).toEqual(odd);
		for (const value of [null, undefined, 'text', 7, true, ['list']]) {
			expect(isJsonObject(value)).toBe(false);
			expect(canonicalUser(value)).toBe(value);
			expect(canonicalSchool(value)).toBe(value);
			expect(canonicalClass(value)).toBe(value);
			expect(canonicalCellPhone(value)).toBe(value);
			expect(canonicalAddress(value)).toBe(value);
		}
	});

	test('what was sent is not changed in place, and healing twice gives the same', () => {
		const sent = Object.freeze({ user_id: 'u', phone: '1', date_of_birth: '2010-05-03T00:00:00' });
		const healed = canonicalUser(sent);
		expect(canonicalUser(healed)).toEqual(healed);
		expect(sent).toHaveProperty('user_id', 'u');
	});

	test('a field called __proto__ changes no prototype', () => {
		const hostile: unknown = JSON.parse(
			'{"__proto__": {"id": "forged"}, "cpnj": "x", "user_id": "u", "phone": "1"}',
		);
		for (const heal of [canonicalUser, canonicalSchool, canonicalClass, canonicalAddress]) {
			expect(Object.getPrototypeOf(heal(hostile))).toBe(Object.prototype);
		}
		expect(canonicalSchool(hostile)).not.toHaveProperty('id');
		expect(({} as Record<string, unknown>).id).toBeUndefined();
	});
});
