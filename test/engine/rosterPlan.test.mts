import { useBench, wordsOf } from './bench.mts';
import { EXPORT, itemWithFiles, MAPPING, outputsOf, plan, zipOf } from './rosterStage.mts';

const bench = useBench();

const FIRST = { firstRun: true };

describe('The plan of the first run', () => {
	test('creates what the export holds, in the order in which the service needs it, and sends nothing', async () => {
		const { changes, held, summary } = outputsOf(await plan(bench, { options: FIRST }));
		expect(changes.map(({ action, key }) => `${String(action)} ${String(key)}`)).toEqual([
			'create c:school-001|ros-class-1',
			'create u:ros-mother-1',
			'create u:ros-student-1',
			'create u:ros-student-2',
			'create u:ros-teacher-1',
			'create b:school-001|ros-class-1|ros-student-1|student',
			'create b:school-001|ros-class-1|ros-student-2|student',
			'create b:school-001|ros-class-1|ros-teacher-1|educator',
		]);
		expect(held).toEqual([]);
		expect(summary).toHaveLength(1);
		expect(await bench.admin.countRequests({ method: 'POST', path: '/integration' })).toBe(0);
	});
});
