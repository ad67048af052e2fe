/** n8n gets its turn: webhooks that come in meanwhile must not wait for a whole roster. */
import { networkZip, NETWORK_GRADES } from '../../../bench/roster/network.mts';
import { readFiles } from '../../../../nodes/SchoolPartnerRoster/reading/readFiles.ts';
import { readRows } from '../../../../nodes/SchoolPartnerRoster/reading/readRows.ts';

import { mappingOf } from './support.mts';

/** A process that notes how much it had to work between two turns, in milliseconds: of a busy machine it has only a share. */
function patientHost() {
	let [since, longest, turns] = [process.cpuUsage(), 0, 0];
	const note = () => {
		const { user, system } = process.cpuUsage(since);
		longest = Math.max(longest, (user + system) / 1_000);
	};
	const pause = async () => {
		note();
		turns++;
		await new Promise((resolve) => setTimeout(resolve));
		since = process.cpuUsage();
	};
	return {
		host: { pause, clock: () => Date.now() },
		waited: () => {
			note();
			return { longest, turns };
		},
	};
}

const STUDENTS = 3_000;

test(`Reading the files of ${STUDENTS} students lets others in between`, async () => {
	const zip = networkZip(STUDENTS);
	const { host, waited } = patientHost();
	const read = await readFiles(
		[{ name: 'network.zip', bytes: zip }],
		mappingOf({ grades: NETWORK_GRADES, asOf: '2026-06-01' }),
		'automatic',
		host,
	);
	const { longest, turns } = waited();
	expect(read).toMatchObject({ ok: true, value: { faulty: [] } });
	expect(turns).toBeGreaterThan(10);
	// A multiple of what it is: the machine collects its garbage meanwhile. How long others wait in truth is for the bench.
	expect(longest).toBeLessThan(500);
});

test(`Reading ${STUDENTS} rows lets others in between`, async () => {
	const rows = Array.from({ length: STUDENTS }, (_, at) => ({
		school_external_id: 'sch-1',
		student_external_id: at,
		student_full_name: 'Ana Souza',
		class_external_id: at % 800,
		class_name: 'A',
		class_grade: '05',
		class_year: 2026,
	}));
	const { host, waited } = patientHost();
	const read = await readRows(rows, mappingOf({ grades: NETWORK_GRADES }), 'whole', host);
	const { longest, turns } = waited();
	expect(read).toMatchObject({ faulty: [] });
	expect(turns).toBeGreaterThan(3);
	expect(longest).toBeLessThan(500);
});
