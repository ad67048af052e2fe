/** A message that shows only the first of many says how many more there are: nobody takes it for everything. */
import { runInNewContext } from 'node:vm';

import { messageOf, parametersOf } from '../exampleNode.mts';

const numbered = <T,>(count: number, one: (index: number) => T): T[] =>
	Array.from({ length: count }, (_, index) => one(index));

/** The message about a night of Verify on which so many people are not there, and so many places are not shown. */
function messageOfVerify(missing: number, notShown: number): string {
	const differences = numbered(missing, (index) => ({
		...{ key: `u:school|p${index}`, difference: 'missing', is: 'notInService', what_to_do: 'Look.' },
	}));
	const places = numbered(notShown, (index) => ({ code: 'notShown', key: `b:school|5A|p${index}` }));
	return runInNewContext(messageOf('verify-a-seventh-every-night'), {
		$json: {
			coverage: { asked: missing, people: missing, same: 0, different: 0, not_seen: missing },
			causes: [{ code: 'notShown', count: notShown, message: 'Not shown', what_to_do: 'Look.' }],
			access: { items: places },
		},
		$: () => ({ all: () => differences.map((json) => ({ json })) }),
		$execution: { resumeUrl: 'http://n8n/webhook-waiting/1' },
	}) as string;
}

interface Report {
	schools: object[];
	causes: Array<{ records: string }>;
}

/** The report of a night on which each school has one new class, and each of so many classes was refused. */
function reportOf(schools: number, refused: number): { report: Report; page: string } {
	const counts = { class: { applied: 1 } };
	const kind = { code: 'refused', severity: 'error', kind: 'class', action: 'create' };
	const summary = {
		...{ run_id: 'run', outcome: 'attention', counts, holds: [] },
		schools: numbered(schools, (index) => ({ school_external_id: `school ${index}`, counts })),
		causes: [{ ...kind, count: refused, message: 'Refused', what_to_do: 'Look.' }],
	};
	const attention = numbered(refused, (index) => ({ ...kind, key: `c:school|${index}` }));
	const code = runInNewContext(
		`($, $now) => {${parametersOf('report-of-the-night', 'Night in Numbers').jsCode}}`,
	) as (...given: object[]) => [{ json: Report }];
	const outputs: object[][] = [[summary], attention];
	const all = (output: number) => outputs[output].map((json) => ({ json }));
	const [{ json: report }] = code(() => ({ all }), { toISODate: () => '2026-11-28' });
	const html = parametersOf('report-of-the-night', 'Page').html ?? '';
	const page = html.replaceAll(/\{\{(.*?)\}\}\n/g, (_, expression: string) =>
		String(runInNewContext(expression, { $json: report })),
	);
	return { report, page };
}

test('of 60 differences that Verify has found, ten that the message leaves out, and whom its form takes', () => {
	const message = messageOfVerify(60, 0);
	expect(message).toContain('missing: u:school|p49');
	expect(message).not.toContain('missing: u:school|p50');
	expect(message).toMatch(/^And 10 more: the second output of Verify a Seventh has all of them\.$/m);
	expect(message).toContain('approve the first 50: http://n8n/form/approve-what-is-missing?Keys=');
});

test('of seven places that the service does not show, two', () => {
	expect(messageOfVerify(0, 7)).toMatch(/b:school\|5A\|p4\n {2}and 2 more$/);
});

test('nothing of more, where all are shown', () => {
	const message = messageOfVerify(50, 5);
	expect(message).not.toMatch(/\bmore\b|first 50/);
	expect(message).toContain('approve: http://n8n/form/');
	const { page, report } = reportOf(25, 20);
	expect(page).not.toContain(' more');
	expect(report.causes[0].records).not.toContain(' more');
});

test('of 30 schools, the five that the report of the night leaves out, and of 26 records six', () => {
	const { report, page } = reportOf(30, 26);
	expect(report.schools).toHaveLength(25);
	expect(page).toContain('<p>and 5 more schools, with fewer changes each</p>');
	expect(report.causes[0].records).toMatch(/c:school\|19\nand 6 more$/);
});
