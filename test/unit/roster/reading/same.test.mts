/** What does not change a roster: how the exporter writes it down. */
import fc from 'fast-check';

import { readExports } from '../../../../nodes/SchoolPartnerRoster/reading/readExports.ts';
import type { Roster } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';

import {
	bodies,
	bytesOf,
	changed,
	extended,
	GRADES,
	host,
	oneRoster11,
	oneRoster12,
	rosterOf,
	sds21,
	type Lines,
} from './support.mts';

/** The cells of a line: of these fixtures one cell is quoted. */
const cellsOf = (line: string) =>
	[...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
		.map(([, cell]) => cell)
		.slice(0, line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).length);
const plain = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

interface Style {
	delimiter: ',' | ';' | '\t';
	newline: '\n' | '\r\n';
	quotes: 'all' | 'needed';
	mark: boolean;
	header: 'as it is' | 'lower' | 'upper';
	blanks: boolean;
	lastNewline: boolean;
	order: number;
}

const style: fc.Arbitrary<Style> = fc.record({
	delimiter: fc.constantFrom(',' as const, ';' as const, '\t' as const),
	newline: fc.constantFrom('\n' as const, '\r\n' as const),
	quotes: fc.constantFrom('all' as const, 'needed' as const),
	mark: fc.boolean(),
	header: fc.constantFrom('as it is' as const, 'lower' as const, 'upper' as const),
	blanks: fc.boolean(),
	lastNewline: fc.boolean(),
	order: fc.nat(),
});

/** A file in that style. */
function written(
	lines: string[],
	{ delimiter, newline, quotes, mark, header, blanks, lastNewline, order }: Style,
): Uint8Array {
	const rows = lines.map((line) => cellsOf(line).map(plain));
	const width = rows[0].length;
	const places = Array.from(
		{ length: width },
		(_, at) => (at * (order % 2 === 0 ? 1 : width - 1) + order) % width,
	);
	const cell = (value: string) => {
		const needs = quotes === 'all' || value.includes(delimiter) || value.includes('"');
		return needs ? `"${value.replaceAll('"', '""')}"` : `${blanks ? ' ' : ''}${value}${blanks ? ' ' : ''}`;
	};
	const cased = (name: string) =>
		header === 'as it is' ? name : header === 'lower' ? name.toLowerCase() : name.toUpperCase();
	const out = rows.map((row, at) =>
		places.map((place) => cell(at === 0 ? cased(row[place]) : (row[place] ?? ''))).join(delimiter),
	);
	return new Uint8Array(
		Buffer.from(`${mark ? '\ufeff' : ''}${out.join(newline)}${lastNewline ? newline : ''}`),
	);
}

/** All but the digests of the files. */
const essence = ({ files: _files, ...said }: Roster) => said;

test.each<[string, () => Lines]>([
	['OneRoster 1.2', oneRoster12],
	['OneRoster 1.1', oneRoster11],
	['SDS v2.1', sds21],
])(
	'Order of columns, delimiters, quotes, byte order marks, line ends, capitals in the header and blanks do not change a roster of %s',
	async (_name, files) => {
		const expected = essence(await rosterOf(files()));
		await fc.assert(
			fc.asyncProperty(fc.array(style, { minLength: 10, maxLength: 10 }), async (styles) => {
				const bytes = Object.entries(files()).map(([name, lines], at) => ({
					name,
					bytes: written(lines, styles[at]),
				}));
				expect(essence(await rosterOf(bytes))).toEqual(expected);
			}),
			{ numRuns: 60 },
		);
	},
);

test('The order of rows does not change what a roster says', async () => {
	const sorted = (roster: Roster) =>
		roster.records.map(({ fields }) => JSON.stringify(Object.entries(fields).sort())).sort();
	const expected = sorted(await rosterOf(oneRoster12()));
	await fc.assert(
		fc.asyncProperty(fc.nat(), async (turn) => {
			const turned = Object.entries(oneRoster12()).map(([name, [header, ...rows]]): [string, string[]] => {
				const at = turn % rows.length;
				return [name, [header, ...rows.slice(at), ...rows.slice(0, at)]];
			});
			expect(sorted(await rosterOf(Object.fromEntries(turned)))).toEqual(expected);
		}),
		{ numRuns: 20 },
	);
});

test.each(['primary', 'secondary'])(
	'The order of roles does not change the school of a person who has two that are %s',
	async (mark) => {
		const roles = ['sch-1', 'sch-2'].map((school) => `r-${school},,,te-1,${mark},teacher,,,${school},`);
		const schoolWith = async (primaryOrg: string, ...rows: string[]) => {
			const users = changed(oneRoster12(), 'users.csv', (line) =>
				line.startsWith('te-1') ? line.replace(/,,$/, `,${primaryOrg},`) : line,
			);
			const without = changed(users, 'roles.csv', (line) => (line.startsWith('r3') ? undefined : line));
			const files = extended(
				extended(without, 'orgs.csv', 'sch-2,,,South School,school,1002,net'),
				'roles.csv',
				...rows,
			);
			return bodies(await rosterOf(files, { ...GRADES, userKeys: 'network' }), 'user')['te-1']
				.school_external_id;
		};
		expect([await schoolWith('', ...roles), await schoolWith('', ...roles.toReversed())]).toEqual([
			'sch-1',
			'sch-1',
		]);
		// Of two that are alike, users.csv may say which it is.
		expect([await schoolWith('sch-2', ...roles), await schoolWith('sch-2', ...roles.toReversed())]).toEqual([
			'sch-2',
			'sch-2',
		]);
	},
);

test('The order of exports does not change the school and the profiles of a person who is in two of them', async () => {
	const orgs = extended(oneRoster12(), 'orgs.csv', 'sch-2,,,South School,school,1002,net');
	const exportOf = (school: string, role: string) =>
		bytesOf(
			changed(orgs, 'roles.csv', (line) =>
				line.startsWith('r3') ? `r3,,,te-1,primary,${role},,,${school},` : line,
			),
		);
	const both = [exportOf('sch-2', 'coach'), exportOf('sch-1', 'teacher')];
	const roles = [{ role: 'coach', profile: 'coordinator' }];
	for (const exports of [both, both.toReversed()]) {
		const read = await readExports(exports, { ...GRADES, roles, userKeys: 'network' }, 'automatic', host);
		expect(read.ok && bodies(read.value, 'user')['te-1']).toMatchObject({
			...{ school_external_id: 'sch-1', profiles: ['coordinator', 'educator'] },
		});
	}
});
