/**
 * Operations by faults, in the real n8n with the packed package: what arrives at the service, what comes out of the
 * node, and how long it takes. All runs are made first, side by side; every test then holds one cell to its promise.
 * `CHAOS=user.createStudent,account.get npm run chaos` tries these operations only.
 */
import type { Cell } from './cell.mts';
import { ENDINGS, hasMiddle, performEnding } from './endings.mts';
import { EXPECTATIONS, PROMISES_OF_RUNS } from './expectations.mts';
import { OPERATIONS, type OperationCase } from './operations.mts';
import { report } from './report.mts';
import { jobsOf, performJob } from './requests.mts';
import { SCENARIOS } from './scenarios.mts';
import { ChaosStage, type Lane } from './stage.mts';

const chosen = (process.env.CHAOS ?? '').split(',').filter((name) => name !== '');
const operations = OPERATIONS.filter(({ name }) => chosen.length === 0 || chosen.includes(name));

/** The cells of an operation, in the order in which they are shown. */
function columnsOf(operation: OperationCase): string[] {
	return [
		...EXPECTATIONS.map(({ fault }) => fault).filter(
			(fault) => fault !== 'wrong type' || operation.goodAnswer !== undefined,
		),
		...SCENARIOS.filter(({ isFor }) => isFor?.(operation) !== false).map(({ column }) => column),
		...(hasMiddle(operation) ? ENDINGS.map(({ column }) => column) : []),
	];
}

const cells = new Map<string, Cell>();
const nameOf = (operation: string, column: string) => `${operation}/${column}`;
const keep = (cell: Cell) => void cells.set(nameOf(cell.operation, cell.column), cell);

/** A run that could not be made leaves its reason in the cells that it was made for. */
async function kept(
	operation: string,
	columns: readonly string[],
	perform: () => Promise<Cell[]>,
): Promise<void> {
	try {
		(await perform()).forEach(keep);
	} catch (error) {
		for (const column of columns)
			keep({ operation, column, short: '', findings: [String(error)], details: {} });
	}
}

type Job = (lane: Lane) => Promise<void>;

function jobsFor(stage: ChaosStage): Job[] {
	const waiting = SCENARIOS.flatMap((scenario) =>
		operations
			.filter((operation) => scenario.isFor?.(operation) !== false)
			.map(
				(operation): Job =>
					async (lane) => {
						const { column } = scenario;
						await kept(operation.name, [column], async () => [
							{
								operation: operation.name,
								column,
								...(await scenario.perform(stage.n8n.session, lane, operation)),
							},
						]);
					},
			),
	);
	const struck = jobsOf(operations).map(
		(job): Job =>
			async (lane) => {
				const columns = job.expectations.map(({ fault }) => fault);
				await kept(job.operation.name, columns, async () => await performJob(stage.n8n.session, lane, job));
			},
	);
	return [...waiting, ...struck];
}

beforeAll(async () => {
	const startedAt = Date.now();
	const stage = await ChaosStage.set({ students: 150 });
	try {
		await stage.onLanes(jobsFor(stage), async (lane, job) => await job(lane));
		const withMiddle = operations.filter(hasMiddle);
		for (const ending of ENDINGS) (await performEnding(stage, withMiddle, ending)).forEach(keep);
	} finally {
		await stage.end();
		const all = operations.flatMap((operation) =>
			columnsOf(operation).flatMap((column) => cells.get(nameOf(operation.name, column)) ?? []),
		);
		report(all, (Date.now() - startedAt) / 1_000);
	}
}, 1_800_000);

test('every column of whole runs is promised to the user, and nothing is promised that no column tries', () => {
	const tried = [...SCENARIOS, ...ENDINGS].map(({ column }) => column);
	expect(tried.sort()).toEqual(Object.keys(PROMISES_OF_RUNS).sort());
});

describe.each(operations)('$name', (operation) => {
	test.each(columnsOf(operation))(
		'%s: sent as often as is right, nothing lost, everything said, in time',
		(column) => {
			expect(cells.get(nameOf(operation.name, column))?.findings).toEqual([]);
		},
	);
});
