/** One sheet for all schools of a network, in the workflow of the whole night: docs/sheet.md sends whoever has more than 2,000 changes there. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { heldBy } from '../../support/held.mts';

import { NightlyExample, PLAN, withNode, type Wiring } from './example.mts';
import { useGround } from './first-load.mts';

const EXPORT = 'Export of Tonight';
const SCHOOLS = ['school-001', 'school-002'];
const HEADER = 'escola;matricula;aluno;codigo_turma;turma;ano;responsavel;nome_responsavel';

/** Twenty students in each school, with the same numbers in each; one guardian has a child in both. */
const ROWS = SCHOOLS.flatMap((school) =>
	Array.from({ length: 20 }, (_, index) =>
		[
			school,
			index + 1,
			`Aluna Fontela ${index + 1}`,
			'2026-5A',
			'5A',
			2026,
			index === 0 ? 'R1' : `${school}-R${index + 1}`,
			index === 0 ? 'Celestina Fontela' : `Ilka Fontela ${index + 1}`,
		].join(';'),
	),
);

const ground = useGround();
let server: Server;
let rows: readonly string[] = ROWS;

beforeAll(async () => {
	server = createServer((_req, res) => {
		res.setHeader('content-type', 'text/csv');
		res.end([HEADER, ...rows, ''].join('\r\n'));
	});
	await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
});
beforeEach(async () => {
	rows = ROWS;
	await ground.sandbox.admin.reset();
});
afterAll(() => void server?.close());

const COLUMNS = {
	school_external_id: '={{ $json.escola }}',
	student_external_id: '={{ $json.matricula }}',
	student_full_name: '={{ $json.aluno }}',
	class_external_id: '={{ $json.codigo_turma }}',
	class_name: '={{ $json.turma }}',
	class_educational_stage: 'EF1',
	class_grade: '5º ano',
	class_year: '={{ $json.ano }}',
	responsible_1_external_id: '={{ $json.responsavel }}',
	responsible_1_full_name: '={{ $json.nome_responsavel }}',
};

/** As the page says: *Extract from File* behind the export, and the plan reads the rows of a sheet. */
const readsSheet: Wiring = (workflow) => {
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rede.csv`;
	const fetched = withNode(workflow, EXPORT, ({ parameters }) => ({ parameters: { ...parameters, url } }));
	const planned = withNode(fetched, PLAN, ({ parameters }) => ({
		parameters: {
			...parameters,
			source: 'rows',
			columns: { mappingMode: 'defineBelow', value: COLUMNS, schema: [], matchingColumns: [] },
		},
	}));
	const place = planned.nodes.find(({ name }) => name === EXPORT)?.position ?? [0, 0];
	const extract = {
		...{ id: 'extract', name: 'Rows of the Sheet', type: 'n8n-nodes-base.extractFromFile', typeVersion: 1 },
		position: [place[0] + 160, place[1]] as [number, number],
		parameters: { operation: 'csv', options: { delimiter: ';' } },
	};
	const { [EXPORT]: toPlan, ...others } = planned.connections;
	const connections = {
		...others,
		[EXPORT]: { main: [[{ node: extract.name, type: 'main' as const, index: 0 }]] },
		[extract.name]: toPlan,
	};
	return { ...planned, nodes: [...planned.nodes, extract], connections };
};

test('all of its schools are created batch by batch, the same sheet again sends nothing, and whoever left it leaves the class', async () => {
	const example = await NightlyExample.open(ground.n8n, ground.sandbox, { wiring: readsSheet });
	const options = { userKeys: 'school', completeness: 'complete' };
	const first = await example.night(options);
	expect([first.said, first.summary.left]).toEqual(['', 0]);
	const created = await heldBy(ground.sandbox.admin);
	// A class, twenty students with a guardian each, and their bonds, in each school.
	expect(created).toHaveLength(SCHOOLS.length * (1 + 20 + 20 + 20));
	const second = await example.night(options);
	expect([second.said, second.changes]).toEqual(['', []]);
	rows = ROWS.slice(0, -1);
	const third = await example.night(options);
	expect(third.changes.map(({ action, key }) => [action, key])).toEqual([
		['remove', 'b:school-002|2026-5A|20|student'],
	]);
});

test('with User Keys on Network, whose numbers count within one school only, nobody is created twice: they are left out and told', async () => {
	const example = await NightlyExample.open(ground.n8n, ground.sandbox, { wiring: readsSheet });
	const { findings } = await example.night();
	expect(findings).toContainEqual(
		expect.objectContaining({ code: 'idTwice', kind: 'user', severity: 'error' }),
	);
	expect(await ground.sandbox.admin.users({ provisioned: true, profile: 'student' })).toMatchObject({
		count: 0,
	});
});
