/** Ids that a sheet's columns are put together to, where one of them is empty. */
import { sheetOf } from '../../../../nodes/SchoolPartnerRoster/run/rows.ts';
import { Turns } from '../../../../nodes/SchoolPartnerRoster/roster/turns.ts';
import { outspoken } from '../../../../nodes/shared/actions/expressions.ts';

/** n8n's expressions, as far as these need them: each names one field. */
function contextOf(item: Record<string, string>, columns: object) {
	const valueOf = (code: string) => item[code.trim().slice('$json.'.length)];
	return outspoken({
		getNode: () => ({ type: 'n8n-nodes-school-partner.schoolPartnerRoster' }),
		getNodeParameter: (name: string) => (name === 'columns.mappingMode' ? 'defineBelow' : columns),
		evaluateExpression: (text: string) => {
			const whole = /^\{\{((?:(?!\}\}).)*)\}\}$/s.exec(text);
			if (whole) return valueOf(whole[1]);
			return text.replaceAll(/\{\{(.*?)\}\}/gs, (_, code: string) => String(valueOf(code) ?? ''));
		},
	} as never);
}

async function rowOf(columns: object) {
	const item = { unit: 'N', nr: '', grade: '1', section: '' };
	const turns = new Turns({ pause: async () => {}, clock: () => 0 });
	const sheet = await sheetOf(contextOf(item, columns), [{ json: item }], 'YYYY-MM-DD', turns);
	return { row: sheet.rows[0], codes: sheet.findings.map(({ code }) => code) };
}

test('Who has no number gets no id that is that of everybody without one, and the row is told', async () => {
	const columns = {
		school_external_id: 'school-1',
		student_external_id: '={{ $json.unit }}-{{ $json.nr }}',
	};
	const { row, codes } = await rowOf(columns);
	expect(row?.student_external_id ?? null).toBeNull();
	expect(codes).toEqual(['expressionGivesNothing']);
});

test.each(['={{ $json.grade }}{{ $json.section }}', '={{ $json.grade }}-{{ $json.section }}'])(
	'A class without a section has an id (%s): a row without a class would say that its student has left it',
	async (ofClass) => {
		const columns = { school_external_id: 'school-1', student_external_id: 's1', class_external_id: ofClass };
		const { row, codes } = await rowOf(columns);
		expect(row?.class_external_id).toMatch(/^1-?$/);
		expect(codes).toEqual([]);
	},
);
